//! What the reader does with a comparison: which edit, what lights up, what is unfolded, which layout.

use std::sync::Arc;

use shared::text::Span;

use super::Comparison;
use super::sheet::Which;
use crate::platform::{document, storage};
use crate::reactive::{Memo, RwSignal, watch};
use crate::worker::compare::protocol::EditPlace;

/// Side by side, or one below the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Split,
    Unified,
}

/// Under which name the layout is kept in this browser.
const LAYOUT_KEY: &str = "diff-layout";

/// What lights up: places in the texts, and why they correspond.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lit {
    pub(crate) places: Vec<LitPlace>,
    pub(crate) text: String,
}

/// A place that lights up, and its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LitPlace {
    pub(crate) which: Which,
    pub(crate) span: Span,
    pub(crate) node: Option<usize>,
}

/// A diff and what the reader does with it.
#[derive(Clone, Copy)]
pub(crate) struct DiffState {
    /// All that is compared.
    all: RwSignal<Option<Arc<Comparison>>>,
    /// The only text that the reader wants beside the reference.
    only: RwSignal<Option<Which>>,
    /// Whether there is room for two texts at most.
    pub(crate) is_narrow: RwSignal<bool>,
    /// What is in view.
    pub(crate) comparison: Memo<Option<Arc<Comparison>>>,
    /// The edit that the reader is at.
    pub(crate) current: RwSignal<Option<usize>>,
    pub(crate) lit: RwSignal<Option<Lit>>,
    /// Folded blocks that the reader opened, by the text that they hid: it stays while the texts change.
    pub(crate) opened: RwSignal<Vec<String>>,
    pub(crate) layout: RwSignal<Layout>,
}

impl DiffState {
    pub(crate) fn new() -> Self {
        let is_narrow = document::is_narrow();
        let is_unified = storage::read(LAYOUT_KEY).map_or(is_narrow, |kept| kept == "unified");
        let layout = RwSignal::new(if is_unified {
            Layout::Unified
        } else {
            Layout::Split
        });
        watch(
            move || layout.get(),
            |layout| {
                let name = match layout {
                    Layout::Split => "split",
                    Layout::Unified => "unified",
                };
                storage::write(LAYOUT_KEY, name);
            },
        );
        let (all, only) = (RwSignal::new(None), RwSignal::new(None));
        let is_narrow = RwSignal::new(is_narrow);
        let comparison = Memo::new(move |_| {
            let has_room = layout.get() == Layout::Split && !is_narrow.get();
            let all: Option<Arc<Comparison>> = all.get();
            Some(in_view(&all?, only.get(), has_room))
        });
        Self {
            all,
            only,
            is_narrow,
            comparison,
            current: RwSignal::new(None),
            lit: RwSignal::new(None),
            opened: RwSignal::default(),
            layout,
        }
    }

    /// Shows another comparison.
    pub(crate) fn show(self, comparison: Option<Comparison>) {
        self.current.try_set(None);
        self.lit.try_set(None);
        if comparison.is_none() {
            self.opened.try_set(Vec::new());
        }
        self.all.try_set(comparison.map(Arc::new));
    }

    /// How many places of a text are no Python.
    pub(crate) fn n_errors(self, which: Which) -> usize {
        self.all.with(|all| {
            let sheet = all.as_ref().and_then(|all| all.sheet(which));
            sheet.map_or(0, |sheet| sheet.side.n_errors)
        })
    }

    /// Shows one of the others alone beside the reference, or all of them.
    pub(crate) fn show_only(self, only: Option<Which>) {
        self.current.set(None);
        self.lit.set(None);
        self.only.set(only);
    }

    /// The choices of what is shown beside the reference, each with whether it is made; none where there is one
    /// text only.
    pub(crate) fn choices(self) -> Vec<(Option<Which>, bool)> {
        let compared: Vec<Which> = self.all.with(|all| {
            let all = all.iter().flat_map(|all| all.compared());
            all.collect()
        });
        if compared.len() < 2 {
            return Vec::new();
        }
        let shown: Vec<Which> = self.comparison.with(|shown| {
            let shown = shown.iter().flat_map(|shown| shown.others());
            shown.collect()
        });
        let has_room = self.layout.get() == Layout::Split && !self.is_narrow.get();
        let all = has_room.then_some((None, shown.len() > 1));
        let one = |which| (Some(which), shown == [which]);
        all.into_iter()
            .chain(compared.into_iter().map(one))
            .collect()
    }

    /// Goes to an edit, and opens what hides it.
    pub(crate) fn choose(self, n: usize) {
        let Some(comparison) = self.comparison.get_untracked() else {
            return;
        };
        let row = comparison.edits.get(n).map_or(0, |edit| edit.row);
        let mut blocks = comparison.blocks.iter();
        if let Some(block) = blocks.find(|it| it.is_folded && it.rows.contains(&row)) {
            self.open(comparison.text_of(block));
        }
        self.current.set(Some(n));
        self.light_edit(Some(n));
    }

    /// Goes to another edit, around the end; `None` where there is none.
    pub(crate) fn step(self, by: isize) -> Option<usize> {
        let n = self.comparison.get_untracked()?.edits.len();
        let to = match self.current.get_untracked() {
            _ if n == 0 => return None,
            Some(at) => (at + n).checked_add_signed(by)? % n,
            None if by < 0 => n - 1,
            None => 0,
        };
        self.choose(to);
        Some(to)
    }

