//! What is left of the variants, and what each is.

mod list;
mod variant;

use std::sync::Arc;

use leptos::prelude::*;
use shared::identify::{BadLine, OutsidePolicy};

use self::list::VariantList;
use self::variant::VariantView;
use super::run::{Done, Runner};
use crate::components::funnel_table::FunnelTable;
use crate::components::toast::sentence;
use crate::platform::document;
use crate::reactive::{Memo, RwSignal, StoredValue, handler, live};
use crate::state::variant_filter::VariantFilter;
use crate::state::words::{grouped, n_of};
use crate::worker::compare::batch::protocol::{IdentifiedFile, Lines};

/// A result and what the reader does with it.
#[derive(Clone, Copy)]
struct Reading {
    found: StoredValue<Arc<IdentifiedFile>>,
    filter: RwSignal<VariantFilter>,
    /// Places in the file's list of decisions.
    items: Memo<Arc<Vec<u32>>>,
    /// The place in the list that the keyboard is on.
    active: RwSignal<usize>,
    /// The variant that is shown, as a place in the list.
    opened: RwSignal<Option<usize>>,
}

impl Reading {
    fn found<T>(self, read: impl FnOnce(&IdentifiedFile) -> T) -> T {
        self.found.with_value(|found| read(found))
    }

    /// Asks for other variants.
    fn narrow(self, change: impl FnOnce(&mut VariantFilter)) {
        self.opened.set(None);
        self.active.set(0);
        self.filter.update(change);
    }

    fn open(self, at: usize) {
        self.active.set(at);
        self.opened.set(Some(at));
    }

    /// Back to the list, where the keyboard was.
    fn close(self) {
        self.opened.set(None);
        let row = self.active.get_untracked() + 2;
        request_animation_frame(move || {
            document::focus(&format!(".virtual-list [aria-rowindex=\"{row}\"]"));
        });
    }
}

#[component]
pub(super) fn ResultView(runner: Runner, done: Done) -> impl IntoView {
    let Done {
        found,
        took_ms,
        choice,
    } = done;
    let (run, options) = (found.run, found.options);
    let filter = RwSignal::new(VariantFilter::default());
    let items = {
        let found = Arc::clone(&found);
        Memo::new(move |_| Arc::new(filter.with(|filter| filter.rows(&found.decisions))))
    };
    let reading = Reading {
        found: StoredValue::new(Arc::clone(&found)),
        filter,
        items,
        active: RwSignal::new(0),
        opened: RwSignal::new(None),
    };
    let is_stale =
        Memo::new(move |_| runner.options.get() != options || runner.files.choice.get() != choice);
    let pick = move |wanted: VariantFilter| {
        reading.narrow(|filter| *filter = wanted);
        request_animation_frame(|| {
            document::reveal(".identify__variants");
            document::focus(".virtual-list [aria-rowindex=\"2\"]");
        });
    };
    let save = move |label: &'static str, lines: Lines| {
        view! {
            <button type="button" class="button" on:click=handler(move |_| runner.save(run, lines))>
                {label}
            </button>
        }
    };
    view! {
        <section class="identify__result" aria-label="Result">
            <div class="identify__summary">
                <p>{summary(&found, took_ms)}</p>
                {save("Export decisions", Lines::Decisions)}
                {save("Export cases", Lines::Cases)}
                <button
                    type="button"
                    class="button"
                    on:click=handler(move |_| reading.found(|found| runner.save_funnel(found)))
                >
                    "Export funnel"
                </button>
            </div>
            <Show when=move || is_stale.get()>
                <p class="note note--warning">
                    "The files or choices above have changed since. "
                    <button type="button" class="button button--small" on:click=handler(move |_| runner.start())>
                        "Identify again"
                    </button>
                </p>
            </Show>
            {bad_lines(&found)}
            {unused(&found)}
            {(!found.decisions.is_empty()).then(|| view! {
                <FunnelTable funnel=found.funnel.clone() on_pick=pick/>
                <VariantList reading/>
                {live(move || reading.opened.get().map(|at| view! { <VariantView reading dataset=runner.dataset.get_value() at/> }))}
            })}
        </section>
    }
}

fn summary(found: &IdentifiedFile, took_ms: f64) -> String {
    let n_cases = found.funnel.total(None).n_unique as usize;
    let strict = match found.options.outside {
        OutsidePolicy::Accept => "",
        OutsidePolicy::Reject => ", strict",
    };
    format!(
        "{} of {} in {:.1} s (matcher {}{strict}).",
        n_of(n_cases, "case", "cases"),
        n_of(found.decisions.len(), "variant", "variants"),
        took_ms / 1000.0,
        found.options.matcher,
    )
}

/// The lines that could not be used.
fn bad_lines(found: &IdentifiedFile) -> impl IntoView + use<> {
    let n_more = found.n_bad - found.bad.len();
    let item = |bad: &BadLine| {
        view! {
            <li>
                <span class="reports__record">{format!("Line {} of {}", bad.line, bad.file)}</span>
                ": "
                {sentence(&bad.error)}
            </li>
        }
    };
    (found.n_bad > 0).then(|| {
        view! {
            <details class="reports reports--rejected" open=found.decisions.is_empty()>
                <summary class="reports__summary">
                    {format!("{} cannot be used", n_of(found.n_bad, "line", "lines"))}
                </summary>
                <ol class="reports__list">{found.bad.iter().map(item).collect_view()}</ol>
                {(n_more > 0).then(|| format!("And {} more: the export of the decisions has all.", grouped(n_more)))}
            </details>
        }
    })
}

fn unused(found: &IdentifiedFile) -> Option<impl IntoView + use<>> {
    let first = found.first_unused.as_ref()?;
    let text = match found.n_unused {
        1 => format!("One report is on no variant of the file: {first}."),
        n => format!(
            "{} reports are on no variant of the file, the first on {first}.",
            grouped(n)
        ),
    };
    Some(view! { <p class="note">{text}</p> })
}
