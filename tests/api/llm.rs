//! Models through the server: what clients of OpenAI's interface see, what is recorded and counted, and what
//! each fault of a provider comes to.

mod faults;
mod keys;
pub(crate) mod upstream;

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use backend::llm::{Call, Event, Gateway, Llm, LlmError};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use shared::api::{LlmMode, LlmStatus, paths};
use shared::llm::ChatRequest;
use tempfile::TempDir;
use tokio::sync::{mpsc, oneshot};

use self::upstream::{Act, End, Upstream, delta};
use crate::support::{Api, Reply};

const JSON: &str = "application/json";
/// What the provider is asked with.
pub(crate) const KEY: &str = "sk-lab-0123456789abcdef";

/// A server over one provider with one model, and no memory of its own.
pub(crate) async fn lab(more: &str) -> (Api, Upstream) {
    lab_with(more, &[]).await
}

/// The same with other settings.
pub(crate) async fn lab_with(more: &str, settings: &[(&str, &str)]) -> (Api, Upstream) {
    let upstream = Upstream::start().await;
    let providers = format!(
        "{more}\n[[provider.model]]\nname = \"small\"\nid = \"vendor/small-1\"\ninput_usd = 1.0\noutput_usd = 2.0\n"
    );
    let providers = providers.replace("BASE_URL", &upstream.base_url);
    (Api::with_providers(&providers, KEY, settings), upstream)
}

/// A provider that keeps to the defaults.
pub(crate) const PLAIN: &str =
    "[[provider]]\nname = \"lab\"\nbase_url = \"BASE_URL\"\nkey_env = \"LAB_KEY\"";

pub(crate) fn question(text: &str) -> Value {
    json!({"model": "small", "messages": [{"role": "user", "content": text}], "max_tokens": 20})
}

pub(crate) async fn ask(api: &Api, body: &Value) -> Reply {
    api.send(Method::POST, paths::LLM_CHAT, JSON, &body.to_string())
        .await
}

/// An answer's code and status.
pub(crate) fn refused(reply: &Reply) -> (u16, String) {
    let said: Value = reply.json();
    let error = &said["error"];
    assert!(
        error["message"].is_string() && error["type"].is_string(),
        "{said}"
    );
    let code = error["code"].as_str().unwrap_or_default().to_owned();
    (reply.status.as_u16(), code)
}

pub(crate) async fn status(api: &Api) -> LlmStatus {
    api.get(paths::LLM).await.json()
}

/// The data of the events of a stream.
pub(crate) fn events(reply: &Reply) -> Vec<&str> {
    reply
        .text()
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .collect()
}

#[tokio::test]
async fn a_reply_comes_with_its_tokens_and_what_it_cost_and_is_asked_for_once() {
    let (api, upstream) = lab(PLAIN).await;
    upstream.then(Act::reply("é!"));
    let mut body = question("hi");
    body["logprobs"] = true.into();
    body["top_logprobs"] = 1.into();
    body["temperature"] = 0.2.into();
    let first = ask(&api, &body).await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.text());
    assert_eq!(first.header("x-ctxlab-source"), "live");
    let first: Value = first.json();
    assert_eq!(first["object"], "chat.completion");
    let choice = &first["choices"][0];
    assert_eq!(choice["message"]["content"], "é!");
    assert_eq!(choice["message"]["reasoning_content"], "hm");
    assert_eq!(choice["finish_reason"], "stop");
    assert_eq!(
        choice["logprobs"]["content"][0]["bytes"],
        json!([0xc3, 0xa9])
    );
    assert_eq!(
        choice["logprobs"]["content"][1]["top_logprobs"][0]["token"],
        "!"
    );
    assert_eq!(first["usage"]["total_tokens"], 15);
    // 10 tokens for a millionth of a dollar each, 5 for two.
    assert_eq!(first["ctxlab"]["cost_nano_usd"], 20_000);

    let (headers, asked) = upstream.heard().remove(0);
    assert_eq!(headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked["model"], "vendor/small-1");
    assert_eq!(
        (&asked["top_logprobs"], &asked["max_tokens"]),
        (&json!(1), &json!(20))
    );

    let again: Value = ask(&api, &body).await.json();
    assert_eq!(again["ctxlab"]["source"], "replayed");
    assert_eq!(again["choices"], first["choices"]);
    assert_eq!(upstream.n_heard(), 1);
    // Another option, another question.
    body["temperature"] = 0.3.into();
    upstream.then(Act::reply("other"));
    let other: Value = ask(&api, &body).await.json();
    assert_eq!(other["choices"][0]["message"]["content"], "other");
    let status = status(&api).await;
    assert_eq!((status.today.nano_usd, status.today.tokens), (40_000, 30));
    assert_eq!(status.models[0].n_recorded, 2);
}

