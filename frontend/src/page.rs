//! The page's addresses: the path names the thing, the query names the view.

use leptos_router::NavigateOptions;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use shared::subject::{DatasetId, SubjectId};

/// What may stand in a path segment as it is.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// How an address follows what the page shows: no new entry in the history, no scrolling, taken as it is.
pub(crate) fn in_place() -> NavigateOptions {
    NavigateOptions {
        replace: true,
        scroll: false,
        resolve: false,
        ..NavigateOptions::default()
    }
}

/// A page of the app; `shared::api::paths::PAGES` lists the same addresses for the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Page {
    Benchmarks,
    Subjects(DatasetId),
    PerturbAll(DatasetId),
    Identify(DatasetId),
    References(DatasetId),
    Workbench(DatasetId, SubjectId),
    Diff,
    Help,
    HelpOn(String),
    Settings,
}

impl Page {
    /// The path, for links.
    pub(crate) fn path(&self) -> String {
        let segment = |text: &str| utf8_percent_encode(text, SEGMENT).to_string();
        match self {
            Self::Benchmarks => "/".to_owned(),
            Self::Subjects(dataset) => format!("/b/{}", segment(dataset.as_str())),
            Self::PerturbAll(dataset) => format!("/b/{}/perturb-all", segment(dataset.as_str())),
            Self::Identify(dataset) => format!("/b/{}/identify", segment(dataset.as_str())),
            Self::References(dataset) => format!("/b/{}/references", segment(dataset.as_str())),
            Self::Workbench(dataset, subject) => {
                format!(
                    "/b/{}/{}",
                    segment(dataset.as_str()),
                    segment(subject.as_str())
                )
            }
            Self::Diff => "/diff".to_owned(),
            Self::Help => "/help".to_owned(),
            Self::HelpOn(slug) => format!("/help/{}", segment(slug)),
            Self::Settings => "/settings".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &Page, path: &str) {
        assert_eq!(page.path(), path);
    }

    #[test]
    fn paths_name_things() {
        let starter = DatasetId::starter();
        check(&Page::Benchmarks, "/");
        check(&Page::Subjects(starter.clone()), "/b/starter");
        check(&Page::Diff, "/diff");
        check(&Page::PerturbAll(starter.clone()), "/b/starter/perturb-all");
        check(&Page::Identify(starter.clone()), "/b/starter/identify");
        check(&Page::References(starter.clone()), "/b/starter/references");
        check(
            &Page::Workbench(starter, SubjectId("Tür.öffne".to_owned())),
            "/b/starter/T%C3%BCr.%C3%B6ffne",
        );
        check(&Page::HelpOn("a/b?".to_owned()), "/help/a%2Fb%3F");
    }
}
