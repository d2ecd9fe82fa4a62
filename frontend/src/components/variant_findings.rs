//! What else is to say of a variant: how it was found in its text, what differs elsewhere, the diff.

use leptos::prelude::*;
use shared::case::OutsideEdit;
use shared::diff::MatcherId;
use shared::text::LineIndex;

use crate::components::diff_view::DiffView;
use crate::components::variant_editor::Writing;
use crate::reactive::{Memo, effect, live};
use crate::state::diff::Comparison;
use crate::state::diff::reading::{DiffState, Layout};
use crate::state::words::n_of;
use crate::state::workbench::variant::{Way, how_found};
use crate::worker::compare::protocol::Standing;

/// The most edits elsewhere that are listed; the diff shows all.
const MOST: usize = 20;

#[component]
pub(crate) fn VariantFindings(
    /// What is written.
    writing: Writing,
) -> impl IntoView {
    let bench = writing.bench();
    let diff = DiffState::new();
    // Two columns do not fit between two panes.
    diff.layout.set(Layout::Unified);
    let is_shown = Memo::new(move |_| bench.view.with(|view| view.reveal_all));
    effect(move || {
        let view = writing.view.get().filter(|_| is_shown.get());
        let comparison = view.and_then(|view| {
            let reference = bench.body.with_value(|body| body.subject.source.clone());
            Some(Comparison::new(
                reference,
                view.method.clone(),
                view.diff.clone()?,
            ))
        });
        diff.show(comparison);
    });
    let has_open = move || {
        writing.masked.with(|masked| {
            let n = masked.as_ref().map_or(0, |masked| masked.of.sites.len());
            writing.draft.with(|draft| draft.n_open(n) > 0)
        })
    };
    let shown = move || {
        diff.comparison.with(Option::is_some).then(|| {
            view! {
                {live(move || has_open().then(|| view! {
                    <p class="variant__hint">"Places still to fill stand as in the reference."</p>
                }))}
                <DiffView diff name="variant"/>
                <p class="variant__hint">{format!("Matcher: {}", MatcherId::default())}</p>
            }
        })
    };
    view! {
        {live(move || found(writing))}
        {live(move || elsewhere(writing))}
        {live(shown)}
    }
}

fn found(writing: Writing) -> Option<impl IntoView> {
    let view = writing.view.get()?;
    let extraction = view.extraction.as_ref()?;
    let masked = writing.masked.get()?;
    let text = writing.draft.with(|draft| {
        let is_own = draft.way == Way::Write && draft.is_own_text();
        is_own.then(|| draft.variant(&masked))
    })?;
    let imports = writing
        .bench()
        .body
        .with_value(|body| body.class.imports.clone());
    let said = how_found(&text, extraction, &imports)?;
    Some(view! { <p class="variant__hint">{said}</p> })
}

fn elsewhere(writing: Writing) -> Option<impl IntoView> {
    let view = writing.view.get()?;
    let masked = writing.masked.get()?;
    // Of what is no Python little corresponds.
    let is_read = matches!(view.standing, Standing::Candidate | Standing::Identical);
    let n = view.outside.len();
    let is_shown = writing.bench().view.with(|view| view.reveal_all);
    let lines = LineIndex::new(&view.method);
    let item = |edit: &OutsideEdit| {
        let goes = if is_shown {
            edit.reference.of(&masked.source).to_owned()
        } else {
            masked.part(edit.reference)
        };
        let comes = edit.variant.of(&view.method).to_owned();
        let goes = (!goes.is_empty()).then(|| view! { <del class="diff-delete">{goes}</del> " " });
        let comes = (!comes.is_empty()).then(|| view! { <ins class="diff-insert">{comes}</ins> });
        let line = format!("line {}: ", lines.line(edit.variant.start));
        view! { <li>{line} <code>{goes} {comes}</code></li> }
    };
    (is_read && n > 0).then(|| {
        view! {
            <section class="variant__elsewhere" aria-label="Edits elsewhere">
                <h2>{n_of(n, "edit", "edits")} " outside the masked places"</h2>
                <ul>{view.outside.iter().take(MOST).map(item).collect_view()}</ul>
                {(n > MOST).then(|| format!("and {} more", n - MOST))}
            </section>
        }
    })
}
