//! What was wrong with a benchmark's records, each with its reason.

use leptos::prelude::*;
use shared::dataset::{RecordReport, Severity};

use crate::components::toast::sentence;
use crate::state::words::n_of;

#[component]
pub(crate) fn RecordReports(
    /// The reports; nothing is shown without any.
    reports: Vec<RecordReport>,
    /// Whether they are unfolded at first.
    open: bool,
) -> impl IntoView {
    if reports.is_empty() {
        return ().into_any();
    }
    let n_rejected = reports
        .iter()
        .filter(|report| report.severity == Severity::Rejected)
        .count();
    let n_warnings = reports.len() - n_rejected;
    let mut parts = Vec::new();
    if n_rejected > 0 {
        parts.push(format!("{n_rejected} left out"));
    }
    if n_warnings > 0 {
        parts.push(format!("{n_warnings} kept with a warning"));
    }
    let item = |report: RecordReport| {
        let word = match report.severity {
            Severity::Rejected => "left out",
            Severity::Warning => "kept",
        };
        view! {
            <li class="reports__item">
                <span class="reports__record">{format!("Record {}", report.record)}</span>
                " "
                <code>{report.name}</code>
                {format!(" ({word}): ")}
                {sentence(&report.reason)}
            </li>
        }
    };
    view! {
        <details class="reports" class:reports--rejected=n_rejected != 0 open=open>
            <summary class="reports__summary">
                {format!("{} on records: {}", n_of(reports.len(), "note", "notes"), parts.join(", "))}
            </summary>
            <ol class="reports__list">{reports.into_iter().map(item).collect_view()}</ol>
        </details>
    }
    .into_any()
}
