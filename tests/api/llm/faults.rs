//! What each fault of a provider comes to: a state of its own, and nothing counted twice.

use axum::http::StatusCode;
use serde_json::{Value, json};
use shared::api::LlmCircuit;

use super::upstream::{Act, End, delta, token};
use super::{PLAIN, ask, events, lab, question, refused, status};

/// Waits are so short that a provider that hangs is noticed soon.
fn hasty() -> String {
    format!("{PLAIN}\nfirst_byte_s = 0.3\nidle_s = 0.3\nwhole_s = 30")
}

fn code(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn say(status: u16, kind: &'static str, body: &str) -> Act {
    Act::Say(status, kind, Vec::new(), body.into())
}

/// A streamed question's last event.
async fn streamed(more: &str, act: Act) -> Value {
    let (api, upstream) = lab(more).await;
    upstream.then(act);
    let mut body = question("x");
    body["stream"] = true.into();
    let reply = ask(&api, &body).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text());
    assert_eq!(status(&api).await.models[0].n_recorded, 0);
    assert_eq!(upstream.n_heard(), 1);
    serde_json::from_str(events(&reply).last().unwrap()).unwrap()
}

/// A whole question's refusal.
async fn refusal(more: &str, act: Act) -> (u16, String) {
    let (api, upstream) = lab(more).await;
    upstream.then(act);
    let reply = ask(&api, &question("x")).await;
    assert_eq!(status(&api).await.models[0].n_recorded, 0);
    assert_eq!(upstream.n_heard(), 1, "{}", reply.text());
    refused(&reply)
}

#[tokio::test]
async fn a_provider_that_hangs_times_out_and_is_counted_once() {
    let (api, upstream) = lab(&hasty()).await;
    upstream.then(Act::Hang);
    let reply = ask(&api, &question("x")).await;
    assert_eq!(refused(&reply), code(504, "upstream_timeout"));
    assert!(
        reply.text().contains("no answer began in time"),
        "{}",
        reply.text()
    );
    // It may have begun to think, and to count: the question's tokens are put down.
    let state = status(&api).await;
    assert_eq!((state.today.tokens, state.providers[0].n_under_way), (9, 0));
    assert_eq!(
        state.providers[0].circuit,
        LlmCircuit::Closed { n_failures: 1 }
    );
    assert_eq!(upstream.n_heard(), 1);
}

#[tokio::test]
async fn a_stream_that_stops_coming_times_out() {
    let (held, mut dropped) = tokio::sync::mpsc::channel(1);
    let first = delta(json!({"content": "a"}), Value::Null);
    let said = streamed(&hasty(), Act::Stream(vec![first], End::Never(held))).await;
    assert_eq!(said["error"]["code"], "upstream_timeout");
    let message = said["error"]["message"].to_string();
    assert!(message.contains("stopped coming"), "{message}");
    assert_eq!(dropped.recv().await, None);
}

#[tokio::test]
async fn an_answer_that_takes_too_long_in_all_times_out() {
    let slow = format!("{PLAIN}\nfirst_byte_s = 30\nidle_s = 30\nwhole_s = 0.3");
    let (held, _dropped) = tokio::sync::mpsc::channel(1);
    let first = delta(json!({"content": "a"}), Value::Null);
    let said = streamed(&slow, Act::Stream(vec![first], End::Never(held))).await;
    let message = said["error"]["message"].to_string();
    assert!(message.contains("did not end in time"), "{message}");
}

#[tokio::test]
async fn who_has_too_much_to_do_is_asked_again_when_it_says() {
    let busy = |seconds: &str| {
        let more = vec![("retry-after", seconds.to_owned())];
        Act::Say(429, "application/json", more, b"{}".to_vec())
    };
    let (api, upstream) = lab(PLAIN).await;
    upstream
        .then(busy("0"))
        .then(busy("Thu, 01 Jan 2026 00:00:00 GMT"))
        .then(Act::reply("now"));
    let reply: Value = ask(&api, &question("x")).await.json();
    assert_eq!(reply["choices"][0]["message"]["content"], "now");
    assert_eq!(upstream.n_heard(), 3);
    // Counted once, and no failure of the provider's.
    let state = status(&api).await;
    assert_eq!(state.today.tokens, 15);
    assert_eq!(
        state.providers[0].circuit,
        LlmCircuit::Closed { n_failures: 0 }
    );
    // With a longer pause, whoever asked is told.
    upstream.then(busy("3600"));
    let reply = ask(&api, &question("y")).await;
    assert_eq!(refused(&reply), code(429, "rate_limit_exceeded"));
    assert_eq!(reply.header("retry-after"), "3600");
    assert_eq!(upstream.n_heard(), 4);
}