    /// Opens the fold that hides a text.
    pub(crate) fn open(self, hidden: &str) {
        if !self.is_open(hidden) {
            self.opened.update(|opened| opened.push(hidden.to_owned()));
        }
    }

    /// Whether the fold that hides a text is open; one that has grown, shrunk or parted is still the same.
    pub(crate) fn is_open(self, hidden: &str) -> bool {
        let is_same = |known: &String| known.contains(hidden) || hidden.contains(&**known);
        self.opened.with(|opened| opened.iter().any(is_same))
    }

    /// An edit in words, for a screen reader.
    pub(crate) fn say(self, n: usize) -> String {
        let Some(comparison) = self.comparison.get_untracked() else {
            return String::new();
        };
        let Some(edit) = comparison.edits.get(n) else {
            return String::new();
        };
        let words = comparison.describe(edit);
        let texts: Vec<String> = words.before.into_iter().chain(words.after).collect();
        let to = if comparison.has_three() {
            format!(", {}", edit.to.noun())
        } else {
            String::new()
        };
        format!(
            "Edit {} of {}{to}: {} {}, {}, {}",
            n + 1,
            comparison.edits.len(),
            edit.change.kind.word(),
            words.what,
            words.places,
            texts.join(" → ")
        )
    }

    /// Lights an edit; none means the one that the reader is at.
    pub(crate) fn light_edit(self, n: Option<usize>) {
        let n = n.or_else(|| self.current.get_untracked());
        let lit = self.comparison.with_untracked(|comparison| {
            let comparison = comparison.as_ref()?;
            let edit = comparison.edits.get(n?)?;
            let mut places: Vec<LitPlace> = Vec::new();
            for which in [Which::Reference, edit.to] {
                let place = edit.place(which);
                places.extend(place.map(|&EditPlace { span, node, .. }| LitPlace {
                    which,
                    span,
                    node,
                }));
            }
            // And what corresponds in the third text.
            let node = edit.place(Which::Reference).and_then(|place| place.node);
            let third = comparison.others().find(|which| *which != edit.to);
            if let (Some(node), Some(third)) = (node, third) {
                places.extend(partner(comparison, Which::Reference, node, third));
            }
            let change = &edit.change;
            Some(Lit {
                places,
                text: format!(
                    "{} {}: {}",
                    change.kind.word(),
                    change.what,
                    comparison.why(edit)
                ),
            })
        });
        self.set_lit(lit);
    }

    /// Lights the node around a run, and its partner.
    pub(crate) fn light_piece(self, which: Which, piece: usize) {
        let node = self
            .comparison
            .with_untracked(|comparison| comparison.as_ref()?.sheet(which)?.node_at(piece));
        if let Some(node) = node {
            self.light_node(which, node);
        }
    }

    /// Lights a node and its partner.
    pub(crate) fn light_node(self, which: Which, node: usize) {
        let lit = self
            .comparison
            .with_untracked(|comparison| lit_of(comparison.as_ref()?, which, node));
        self.set_lit(lit);
    }

    fn set_lit(self, lit: Option<Lit>) {
        if self.lit.with_untracked(|now| *now != lit) {
            self.lit.set(lit);
        }
    }
}

/// What of a comparison is in view.
fn in_view(all: &Arc<Comparison>, only: Option<Which>, has_room: bool) -> Arc<Comparison> {
    let first = all.compared().next();
    let only = only.filter(|only| all.compared().any(|which| which == *only));
    let only = if has_room { only } else { only.or(first) };
    match only {
        Some(only) if all.compared().count() > 1 => Arc::new(all.only(only)),
        _ => Arc::clone(all),
    }
}

fn lit_place(comparison: &Comparison, which: Which, node: usize) -> Option<LitPlace> {
    let found = comparison.sheet(which)?.side.nodes.get(node)?;
    Some(LitPlace {
        which,
        span: found.span,
        node: Some(node),
    })
}

fn partner(comparison: &Comparison, from: Which, node: usize, to: Which) -> Option<LitPlace> {
    let (node, _) = comparison.partner(from, node, to)?;
    lit_place(comparison, to, node)
}

/// A node, and what corresponds in the other texts: those know each other by the reference.
fn lit_of(comparison: &Comparison, which: Which, node: usize) -> Option<Lit> {
    let mut places = vec![lit_place(comparison, which, node)?];
    let mut reasons = Vec::new();
    let mut look = |from: Which, node: usize, to: Which| {
        places.extend(partner(comparison, from, node, to));
        let (found, why) = match comparison.partner(from, node, to) {
            Some((at, by)) => (Some(at), by.why().to_owned()),
            None => (None, format!("nothing in {} corresponds", to.noun())),
        };
        if comparison.has_three() && found.is_some() {
            reasons.push(format!("{}, {why}", to.noun()));
        } else {
            reasons.push(why);
        }
        found
    };
    let in_reference = match which {
        Which::Reference => Some(node),
        other => look(other, node, Which::Reference),
    };
    if let Some(node) = in_reference {
        for other in comparison.others().filter(|other| *other != which) {
            look(Which::Reference, node, other);
        }
    }
    let kind = comparison.sheet(which)?.kind(node);
    Some(Lit {
        text: format!("{kind}: {}", reasons.join("; ")),
        places,
    })
}
