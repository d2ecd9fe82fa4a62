//! The page's files: forms, caching, and which paths are the page.

use std::fs;

use axum::http::{Method, StatusCode};
use shared::api::{Version, paths};

use crate::support::{Api, PYTHON, SCRIPT, SCRIPT_TEXT, gunzip};

#[tokio::test]
async fn every_page_path_is_the_page() {
    let api = Api::new();
    let page = api.get("/").await;
    assert_eq!(
        (page.status, page.header("content-type")),
        (StatusCode::OK, "text/html; charset=utf-8")
    );
    assert_eq!(page.header("cache-control"), "no-cache");
    for pattern in paths::PAGES {
        let path = pattern
            .replace("{dataset}", "starter")
            .replace("{subject}", "Till.add")
            .replace("{slug}", "rules");
        let reply = api.get(&format!("{path}?rule=constants")).await;
        assert_eq!(
            (reply.status, &reply.body),
            (StatusCode::OK, &page.body),
            "{path}"
        );
    }
}

#[tokio::test]
async fn any_other_path_is_the_page_as_not_found() {
    let api = Api::new();
    let page = api.get("/").await;
    let long = format!("/{}", "a/".repeat(3000));
    for path in [
        "/none",
        "/b",
        "/b/",
        "/b/x/y/z",
        "/help/none.html",
        "/pkg/none.js",
        "/..%2fdata",
        "//",
        "/%",
        &long,
    ] {
        let reply = api.get(path).await;
        assert_eq!(
            (reply.status, &reply.body),
            (StatusCode::NOT_FOUND, &page.body),
            "{path}"
        );
    }
}

#[tokio::test]
async fn files_outside_the_site_are_out_of_reach() {
    let api = Api::new();
    fs::create_dir_all(api.data()).unwrap();
    fs::write(api.data().join("secret.txt"), "secret").unwrap();
    for path in [
        "/../data/secret.txt",
        "/pkg/../../data/secret.txt",
        "/%2e%2e/data/secret.txt",
        "/.hidden",
    ] {
        let reply = api.get(path).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!reply.text().contains("secret"), "{path}");
    }
}

#[tokio::test]
async fn the_best_form_that_the_client_takes_is_sent() {
    let api = Api::new();
    let plain = api.get(SCRIPT).await;
    assert_eq!(
        (plain.text(), plain.header("content-encoding")),
        (SCRIPT_TEXT, "")
    );
    assert_eq!(
        plain.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert_eq!(plain.header("vary"), "accept-encoding");
    for (accepted, sent) in [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.5, gzip", "gzip"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0", ""),
        ("identity", ""),
        ("nonsense;q=x", ""),
    ] {
        let reply = api.get_packed(SCRIPT, accepted).await;
        assert_eq!(reply.header("content-encoding"), sent, "{accepted}");
        assert_eq!(
            reply.header("content-type"),
            "text/javascript; charset=utf-8"
        );
        match sent {
            "br" => assert_eq!(reply.text(), "the brotli copy"),
            "gzip" => assert_eq!(gunzip(&reply.body), SCRIPT_TEXT.as_bytes()),
            _ => assert_eq!(reply.text(), SCRIPT_TEXT),
        }
        let known = [
            ("accept-encoding", accepted),
            ("if-none-match", reply.header("etag")),
        ];
        let again = api.ask(Method::GET, SCRIPT, &known);
        assert_eq!(again.await.status, StatusCode::NOT_MODIFIED, "{accepted}");
    }
}

#[tokio::test]
async fn names_that_tell_their_content_are_kept_for_ever() {
    let api = Api::new();
    for path in [SCRIPT, "/pkg/frontend-0123456789abcdef.wasm"] {
        assert_eq!(
            api.get(path).await.header("cache-control"),
            "public, max-age=31536000, immutable",
            "{path}"
        );
    }
    for path in [
        "/index.html",
        "/build.json",
        "/cases/starter.json",
        "/help/constants.html",
        "/pkg/none-0123456789abcdef.js",
    ] {
        let first = api.get(path).await;
        assert_eq!(first.header("cache-control"), "no-cache", "{path}");
    }
    assert_eq!(
        api.get("/pkg/frontend-0123456789abcdef.wasm")
            .await
            .header("content-type"),
        "application/wasm"
    );
    assert_eq!(
        api.get("/cases/starter.json").await.header("content-type"),
        "application/json"
    );
}

#[tokio::test]
async fn a_site_can_be_read_only_by_reading() {
    let api = Api::new();
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        assert_eq!(
            api.ask(method, "/", &[]).await.status,
            StatusCode::METHOD_NOT_ALLOWED
        );
    }
    let head = api.ask(Method::HEAD, "/", &[]).await;
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
}

#[tokio::test]
async fn version_names_program_and_build() {
    let version: Version = Api::new().get(paths::VERSION).await.json();
    assert_eq!(
        version,
        Version {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            site: "feedbeef".to_owned()
        }
    );
    let version: Version = Api::without_site().get(paths::VERSION).await.json();
    assert_eq!(version.site, "");
}

#[tokio::test]
async fn without_a_site_the_next_step_is_told() {
    let reply = Api::without_site().get("/").await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    assert!(reply.text().contains("cargo xtask web"), "{}", reply.text());
}

#[tokio::test]
async fn the_worker_that_runs_python_may_connect_to_nothing() {
    let api = Api::new();
    let (page, python) = (api.get(SCRIPT).await, api.get(PYTHON).await);
    let policy = python.header("content-security-policy");
    assert_ne!(policy, page.header("content-security-policy"));
    let directives: Vec<&str> = policy.split(';').map(str::trim).collect();
    // What is not named falls back to the first: connections, workers, all else.
    assert_eq!(
        directives,
        [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "frame-ancestors 'none'"
        ]
    );
    assert_eq!(python.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn the_files_of_the_page_s_engine_come_from_its_folder_alone() {
    let api = Api::new();
    let engines = api.data().join("engines");
    let folder = paths::PAGE_ENGINE.rsplit('/').next().unwrap();
    fs::create_dir_all(engines.join(folder)).unwrap();
    fs::write(engines.join(folder).join("pyodide.mjs"), SCRIPT_TEXT).unwrap();
    fs::write(engines.join("other.wasm"), "secret").unwrap();
    let reply = api
        .get(&format!("{}/pyodide.mjs", paths::PAGE_ENGINE))
        .await;
    assert_eq!((reply.status, reply.text()), (StatusCode::OK, SCRIPT_TEXT));
    assert_eq!(
        reply.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    for path in ["none.mjs", "..%2fother.wasm", "../other.wasm", ""] {
        let reply = api.get(&format!("{}/{path}", paths::PAGE_ENGINE)).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
        assert!(!reply.text().contains("secret"), "{path}");
    }
}
