//! OpenAI's own Python client against `ctxlab serve`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::serve::Server;
use super::support::Ctxlab;
use super::upstream::{Act, End, Upstream, delta};

/// Where `cargo xtask test` puts the client.
const PYTHON: &str = "../target/tools/openai/bin/python";
const SCRIPT: &str = "tests/cli/ask.py";
const TOKEN: &str = "a-token-for-the-lab";

#[tokio::test]
async fn openai_s_client_works_unchanged() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = package.join(PYTHON);
    if !python.exists() {
        eprintln!(
            "skipped: OpenAI's Python client (not installed; `cargo xtask test` installs it)"
        );
        return;
    }
    let upstream = Upstream::start().await;
    let long_pause = vec![("retry-after", "3600".to_owned())];
    let half = delta(json!({"content": "half"}), Value::Null);
    upstream
        .then(Act::reply("é!"))
        .then(Act::stream("one ", "two"))
        .then(Act::json(422, &json!({"error": {"message": "too odd"}})))
        .then(Act::Say(
            429,
            "application/json",
            long_pause,
            b"{}".to_vec(),
        ))
        .then(Act::Say(
            200,
            "text/html",
            Vec::new(),
            b"<h1>Welcome</h1>".to_vec(),
        ))
        .then(Act::Stream(vec![half], End::Eof))
        .then(Act::Hang);
    let ctxlab = Ctxlab::new();
    let providers = format!(
        "[[provider]]\nname = \"lab\"\nbase_url = \"{}\"\n[[provider.model]]\nname = \"small\"\n",
        upstream.base_url
    );
    let providers = ctxlab.file("providers.toml", providers);
    let mut serve = ctxlab.command(&["serve", "--addr", "0.0.0.0:0"]);
    serve
        .env("CTXLAB_PROVIDERS", providers)
        .env("CTXLAB_TOKEN", TOKEN);
    let server = Server::run(serve);
    let port = server.address.rsplit(':').next().unwrap();
    let base_url = format!("http://127.0.0.1:{port}/api/llm/v1");
    let talk = move || {
        let mut client = Command::new(python);
        client.arg(package.join(SCRIPT)).args([&base_url, TOKEN]);
        client.env("NO_PROXY", "127.0.0.1").output().unwrap()
    };
    let told = tokio::task::spawn_blocking(talk).await.unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&told.stdout),
        String::from_utf8_lossy(&told.stderr),
    );
    assert!(told.status.success(), "{out}{err}");
    assert_eq!(out.lines().count(), 10, "{out}");
    assert_eq!(upstream.n_heard(), 7);
}
