//! The method's text, editable: a transparent text field over the coloured text, of the same metrics.

use leptos::ev::{InputEvent, KeyboardEvent};
use leptos::html::Textarea;
use leptos::prelude::*;
use shared::syntax::SyntaxError;
use shared::syntax::highlight::Token;
use shared::text::{LineIndex, Span};

use crate::components::code_view::{gutter, runs, whole};
use crate::platform::text_field;
use crate::reactive::{StoredValue, attr, handler, live};
use crate::state::workbench::keystroke::{self, Key};
use crate::state::workbench::segments::{Mark, MarkKind, Shift};
use crate::state::workbench::{Analysis, Workbench};

/// The most that may stand in the field.
const MAX_BYTES: usize = 200 << 10;
/// Above this the text is shown without colours, so that typing stays quick.
const MAX_COLOURED_BYTES: usize = 32 << 10;

#[component]
pub(crate) fn Editor(
    /// The subject and its view.
    bench: Workbench,
) -> impl IntoView {
    let field = NodeRef::<Textarea>::new();
    let (refusal, set_refusal) = signal(None::<String>);
    // After Escape the next Tab moves the focus, as everywhere else.
    let leaving = StoredValue::new(false);

    let refuse = move |n_bytes: usize| {
        set_refusal.set(Some(format!(
            "A text of {} KB is too long: a method may have at most {} KB. Paste a part of it.",
            n_bytes.div_ceil(1 << 10),
            MAX_BYTES >> 10,
        )));
    };
    // Refused before it is there, so that undo keeps working.
    let beforeinput = move |event: InputEvent| {
        let n_bytes = event.data().map_or(0, |text| text.len());
        if n_bytes + bench.source.with_untracked(String::len) > MAX_BYTES {
            event.prevent_default();
            refuse(n_bytes);
        }
    };
    let input = move |event: leptos::ev::Event| {
        let text = event_target_value(&event);
        if text.len() > MAX_BYTES {
            // Some ways of inserting do not ask before.
            refuse(text.len());
            if let Some(field) = field.get_untracked() {
                field.set_value(&bench.source.get_untracked());
            }
            return;
        }
        set_refusal.set(None);
        bench.focus.set(None);
        bench.source.set(text);
    };
    let keydown = move |event: KeyboardEvent| {
        if let (Some(key), Some(field)) = (key_of(&event, leaving), field.get_untracked()) {
            let text = field.value();
            let selected = text_field::selection(&field);
            let bytes = keystroke::byte_offset(&text, selected.start)
                ..keystroke::byte_offset(&text, selected.end);
            if let Some(change) = keystroke::change(key, &text, bytes) {
                event.prevent_default();
                text_field::apply(&field, &text, &change);
            }
        }
    };
    let paint = move || {
        bench.source.with(|source| {
            let (tokens, marks) = bench
                .analysis
                .with(|analysis| paint_of(source, analysis.as_deref(), bench));
            // The last line needs something on it to have a height.
            (runs(source, &tokens, &marks, whole(source)), "\n")
        })
    };
    view! {
        <div class="editor">
            <div class="editor__scroll">
                <div class="editor__sheet">
                    <pre class="code-view__gutter" aria-hidden="true">
                        {live(move || bench.source.with(|source| gutter(&format!("{source}\u{200b}"))))}
                    </pre>
                    <div class="editor__stack">
                        <pre class="editor__paint" aria-hidden="true">
                            {paint}
                        </pre>
                        <textarea
                            node_ref=field
                            id="method-text"
                            class="editor__text"
                            aria-label="The method’s text, editable"
                            aria-describedby="editor-hint"
                            wrap="off"
                            spellcheck="false"
                            autocapitalize="off"
                            autocomplete="off"
                            prop:value=attr(move || bench.source.get())
                            on:beforeinput=handler(beforeinput)
                            on:keydown=handler(keydown)
                            on:blur=handler(move |_| leaving.set_value(false))
                            on:input=handler(input)
                        ></textarea>
                    </div>
                </div>
            </div>
            <p id="editor-hint" class="editor__hint">
                "A scratch copy: the benchmark stays as it is. Tab indents; Esc, then Tab leaves the text."
            </p>
            {live(move || refusal.get().map(|text| view! { <p class="editor__refusal" role="alert">{text}</p> }))}
            {live(move || errors(bench))}
        </div>
    }
}

