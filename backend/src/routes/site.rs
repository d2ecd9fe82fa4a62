//! The page's files, compressed as they were built; the page itself for every path it knows.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_SECURITY_POLICY, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use fly_accept_encoding::Encoding;
use shared::api::paths;

use crate::answer::{Answer, IMMUTABLE, REVALIDATE, tag};
use crate::error::{ApiError, ApiResult};
use crate::site::Site;
use crate::state::AppState;

const PAGE: &str = "index.html";
/// How the name of the worker starts that runs programs in the page, and what it may load: its interpreter's
/// scripts and nothing else, from nowhere.
const GUEST: &str = "pkg/python-";
const GUEST_POLICY: &str =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'";

pub(crate) async fn file(
    State(app): State<AppState>,
    uri: Uri,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = uri.path().to_owned();
    if path == "/api" || path.starts_with("/api/") {
        return Err(ApiError::NoRoute(path));
    }
    let Some(site) = app.site().cloned() else {
        let text = "This CtxLab has no page: build it with `cargo xtask web`, or give its folder with --site.\n";
        return Ok((StatusCode::NOT_FOUND, text).into_response());
    };
    app.blocking(move |_| {
        let name = path.strip_prefix('/').unwrap_or(&path);
        let at_page = paths::is_page(&path);
        let file = if at_page && name.is_empty() {
            None
        } else {
            serve(&site, name, StatusCode::OK, &headers)
        };
        let status = if at_page {
            StatusCode::OK
        } else {
            StatusCode::NOT_FOUND
        };
        file.or_else(|| serve(&site, PAGE, status, &headers))
            .ok_or(ApiError::NoRoute(path))
    })
    .await?
}

/// A file of the engine that runs in the page.
pub(crate) async fn engine(
    State(app): State<AppState>,
    Path(file): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let (site, name) = app.page_engine(&file);
    let file = app.blocking(move |_| serve(&site, &name, StatusCode::OK, &headers));
    file.await?
        .ok_or_else(|| ApiError::NoRoute(uri.path().to_owned()))
}

/// A file of the site in the best form that the client takes.
fn serve(site: &Site, name: &str, status: StatusCode, request: &HeaderMap) -> Option<Response> {
    let (body, encoding) =
        packed(site, name, request).or_else(|| Some((site.read(name)?, None)))?;
    let caching = if is_hashed(name) {
        IMMUTABLE
    } else {
        REVALIDATE
    };
    let body = match body {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let answer = Answer {
        status,
        content_type: content_type(name),
        caching,
        tag: tag(&body),
        body,
    };
    let mut response = answer.to(request);
    if name.starts_with(GUEST) {
        let policy = HeaderValue::from_static(GUEST_POLICY);
        response
            .headers_mut()
            .insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
        .headers_mut()
        .insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(encoding) = encoding.filter(|_| response.status() != StatusCode::NOT_MODIFIED) {
        response
            .headers_mut()
            .insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

/// A compressed copy beside the file, of a kind that the client takes.
fn packed(
    site: &Site,
    name: &str,
    request: &HeaderMap,
) -> Option<(Cow<'static, [u8]>, Option<&'static str>)> {
    let accepted = fly_accept_encoding::encodings(request).unwrap_or_default();
    let weight = |wanted: Encoding| {
        accepted
            .iter()
            .find(|(encoding, _)| *encoding == Some(wanted))
            .map_or(0.0, |(_, weight)| *weight)
    };
    let mut kinds = [
        ("br", "br", weight(Encoding::Brotli)),
        ("gzip", "gz", weight(Encoding::Gzip)),
    ];
    kinds.sort_by(|a, b| b.2.total_cmp(&a.2)); // Stable: of equal weights Brotli, which is smaller.
    kinds
        .into_iter()
        .filter(|(_, _, weight)| *weight > 0.0)
        .find_map(|(encoding, suffix, _)| {
            Some((site.read(&format!("{name}.{suffix}"))?, Some(encoding)))
        })
}

fn content_type(name: &str) -> HeaderValue {
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let text = if kind.type_() == mime_guess::mime::TEXT {
        format!("{kind}; charset=utf-8")
    } else {
        kind.to_string()
    };
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}

/// Whether a name tells its content (`app-0123456789abcdef.js`, `snippets-0123456789abcdef/a.js`).
fn is_hashed(path: &str) -> bool {
    let is_hash = |text: &str| {
        text.len() == 16
            && text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    path.split('/').any(|part| {
        let stem = part.split('.').next().unwrap_or(part);
        stem.rsplit_once('-').is_some_and(|(_, hash)| is_hash(hash))
    })
}