#[tokio::test]
async fn a_stream_is_passed_on_recorded_and_told_again() {
    let (api, upstream) = lab(PLAIN).await;
    upstream.then(Act::stream("one ", "two"));
    let mut body = question("count");
    body["stream"] = true.into();
    body["logprobs"] = true.into();
    body["stream_options"] = json!({"include_usage": true});
    for source in ["live", "replayed"] {
        let reply = ask(&api, &body).await;
        assert_eq!(reply.header("content-type"), "text/event-stream");
        let mut events = events(&reply);
        assert_eq!(events.pop(), Some("[DONE]"));
        let chunks: Vec<Value> = events
            .iter()
            .map(|it| serde_json::from_str(it).unwrap())
            .collect();
        let (usage, chunks) = chunks.split_last().unwrap();
        assert_eq!(
            (&usage["choices"], &usage["usage"]["total_tokens"]),
            (&json!([]), &json!(15))
        );
        assert_eq!(usage["ctxlab"]["source"], source);
        assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
        let last = &chunks.last().unwrap()["choices"][0];
        assert_eq!(last["finish_reason"], "stop");
        let of = |field: fn(&Value) -> Option<String>| -> String {
            chunks.iter().filter_map(field).collect()
        };
        assert_eq!(
            of(|it| it["choices"][0]["delta"]["content"]
                .as_str()
                .map(str::to_owned)),
            "one two"
        );
        let tokens = of(|it| {
            let token = &it["choices"][0]["logprobs"]["content"][0]["token"];
            token.as_str().map(str::to_owned)
        });
        assert_eq!(tokens, "one two");
    }
    assert_eq!(upstream.n_heard(), 1);
    let whole: Value = ask(&api, &{
        let mut whole = body.clone();
        whole["stream"] = false.into();
        whole
    })
    .await
    .json();
    // How it is delivered is no part of the question.
    assert_eq!(whole["choices"][0]["message"]["content"], "one two");
}

#[tokio::test]
async fn whoever_stops_listening_stops_the_provider() {
    let (api, upstream) = lab(PLAIN).await;
    let (held, mut dropped) = mpsc::channel(1);
    let first = delta(
        json!({"role": "assistant", "content": "a long answer"}),
        Value::Null,
    );
    upstream.then(Act::Stream(vec![first], End::Never(held)));
    let mut body = question("go on");
    body["stream"] = true.into();
    let mut heard = api.listen(paths::LLM_CHAT, &body.to_string()).await;
    let first = heard.chunk().await;
    assert!(first.contains("\"role\":\"assistant\""), "{first}");
    assert_eq!(status(&api).await.providers[0].n_under_way, 1);
    drop(heard);
    // The provider's side of the connection is gone.
    assert_eq!(dropped.recv().await, None);
    let status = status(&api).await;
    assert_eq!(status.providers[0].n_under_way, 0);
    // What was heard is counted, and is no recording.
    assert!(status.today.tokens > 0);
    assert_eq!(status.models[0].n_recorded, 0);
}

