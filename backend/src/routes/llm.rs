//! Models: their state for the page, and an interface that speaks as OpenAI's does.

mod openai;

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use axum::Json;
use axum::extract::{FromRequest as _, Path, Request, State};
use axum::http::HeaderMap;
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::future;
use futures_util::stream::{self, StreamExt as _};
use serde_json::Value;
use shared::api::LlmStatus;
use shared::llm::ModelId;

use super::jobs::Client;
use crate::error::{ApiError, ApiResult};
use crate::llm::{AnswerStream, Call, Event, Llm, LlmError};
use crate::state::AppState;

pub(crate) use self::openai::error_body;
use self::openai::{Chunks, Question};

/// Says whether a model was asked.
const SOURCE: &str = "x-ctxlab-source";

pub(crate) async fn status(
    State(app): State<AppState>,
    headers: HeaderMap,
) -> ApiResult<Json<LlmStatus>> {
    app.access().check(&headers)?;
    Ok(Json(app.llm().status().await?))
}

pub(crate) async fn models(
    State(app): State<AppState>,
    headers: HeaderMap,
) -> ApiResult<Json<Value>> {
    app.access().check(&headers)?;
    Ok(Json(openai::models(&app.llm().status().await?)))
}

pub(crate) async fn model(
    State(app): State<AppState>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Json<Value>> {
    app.access().check(&headers)?;
    let name = ModelId(name);
    let status = app.llm().status().await?;
    let found = status.models.iter().find(|it| it.name == name);
    let found = found.ok_or(LlmError::NoModel(name))?;
    Ok(Json(openai::model(found)))
}

pub(crate) async fn chat(
    State(app): State<AppState>,
    client: Client,
    request: Request,
) -> ApiResult<Response> {
    app.access().check(request.headers())?;
    let client = client.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |it| it.0.0.ip());
    app.access().count(client)?;
    let body = Json::<Question>::from_request(request, &());
    let body = tokio::time::timeout(app.request_timeout(), body).await;
    let Json(question) = body.map_err(|_late| ApiError::TimedOut)??;
    let (asked, delivery) = question.checked()?;
    if let Some(with_usage) = delivery {
        let chunks = Chunks::new(&asked, with_usage);
        let events = Llm::stream(app.llm(), Call::from(asked)).await?;
        return Ok(told(chunks, events).into_response());
    }
    let answer = Llm::complete(app.llm(), Call::from(asked)).await?;
    let source = [(SOURCE, answer.source.slug())];
    Ok((source, Json(openai::completion(&answer))).into_response())
}

/// The events of a stream, the last of them `[DONE]` or an error.
fn told(
    chunks: Chunks,
    events: AnswerStream,
) -> Sse<impl stream::Stream<Item = Result<sse::Event, Infallible>>> {
    let data = |text: String| Ok(sse::Event::default().data(text));
    let events = events.scan(chunks, move |chunks, event| {
        let said = match event {
            Ok(Event::Piece(piece)) => chunks.piece(piece),
            Ok(Event::Done(answer)) => chunks.done(&answer),
            Err(e) => {
                tracing::warn!("a stream ended: {e}");
                vec![error_body(&ApiError::Llm(e)).to_string()]
            }
        };
        future::ready(Some(stream::iter(said.into_iter().map(data))))
    });
    Sse::new(events.flatten()).keep_alive(KeepAlive::default())
}
