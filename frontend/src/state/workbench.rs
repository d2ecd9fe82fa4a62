//! What the workbench shows: signals that the reader moves, and all that follows from them.

pub(crate) mod class_source;
pub(crate) mod drafts;
pub(crate) mod keystroke;
pub(crate) mod link;
pub(crate) mod place;
pub(crate) mod requirement;
pub(crate) mod segments;
pub(crate) mod showcase;
pub(crate) mod variant;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use leptos::prelude::*;
use shared::api::{DatasetCard, SubjectBody};
use shared::perturb::{Perturbation, RULES, RuleId, RuleOptions, RuleOutcome, Stamp};
use shared::subject::Showcase;
use shared::text::Span;

use self::link::{Display, Side, Step, ViewState};
use self::place::MaskedPlace;
use crate::reactive::{Memo, RwSignal, StoredValue};
use crate::state::testing::Tested;
use crate::state::words::n_of;
use crate::worker::protocol::PerturbView;

/// A text and what the ten rules make of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Analysis {
    pub(crate) source: String,
    pub(crate) view: PerturbView,
}

/// Instances and places that a rule gives here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RuleCount {
    pub(crate) rule: RuleId,
    pub(crate) n_instances: usize,
    pub(crate) n_sites: usize,
    pub(crate) n_considered: usize,
}

/// What the views that are loaded later tell each other and the link.
#[derive(Clone, Copy, Default)]
pub(crate) struct Desk {
    /// What the open variant view keeps in a link.
    pub(crate) variant: RwSignal<Option<String>>,
    /// What is filled in there, or why it cannot be run.
    pub(crate) to_run: RwSignal<Option<Result<String, String>>>,
    /// How often the tests were asked for since they were last put away.
    pub(crate) testing: RwSignal<u32>,
    /// What was run here, in order.
    pub(crate) tested: RwSignal<Vec<Arc<Tested>>>,
}

/// The state of one open subject.
#[derive(Clone, Copy)]
pub(crate) struct Workbench {
    pub(crate) body: StoredValue<Arc<SubjectBody>>,
    pub(crate) stamp: StoredValue<Stamp>,
    /// What a link restores.
    pub(crate) view: RwSignal<ViewState>,
    /// The method's text, edited or not.
    pub(crate) source: RwSignal<String>,
    desk: StoredValue<Desk>,
    /// Of the latest text that the worker has answered for.
    pub(crate) analysis: RwSignal<Option<Arc<Analysis>>>,
    /// The place that the reader asked for in the why-list.
    pub(crate) focus: RwSignal<Option<Span>>,
    /// Places whose hidden text is shown one by one.
    pub(crate) revealed: RwSignal<Vec<usize>>,
    /// How the method is shown; an author's note only where there is one.
    pub(crate) display: Memo<Display>,
    /// The chosen rule, or the first that hides something here.
    pub(crate) rule: Memo<RuleId>,
    pub(crate) counts: Memo<Vec<RuleCount>>,
    /// The chosen instance of the chosen rule.
    pub(crate) perturbation: Memo<Option<Perturbation>>,
    /// The rules of the unified view.
    pub(crate) unified: Memo<Vec<RuleId>>,
    /// The hidden places of the masked or the unified view.
    pub(crate) places: Memo<Vec<MaskedPlace>>,
    /// Which of them is current; 0 where there is none.
    pub(crate) site: Memo<usize>,
    pub(crate) is_edited: Memo<bool>,
}