#[tokio::test]
async fn the_same_question_at_the_same_time_is_asked_once() {
    let (api, upstream) = lab(PLAIN).await;
    let (go, wait) = oneshot::channel();
    upstream.then(Act::Wait(wait, "once"));
    let body = question("same");
    let all = async { tokio::join!(ask(&api, &body), ask(&api, &body), ask(&api, &body)) };
    let let_go = async {
        while upstream.n_heard() == 0 {
            tokio::task::yield_now().await;
        }
        go.send(()).unwrap();
    };
    let ((a, b, c), ()) = tokio::join!(all, let_go);
    let mut sources: Vec<_> = [&a, &b, &c].map(|it| it.header("x-ctxlab-source")).into();
    sources.sort_unstable();
    assert_eq!(sources, ["live", "replayed", "replayed"]);
    assert_eq!(upstream.n_heard(), 1);
}

#[tokio::test]
async fn replay_calls_nobody_and_says_what_is_not_recorded() {
    let (api, upstream) = lab(PLAIN).await;
    upstream.then(Act::reply("kept"));
    assert_eq!(ask(&api, &question("known")).await.status, StatusCode::OK);
    let api = api.again("", &[]);
    let state = status(&api).await;
    assert_eq!(state.mode, LlmMode::Replay);
    assert!(state.why.unwrap().contains("no provider is configured"));
    let kept: Value = ask(&api, &question("known")).await.json();
    assert_eq!(kept["choices"][0]["message"]["content"], "kept");
    let unknown = ask(&api, &question("unknown")).await;
    assert_eq!(refused(&unknown), (404, "not_recorded".to_owned()));
    assert!(
        unknown.text().contains("ctxlab recordings import"),
        "{}",
        unknown.text()
    );
    let mut other = question("known");
    other["model"] = "other".into();
    assert_eq!(
        refused(&ask(&api, &other).await),
        (404, "model_not_found".to_owned())
    );
    assert_eq!(upstream.n_heard(), 1);
    let models: Value = api.get(paths::LLM_MODELS).await.json();
    assert_eq!(models["data"][0]["id"], "small");
    assert_eq!(models["data"][0]["owned_by"], "recordings");
    let one: Value = api.get("/api/llm/v1/models/small").await.json();
    assert_eq!(one["object"], "model");
    let none = api.get("/api/llm/v1/models/vendor/none").await;
    assert_eq!(refused(&none), (404, "model_not_found".to_owned()));
}

#[tokio::test]
async fn a_key_that_is_not_set_means_replay_and_live_asks_each_time() {
    let without = PLAIN.replace("LAB_KEY", "OTHER_KEY");
    let (api, _upstream) = lab(&without).await;
    let state = status(&api).await;
    assert_eq!(state.mode, LlmMode::Replay);
    assert!(state.why.unwrap().contains("has its key"));
    assert!(
        state.providers[0]
            .missing
            .as_ref()
            .unwrap()
            .contains("OTHER_KEY")
    );

    let (api, upstream) = lab_with(PLAIN, &[("CTXLAB_LLM_MODE", "live")]).await;
    upstream
        .then(Act::reply("first"))
        .then(Act::reply("second"));
    for text in ["first", "second"] {
        let reply: Value = ask(&api, &question("again")).await.json();
        assert_eq!(reply["choices"][0]["message"]["content"], text);
    }
    assert_eq!(status(&api).await.models[0].n_recorded, 1);
}

