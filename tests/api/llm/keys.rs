//! A provider's key is told to that provider and to nobody else, whatever it answers.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::{Value, json};
use shared::api::paths;
use tracing_subscriber::fmt::MakeWriter;

use super::upstream::{Act, End, delta};
use super::{KEY, PLAIN, ask, lab, question};

/// Everything that this process has logged.
#[derive(Clone, Copy)]
struct Log;

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        *self
    }
}

fn log_everything() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let all = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE);
        all.with_ansi(false).with_writer(Log).init();
    });
}

/// Whether a text holds the key.
fn tells(text: &[u8]) -> bool {
    text.windows(KEY.len()).any(|part| part == KEY.as_bytes())
}

/// Looks into every file below a folder; how many there were.
fn search(folder: &Path) -> usize {
    let mut n = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            n += search(&path);
        } else {
            assert!(!tells(&fs::read(&path).unwrap()), "{}", path.display());
            n += 1;
        }
    }
    n
}

#[tokio::test]
async fn the_key_is_found_nowhere() {
    log_everything();
    let (api, upstream) = lab(PLAIN).await;
    let (a, b) = KEY.split_at(9);
    let echo = |status: u16| {
        Act::json(
            status,
            &json!({"error": {"message": format!("no key {KEY}")}}),
        )
    };
    let header = || {
        Act::Say(
            200,
            "application/json",
            vec![("x-echo", KEY.to_owned())],
            KEY.into(),
        )
    };
    let acts = [
        echo(400),
        echo(401),
        Act::json(404, &json!({"detail": KEY})),
        Act::json(422, &Value::String(KEY.to_owned())),
        header(),
        Act::Say(200, "text/plain", Vec::new(), KEY.into()),
        Act::reply(&format!("the key is {KEY}, and more")),
        Act::json(
            200,
            &json!({"model": KEY, "system_fingerprint": KEY, "choices": [
            {"message": {"content": "ok", "reasoning": KEY}, "finish_reason": KEY}]}),
        ),
        Act::json(200, &json!({"choices": KEY})),
    ];
    let n_acts = acts.len();
    for (i, act) in acts.into_iter().enumerate() {
        upstream.then(act);
        let reply = ask(&api, &question(&format!("whole {i}"))).await;
        assert!(!tells(&reply.body), "{}", reply.text());
        assert!(!format!("{:?}", reply.headers).contains(KEY));
    }
    let streams = [
        vec![
            delta(json!({"content": KEY}), Value::Null),
            delta(json!({}), "stop".into()),
        ],
        vec![
            delta(json!({"content": format!("it is {a}")}), Value::Null),
            delta(json!({"content": format!("{b}!")}), Value::Null),
            delta(json!({}), "stop".into()),
        ],
        vec![format!("{{\"choices\": {KEY}")],
        vec![json!({"error": {"message": KEY}}).to_string()],
    ];
    let n_streams = streams.len();
    for (i, events) in streams.into_iter().enumerate() {
        upstream.then(Act::Stream(events, End::Done));
        let mut body = question(&format!("stream {i}"));
        body["stream"] = true.into();
        let reply = ask(&api, &body).await;
        assert!(!tells(&reply.body), "{}", reply.text());
        // Nor when it is put together.
        body["stream"] = false.into();
        if i > 1 {
            // It was not recorded.
            upstream.then(echo(400));
        }
        let told = ask(&api, &body).await;
        assert!(!tells(&told.body), "{}", told.text());
        if i == 1 {
            assert!(told.text().contains("it is ***!"), "{}", told.text());
        }
    }
    assert!(upstream.n_heard() >= n_acts + n_streams);
    assert!(
        upstream
            .heard()
            .iter()
            .all(|(headers, _)| headers["authorization"] == format!("Bearer {KEY}"))
    );
    for path in [
        paths::LLM,
        paths::LLM_MODELS,
        paths::CAPABILITIES,
        paths::VERSION,
        "/debug",
        "/api/llm/v1",
    ] {
        assert!(!tells(&api.get(path).await.body), "{path}");
    }
    // Recordings, and what was spent.
    assert!(search(&api.data()) >= 4);
    let log = LOG.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(String::from_utf8_lossy(&log).contains(paths::LLM_CHAT));
    assert!(!tells(&log));
}
