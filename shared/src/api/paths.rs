//! Every path of the system: a template for the router and a builder for the caller.

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

/// Where the benchmark that comes with the product lies in the site.
pub const STARTER: &str = "/cases/starter.json";

/// The pages that the app itself shows, as the server's router writes them; it answers each with the
/// app's HTML and any other unknown path with 404.
pub const PAGES: [&str; 8] = [
    "/",
    "/b/{dataset}",
    "/b/{dataset}/perturb-all",
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

/// The path of one subject.
pub fn subject(id: &DatasetId, subject: &SubjectId) -> String {
    format!("{DATASETS}/{id}/subjects/{subject}")
}
