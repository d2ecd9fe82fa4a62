//! What is known of a benchmark's references: the last check, and a new one.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use shared::api::CheckRequest;
use shared::subject::DatasetId;

use super::jobs::{Client, submit};
use crate::answer::{Answer, REVALIDATE, tag};
use crate::error::ApiResult;
use crate::jobs::Task;
use crate::state::AppState;

pub(crate) async fn show(
    State(app): State<AppState>,
    Path(dataset): Path<DatasetId>,
    how: Result<Query<CheckRequest>, QueryRejection>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Query(how) = how?;
    let Some(lines) = app.checked(dataset, how).await? else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let answer = Answer {
        status: StatusCode::OK,
        content_type: HeaderValue::from_static("application/jsonl"),
        caching: REVALIDATE,
        tag: tag(&lines),
        body: lines.into(),
    };
    Ok(answer.to(&headers))
}

pub(crate) async fn check(
    State(app): State<AppState>,
    Path(references_of): Path<DatasetId>,
    client: Client,
    how: Result<Json<CheckRequest>, JsonRejection>,
) -> ApiResult<Response> {
    let Json(how) = how?;
    // It is refused now where there is no such benchmark.
    app.dataset(references_of.clone()).await?;
    let task = Task::References { references_of, how };
    submit(&app, client, task).await
}
