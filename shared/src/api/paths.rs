//! Every path of the system: a template for the router and a builder for the caller.

use super::JobId;
use crate::subject::{DatasetId, SubjectId};

/// Whether the server is up.
pub const HEALTH: &str = "/healthz";
/// [`super::Version`].
pub const VERSION: &str = "/version";
/// A list of [`super::DatasetCard`].
pub const DATASETS: &str = "/api/datasets";
/// One [`super::DatasetCard`].
pub const DATASET: &str = "/api/datasets/{dataset}";
/// The benchmark's own file, as imported (decompressed).
pub const CONTENT: &str = "/api/datasets/{dataset}/content";
/// [`super::SubjectPage`]; `?offset=` and `?limit=`.
pub const SUBJECTS: &str = "/api/datasets/{dataset}/subjects";
/// One [`super::SubjectBody`].
pub const SUBJECT: &str = "/api/datasets/{dataset}/subjects/{subject}";
/// What is known of its references: GET gives the lines of `ctxlab selfcheck`, or nothing (204); POST has them
/// checked by a job and answers as [`JOBS`]. Query and body are a [`super::CheckRequest`].
pub const INTEGRITY: &str = "/api/datasets/{dataset}/integrity";

/// [`super::Capabilities`].
pub const CAPABILITIES: &str = "/api/capabilities";
/// Takes a [`super::JobRequest`], answers 202 with [`super::JobTaken`], or 429 when the queue is full.
pub const JOBS: &str = "/api/jobs";
/// One job: DELETE gives it up.
pub const JOB: &str = "/api/jobs/{job}";
/// What is heard of it: server-sent [`super::JobEvent`]s.
pub const JOB_EVENTS: &str = "/api/jobs/{job}/events";

/// [`super::LlmStatus`].
pub const LLM: &str = "/api/llm";
/// What follows speaks as OpenAI's interface does, errors with it: the base URL of a client.
pub const LLM_V1: &str = "/api/llm/v1";
/// A list of models.
pub const LLM_MODELS: &str = "/api/llm/v1/models";
/// One of them; its name may hold slashes.
pub const LLM_MODEL: &str = "/api/llm/v1/models/{*model}";
/// Takes a conversation, answers with a model's reply, whole or as server-sent events.
pub const LLM_CHAT: &str = "/api/llm/v1/chat/completions";

/// The files of the engine that runs in the page; the name tells their content, so a browser keeps them.
pub const PAGE_ENGINE: &str = "/engines/browser-66b7949e5a0cba22";
/// One of them.
pub const PAGE_ENGINE_FILE: &str = "/engines/browser-66b7949e5a0cba22/{file}";

/// Where the benchmark that comes with the product lies in the site.
pub const STARTER: &str = "/cases/starter.json";

/// The pages that the app itself shows, as the server's router writes them; it answers each with the
/// app's HTML and any other unknown path with 404.
pub const PAGES: [&str; 10] = [
    "/",
    "/b/{dataset}",
    "/b/{dataset}/perturb-all",
    "/b/{dataset}/identify",
    "/b/{dataset}/references",
    "/b/{dataset}/{subject}",
    "/diff",
    "/help",
    "/help/{slug}",
    "/settings",
];

/// Whether a path is one of [`PAGES`]. Only a subject's id may hold a dot: what else looks like a
/// file's name is no page.
pub fn is_page(path: &str) -> bool {
    let fits = |wanted: &str, found: &str| match wanted {
        "{subject}" => !found.is_empty(),
        _ if wanted.starts_with('{') => !found.is_empty() && !found.contains('.'),
        _ => wanted == found,
    };
    PAGES.iter().any(|page| {
        page.split('/').count() == path.split('/').count()
            && page
                .split('/')
                .zip(path.split('/'))
                .all(|(wanted, found)| fits(wanted, found))
    })
}

/// The path of one benchmark's card.
pub fn dataset(id: &DatasetId) -> String {
    format!("{DATASETS}/{id}")
}

/// The path of one benchmark's file.
pub fn content(id: &DatasetId) -> String {
    format!("{DATASETS}/{id}/content")
}

/// The path of a benchmark's index.
pub fn subjects(id: &DatasetId) -> String {
    format!("{DATASETS}/{id}/subjects")
}

/// The path of what is known of a benchmark's references.
pub fn integrity(id: &DatasetId) -> String {
    format!("{DATASETS}/{id}/integrity")
}

/// The path of one job.
pub fn job(id: &JobId) -> String {
    format!("{JOBS}/{id}")
}

/// The path of what is heard of a job.
pub fn job_events(id: &JobId) -> String {
    format!("{JOBS}/{id}/events")
}

/// The path of one subject.
pub fn subject(id: &DatasetId, subject: &SubjectId) -> String {
    format!("{DATASETS}/{id}/subjects/{subject}")
}
