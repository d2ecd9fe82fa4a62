//! The class around the method: what it is for, what it holds, and its source with the method marked.

use std::sync::Arc;

use leptos::prelude::*;
use shared::api::SubjectBody;
use shared::subject::{DatasetId, SubjectId};
use shared::syntax::highlight::Token;

use crate::components::code_view::{Band, CodeView};
use crate::page::Page;
use crate::platform::document;
use crate::reactive::{RwSignal, Signal, effect, handler, live};
use crate::state::words::n_of;
use crate::state::workbench::class_source::{Sibling, body_lines, siblings, target_lines, veiled};

#[component]
pub(crate) fn ContextView(
    /// The subject with its class.
    body: Arc<SubjectBody>,
    /// The colours of the class's source.
    #[prop(into)]
    tokens: Signal<Vec<Token>>,
    /// The line (from 0) that an author's note points to.
    #[prop(into)]
    decides: Signal<Option<usize>>,
    /// Whether the method's own lines would give away what is hidden.
    #[prop(into)]
    is_veiled: Signal<bool>,
) -> impl IntoView {
    let target = target_lines(&body);
    let secret = target
        .as_ref()
        .map(|lines| body_lines(&body.class.source, lines))
        .filter(|lines| !lines.is_empty());
    let jumped = RwSignal::new(None::<usize>);
    let bands = {
        let (target, secret) = (target.clone(), secret.clone());
        move || {
            let veil = secret.clone().filter(|_| is_veiled.get());
            let line = |line: Option<usize>, kind| {
                line.map(|line| Band {
                    lines: line..line + 1,
                    kind,
                })
            };
            let target = target.clone().map(|lines| Band {
                lines,
                kind: "target",
            });
            [
                target,
                veil.map(|lines| Band {
                    lines,
                    kind: "veil",
                }),
                line(jumped.get(), "jumped"),
                line(decides.get(), "decides"),
            ]
            .into_iter()
            .flatten()
            .collect()
        }
    };
    // The note's line is what the reader came for; without one the method itself.
    effect(move || {
        let kind = if decides.get().is_some() {
            "decides"
        } else {
            "target"
        };
        request_animation_frame(move || {
            document::center(&format!(".context-view .code-view__band--{kind}"));
        });
    });
    let jump = move |line: usize| {
        jumped.set(Some(line));
        request_animation_frame(|| document::center(".context-view .code-view__band--jumped"));
    };
    let to_target = target.map(|lines| {
        view! {
            <button type="button" class="button button--small" on:click=handler(move |_| jump(lines.start))>
                {format!("{} is at line {}", body.subject.method, lines.start + 1)}
            </button>
        }
    });
    let class = body.class.name.clone();
    let open = body.class.source.clone();
    let closed = secret.map_or_else(|| open.clone(), |lines| veiled(&open, &lines));
    let source = move || {
        if is_veiled.get() {
            closed.clone()
        } else {
            open.clone()
        }
    };
    view! {
        <div class="context-view">
            <div class="context-view__facts">
                <p class="context-view__description">{description(&body.class.description)}</p>
                {fact("Imports", "import", "imports", &body.class.imports)}
                {fact("Fields", "field", "fields", &body.class.fields)}
                {constructor(&body.class.constructor)}
                {sibling_list(&body.dataset, &class, siblings(&body), Callback::new(jump))}
                {to_target}
                {live(move || {
                    is_veiled
                        .get()
                        .then(|| {
                            view! {
                                <p class="context-view__veil">
                                    "Its lines are blank while places are hidden; " <kbd>"x"</kbd> " reveals all."
                                </p>
                            }
                        })
                })}
            </div>
            <CodeView
                label=format!("Source of class {class}")
                source=Signal::derive(source)
                tokens=tokens
                bands=Signal::derive(bands)
            />
        </div>
    }
}

/// A class's docstring without its quotes, as one paragraph.
fn description(text: &str) -> String {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '\u{201c}' | '\u{201d}');
    text.trim()
        .trim_matches(is_quote)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn fact(title: &'static str, one: &str, many: &str, items: &[String]) -> impl IntoView + use<> {
    let items = items.to_vec();
    let n = n_of(items.len(), one, many);
    let is_short = items.len() < 4 && !items.is_empty();
    let none = items.is_empty().then(|| format!("no {many}"));
    view! {
        <details class="context-view__fact" open=is_short>
            <summary>{title} <span class="context-view__n">{n}</span></summary>
            {none}
            <ul>{items.into_iter().map(|item| view! { <li><code>{item}</code></li> }).collect_view()}</ul>
        </details>
    }
}

fn constructor(source: &str) -> impl IntoView + use<> {
    let source = source.trim().to_owned();
    (!source.is_empty()).then(|| {
        view! {
            <details class="context-view__fact">
                <summary>"Constructor"</summary>
                <pre class="context-view__constructor">{source}</pre>
            </details>
        }
    })
}

fn sibling_list(
    dataset: &DatasetId,
    class: &str,
    siblings: Vec<Sibling>,
    jump: Callback<usize>,
) -> impl IntoView + use<> {
    let n = n_of(siblings.len(), "sibling", "siblings");
    let item = |sibling: Sibling| {
        let Sibling {
            name,
            line,
            summary,
        } = sibling;
        let is_special = name.starts_with("__");
        let href = Page::Workbench(dataset.clone(), SubjectId(format!("{class}.{name}"))).path();
        let open = (!is_special).then(|| {
            view! { <a class="context-view__open" href=href aria-label=format!("Open {name}")>"open"</a> }
        });
        view! {
            <li class="context-view__sibling">
                <button type="button" class="context-view__jump" on:click=handler(move |_| jump.run(line))>
                    <code>{name}</code>
                    <span class="context-view__n">{format!("line {}", line + 1)}</span>
                </button>
                {open}
                <span class="context-view__summary" title=summary.clone()>{summary.clone()}</span>
            </li>
        }
    };
    let items = siblings.into_iter().map(item).collect_view();
    view! {
        <details class="context-view__fact" open=true>
            <summary>"Other methods" <span class="context-view__n">{n}</span></summary>
            <ul>{items}</ul>
        </details>
    }
}
