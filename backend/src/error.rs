//! A refused request: what the client is told, and what only the log is told.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use shared::api::{ErrorCode, JobId};
use shared::subject::{DatasetId, SubjectId};

use crate::llm::LlmError;
use crate::store::StoreError;

/// What handlers give.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

/// Why a request is refused.
#[derive(Clone, Debug)]
pub(crate) enum ApiError {
    /// There is no such path.
    NoRoute(String),
    /// There is no such benchmark.
    NoDataset(DatasetId),
    /// The benchmark has no such subject.
    NoSubject(DatasetId, SubjectId),
    /// There is no such job, or it ended long ago.
    NoJob(JobId),
    /// The body is not what it should be.
    Body(String),
    /// Too much waits already; there may be room after this time.
    Busy(Duration),
    /// A parameter is wrong.
    Parameter(String),
    /// It is asked for under a name that is not this machine's.
    WrongHost(String),
    /// It needs this server's token: there is none in the request, a wrong one, or none was ever chosen.
    NoToken(&'static str),
    /// A client asks models too often; it may again after this time.
    TooOften(Duration),
    /// A model gave no reply.
    Llm(LlmError),
    /// It took too long.
    TimedOut,
    /// Refused before it came to a handler.
    Status(StatusCode),
    /// The server failed.
    Internal(Arc<anyhow::Error>),
}

impl ApiError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NoRoute(_) | Self::NoDataset(_) | Self::NoSubject(..) | Self::NoJob(_) => {
                StatusCode::NOT_FOUND
            }
            Self::Busy(_) | Self::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::NoToken(_) => StatusCode::UNAUTHORIZED,
            Self::Llm(e) => e.status(),
            Self::Parameter(_) | Self::Body(_) => StatusCode::BAD_REQUEST,
            Self::WrongHost(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::TimedOut => StatusCode::SERVICE_UNAVAILABLE,
            Self::Status(status) => *status,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(crate) fn code(&self) -> ErrorCode {
        match self.status() {
            StatusCode::NOT_FOUND => ErrorCode::NotFound,
            status if status.is_client_error() => ErrorCode::Invalid,
            _ => ErrorCode::Internal,
        }
    }

    /// What failed and why.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::NoRoute(path) => format!("nothing is at {path}"),
            Self::NoDataset(id) => format!("no benchmark {id}"),
            Self::NoSubject(dataset, id) => format!("benchmark {dataset} has no subject {id}"),
            Self::NoJob(id) => format!("no job {id}"),
            Self::Busy(_) => "too many jobs wait already".to_owned(),
            Self::Parameter(why) | Self::Body(why) => why.clone(),
            Self::WrongHost(host) => {
                format!("this server answers for this machine only, not for {host}")
            }
            Self::NoToken(why) => (*why).to_owned(),
            Self::TooOften(_) => "you ask models too often".to_owned(),
            Self::Llm(e) => e.to_string(),
            Self::TimedOut => "the answer took too long".to_owned(),
            Self::Status(status) => status
                .canonical_reason()
                .unwrap_or("refused")
                .to_lowercase(),
            Self::Internal(_) => "the server failed; its log says why".to_owned(),
        }
    }

    /// When it may be tried again, where that is known.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Busy(pause) | Self::TooOften(pause) => Some(*pause),
            Self::Llm(e) => e.retry_after(),
            _ => None,
        }
    }

    /// For the log: what failed and why, in full.
    pub(crate) fn cause(&self) -> String {
        match self {
            Self::Internal(cause) => format!("{cause:#}"),
            other => other.message(),
        }
    }

    /// What to do next.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoDataset(_) => {
                "list the benchmarks, or import this one with `ctxlab dataset import`"
            }
            Self::NoSubject(..) => "list the benchmark's subjects",
            Self::Parameter(_) => {
                "offset and limit are whole numbers, limit is 1 to 10000; protocol is corrected or published"
            }
            Self::NoJob(_) => "it ended long ago, or was never taken: start it again",
            Self::Body(_) => {
                "send a JSON object: dataset and subject for tests, engine and protocol for a check"
            }
            Self::Llm(e) => e.hint(),
            Self::NoToken(_) => "send the server's token (CTXLAB_TOKEN) as a bearer token",
            Self::Busy(pause) | Self::TooOften(pause) => {
                return Some(format!("try again in {} s", pause.as_secs().max(1)));
            }
            Self::WrongHost(_) => "use localhost or 127.0.0.1",
            Self::TimedOut => "try again in a moment",
            Self::NoRoute(_) | Self::Status(_) | Self::Internal(_) => return None,
        };
        Some(hint.to_owned())
    }
}

/// The body is written by [`crate::envelope`], which knows the request's id.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if let Some(pause) = self.retry_after() {
            let pause = HeaderValue::from(pause.as_secs().max(1));
            response.headers_mut().insert(RETRY_AFTER, pause);
        }
        // OpenAI's clients ask again by themselves; what may help there was tried here.
        if let Self::Llm(e) = &self
            && !matches!(e, LlmError::CircuitOpen(..))
        {
            let no = HeaderValue::from_static("false");
            response.headers_mut().insert("x-should-retry", no);
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound(id) => Self::NoDataset(id),
            other => Self::Internal(Arc::new(other.into())),
        }
    }
}

impl From<LlmError> for ApiError {
    fn from(error: LlmError) -> Self {
        Self::Llm(error)
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> Self {
        Self::Parameter(rejection.body_text().to_lowercase())
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> Self {
        match rejection {
            JsonRejection::BytesRejection(_) | JsonRejection::MissingJsonContentType(_) => {
                Self::Status(rejection.status())
            }
            _ => Self::Body(rejection.body_text().to_lowercase()),
        }
    }
}

impl From<anyhow::Error> for ApiError {
    fn from(error: anyhow::Error) -> Self {
        Self::Internal(Arc::new(error))
    }
}