impl Workbench {
    /// Opens a subject; `edited` is a text that replaces the method's own.
    pub(crate) fn new(
        body: SubjectBody,
        card: &DatasetCard,
        view: ViewState,
        edited: Option<String>,
    ) -> Self {
        let original = body.subject.source.clone();
        let source = RwSignal::new(edited.unwrap_or_else(|| original.clone()));
        let view = RwSignal::new(view);
        let analysis = RwSignal::new(None::<Arc<Analysis>>);
        let counts = Memo::new(move |_| {
            analysis.with(|analysis| analysis.as_ref().map_or_else(Vec::new, |a| counts(a)))
        });
        let notes = body.subject.showcases.clone();
        let rule = Memo::new(move |_| {
            let wanted =
                view.with(|view| (view.display == Display::Showcase).then_some(view.showcase));
            let of_note = || {
                notes
                    .get(wanted?)
                    .or_else(|| notes.first())?
                    .rule
                    .parse()
                    .ok()
            };
            let chosen = view.with(|view| view.rule).or_else(of_note);
            chosen.unwrap_or_else(|| first_rule(&counts.get()))
        });
        let instance = Memo::new(move |_| view.with(|view| view.instance));
        let perturbation = Memo::new(move |_| {
            let rule = rule.get();
            analysis.with(|analysis| {
                let of = &outcome(analysis.as_ref()?, rule)?.perturbations;
                of.get(instance.get() as usize)
                    .or_else(|| of.first())
                    .cloned()
            })
        });
        let unified = Memo::new(move |_| {
            let rules = view.with(|view| view.unified.clone());
            if rules.is_empty() {
                vec![rule.get()]
            } else {
                rules
            }
        });
        let has_notes = !body.subject.showcases.is_empty();
        let display = Memo::new(move |_| match view.with(|view| view.display) {
            Display::Showcase if !has_notes => Display::Masked,
            display => display,
        });
        let places = Memo::new(move |_| match display.get() {
            Display::Unified => analysis.with(|analysis| {
                analysis
                    .as_ref()
                    .map_or_else(Vec::new, |a| place::of_rules(a, &unified.get()))
            }),
            _ => perturbation.with(|it| it.as_ref().map_or_else(Vec::new, place::of_perturbation)),
        });
        let site = Memo::new(move |_| {
            let last = places.with(Vec::len).saturating_sub(1);
            view.with(|view| view.site).min(last)
        });
        Self {
            stamp: StoredValue::new(Stamp::new(Some((
                body.dataset.clone(),
                card.sha256.clone(),
            )))),
            body: StoredValue::new(Arc::new(body)),
            view,
            source,
            desk: StoredValue::new(Desk::default()),
            analysis,
            focus: RwSignal::new(None),
            revealed: RwSignal::new(Vec::new()),
            display,
            rule,
            counts,
            perturbation,
            unified,
            places,
            site,
            is_edited: Memo::new(move |_| source.with(|source| *source != original)),
        }
    }

    pub(crate) fn desk(&self) -> Desk {
        self.desk.get_value()
    }

    /// Asks for the tests of what is shown.
    pub(crate) fn test(&self) {
        self.desk().testing.update(|n| *n += 1);
    }

    /// What a rule made of the text; `None` before the first answer.
    pub(crate) fn with_outcome<T>(
        &self,
        rule: RuleId,
        of: impl FnOnce(&RuleOutcome) -> T,
    ) -> Option<T> {
        self.analysis
            .with(|analysis| Some(of(outcome(analysis.as_ref()?, rule)?)))
    }

    /// Chooses a rule; in the unified view adds or removes it.
    pub(crate) fn choose_rule(&self, rule: RuleId) {
        if self.display.get_untracked() == Display::Unified {
            self.toggle_unified(rule);
            return;
        }
        self.leave_place();
        self.view.update(|view| {
            view.rule = Some(rule);
            view.instance = 0;
            view.site = 0;
        });
    }

    /// Adds a rule to the unified view or removes it; the last one stays.
    pub(crate) fn toggle_unified(&self, rule: RuleId) {
        let mut rules = self.unified.get_untracked();
        match rules.binary_search(&rule) {
            Ok(at) if rules.len() > 1 => drop(rules.remove(at)),
            Ok(_) => {}
            Err(at) => rules.insert(at, rule),
        }
        self.leave_place();
        self.view.update(|view| {
            view.unified = rules;
            view.rule = Some(rule);
            view.site = 0;
        });
    }

    /// Chooses an instance of the chosen rule.
    pub(crate) fn choose_instance(&self, instance: u32) {
        self.leave_place();
        self.view.update(|view| {
            view.rule = Some(self.rule.get_untracked());
            view.instance = instance;
            view.site = 0;
        });
    }

    /// Chooses how the method is shown.
    pub(crate) fn choose_display(&self, display: Display) {
        self.leave_place();
        self.view.update(|view| {
            // The places of the unified view are others; all other views show those of one instance.
            if view.display == Display::Unified || display == Display::Unified {
                view.site = 0;
            }
            view.display = display;
        });
        if display == Display::Showcase {
            self.go_to_showcase();
        }
    }

    /// Chooses what stands beside the method.
    pub(crate) fn choose_side(&self, side: Side) {
        self.view.update(|view| view.side = side);
    }

    /// Goes to a place of the shown ones.
    pub(crate) fn choose_site(&self, site: usize) {
        self.focus.set(None);
        self.view.update(|view| view.site = site);
    }

    /// Goes `by` places on, around the end; `None` where there is no place.
    pub(crate) fn step_site(&self, by: isize) -> Option<usize> {
        let n = isize::try_from(self.places.with_untracked(Vec::len))
            .ok()
            .filter(|&n| n > 0)?;
        let at = isize::try_from(self.site.get_untracked()).ok()?;
        let site = (at + by).rem_euclid(n).unsigned_abs();
        self.choose_site(site);
        Some(site)
    }

    /// Shows or hides all hidden texts.
    pub(crate) fn toggle_reveal_all(&self) {
        self.revealed.update(Vec::clear);
        self.view.update(|view| view.reveal_all = !view.reveal_all);
    }

