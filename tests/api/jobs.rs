//! Test jobs over HTTP, where no engine is installed: what is said, refused and given up.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use shared::api::{BROWSER, Capabilities, JobTaken, SubjectPage};

use crate::support::Api;

const JSON: &str = "application/json";
/// An engine that is not installed here; another may be there by itself.
const WASM: &str = "wasm-lite";
const JOB: &str = r#"{"dataset": "starter", "subject": "Account.withdraw"}"#;

#[tokio::test]
async fn what_cannot_run_says_what_to_do() {
    let api = Api::new();
    let can: Capabilities = api.get("/api/capabilities").await.json();
    let lite = can.engines.iter().find(|it| it.engine == WASM).unwrap();
    let missing = lite.missing.clone().unwrap_or_default();
    assert!(
        missing.contains("ctxlab engine install wasm-lite"),
        "{missing}"
    );
    let page = can.engines.iter().find(|it| it.engine == BROWSER).unwrap();
    let missing = page.missing.clone().unwrap_or_default();
    assert!(
        missing.contains("ctxlab engine install browser"),
        "{missing}"
    );
    assert!(can.slots > 0 && can.limits.memory_mib > 0);
}

#[tokio::test]
async fn a_job_without_an_engine_fails_and_is_no_verdict() {
    let api = Api::new();
    let page: SubjectPage = api.get("/api/datasets/starter/subjects").await.json();
    let subject = &page.items[0].id;
    let job = json!({"dataset": "starter", "subject": subject, "engine": WASM}).to_string();
    let reply = api.send(Method::POST, "/api/jobs", JSON, &job).await;
    assert_eq!(reply.status, StatusCode::ACCEPTED);
    let taken: JobTaken = reply.json();
    assert_eq!(reply.header("location"), format!("/api/jobs/{}", taken.id));
    let heard = api.get(&format!("/api/jobs/{}/events", taken.id)).await;
    assert_eq!(heard.header("content-type"), "text/event-stream");
    let heard = heard.text();
    assert!(
        heard.contains("event: failed") && heard.contains("engine install"),
        "{heard}"
    );
    assert!(!heard.contains("event: done"), "{heard}");
}

#[tokio::test]
async fn the_page_s_engine_runs_nothing_on_the_server() {
    let api = Api::new();
    let page: SubjectPage = api.get("/api/datasets/starter/subjects").await.json();
    let job = json!({"dataset": "starter", "subject": page.items[0].id, "engine": BROWSER});
    let reply = api
        .send(Method::POST, "/api/jobs", JSON, &job.to_string())
        .await;
    let taken: JobTaken = reply.json();
    let heard = api.get(&format!("/api/jobs/{}/events", taken.id)).await;
    let heard = heard.text();
    assert!(heard.contains("runs in the page alone"), "{heard}");
    assert!(!heard.contains("event: done"), "{heard}");
}

#[tokio::test]
async fn what_is_no_job_is_refused() {
    let api = Api::new();
    for (body, status) in [
        (JOB, StatusCode::NOT_FOUND),
        ("{", StatusCode::BAD_REQUEST),
        (r#"{"subject": "A.b"}"#, StatusCode::BAD_REQUEST),
    ] {
        let reply = api.send(Method::POST, "/api/jobs", JSON, body).await;
        assert_eq!(reply.status, status, "{body}");
        let said: Value = reply.json();
        assert!(
            said["message"].is_string() && said["hint"].is_string(),
            "{said}"
        );
    }
    // A form of another site can send text, and nothing else.
    let reply = api.send(Method::POST, "/api/jobs", "text/plain", JOB).await;
    assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    for (method, path) in [
        (Method::GET, "/api/jobs/x/events"),
        (Method::DELETE, "/api/jobs/x"),
    ] {
        assert_eq!(
            api.send(method, path, JSON, "").await.status,
            StatusCode::NOT_FOUND
        );
    }
}

#[tokio::test]
async fn references_that_cannot_be_checked_get_no_verdict() {
    let api = Api::new();
    let path = "/api/datasets/starter/integrity";
    // Nothing was found yet.
    assert_eq!(api.get(path).await.status, StatusCode::NO_CONTENT);
    let reply = api
        .send(Method::POST, path, JSON, r#"{"engine": "wasm-lite"}"#)
        .await;
    assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.text());
    let taken: JobTaken = reply.json();
    let heard = api.get(&format!("/api/jobs/{}/events", taken.id)).await;
    let heard = heard.text();
    assert!(
        heard.contains("event: failed") && heard.contains("engine install"),
        "{heard}"
    );
    assert!(!heard.contains("event: checked"), "{heard}");
    let asked = format!("{path}?engine=wasm-lite&protocol=published");
    assert_eq!(api.get(&asked).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn what_is_no_check_is_refused() {
    let api = Api::new();
    let nowhere = "/api/datasets/nothing-00000000/integrity";
    let known = "/api/datasets/starter/integrity";
    for (path, body, status) in [
        (nowhere, "{}", StatusCode::NOT_FOUND),
        (known, "{", StatusCode::BAD_REQUEST),
        (known, r#"{"protocol": "loose"}"#, StatusCode::BAD_REQUEST),
    ] {
        let reply = api.send(Method::POST, path, JSON, body).await;
        assert_eq!(reply.status, status, "{path} {body}");
        let said: Value = reply.json();
        assert!(
            said["message"].is_string() && said["hint"].is_string(),
            "{said}"
        );
    }
    let asked = format!("{known}?protocol=loose");
    assert_eq!(api.get(&asked).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(api.get(nowhere).await.status, StatusCode::NOT_FOUND);
}
