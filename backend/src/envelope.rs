//! What surrounds every answer: the time limit, the host check, headers, error bodies, one log line.

use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use shared::api::{ErrorBody, paths};
use tower_http::request_id::RequestId;
use tracing::{error, info};

use crate::error::ApiError;
use crate::routes;
use crate::state::AppState;

/// Sent with every answer that has no other of the same name. The page needs no other origin, no inline script and no device.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

/// Answers a request within the limits, and says in the log what came of it.
pub(crate) async fn envelope(
    State(app): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let id = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.header_value().to_str().ok());
    let id = id.unwrap_or_default().to_owned();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());

    let refusal = app
        .local_only()
        .then(|| foreign_host(request.uri(), request.headers()))
        .flatten();
    let mut response = match refusal {
        Some(host) => ApiError::WrongHost(host).into_response(),
        // A model may think for minutes; the gateway bounds each wait by itself.
        None if path == paths::LLM_CHAT => next.run(request).await,
        None => match tokio::time::timeout(app.request_timeout(), next.run(request)).await {
            Ok(response) => response,
            Err(_) => ApiError::TimedOut.into_response(),
        },
    };

    let status = response.status();
    let mut refusal = response.extensions_mut().remove::<ApiError>();
    if refusal.is_none()
        && path.starts_with("/api/")
        && (status.is_client_error() || status.is_server_error())
    {
        refusal = Some(ApiError::Status(status));
    }
    if let Some(refusal) = refusal {
        if let ApiError::Internal(_) = &refusal {
            error!(
                request.id = id,
                "{method} {path} failed: {}",
                refusal.cause()
            );
        }
        response = with_body(response, &refusal, &path, &id);
    }
    for (name, value) in HEADERS {
        let own = response.headers_mut().entry(name);
        own.or_insert(HeaderValue::from_static(value));
    }
    let duration_ms = started.elapsed().as_millis();
    info!(
        request.id = id,
        duration_ms,
        "{method} {path}: {}",
        status.as_u16()
    );
    response
}

/// The same refusal, with its reason as JSON.
fn with_body(response: Response, refusal: &ApiError, path: &str, id: &str) -> Response {
    let (mut parts, _) = response.into_parts();
    for name in [CONTENT_TYPE, CONTENT_LENGTH] {
        parts.headers.remove(name);
    }
    if path.starts_with(paths::LLM_V1) {
        let body = routes::llm::error_body(refusal);
        return (parts.status, parts.headers, Json(body)).into_response();
    }
    let body = ErrorBody {
        code: refusal.code(),
        message: refusal.message(),
        hint: refusal.hint(),
        request_id: id.to_owned(),
    };
    (parts.status, parts.headers, Json(body)).into_response()
}

/// The host that is asked for, unless it is this machine by one of its own names. A page of another
/// origin can point a name of its own at this machine, and would then read what only its user may.
fn foreign_host(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let named = match uri.authority() {
        Some(authority) => authority.to_string(),
        None => headers
            .get(HOST)
            .map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned())
            .unwrap_or_default(),
    };
    let host = named
        .parse::<Authority>()
        .map(|authority| authority.host().to_lowercase())
        .unwrap_or_default();
    let is_own = matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]");
    (!is_own).then(|| {
        if named.is_empty() {
            "a request without a host".to_owned()
        } else {
            named
        }
    })
}
