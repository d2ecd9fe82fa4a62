//! Any Python texts, compared node by node: two, three, or a file of pairs. They never leave the browser.

mod link;
mod pairs;
mod texts;

use leptos::ev::{self, DragEvent};
use leptos::html;
use leptos::prelude::*;
use shared::diff::MATCHERS;

use self::link::Link;
use self::pairs::Pairs;
use self::texts::{Given, Texts};
use crate::components::announcer::use_announcer;
use crate::components::diff_view::DiffView;
use crate::components::drop_zone::take_stray_drops;
use crate::components::toast::use_toasts;
use crate::platform::files::{self, UserFile};
use crate::platform::{clipboard, clock, document};
use crate::reactive::{LocalValue, Memo, attr, effect, handler, live, watch};
use crate::state::diff::Comparison;
use crate::state::diff::reading::DiffState;
use crate::state::diff::sheet::Which;
use crate::state::head::name_page;
use crate::state::words;
use crate::worker::client::{ClientError, Latest};
use crate::worker::compare::client;

/// A text rests this long before it is compared.
const REST_MS: u32 = 150;

#[component]
pub(crate) fn DiffPage() -> impl IntoView {
    name_page(|| "Diff".to_owned());
    let texts = Texts::new();
    let inputs = Inputs {
        texts,
        pairs: Pairs::new(texts.matcher),
    };
    let diff = DiffState::new();
    let link = link::keep(texts);
    keep_compared(texts, diff);
    take_stray_drops(move |files| inputs.take(inputs.texts.free(), files));

    let is_empty = move || texts.is_empty();
    let third = move || {
        if texts.has_third.get() {
            side(inputs, diff, Which::Answer).into_any()
        } else {
            ().into_any()
        }
    };
    view! {
        <div class="page diff-page">
            {head(texts, link)}
            {live(move || link.is_too_long.get().then(|| view! {
                <p class="muted diff-page__note">
                    "The texts are too long for a link: the address bar does not hold them."
                </p>
            }))}
            {live(move || texts.refusal.get().map(|why| view! { <p class="note note--error" role="alert">{why}</p> }))}
            {pairs::panel(inputs.pairs)}
            <div class="diff-page__texts" class:diff-page__texts--three=attr(move || texts.has_third.get())>
                {side(inputs, diff, Which::Reference)}
                {side(inputs, diff, Which::Variant)}
                {live(third)}
            </div>
            <Show when=is_empty>
                <p class="diff-page__start">
                    "Paste a text into either field, drop up to three files or a file of pairs (JSON lines with "
                    <code>"id"</code> ", " <code>"a"</code> " and " <code>"b"</code> "), or "
                    <button type="button" class="button button--link" on:click=handler(move |_| texts.example())>"try an example"</button>
                    "."
                </p>
            </Show>
            <Show when=move || diff.comparison.with(Option::is_some)>
                <DiffView diff name="diff"/>
            </Show>
        </div>
    }
}

/// Title and tools.
fn head(texts: Texts, link: Link) -> impl IntoView {
    let toasts = use_toasts();
    let copy_link = move |_| {
        leptos::task::spawn_local(async move {
            let copied = match link.full().await {
                Ok(address) => clipboard::copy(&address).await,
                Err(why) => Err(why),
            };
            match copied {
                Ok(()) => toasts.done("Copied the link"),
                Err(why) => toasts.failed(why),
            }
        });
    };
    let option = move |matcher: &'static shared::diff::Matcher| {
        let is_chosen = move || texts.matcher.get() == matcher.id;
        view! {
            <option value=matcher.id.slug() prop:selected=attr(is_chosen)>{matcher.title}</option>
        }
    };
    let choose = move |event: ev::Event| {
        if let Ok(matcher) = event_target_value(&event).parse() {
            texts.matcher.set(matcher);
        }
    };
    let is_empty = move || texts.is_empty();
    let tool = move |label: &'static str, act: fn(Texts)| {
        view! {
            <button type="button" class="button" disabled=attr(is_empty) on:click=handler(move |_| act(texts))>
                {label}
            </button>
        }
    };
    let add_third = move |_| {
        texts.has_third.set(true);
        request_animation_frame(|| {
            document::focus("#text-c");
        });
    };
    view! {
        <div class="diff-page__head">
            <div>
                <h1 tabindex="-1">"Diff"</h1>
                <p class="muted">
                    "Python texts, compared node by node as GumTree does. They stay in this browser."
                </p>
            </div>
            <div class="diff-page__tools">
                <label for="matcher">"Matcher"</label>
                <select id="matcher" class="field" on:change=handler(choose)>
                    {MATCHERS.iter().map(option).collect_view()}
                </select>
                {tool("Swap", Texts::swap)}
                {tool("Clear", |texts| texts.take_all(Vec::new()))}
                <button type="button" class="button" disabled=attr(is_empty) on:click=handler(copy_link)>"Copy link"</button>
                <Show when=move || !texts.has_third.get()>
                    <button type="button" class="button" on:click=handler(add_third)>"Add a third text"</button>
                </Show>
            </div>
        </div>
    }
}

