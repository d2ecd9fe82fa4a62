//! The method's text, editable: a transparent text field over the coloured text, of the same metrics.

use leptos::ev::{InputEvent, KeyboardEvent};
use leptos::html::Textarea;
use leptos::prelude::*;
use shared::syntax::SyntaxError;
use shared::syntax::highlight::Token;
use shared::text::{LineIndex, Span};

use crate::components::code_view::{gutter, runs, whole};
use crate::platform::text_field;
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

    let beforeinput = move |event: InputEvent| {
        let inserted = event.data().map_or(0, |text| text.len());
        if inserted + bench.source.with_untracked(String::len) <= MAX_BYTES {
            return;
        }
        event.prevent_default();
        set_refusal.set(Some(format!(
            "a text of {} KB was not inserted: a method may have at most {} KB; paste a part of it",
            inserted.div_ceil(1 << 10),
            MAX_BYTES >> 10,
        )));
    };
    let keydown = move |event: KeyboardEvent| {
        let key = match (event.key().as_str(), event.shift_key()) {
            _ if event.ctrl_key()
                || event.meta_key()
                || event.alt_key()
                || event.is_composing() =>
            {
                return;
            }
            ("Tab", _) if leaving.get_value() => return,
            ("Tab", false) => Key::Tab,
            ("Tab", true) => Key::BackTab,
            ("Enter", false) => Key::Enter,
            ("Backspace", _) => Key::Backspace,
            (name, _) => {
                if name == "Escape" {
                    // Elsewhere Escape goes up a level.
                    event.stop_propagation();
                }
                leaving.set_value(name == "Escape" || (leaving.get_value() && name == "Shift"));
                return;
            }
        };
        leaving.set_value(false);
        let Some(field) = field.get_untracked() else {
            return;
        };
        let text = field.value();
        let selected = text_field::selection(&field);
        let bytes = keystroke::byte_offset(&text, selected.start)
            ..keystroke::byte_offset(&text, selected.end);
        if let Some(change) = keystroke::change(key, &text, bytes) {
            event.prevent_default();
            text_field::apply(&field, &text, &change);
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
                        {move || bench.source.with(|source| gutter(&format!("{source}\u{200b}")))}
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
                            prop:value=bench.source
                            on:beforeinput=beforeinput
                            on:keydown=keydown
                            on:blur=move |_| leaving.set_value(false)
                            on:input=move |event| {
                                set_refusal.set(None);
                                bench.focus.set(None);
                                bench.source.set(event_target_value(&event));
                            }
                        ></textarea>
                    </div>
                </div>
            </div>
            <p id="editor-hint" class="editor__hint">
                "A scratch copy: the benchmark stays as it is. Tab indents; Esc, then Tab leaves the text."
            </p>
            {move || refusal.get().map(|text| view! { <p class="editor__refusal" role="alert">{text}</p> })}
            {move || errors(bench)}
        </div>
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
                <button type="button" class="editor__error" on:click=move |_| bench.focus.set(Some(span))>
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