    /// Shows or hides the hidden text of one place.
    pub(crate) fn toggle_reveal(&self, site: usize) {
        let n = self.places.with_untracked(Vec::len);
        if self.view.with_untracked(|view| view.reveal_all) {
            self.revealed.set((0..n).collect());
            self.view.update(|view| view.reveal_all = false);
        }
        self.revealed.update(
            |revealed| match revealed.iter().position(|&shown| shown == site) {
                Some(at) => drop(revealed.remove(at)),
                None => revealed.push(site),
            },
        );
    }

    /// Whether the hidden text of a place is shown.
    pub(crate) fn is_revealed(&self, site: usize) -> bool {
        self.view.with(|view| view.reveal_all)
            || self.revealed.with(|revealed| revealed.contains(&site))
    }

    /// What a rule gives here, in words.
    pub(crate) fn say_count(&self, rule: RuleId) -> String {
        let count = self
            .counts
            .with_untracked(|counts| counts.iter().find(|count| count.rule == rule).copied());
        count.map_or_else(String::new, in_words)
    }

    /// The current place in words: `site 2 of 4, integer, hidden`.
    pub(crate) fn say_site(&self) -> String {
        let site = self.site.get_untracked();
        self.places.with_untracked(|places| {
            let Some(place) = places.get(site) else {
                return "no sites".to_owned();
            };
            let (n, what) = (places.len(), place.what.as_str());
            let revealed = untrack(|| self.is_revealed(site));
            let hidden = if revealed {
                place.hidden.as_str()
            } else {
                "hidden"
            };
            format!("site {} of {n}, {what}, {hidden}", site + 1)
        })
    }

    /// Goes a step on in the author's note, or back.
    pub(crate) fn choose_step(&self, step: Step) {
        self.view.update(|view| {
            view.step = step;
            if step == Step::Explained {
                view.side = Side::Context;
            }
        });
    }

    /// Chooses an author's note; the thinking starts anew.
    pub(crate) fn choose_showcase(&self, showcase: usize) {
        self.view.update(|view| {
            view.showcase = showcase;
            view.step = Step::Masked;
        });
        self.go_to_showcase();
    }

    /// Chooses the rule, the instance and the place that the author's note speaks of.
    fn go_to_showcase(&self) {
        let Some(note) = untrack(|| self.showcase()) else {
            return;
        };
        let place = self
            .analysis
            .with_untracked(|analysis| showcase::place(&note, &analysis.as_ref()?.view.outcomes));
        if let Some(place) = place {
            self.view.update(|view| {
                view.rule = Some(place.rule);
                view.instance = place.instance;
                view.site = place.at;
            });
        }
    }

    /// The author's note that the view speaks of.
    pub(crate) fn showcase(&self) -> Option<Showcase> {
        let at = self.view.with(|view| view.showcase);
        self.body.with_value(|body| {
            let all = &body.subject.showcases;
            all.get(at).or_else(|| all.first()).cloned()
        })
    }

    /// Sets a free choice of a rule. The rules' table offers only known names and values.
    pub(crate) fn set_option(&self, full_name: &str, value: &str) {
        self.leave_place();
        self.view.update(|view| {
            let done = view.options.set(full_name, value);
            debug_assert!(done.is_ok(), "{done:?}");
        });
    }

    /// Restores the specification's options.
    pub(crate) fn reset_options(&self) {
        self.view
            .update(|view| view.options = RuleOptions::default());
    }

    /// Undoes all edits.
    pub(crate) fn reset(&self) {
        self.focus.set(None);
        self.source
            .set(self.body.with_value(|body| body.subject.source.clone()));
    }

    /// The masked text that is shown; `None` before the first answer.
    pub(crate) fn masked(&self) -> Option<String> {
        let analysis = self.analysis.get_untracked()?;
        Some(
            self.places
                .with_untracked(|places| place::masked(&analysis.source, places)),
        )
    }

    fn leave_place(&self) {
        self.focus.set(None);
        self.revealed.update(Vec::clear);
    }
}

fn outcome(analysis: &Analysis, rule: RuleId) -> Option<&RuleOutcome> {
    analysis
        .view
        .outcomes
        .iter()
        .find(|outcome| outcome.rule == rule)
}

fn counts(analysis: &Analysis) -> Vec<RuleCount> {
    let count = |outcome: &RuleOutcome| RuleCount {
        rule: outcome.rule,
        n_instances: outcome.perturbations.len(),
        n_sites: outcome.perturbations.iter().map(|it| it.sites.len()).sum(),
        n_considered: outcome.considered.len(),
    };
    analysis.view.outcomes.iter().map(count).collect()
}

/// `2 instances, 9 sites`.
fn in_words(count: RuleCount) -> String {
    let instances = n_of(count.n_instances, "instance", "instances");
    format!("{instances}, {}", n_of(count.n_sites, "site", "sites"))
}

fn first_rule(counts: &[RuleCount]) -> RuleId {
    counts
        .iter()
        .find(|count| count.n_instances > 0)
        .map_or(RULES[0].id, |count| count.rule)
}