#[tokio::test]
async fn budgets_hold_over_restarts() {
    // A question holds 29 tokens and more; an answer takes 15.
    let bounded = format!("[budget]\nday_tokens = 60\n{PLAIN}");
    let (api, upstream) = lab(&bounded).await;
    upstream.then(Act::reply("a")).then(Act::reply("b"));
    assert_eq!(ask(&api, &question("1")).await.status, StatusCode::OK);
    assert_eq!(ask(&api, &question("2")).await.status, StatusCode::OK);
    assert_eq!(status(&api).await.today.tokens, 30);
    let api = api.same_again();
    upstream.then(Act::reply("c"));
    assert_eq!(status(&api).await.today.tokens, 30);
    let mut large = question("3");
    large["max_tokens"] = 50.into();
    let over = ask(&api, &large).await;
    assert_eq!(refused(&over), (429, "insufficient_quota".to_owned()));
    assert!(
        over.text().contains("of 60 tokens are spent"),
        "{}",
        over.text()
    );
    assert_eq!(over.header("x-should-retry"), "false");
    assert_eq!(upstream.n_heard(), 2);
    // What is recorded costs nothing.
    assert_eq!(ask(&api, &question("1")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_run_spends_no_more_than_it_may_and_knows_before() {
    let upstream = Upstream::start().await;
    upstream.then(Act::reply("a")).then(Act::reply("b"));
    let file = format!(
        "[budget]\nrun_usd = 0.00006\n{PLAIN}\n[[provider.model]]\nname = \"small\"\ninput_usd = 1.0\noutput_usd = 2.0\n"
    );
    let file = file.replace("BASE_URL", &upstream.base_url);
    let folder = TempDir::new().unwrap();
    let gateway = Gateway::new(&Api::configured(&folder, &file, KEY, &[]));
    let run = gateway.run();
    let llm: Arc<dyn Llm> = Arc::new(gateway.clone());
    let call = |text: &str| {
        let request: ChatRequest = serde_json::from_value(json!({
            "model": "small", "messages": [{"role": "user", "content": text}],
            "options": {"max_tokens": 20},
        }))
        .unwrap();
        let run = Some(run.clone());
        Call { request, run }
    };
    // 9 tokens read for a millionth of a dollar each, at most 20 written for two.
    let estimate = llm.estimate(&call("1").request);
    assert_eq!(
        (estimate.nano_usd, estimate.is_recorded),
        (Some(49_000), false)
    );
    let answer = llm.complete(call("1")).await.unwrap();
    assert_eq!(answer.exchange.cost_nano_usd, Some(20_000));
    assert_eq!(run.state().nano_usd, 20_000);
    let estimate = llm.estimate(&call("1").request);
    assert_eq!((estimate.nano_usd, estimate.is_recorded), (Some(0), true));
    // What is recorded is free, and what is left is not enough for another.
    llm.complete(call("1")).await.unwrap();
    let over = llm.complete(call("2")).await.unwrap_err();
    assert!(matches!(over, LlmError::Budget("run", _)), "{over}");
    // Another run has its own.
    let run = Some(gateway.run());
    let request = call("2").request;
    let stream = llm.stream(Call { request, run }).await.unwrap();
    let events: Vec<_> = stream.map(Result::unwrap).collect().await;
    let Some(Event::Done(answer)) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!(answer.exchange.reply.choices[0].text, "b");
}

#[tokio::test]
async fn off_this_machine_a_token_is_needed() {
    const TOKEN: &str = "a-token-for-the-lab";
    let open = [("CTXLAB_ADDR", "0.0.0.0:7878"), ("CTXLAB_TOKEN", TOKEN)];
    let (api, upstream) = lab_with(PLAIN, &open).await;
    upstream.then(Act::reply("a"));
    let body = question("1").to_string();
    for path in [paths::LLM, paths::LLM_MODELS, "/api/llm/v1/models/small"] {
        assert_eq!(
            api.get(path).await.status,
            StatusCode::UNAUTHORIZED,
            "{path}"
        );
        let with = [("authorization", "Bearer a-token-for-the-lab")];
        assert_eq!(
            api.ask(Method::GET, path, &with).await.status,
            StatusCode::OK,
            "{path}"
        );
    }
    for wrong in [
        "Bearer a-token-for-the-lap",
        "Bearer ",
        "Basic a-token-for-the-lab",
    ] {
        let reply = api
            .send_with(paths::LLM_CHAT, &body, &[("authorization", wrong)])
            .await;
        assert_eq!(
            refused(&reply),
            (401, "invalid_api_key".to_owned()),
            "{wrong}"
        );
        assert!(!reply.text().contains(TOKEN));
    }
    assert_eq!(upstream.n_heard(), 0);
    let right = format!("Bearer {TOKEN}");
    let reply = api
        .send_with(paths::LLM_CHAT, &body, &[("authorization", &right)])
        .await;
    assert_eq!(reply.status, StatusCode::OK);
    // The token of this server is not passed on.
    assert_eq!(
        upstream.heard()[0].0["authorization"],
        format!("Bearer {KEY}")
    );

    let (api, _upstream) = lab_with(PLAIN, &open[..1]).await;
    let reply = api
        .send_with(paths::LLM_CHAT, &body, &[("authorization", &right)])
        .await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    assert!(reply.text().contains("has no token"), "{}", reply.text());
}

#[tokio::test]
async fn a_client_that_asks_too_often_waits() {
    let (api, _upstream) = lab_with(PLAIN, &[("CTXLAB_LLM_RATE", "2")]).await;
    let mut body = question("x");
    body["model"] = "none".into();
    for _ in 0..2 {
        assert_eq!(ask(&api, &body).await.status, StatusCode::NOT_FOUND);
    }
    let reply = ask(&api, &body).await;
    assert_eq!(refused(&reply), (429, "rate_limit_exceeded".to_owned()));
    let pause: u64 = reply.header("retry-after").parse().unwrap();
    assert!((1..=31).contains(&pause), "{pause}");
}

#[tokio::test]
async fn what_is_no_question_is_refused_in_openai_s_words() {
    let (api, upstream) = lab(PLAIN).await;
    let with = |field: &str, value: Value| {
        let mut body = question("x");
        body[field] = value;
        body
    };
    for (body, word) in [
        (json!({"model": "small"}), "messages"),
        (with("messages", json!([])), "messages"),
        (with("temperature", json!(3)), "temperature"),
        (with("top_logprobs", json!(3)), "logprobs to be true"),
        (
            with("tools", json!([{"type": "function"}])),
            "tools is not supported",
        ),
        (
            with("response_format", json!({"type": "json_object"})),
            "response_format",
        ),
        (
            with(
                "messages",
                json!([{"role": "user", "content": [{"type": "image_url"}]}]),
            ),
            "image_url",
        ),
    ] {
        let reply = ask(&api, &body).await;
        assert_eq!(reply.status, StatusCode::BAD_REQUEST, "{body}");
        assert!(refused(&reply).1.starts_with("invalid"), "{}", reply.text());
        assert!(reply.text().contains(word), "{}", reply.text());
    }
    assert_eq!(upstream.n_heard(), 0);
    upstream.then(Act::reply("y"));
    let parts = json!([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]);
    let mut body = with("messages", parts);
    body["user"] = "me".into();
    body["tools"] = Value::Null;
    assert_eq!(ask(&api, &body).await.status, StatusCode::OK);
    assert_eq!(upstream.heard()[0].1["messages"][0]["content"], "ab");
    let nowhere = api.get("/api/llm/v1/embeddings").await;
    assert_eq!(nowhere.status, StatusCode::NOT_FOUND);
    assert!(nowhere.json::<Value>()["error"]["message"].is_string());
    let plain = api
        .send(
            Method::POST,
            paths::LLM_CHAT,
            "text/plain",
            &body.to_string(),
        )
        .await;
    assert_eq!(plain.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn long_conversations_fit_and_longer_ones_do_not() {
    let (api, upstream) = lab(PLAIN).await;
    upstream.then(Act::reply("long"));
    assert_eq!(
        ask(&api, &question(&"x".repeat(1 << 20))).await.status,
        StatusCode::OK
    );
    let reply = ask(&api, &question(&"x".repeat((4 << 20) + 1))).await;
    assert_eq!(
        reply.status,
        StatusCode::BAD_REQUEST,
        "{}",
        &reply.text()[..200]
    );
    let reply = ask(&api, &question(&"x".repeat(9 << 20))).await;
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
}
