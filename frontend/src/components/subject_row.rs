//! A method as a row of a list.

use leptos::prelude::*;
use shared::api::SubjectSummary;
use shared::perturb::RULES;

use crate::state::words::n_of;

/// The cells of the list's header.
pub(crate) fn header() -> AnyView {
    let rule = |index: usize| {
        let rule = RULES[index].id.rule();
        let title = format!("Rule {}, {}: instances", rule.id.number(), rule.title);
        view! {
            <span class="subject-row__rule" role="columnheader" title=title.clone() aria-label=title>
                {rule.id.number()}
            </span>
        }
    };
    view! {
        <span class="subject-row__name" role="columnheader">
            "Method"
        </span>
        <span class="subject-row__lines" role="columnheader">
            "Lines"
        </span>
        <span class="subject-row__libraries" role="columnheader">
            "Libraries"
        </span>
        {(0..RULES.len()).map(rule).collect_view()}
    }
    .into_any()
}

/// The cells of a method's row; `counts` are its instances under rules 1 to 10, where known.
pub(crate) fn cells(summary: &SubjectSummary, path: String, counts: Option<[u16; 10]>) -> AnyView {
    let showcase = (summary.n_showcases > 0).then(|| {
        let title = format!("{}: a plausible line that is wrong here", n_of(summary.n_showcases, "showcase", "showcases"));
        view! { <span class="subject-row__showcase" title=title.clone() role="img" aria-label=title>"◆"</span> }
    });
    let rule = |index: usize| {
        let n = counts.map(|counts| counts[index]);
        let title = n.map(|n| {
            format!(
                "{}: {}",
                RULES[index].title,
                n_of(n.into(), "instance", "instances")
            )
        });
        view! {
            <span class="subject-row__rule" role="gridcell" data-level=n.map(level) title=title>
                {match n {
                    None => String::new(),
                    Some(0) => "·".to_owned(),
                    Some(n) => n.to_string(),
                }}
            </span>
        }
    };
    view! {
        <span class="subject-row__name" role="gridcell">
            <a class="subject-row__link" href=path tabindex="-1">
                <span class="subject-row__class">{summary.class.clone()}"."</span>
                {summary.method.clone()}
            </a>
            {showcase}
        </span>
        <span class="subject-row__lines" role="gridcell">
            {summary.n_lines}
        </span>
        <span class="subject-row__libraries" role="gridcell" title=summary.libraries.join(", ")>
            {summary.libraries.join(", ")}
        </span>
        {(0..RULES.len()).map(rule).collect_view()}
    }
    .into_any()
}

/// How strongly a count is coloured.
fn level(n: u16) -> &'static str {
    match n {
        0 => "0",
        1 => "1",
        2..=3 => "2",
        4..=6 => "3",
        _ => "4",
    }
}
