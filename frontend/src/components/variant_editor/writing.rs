//! What the reader writes, and everything that follows it: the link, the answer, the test runner, the voice.

use std::sync::Arc;

use leptos::prelude::*;
use shared::diff::MatcherId;
use shared::perturb::RuleId;

use crate::components::announcer::use_announcer;
use crate::components::toast::use_toasts;
use crate::platform::clock;
use crate::reactive::{LocalValue, Memo, RwSignal, StoredValue, effect, watch};
use crate::state::testing::Tested;
use crate::state::words;
use crate::state::workbench::variant::{self, Draft, Masked, Verdict, Way};
use crate::state::workbench::{Workbench, drafts, showcase};
use crate::worker::client::Latest;
use crate::worker::compare;
use crate::worker::compare::protocol::{ExaminedView, VariantText};
use crate::worker::protocol::PerturbView;

/// A text rests this long before it is looked at.
const REST_MS: u32 = 150;
/// A verdict rests this long before it is read out: who types is not interrupted.
const SAY_MS: u32 = 900;
/// The most that a variant may have.
const MAX_BYTES: usize = 200 << 10;

/// What the reader writes, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Writing {
    bench: StoredValue<Workbench>,
    /// The benchmark's own text under the rules, whatever the Code view holds.
    pub(crate) own: StoredValue<PerturbView>,
    /// The chosen instance; `None` where the rule hides nothing.
    pub(crate) masked: Memo<Option<Arc<Masked>>>,
    pub(crate) draft: RwSignal<Draft>,
    /// The latest answer.
    pub(crate) view: RwSignal<Option<Arc<ExaminedView>>>,
    pub(super) verdict: Memo<Option<Verdict>>,
    /// Why a text was not taken.
    pub(super) refusal: RwSignal<Option<String>>,
}

impl Writing {
    /// A draft that what follows it follows.
    pub(super) fn new(bench: Workbench, own: PerturbView) -> Self {
        let writing = Self::unfollowed(bench, own);
        keep_draft(writing);
        keep_examined(writing);
        keep_runnable(writing);
        keep_said(writing);
        writing
    }

    fn unfollowed(bench: Workbench, own: PerturbView) -> Self {
        let own = StoredValue::new(own);
        let instance = Memo::new(move |_| bench.view.with(|view| view.instance));
        let masked = Memo::new(move |_| {
            let (rule, instance) = (bench.rule.get(), instance.get() as usize);
            own.with_value(|own| {
                let of = &own
                    .outcomes
                    .iter()
                    .find(|it| it.rule == rule)?
                    .perturbations;
                let of = of.get(instance).or_else(|| of.first())?.clone();
                let source = bench.body.with_value(|body| body.subject.source.clone());
                Some(Arc::new(Masked { source, of }))
            })
        });
        let draft = RwSignal::new(Draft::default());
        let view = RwSignal::new(None::<Arc<ExaminedView>>);
        let verdict = Memo::new(move |_| {
            let masked = masked.get()?;
            let view = view.get();
            let tested = bench.desk().tested.get();
            Some(draft.with(|draft| {
                let text = draft.variant(&masked);
                let is_it = |it: &&Arc<Tested>| it.program.code.as_ref() == Some(&text);
                let report = tested.iter().find(is_it).map(|it| &it.report);
                variant::verdict(draft, &masked, view.as_deref(), report)
            }))
        });
        Self {
            bench: StoredValue::new(bench),
            own,
            masked,
            draft,
            view,
            verdict,
            refusal: RwSignal::new(None),
        }
    }

    pub(crate) fn bench(self) -> Workbench {
        self.bench.get_value()
    }

    /// The word under which the draft of an instance is kept.
    fn key(self, rule: RuleId, instance: u32) -> String {
        let options = self.bench().view.with(|view| view.options.of(rule));
        let options = options
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let options = options.collect::<Vec<_>>().join(",");
        format!("{rule}/{instance}/{options}")
    }

    fn kept(self, key: &str) -> Option<String> {
        let body = self.bench().body.get_value();
        drafts::of(&body.dataset, &body.subject.id, key)
    }

    fn keep(self, key: &str, code: Option<String>) {
        let body = self.bench().body.get_value();
        drafts::keep(&body.dataset, &body.subject.id, key, code);
    }

    /// Changes the draft by a text of so many bytes, or says why not; whether it was taken.
    pub(crate) fn take(self, n_bytes: usize, change: impl FnOnce(&mut Draft)) -> bool {
        let is_taken = n_bytes <= MAX_BYTES;
        self.refusal.set((!is_taken).then(|| {
            format!(
                "A text of {} is too long: a variant may have at most {}. Paste the part with the method.",
                words::size(n_bytes as u64),
                words::size(MAX_BYTES as u64)
            )
        }));
        if is_taken {
            self.draft.update(change);
        }
        is_taken
    }

    /// Puts an author's plausible filling in its place, and goes there.
    pub(super) fn use_note(self) {
        let Some((place, plausible)) = untrack(|| self.note()) else {
            return;
        };
        let key = untrack(|| self.key(place.rule, place.instance));
        let is_here = self.masked.with_untracked(|masked| {
            let of = masked
                .as_ref()
                .map(|masked| (masked.of.rule, masked.of.instance));
            of == Some((place.rule, place.instance))
        });
        let mut draft = if is_here {
            self.draft.get_untracked()
        } else {
            let kept = self.kept(&key);
            kept.and_then(|code| Draft::from_code(&code))
                .unwrap_or_default()
        };
        draft.way = Way::Fill;
        draft.fill(place.at, plausible);
        if is_here {
            self.draft.set(draft);
        } else {
            self.keep(&key, draft.code());
        }
        self.bench().view.update(|view| {
            view.rule = Some(place.rule);
            view.instance = place.instance;
            view.site = place.at;
        });
    }

