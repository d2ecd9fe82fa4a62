//! Running tests: take a job, tell what is heard of it, give it up; and what can be run here.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{Stream, StreamExt as _};
use shared::api::{Capabilities, JobEvent, JobId, JobRequest, JobTaken, paths};

use crate::error::{ApiError, ApiResult};
use crate::jobs::{Refusal, Task};
use crate::state::AppState;

/// Who asks; absent where there is no network.
pub(super) type Client = Option<axum::Extension<ConnectInfo<SocketAddr>>>;

pub(crate) async fn capabilities(State(app): State<AppState>) -> Json<Capabilities> {
    Json(app.capabilities().await)
}

pub(crate) async fn take(
    State(app): State<AppState>,
    client: Client,
    request: Result<Json<JobRequest>, JsonRejection>,
) -> ApiResult<Response> {
    let Json(request) = request?;
    let dataset = app.dataset(request.dataset.clone()).await?;
    if dataset.subject(&request.subject).is_none() {
        return Err(ApiError::NoSubject(request.dataset, request.subject));
    }
    submit(&app, client, Task::Tests(request)).await
}

/// Hands a task to the queue; it is on the disk before it is acknowledged.
pub(super) async fn submit(app: &AppState, client: Client, task: Task) -> ApiResult<Response> {
    let client = client.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |it| it.0.0.ip());
    let jobs = app.jobs().clone();
    let taken = app.blocking(move |_| jobs.submit(client, task)).await?;
    let taken: JobTaken = taken.map_err(|refusal| match refusal {
        Refusal::Full(pause) => ApiError::Busy(pause),
        Refusal::NotKept(why) => why.into(),
    })?;
    let location = [("location", paths::job(&taken.id))];
    Ok((StatusCode::ACCEPTED, location, Json(taken)).into_response())
}

pub(crate) async fn events(
    State(app): State<AppState>,
    Path(id): Path<JobId>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>> {
    let heard = app.jobs().listen(&id).ok_or(ApiError::NoJob(id))?;
    let event = |event: JobEvent| {
        let data = serde_json::to_string(&event).unwrap_or_default();
        Ok(Event::default().event(event.name()).data(data))
    };
    Ok(Sse::new(heard.map(event)).keep_alive(KeepAlive::default()))
}

pub(crate) async fn cancel(
    State(app): State<AppState>,
    Path(id): Path<JobId>,
) -> ApiResult<StatusCode> {
    if app.jobs().cancel(&id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::NoJob(id))
    }
}
