//! Benchmarks: list them, show one, its file, its subjects, one subject.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use shared::api::{DatasetCard, Listing, SubjectPage};
use shared::subject::{DatasetId, SubjectId};

use crate::answer::{Answer, IMMUTABLE, REVALIDATE, json, tag};
use crate::benchmarks::Found;
use crate::error::{ApiError, ApiResult};
use crate::state::AppState;

/// Rows of a page when the client does not say, and at most.
const DEFAULT_LIMIT: usize = 1000;
const MAX_LIMIT: usize = 10_000;

/// Which rows of a list.
#[derive(Deserialize)]
pub(crate) struct Window {
    #[serde(default)]
    offset: usize,
    #[serde(default = "default_limit")]
    limit: usize,
}

fn default_limit() -> usize {
    DEFAULT_LIMIT
}

pub(crate) async fn list(State(app): State<AppState>, headers: HeaderMap) -> ApiResult<Response> {
    let mut items = Vec::new();
    match app.dataset(DatasetId::starter()).await {
        Ok(starter) => items.push(DatasetCard::from(&*starter)),
        Err(ApiError::NoDataset(_)) => {} // There is no page.
        Err(e) => tracing::warn!("the starter benchmark is left out: {}", e.cause()),
    }
    let contents = app.blocking(|benchmarks| benchmarks.store.list()).await??;
    for (path, why) in &contents.damaged {
        tracing::warn!(
            "{} is damaged ({why}); import the benchmark again",
            path.display()
        );
    }
    items.extend(contents.manifests.into_iter().map(|manifest| manifest.card));
    json(&headers, &Listing { items, next: None })
}

pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<DatasetId>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let found = app
        .blocking(move |benchmarks| benchmarks.find(&id))
        .await??;
    match found {
        Found::Starter(_) => json(
            &headers,
            &DatasetCard::from(&*app.dataset(DatasetId::starter()).await?),
        ),
        Found::Stored(manifest) => json(&headers, &manifest.card),
    }
}

pub(crate) async fn content(
    State(app): State<AppState>,
    Path(id): Path<DatasetId>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let (body, caching) = app
        .blocking(move |benchmarks| {
            let found = benchmarks.find(&id)?;
            // Other content has another id, except in the starter.
            let caching = if matches!(found, Found::Starter(_)) {
                REVALIDATE
            } else {
                IMMUTABLE
            };
            benchmarks
                .content(&found)
                .map(|body| (body.into_owned(), caching))
        })
        .await??;
    let content_type = if body.trim_ascii_start().starts_with(b"[") {
        "application/json"
    } else {
        "application/jsonl"
    };
    let answer = Answer {
        status: StatusCode::OK,
        content_type: HeaderValue::from_static(content_type),
        caching,
        tag: tag(&body),
        body: body.into(),
    };
    Ok(answer.to(&headers))
}

pub(crate) async fn subjects(
    State(app): State<AppState>,
    Path(id): Path<DatasetId>,
    window: Result<Query<Window>, QueryRejection>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Query(Window { offset, limit }) = window?;
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ApiError::Parameter(format!("limit cannot be {limit}")));
    }
    let dataset = app.dataset(id).await?;
    let end = offset.saturating_add(limit);
    let items = dataset
        .subjects
        .iter()
        .skip(offset)
        .take(limit)
        .map(|subject| dataset.summary(subject))
        .collect();
    let next = (end < dataset.subjects.len()).then_some(end);
    json(&headers, &SubjectPage { items, next })
}

pub(crate) async fn subject(
    State(app): State<AppState>,
    Path((id, subject)): Path<(DatasetId, SubjectId)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let dataset = app.dataset(id.clone()).await?;
    let found = dataset
        .subject(&subject)
        .ok_or(ApiError::NoSubject(id, subject))?;
    json(&headers, &dataset.body(found))
}