#[tokio::test]
async fn a_failure_passes_or_opens_the_circuit() {
    let (api, upstream) = lab(PLAIN).await;
    let broken = || Act::json(500, &json!({"error": {"message": "on fire"}}));
    upstream.then(broken()).then(Act::reply("back"));
    assert_eq!(ask(&api, &question("x")).await.status, StatusCode::OK);
    assert_eq!(status(&api).await.today.tokens, 15);
    // Four tries, and then the circuit opens on the fifth.
    for _ in 0..5 {
        upstream.then(broken());
    }
    let reply = ask(&api, &question("y")).await;
    assert_eq!(refused(&reply), code(502, "upstream_failed"));
    assert!(reply.text().contains("on fire"), "{}", reply.text());
    let reply = ask(&api, &question("z")).await;
    assert_eq!(refused(&reply), code(503, "circuit_open"));
    assert!(!reply.header("retry-after").is_empty());
    assert_eq!(upstream.n_heard(), 7);
    let state = status(&api).await;
    assert!(
        matches!(state.providers[0].circuit, LlmCircuit::Open { .. }),
        "{state:?}"
    );
    // Nothing came, so nothing is counted; and what is recorded is still told.
    assert_eq!(state.today.tokens, 15);
    assert_eq!(ask(&api, &question("x")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_cut_answer_is_none() {
    let half = || vec![delta(json!({"content": "half"}), Value::Null)];
    let said = streamed(PLAIN, Act::Stream(half(), End::Eof)).await;
    assert_eq!(said["error"]["code"], "upstream_cut");
    // Its last word came: the connection may end.
    let (api, upstream) = lab(PLAIN).await;
    let mut whole = half();
    whole.push(delta(json!({}), "stop".into()));
    upstream.then(Act::Stream(whole, End::Eof));
    let mut body = question("x");
    body["stream"] = true.into();
    assert_eq!(events(&ask(&api, &body).await).last(), Some(&"[DONE]"));
    // It did not say what it took: 9 tokens of the question and 2 of 4 letters, about.
    body["stream"] = false.into();
    let told: Value = ask(&api, &body).await.json();
    assert_eq!(told["usage"]["total_tokens"], 11);
    assert_eq!(told["ctxlab"]["is_estimated"], true);
    assert_eq!(status(&api).await.models[0].n_recorded, 1);
}

#[tokio::test]
async fn what_is_not_understood_says_so() {
    let not_understood = code(502, "upstream_not_understood");
    assert_eq!(
        refusal(PLAIN, say(200, "application/json", "{\"choices\": [")).await,
        not_understood
    );
    assert_eq!(
        refusal(PLAIN, say(200, "text/html", "<h1>Welcome</h1>")).await,
        not_understood
    );
    assert_eq!(
        refusal(PLAIN, say(200, "application/json", "{}")).await,
        not_understood
    );
    // A page elsewhere is not gone to.
    let away = vec![("location", "http://127.0.0.1:9/elsewhere".to_owned())];
    let away = Act::Say(302, "text/html", away, Vec::new());
    assert_eq!(refusal(PLAIN, away).await, not_understood);
    let said = streamed(
        PLAIN,
        Act::Stream(vec!["{\"choices\": [".to_owned()], End::Done),
    )
    .await;
    assert_eq!(said["error"]["code"], "upstream_not_understood");
    let said = streamed(PLAIN, say(200, "text/event-stream", "data: [DONE]\n\n")).await;
    assert_eq!(said["error"]["code"], "upstream_not_understood");
    let inside = json!({"error": {"message": "no capacity", "code": 502}}).to_string();
    let said = streamed(PLAIN, Act::Stream(vec![inside], End::Done)).await;
    assert_eq!(said["error"]["code"], "upstream_failed");
}

#[tokio::test]
async fn a_request_that_the_provider_refuses_is_refused() {
    let long =
        json!({"error": {"message": "the context is too long", "type": "invalid_request_error"}});
    for (status, expected) in [
        (400, code(400, "upstream_refused")),
        (404, code(404, "upstream_refused")),
        (422, code(422, "upstream_refused")),
        (401, code(502, "upstream_key_refused")),
        (403, code(502, "upstream_key_refused")),
    ] {
        assert_eq!(
            refusal(PLAIN, Act::json(status, &long)).await,
            expected,
            "{status}"
        );
    }
    let (api, upstream) = lab(PLAIN).await;
    upstream.then(Act::json(400, &long));
    let reply = ask(&api, &question("x")).await;
    assert!(
        reply.text().contains("the context is too long"),
        "{}",
        reply.text()
    );
    assert_eq!(status(&api).await.today.tokens, 0);
}

#[tokio::test]
async fn who_is_not_there_cannot_be_reached() {
    // A port that was just given back.
    let gone = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let nowhere = PLAIN.replace("BASE_URL", &format!("http://{gone}/v1"));
    let (api, _upstream) = lab(&nowhere).await;
    let reply = ask(&api, &question("x")).await;
    assert_eq!(refused(&reply), code(502, "upstream_unreachable"));
    assert_eq!(status(&api).await.today.tokens, 0);
}

#[tokio::test]
async fn a_token_of_a_megabyte_is_a_token() {
    let large = "é".repeat(1 << 19);
    let (api, upstream) = lab(PLAIN).await;
    let events = vec![
        delta(json!({"content": large}), Value::Null),
        delta(json!({}), "stop".into()),
    ];
    upstream.then(Act::Stream(events, End::Done));
    let mut body = question("x");
    body["stream"] = true.into();
    let reply = ask(&api, &body).await;
    assert!(reply.text().contains(&large));
    body["stream"] = false.into();
    let told: Value = ask(&api, &body).await.json();
    assert_eq!(told["choices"][0]["message"]["content"], *large);
    assert_eq!(told["choices"][0]["logprobs"]["content"][0], token(&large));
    assert_eq!(upstream.n_heard(), 1);
}

#[tokio::test]
async fn a_huge_answer_is_not_taken() {
    let huge = "x".repeat((32 << 20) + 1);
    let body = json!({"choices": [{"message": {"content": huge}, "finish_reason": "stop"}]});
    assert_eq!(
        refusal(PLAIN, Act::json(200, &body)).await,
        code(502, "upstream_too_large")
    );
    let said = streamed(
        PLAIN,
        say(200, "text/event-stream", &format!("data: {huge}")),
    )
    .await;
    assert_eq!(said["error"]["code"], "upstream_too_large");
}

#[tokio::test]
async fn no_more_than_its_places_are_under_way() {
    let (api, upstream) = lab(&format!("{PLAIN}\nconcurrency = 2")).await;
    let mut go = Vec::new();
    for text in ["a", "b"] {
        let (sender, wait) = tokio::sync::oneshot::channel();
        go.push(sender);
        upstream.then(Act::Wait(wait, text));
    }
    upstream.then(Act::reply("c"));
    let [first, second, third] = ["1", "2", "3"].map(question);
    let watch = async {
        while upstream.n_heard() < 2 {
            tokio::task::yield_now().await;
        }
        // Whoever came third has had every chance by now.
        for _ in 0..5 {
            assert_eq!(status(&api).await.providers[0].n_under_way, 2);
        }
        assert_eq!(upstream.n_heard(), 2);
        for it in go {
            it.send(()).unwrap();
        }
    };
    let (a, b, c, ()) = tokio::join!(
        ask(&api, &first),
        ask(&api, &second),
        ask(&api, &third),
        watch
    );
    assert_eq!([a.status, b.status, c.status], [StatusCode::OK; 3]);
    assert_eq!(upstream.n_heard(), 3);
}
