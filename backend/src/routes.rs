//! Every route of the system on one screen.

mod datasets;
mod health;
mod integrity;
mod jobs;
pub(crate) mod llm;
mod site;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::{delete, get, post};
use shared::api::paths;
use shared::llm::MAX_PROMPT_BYTES;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};

use crate::answer::weaken_compressed;
use crate::envelope::envelope;
use crate::state::AppState;

/// No other request needs a larger body.
const MAX_BODY_BYTES: usize = 64 << 10;
/// A conversation; in JSON a text may be longer than it is.
const MAX_CHAT_BYTES: usize = 2 * MAX_PROMPT_BYTES;

pub(crate) fn router(app: AppState) -> Router {
    let api = Router::new()
        .route(paths::DATASETS, get(datasets::list))
        .route(paths::DATASET, get(datasets::show))
        .route(paths::CONTENT, get(datasets::content))
        .route(paths::SUBJECTS, get(datasets::subjects))
        .route(paths::SUBJECT, get(datasets::subject))
        .route(
            paths::INTEGRITY,
            get(integrity::show).post(integrity::check),
        )
        .layer(CompressionLayer::new())
        .layer(map_response(weaken_compressed));
    let chat = Router::new()
        .route(paths::LLM_CHAT, post(llm::chat))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(MAX_CHAT_BYTES));
    Router::new()
        .merge(api)
        .route(paths::CAPABILITIES, get(jobs::capabilities))
        .route(paths::JOBS, post(jobs::take))
        .route(paths::JOB, delete(jobs::cancel))
        .route(paths::JOB_EVENTS, get(jobs::events))
        .route(paths::PAGE_ENGINE_FILE, get(site::engine))
        .route(paths::HEALTH, get(health::health))
        .route(paths::VERSION, get(health::version))
        .route(paths::LLM, get(llm::status))
        .route(paths::LLM_MODELS, get(llm::models))
        .route(paths::LLM_MODEL, get(llm::model))
        .fallback_service(get(site::file).with_state(app.clone()))
        .layer(RequestBodyLimitLayer::new(MAX_BODY_BYTES))
        .merge(chat)
        .layer(from_fn_with_state(app.clone(), envelope))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .with_state(app)
}