/// Where texts and files go.
#[derive(Clone, Copy)]
struct Inputs {
    texts: Texts,
    pairs: Pairs,
}

impl Inputs {
    /// Takes files: one of pairs, or texts for this field or all.
    fn take(self, which: Which, mut files: Vec<UserFile>) {
        match files.iter().position(pairs::is_pairs) {
            Some(at) => self.pairs.offer(files.swap_remove(at)),
            None => self.texts.take_files(which, files),
        }
    }
}

/// A field for one text, into which a file can be dropped.
fn side(inputs: Inputs, diff: DiffState, which: Which) -> impl IntoView {
    let texts = inputs.texts;
    let text = texts.of(which);
    let field = NodeRef::<html::Input>::new();
    let area = NodeRef::<html::Textarea>::new();
    let id = format!("text-{}", which.letter());
    let input = move |event: ev::Event| {
        texts.take(which, event_target_value(&event));
        if texts.refusal.with_untracked(Option::is_some)
            && let Some(area) = area.get_untracked()
        {
            area.set_value(&text.get_untracked());
        }
    };
    let drop_here = move |event: DragEvent| {
        if files::holds_files(&event) {
            event.prevent_default();
            inputs.take(which, files::dropped(&event));
        }
    };
    let errors = move || {
        let n = diff.n_errors(which);
        let places = words::n_of(n, "place is", "places are");
        (n > 0).then(|| format!("{places} no valid Python; compared as it is"))
    };
    view! {
        <div class="diff-page__side" on:drop=handler(drop_here)>
            <div class="diff-page__side-head">
                <label for=id.clone()>{which.title()}</label>
                <span class="diff-page__errors" role="status">{live(errors)}</span>
                <button
                    type="button"
                    class="button button--small"
                    aria-label=format!("Choose a file… for {}", which.noun())
                    on:click=handler(move |_| {
                        if let Some(field) = field.get_untracked() {
                            field.click();
                        }
                    })
                >
                    "Choose a file…"
                </button>
                {(which == Which::Answer).then(|| view! {
                    <button
                        type="button"
                        class="button button--small"
                        aria-label="Remove the answer"
                        on:click=handler(move |_| {
                            texts.take(which, String::new());
                            texts.has_third.set(false);
                        })
                    >
                        "Remove"
                    </button>
                })}
            </div>
            <textarea
                node_ref=area
                id=id
                class="diff-page__text"
                wrap="off"
                rows="9"
                spellcheck="false"
                autocapitalize="off"
                autocomplete="off"
                prop:value=attr(move || text.get())
                on:input=handler(input)
            ></textarea>
            <input
                node_ref=field
                class="visually-hidden"
                type="file"
                accept=".py,.pyi,.txt,.jsonl,.ndjson,.gz"
                multiple
                tabindex="-1"
                aria-label=format!("File of {}", which.noun())
                on:change=handler(move |event| inputs.take(which, files::chosen(&event)))
            />
        </div>
    }
}

/// The first text compared with each of the others.
async fn compared(given: Given) -> Result<Comparison, ClientError> {
    let Given { texts, matcher } = given;
    let mut texts = texts.into_iter();
    let reference = texts.next().unwrap_or_default();
    let variant = texts.next().unwrap_or_default();
    let view = client::diff(reference.clone(), variant.clone(), matcher).await?;
    let comparison = Comparison::new(reference.clone(), variant, view);
    let Some(answer) = texts.next() else {
        return Ok(comparison);
    };
    let view = client::diff(reference, answer.clone(), matcher).await?;
    Ok(comparison.with_answer(answer, view))
}

/// Follows the texts and the matcher; the latest wins.
fn keep_compared(texts: Texts, diff: DiffState) {
    let latest = LocalValue::new_local(Latest::default());
    let toasts = use_toasts();
    let announcer = use_announcer();
    effect(move || {
        let given = texts.given();
        latest.with_value(|latest| {
            if given.is_empty() {
                latest.stop();
                diff.show(None);
                return;
            }
            let job = async move {
                clock::rest(REST_MS).await;
                compared(given).await
            };
            latest.run(job, move |comparison| match comparison {
                Ok(comparison) => diff.show(Some(comparison)),
                Err(error) => toasts.failed(error.to_string()),
            });
        });
    });
    let summary = Memo::new(move |_| {
        diff.comparison
            .with(|it| it.as_ref().map(|it| it.summary()))
    });
    watch(
        move || summary.get(),
        move |summary| {
            if let Some(summary) = summary {
                announcer.say(summary.clone());
            }
        },
    );
    on_cleanup(move || {
        latest.try_with_value(Latest::stop);
    });
}
