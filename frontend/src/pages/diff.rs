//! Any two Python texts, compared node by node. They never leave the browser.

mod link;

use leptos::ev::{self, DragEvent};
use leptos::html;
use leptos::prelude::*;
use shared::diff::{MATCHERS, MatcherId};

use crate::components::announcer::use_announcer;
use crate::components::diff_view::DiffView;
use crate::components::toast::use_toasts;
use crate::platform::files::{self, UserFile};
use crate::platform::{clipboard, clock};
use crate::reactive::{LocalValue, Memo, RwSignal, attr, effect, handler, live, watch};
use crate::state::diff::Comparison;
use crate::state::diff::reading::DiffState;
use crate::state::diff::sheet::Which;
use crate::state::head::name_page;
use crate::state::words;
use crate::worker::client::{self, Latest};

/// The most that one text may have.
const MAX_BYTES: usize = 250_000;
/// A text rests this long before it is compared.
const REST_MS: u32 = 150;

const EXAMPLE: [&str; 2] = [
    include_str!("diff/example_reference.py"),
    include_str!("diff/example_variant.py"),
];

/// What is compared.
#[derive(Clone, Copy)]
struct Texts {
    a: RwSignal<String>,
    b: RwSignal<String>,
    matcher: RwSignal<MatcherId>,
    /// Why a text was not taken.
    refusal: RwSignal<Option<String>>,
}

impl Texts {
    fn of(self, which: Which) -> RwSignal<String> {
        match which {
            Which::Reference => self.a,
            Which::Variant => self.b,
        }
    }

    /// Takes a text, or says why not.
    fn take(self, which: Which, text: String) {
        if text.len() > MAX_BYTES {
            let (n_bytes, most) = (text.len() as u64, MAX_BYTES as u64);
            self.refuse(format!(
                "A text of {} is too long: at most {} can be compared here. The command line takes any: ctxlab diff.",
                words::size(n_bytes),
                words::size(most)
            ));
        } else {
            self.refusal.set(None);
            self.of(which).set(text);
        }
    }

    fn refuse(self, why: String) {
        self.refusal.set(Some(why));
    }

    /// Takes files: one for this side, or one for either.
    fn take_files(self, which: Which, files: Vec<UserFile>) {
        let sides = match files.len() {
            2 => Which::BOTH.to_vec(),
            _ => vec![which],
        };
        leptos::task::spawn_local(async move {
            for (which, file) in sides.into_iter().zip(files) {
                if file.n_bytes() > MAX_BYTES as u64 {
                    self.refuse(format!(
                        "{} has {}: at most {} can be compared here. The command line takes any: ctxlab diff.",
                        file.name(),
                        words::size(file.n_bytes()),
                        words::size(MAX_BYTES as u64)
                    ));
                    continue;
                }
                match file.text().await {
                    Some(text) => self.take(which, text),
                    None => self.refuse(format!(
                        "The browser could not read {}; check that it still exists",
                        file.name()
                    )),
                }
            }
        });
    }

    /// The side that a file goes to that is dropped beside both.
    fn free(self) -> Which {
        if self.a.with_untracked(String::is_empty) {
            Which::Reference
        } else {
            Which::Variant
        }
    }
}