    /// The note that is about the chosen instance, else the first that has a place.
    pub(super) fn note(self) -> Option<(showcase::Place, String)> {
        let masked = self.masked.get();
        let of = masked.map(|masked| (masked.of.rule, masked.of.instance));
        let notes = self
            .bench()
            .body
            .with_value(|body| body.subject.showcases.clone());
        let found = self.own.with_value(|own| {
            let found = notes
                .into_iter()
                .filter_map(|note| Some((showcase::place(&note, &own.outcomes)?, note.plausible)));
            found.collect::<Vec<_>>()
        });
        let at = found
            .iter()
            .position(|(place, _)| Some((place.rule, place.instance)) == of);
        found.into_iter().nth(at.unwrap_or_default())
    }

    /// The variant as a line for `ctxlab identify`, and a name for its file.
    pub(super) fn line(self) -> Option<(String, String)> {
        let masked = self.masked.get_untracked()?;
        let text = self.draft.with_untracked(|draft| draft.variant(&masked));
        let subject = self.bench().body.with_value(|body| body.subject.id.clone());
        let options = self
            .bench()
            .view
            .with_untracked(|view| view.options.clone());
        let (rule, instance) = (masked.of.rule.number(), masked.of.instance + 1);
        let name = format!("{subject}-R{rule}-{instance}-variant.jsonl");
        Some((name, variant::line(&subject, &masked.of, &options, text)))
    }
}

/// The draft, what this tab keeps and what a link holds follow each other.
fn keep_draft(writing: Writing) {
    let bench = writing.bench();
    // Which instance's draft is here, and what this view has last told the link.
    let here = StoredValue::new((None::<String>, None::<String>));
    effect(move || {
        let Some(masked) = writing.masked.get() else {
            return;
        };
        let key = writing.key(masked.of.rule, masked.of.instance);
        let linked = bench.desk().variant.get();
        let (key_here, told) = here.get_value();
        let linked = linked.filter(|linked| Some(linked) != told.as_ref());
        if linked.is_none() && key_here.as_ref() == Some(&key) {
            return;
        }
        let code = linked.or_else(|| writing.kept(&key));
        let draft = code.as_deref().and_then(Draft::from_code);
        let way = writing.draft.with_untracked(|draft| draft.way);
        here.set_value((Some(key), code));
        writing.view.set(None);
        writing
            .draft
            .set(draft.unwrap_or_else(|| Draft::empty(way)));
    });
    effect(move || {
        let code = writing.draft.with(Draft::code);
        let (Some(key), _) = here.get_value() else {
            return;
        };
        writing.keep(&key, code.clone());
        here.set_value((Some(key), code.clone()));
        bench.desk().variant.set(code);
    });
    on_cleanup(move || {
        bench.desk().variant.try_set(None);
    });
}

/// Follows the draft; the latest wins.
fn keep_examined(writing: Writing) {
    let bench = writing.bench();
    let asked = Memo::new(move |_| {
        let masked = writing.masked.get()?;
        let text = writing.draft.with(|draft| draft.to_examine(&masked))?;
        let options = bench.view.with(|view| view.options.clone());
        Some(bench.body.with_value(|body| VariantText {
            dataset: body.dataset.clone(),
            subject: body.subject.id.clone(),
            rule: masked.of.rule,
            instance: masked.of.instance,
            options,
            text,
            matcher: MatcherId::default(),
        }))
    });
    let latest = LocalValue::new_local(Latest::default());
    let toasts = use_toasts();
    effect(move || {
        let asked = asked.get();
        latest.with_value(|latest| {
            let Some(asked) = asked else {
                latest.stop();
                writing.view.set(None);
                return;
            };
            let job = async move {
                clock::rest(REST_MS).await;
                compare::client::examine(asked).await
            };
            latest.run(job, move |view| match view {
                Ok(view) => drop(writing.view.try_set(Some(Arc::new(view)))),
                Err(error) => toasts.failed(error.to_string()),
            });
        });
    });
    on_cleanup(move || {
        latest.try_with_value(Latest::stop);
    });
}

/// Tells the test runner what is written.
fn keep_runnable(writing: Writing) {
    let bench = writing.bench();
    effect(move || {
        let text = writing.masked.get().map(|masked| {
            let n_sites = masked.of.sites.len();
            writing.draft.with(|draft| match draft.n_open(n_sites) {
                0 => Ok(draft.variant(&masked)),
                n => Err(format!(
                    "{} of the variant to fill",
                    words::n_of(n, "place is", "places are")
                )),
            })
        });
        let nothing = || Err("the rule hides nothing in this method".to_owned());
        bench.desk().to_run.set(Some(text.unwrap_or_else(nothing)));
    });
    on_cleanup(move || {
        bench.desk().to_run.try_set(None);
    });
}

fn keep_said(writing: Writing) {
    let announcer = use_announcer();
    let latest = LocalValue::new_local(Latest::default());
    watch(
        move || writing.verdict.get(),
        move |verdict| {
            let Some(text) = verdict.as_ref().map(|verdict| verdict.text.clone()) else {
                return;
            };
            latest.with_value(|latest| {
                latest.run(clock::rest(SAY_MS), move |()| announcer.say(text));
            });
        },
    );
    on_cleanup(move || {
        latest.try_with_value(Latest::stop);
    });
}
