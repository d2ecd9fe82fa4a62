//! Answers that a browser may keep, and need not fetch again while they are the same.

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use headers::{HeaderMapExt as _, IfNoneMatch};
use serde::Serialize;
use shared::dataset::sha256_hex;

use crate::error::ApiResult;

/// Ask whether it is still the same before every use.
pub(crate) const REVALIDATE: &str = "no-cache";
/// It is the same for ever.
pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// A body that may be kept.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: HeaderValue,
    pub(crate) caching: &'static str,
    /// Changes when the body does.
    pub(crate) tag: String,
    pub(crate) body: Bytes,
}

impl Answer {
    /// The answer to a request with these headers: without its body where the client has it.
    pub(crate) fn to(self, request: &HeaderMap) -> Response {
        let etag = format!("\"{}\"", self.tag);
        let known = etag.parse().is_ok_and(|etag| {
            request
                .typed_get::<IfNoneMatch>()
                .is_some_and(|known| !known.precondition_passes(&etag))
        });
        let headers = [(ETAG, etag), (CACHE_CONTROL, self.caching.to_owned())];
        if known && self.status == StatusCode::OK {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        (
            self.status,
            headers,
            [(CONTENT_TYPE, self.content_type)],
            Body::from(self.body),
        )
            .into_response()
    }
}

/// A value as JSON.
pub(crate) fn json(request: &HeaderMap, value: &impl Serialize) -> ApiResult<Response> {
    let body = serde_json::to_vec(value).map_err(anyhow::Error::from)?;
    let answer = Answer {
        status: StatusCode::OK,
        content_type: HeaderValue::from_static("application/json"),
        caching: REVALIDATE,
        tag: tag(&body),
        body: body.into(),
    };
    Ok(answer.to(request))
}

/// A tag for a body.
pub(crate) fn tag(body: &[u8]) -> String {
    let mut tag = sha256_hex(body);
    tag.truncate(32);
    tag
}

/// A tag names bytes; once they are compressed on the way, it can only name their meaning.
pub(crate) async fn weaken_compressed(mut response: Response) -> Response {
    if response.headers().contains_key(CONTENT_ENCODING)
        && let Some(etag) = response.headers().get(ETAG)
        && let Ok(weak) = HeaderValue::from_bytes(&[b"W/", etag.as_bytes()].concat())
    {
        response.headers_mut().insert(ETAG, weak);
    }
    response
}