#[component]
pub(crate) fn DiffPage() -> impl IntoView {
    name_page(|| "Diff".to_owned());
    let texts = Texts {
        a: RwSignal::default(),
        b: RwSignal::default(),
        matcher: RwSignal::default(),
        refusal: RwSignal::new(None),
    };
    let diff = DiffState::new();
    let link = link::keep(texts);
    keep_compared(texts, diff);
    take_drops(texts);

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
    let swap = move |_| {
        let (a, b) = (texts.a.get_untracked(), texts.b.get_untracked());
        texts.a.set(b);
        texts.b.set(a);
    };
    let example = move |_| {
        let [a, b] = EXAMPLE;
        texts.a.set(a.to_owned());
        texts.b.set(b.to_owned());
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
    let is_empty = move || texts.a.with(String::is_empty) && texts.b.with(String::is_empty);
    view! {
        <div class="page diff-page">
            <div class="diff-page__head">
                <div>
                    <h1 tabindex="-1">"Diff"</h1>
                    <p class="muted">
                        "Two Python texts, compared node by node as GumTree does. They stay in this browser."
                    </p>
                </div>
                <div class="diff-page__tools">
                    <label for="matcher">"Matcher"</label>
                    <select id="matcher" class="field" on:change=handler(choose)>
                        {MATCHERS.iter().map(option).collect_view()}
                    </select>
                    <button type="button" class="button" disabled=attr(is_empty) on:click=handler(swap)>"Swap"</button>
                    <button type="button" class="button" disabled=attr(is_empty) on:click=handler(copy_link)>"Copy link"</button>
                </div>
            </div>
            {live(move || link.is_too_long.get().then(|| view! {
                <p class="muted diff-page__note">
                    "The texts are too long for a link: the address bar does not hold them."
                </p>
            }))}
            {live(move || texts.refusal.get().map(|why| view! { <p class="note note--error" role="alert">{why}</p> }))}
            <div class="diff-page__texts">
                {side(texts, diff, Which::Reference, "Reference")}
                {side(texts, diff, Which::Variant, "Variant")}
            </div>
            <Show when=is_empty>
                <p class="diff-page__start">
                    "Paste a text into either field, drop one or two files, or "
                    <button type="button" class="button button--link" on:click=handler(example)>"try an example"</button>
                    "."
                </p>
            </Show>
            <Show when=move || diff.comparison.with(Option::is_some)>
                <DiffView diff name="diff"/>
            </Show>
        </div>
    }
}

/// A field for one text, into which a file can be dropped.
fn side(texts: Texts, diff: DiffState, which: Which, label: &'static str) -> impl IntoView {
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
            texts.take_files(which, files::dropped(&event));
        }
    };
    let errors = move || {
        let n = diff
            .comparison
            .with(|it| it.as_ref().map_or(0, |it| it.sheet(which).side.n_errors));
        let places = words::n_of(n, "place is", "places are");
        (n > 0).then(|| format!("{places} no valid Python; compared as it is"))
    };
    view! {
        <div class="diff-page__side" on:drop=handler(drop_here)>
            <div class="diff-page__side-head">
                <label for=id.clone()>{label}</label>
                <span class="diff-page__errors" role="status">{live(errors)}</span>
                <button
                    type="button"
                    class="button button--small"
                    aria-label=format!("Choose a file… for the {}", label.to_ascii_lowercase())
                    on:click=handler(move |_| {
                        if let Some(field) = field.get_untracked() {
                            field.click();
                        }
                    })
                >
                    "Choose a file…"
                </button>
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
                accept=".py,.pyi,.txt"
                multiple
                tabindex="-1"
                aria-label=format!("File of the {}", label.to_ascii_lowercase())
                on:change=handler(move |event| texts.take_files(which, files::chosen(&event)))
            />
        </div>
    }
}

/// A file that is dropped beside the fields would replace the page.
fn take_drops(texts: Texts) {
    let over = move |event: DragEvent| {
        if files::holds_files(&event) {
            event.prevent_default();
        }
    };
    let take = move |event: DragEvent| {
        if files::holds_files(&event) && !event.default_prevented() {
            event.prevent_default();
            texts.take_files(texts.free(), files::dropped(&event));
        }
    };
    let listeners = [
        window_event_listener(ev::dragover, over),
        window_event_listener(ev::drop, take),
    ];
    on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
}

/// Follows the texts and the matcher; the latest wins.
fn keep_compared(texts: Texts, diff: DiffState) {
    let latest = LocalValue::new_local(Latest::default());
    let toasts = use_toasts();
    let announcer = use_announcer();
    effect(move || {
        let (a, b, matcher) = (texts.a.get(), texts.b.get(), texts.matcher.get());
        latest.with_value(|latest| {
            if a.is_empty() && b.is_empty() {
                latest.stop();
                diff.show(None);
                return;
            }
            let job = async move {
                clock::rest(REST_MS).await;
                let view = client::diff(a.clone(), b.clone(), matcher).await;
                view.map(|view| Comparison::new(a, b, view))
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
