//! An author's note: a line that looks right in a masked place and is wrong here. First the place,
//! then the line, then what decides.

use leptos::prelude::*;
use shared::subject::Showcase;
use shared::text::Span;

use crate::components::code_view::CodeView;
use crate::reactive::{Memo, Signal, attr, handler, live};
use crate::state::workbench::link::Step;
use crate::state::workbench::segments::{Mark, MarkKind, Shift};
use crate::state::workbench::showcase::{filled, place};
use crate::state::workbench::{Analysis, Workbench};

/// The method with the note's place as the step shows it.
#[derive(Clone, PartialEq, Default)]
struct Preview {
    source: String,
    at: Option<Span>,
}

#[component]
pub(crate) fn ShowcaseNote(
    /// The subject and its view.
    bench: Workbench,
    /// What is shown of the note.
    #[prop(into)]
    showcase: Signal<Showcase>,
    /// Restores text and options, without which the place is gone.
    #[prop(into)]
    on_reset: Callback<()>,
) -> impl IntoView {
    let step = Memo::new(move |_| bench.view.with(|view| view.step));
    let found = Memo::new(move |_| {
        let analysis = bench.analysis.get()?;
        showcase.with(|showcase| place(showcase, &analysis.view.outcomes))
    });
    let preview = Memo::new(move |_| {
        let (Some(analysis), Some(found)) = (bench.analysis.get(), found.get()) else {
            return Preview::default();
        };
        let text = match step.get() {
            Step::Masked => found.site.placeholder.clone(),
            Step::Filled | Step::Explained => showcase.with(|showcase| showcase.plausible.clone()),
        };
        let (source, at) = filled(&analysis.source, found.site.span, &text);
        Preview {
            source,
            at: Some(at),
        }
    });
    let tokens = move || {
        let Some(analysis) = bench.analysis.get() else {
            return Vec::new();
        };
        let Analysis { source, view } = &*analysis;
        let shift = preview.with(|preview| Shift::between(source, &preview.source));
        view.tokens
            .iter()
            .filter_map(|token| {
                Some(shared::syntax::highlight::Token {
                    span: shift.of(token.span)?,
                    ..*token
                })
            })
            .collect()
    };
    let marks = move || {
        let kind = if step.get() == Step::Masked {
            MarkKind::Site
        } else {
            MarkKind::Filled
        };
        preview.with(|preview| {
            preview
                .at
                .map(|span| Mark { span, kind })
                .into_iter()
                .collect::<Vec<_>>()
        })
    };
    let gone = move || bench.analysis.with(Option::is_some) && found.with(Option::is_none);
    view! {
        <div class="showcase">
            <section class="showcase__note" aria-label="Author’s note">
                <p class="showcase__kicker">"A plausible line that is wrong here"</p>
                <h2 class="showcase__title">{live(move || showcase.with(|showcase| showcase.title.clone()))}</h2>
                <Show
                    when=move || !gone()
                    fallback=move || view! {
                        <p>"The text or the options have changed, so the place of this note is gone."</p>
                        <button type="button" class="button" on:click=handler(move |_| on_reset.run(()))>
                            "Restore text and options"
                        </button>
                    }
                >
                    <p class="showcase__ask" aria-live="polite">{live(move || ask(step.get()))}</p>
                    <div class="showcase__steps">
                        <button
                            type="button"
                            class="button"
                            aria-pressed=attr(move || (step.get() != Step::Masked).to_string())
                            on:click=handler(move |_| {
                                bench.choose_step(if step.get_untracked() == Step::Masked { Step::Filled } else { Step::Masked });
                            })
                        >
                            {live(move || if step.get() == Step::Masked { "Show plausible filling" } else { "Mask the place again" })}
                        </button>
                        <button
                            type="button"
                            class="button button--primary"
                            disabled=attr(move || step.get() == Step::Explained)
                            on:click=handler(move |_| bench.choose_step(Step::Explained))
                        >
                            "Reveal why"
                        </button>
                    </div>
                    {live(move || (step.get() == Step::Explained).then(|| explained(showcase.get())))}
                </Show>
            </section>
            <Show when=move || !gone()>
                <CodeView
                    label="The method with the note’s place"
                    source=Signal::derive(move || preview.with(|preview| preview.source.clone()))
                    tokens=Signal::derive(tokens)
                    marks=Signal::derive(marks)
                />
            </Show>
        </div>
    }
}

fn ask(step: Step) -> &'static str {
    match step {
        Step::Masked => "Read the requirement. What would you write in the masked place?",
        Step::Filled => {
            "The marked text looks right. Which line of the class says that it is wrong?"
        }
        Step::Explained => "The line that decides is marked in the class context.",
    }
}

fn explained(showcase: Showcase) -> impl IntoView {
    let Showcase {
        hidden,
        plausible,
        note,
        decides,
        broken_test,
        ..
    } = showcase;
    view! {
        <div class="showcase__why">
            <p>{note}</p>
            <dl class="showcase__facts">
                <dt>"Plausible, wrong here"</dt>
                <dd><del class="showcase__wrong"><code>{plausible}</code></del></dd>
                <dt>"Correct here"</dt>
                <dd><ins class="showcase__right"><code>{hidden}</code></ins></dd>
                <dt>"Decided by"</dt>
                <dd><code>{decides}</code></dd>
                <dt>"Test that it fails"</dt>
                <dd><code>{broken_test}</code></dd>
            </dl>
        </div>
    }
}