/// The key that the editor handles itself; `leaving` remembers an Escape before a Tab.
fn key_of(event: &KeyboardEvent, leaving: StoredValue<bool>) -> Option<Key> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() {
        return None;
    }
    let was_leaving = leaving.get_value();
    let name = event.key();
    leaving.set_value(name == "Escape" || (was_leaving && name == "Shift"));
    match (name.as_str(), event.shift_key()) {
        ("Escape", _) => {
            // Elsewhere Escape goes up a level.
            event.stop_propagation();
            None
        }
        ("Tab", _) if was_leaving => None,
        ("Tab", false) => Some(Key::Tab),
        ("Tab", true) => Some(Key::BackTab),
        ("Enter", false) => Some(Key::Enter),
        ("Backspace", _) => Some(Key::Backspace),
        _ => None,
    }
}

fn paint_of(
    source: &str,
    analysis: Option<&Analysis>,
    bench: Workbench,
) -> (Vec<Token>, Vec<Mark>) {
    let Some(analysis) = analysis.filter(|_| source.len() <= MAX_COLOURED_BYTES) else {
        return (Vec::new(), Vec::new());
    };
    let shift = Shift::between(&analysis.source, source);
    let tokens = analysis.view.tokens.iter();
    let tokens = tokens
        .filter_map(|token| {
            Some(Token {
                span: shift.of(token.span)?,
                ..*token
            })
        })
        .collect();
    let sites = bench
        .places
        .with(|places| places.iter().map(|place| place.span).collect::<Vec<_>>());
    let errors = analysis
        .view
        .errors
        .iter()
        .map(|error| visible(error.span, &analysis.source));
    let marks = sites
        .into_iter()
        .map(|span| (span, MarkKind::Site))
        .chain(errors.map(|span| (span, MarkKind::Error)))
        .chain(bench.focus.get().map(|span| (span, MarkKind::Focus)))
        .filter_map(|(span, kind)| {
            Some(Mark {
                span: shift.of(span)?,
                kind,
            })
        })
        .collect();
    (tokens, marks)
}

/// Something is missing at an empty place: the letter before it is marked instead.
fn visible(span: Span, source: &str) -> Span {
    if !span.is_empty() {
        return span;
    }
    let before = source.get(..span.start as usize).unwrap_or_default();
    let letter = before
        .trim_end()
        .chars()
        .next_back()
        .map_or(0, char::len_utf8);
    let end = u32::try_from(before.trim_end().len()).unwrap_or(span.end);
    Span::new(end.saturating_sub(u32::try_from(letter).unwrap_or(0)), end)
}

fn errors(bench: Workbench) -> Option<impl IntoView> {
    let analysis = bench.analysis.get()?;
    let Analysis { source, view } = &*analysis;
    if view.errors.is_empty() {
        return None;
    }
    let lines = LineIndex::new(source);
    let item = |error: &SyntaxError| {
        let (line, column) = lines.line_column(source, error.span.start);
        let span = visible(error.span, source);
        view! {
            <li>
                <button type="button" class="editor__error" on:click=handler(move |_| bench.focus.set(Some(span)))>
                    <span class="editor__error-place">{format!("{line}:{column}")}</span>
                    {error.message.clone()}
                </button>
            </li>
        }
    };
    let n = view.errors.len();
    let title = if n == 1 {
        "1 place is no valid Python".to_owned()
    } else {
        format!("{n} places are no valid Python")
    };
    Some(view! {
        <section class="editor__errors" aria-label="Syntax errors">
            <p>{title}</p>
            <ul>{view.errors.iter().map(item).collect_view()}</ul>
        </section>
    })
}
