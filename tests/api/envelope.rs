//! What surrounds every answer.

use axum::http::{Method, StatusCode};
use shared::api::{ErrorBody, paths};

use crate::support::{Api, SCRIPT};

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let api = Api::new();
    for path in [
        "/",
        "/none",
        SCRIPT,
        "/healthz",
        "/version",
        "/api/datasets",
        "/api/none",
    ] {
        let reply = api.get(path).await;
        let policy = reply.header("content-security-policy");
        for part in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline"), "{path}: {policy}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(
            reply.header("cross-origin-opener-policy"),
            "same-origin",
            "{path}"
        );
        assert!(!reply.header("permissions-policy").is_empty(), "{path}");
        assert_eq!(reply.header("x-request-id").len(), 36, "{path}");
    }
}

#[tokio::test]
async fn health_is_one_word() {
    let reply = Api::without_site().get(paths::HEALTH).await;
    assert_eq!((reply.status, reply.text()), (StatusCode::OK, "ok\n"));
    let refused = Api::without_site()
        .ask(Method::POST, paths::HEALTH, &[])
        .await;
    assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_name_that_is_not_this_machines_is_refused() {
    let api = Api::new();
    for host in [
        "localhost",
        "localhost:7878",
        "LOCALHOST:1",
        "127.0.0.1",
        "[::1]:7878",
    ] {
        assert_eq!(
            api.ask(Method::GET, "/healthz", &[("host", host)])
                .await
                .status,
            StatusCode::OK,
            "{host}"
        );
    }
    for host in [
        "attacker.example",
        "localhost.attacker.example:7878",
        "127.0.0.1.attacker.example",
        "192.168.0.7",
        "",
        "a b",
    ] {
        let refused = api
            .ask(Method::GET, "/api/datasets", &[("host", host)])
            .await;
        assert_eq!(refused.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        let error: ErrorBody = refused.json();
        assert!(
            error.message.contains("this machine only"),
            "{}",
            error.message
        );
        assert!(error.hint.unwrap().contains("localhost"));
    }
    // The name in the request line counts where there is one.
    let refused = api
        .ask(Method::GET, "http://attacker.example/healthz", &[])
        .await;
    assert_eq!(refused.status, StatusCode::MISDIRECTED_REQUEST);
}

#[tokio::test]
async fn in_the_open_any_name_is_answered() {
    let api = Api::in_the_open();
    let reply = api
        .ask(Method::GET, "/healthz", &[("host", "lab.example:7878")])
        .await;
    assert_eq!(reply.status, StatusCode::OK);
}

#[tokio::test]
async fn a_large_body_is_refused() {
    let api = Api::new();
    let reply = api
        .ask(
            Method::GET,
            "/api/datasets",
            &[("content-length", "1000000")],
        )
        .await;
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(reply.json::<ErrorBody>().message, "payload too large");
}
