//! What the reader does with a comparison: which edit, what lights up, what is unfolded, which layout.

use std::sync::Arc;

use shared::text::Span;

use super::Comparison;
use super::sheet::Which;
use crate::platform::{document, storage};
use crate::reactive::{RwSignal, watch};
use crate::worker::protocol::EditPlace;

/// Side by side, or one below the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    Split,
    Unified,
}

/// Under which name the layout is kept in this browser.
const LAYOUT_KEY: &str = "diff-layout";

/// What lights up: a place on either side, and why both correspond.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lit {
    pub(crate) a: Option<LitPlace>,
    pub(crate) b: Option<LitPlace>,
    pub(crate) text: String,
}

/// A place that lights up, and its node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LitPlace {
    pub(crate) span: Span,
    pub(crate) node: Option<usize>,
}

impl Lit {
    pub(crate) fn place(&self, which: Which) -> Option<LitPlace> {
        match which {
            Which::Reference => self.a,
            Which::Variant => self.b,
        }
    }
}

/// A diff and what the reader does with it.
#[derive(Clone, Copy)]
pub(crate) struct DiffState {
    pub(crate) comparison: RwSignal<Option<Arc<Comparison>>>,
    /// The edit that the reader is at.
    pub(crate) current: RwSignal<Option<usize>>,
    pub(crate) lit: RwSignal<Option<Lit>>,
    /// Folded blocks that the reader opened, by their first rows.
    pub(crate) opened: RwSignal<Vec<usize>>,
    pub(crate) layout: RwSignal<Layout>,
}

impl DiffState {
    pub(crate) fn new() -> Self {
        let is_unified =
            storage::read(LAYOUT_KEY).map_or_else(document::is_narrow, |kept| kept == "unified");
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
        Self {
            comparison: RwSignal::new(None),
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
        self.opened.try_set(Vec::new());
        self.comparison.try_set(comparison.map(Arc::new));
    }

    /// Goes to an edit, and opens what hides it.
    pub(crate) fn choose(self, n: usize) {
        let Some(comparison) = self.comparison.get_untracked() else {
            return;
        };
        let row = comparison.edit_rows.get(n).copied().unwrap_or_default();
        let mut blocks = comparison.blocks.iter();
        if let Some(block) = blocks.find(|it| it.is_folded && it.rows.contains(&row)) {
            self.open(block.rows.start);
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

    pub(crate) fn open(self, first_row: usize) {
        self.opened.update(|opened| opened.push(first_row));
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
        format!(
            "Edit {} of {}: {} {}, {}, {}",
            n + 1,
            comparison.edits.len(),
            edit.kind.word(),
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
            let place = |which: Which| {
                let EditPlace { span, node, .. } = *which.place(edit)?;
                Some(LitPlace { span, node })
            };
            Some(Lit {
                a: place(Which::Reference),
                b: place(Which::Variant),
                text: format!(
                    "{} {}: {}",
                    edit.kind.word(),
                    edit.what,
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
            .with_untracked(|comparison| comparison.as_ref()?.sheet(which).node_at(piece));
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

fn lit_of(comparison: &Comparison, which: Which, node: usize) -> Option<Lit> {
    let (own, other) = match which {
        Which::Reference => (&comparison.a, &comparison.b),
        Which::Variant => (&comparison.b, &comparison.a),
    };
    let found = own.side.nodes.get(node)?;
    let partner = found
        .partner
        .and_then(|(at, by)| Some((at, other.side.nodes.get(at)?, by)));
    let kind = own.kind(node);
    let text = match (partner, which) {
        (Some((.., by)), _) => format!("{kind}: {}", by.why()),
        (None, Which::Reference) => format!("{kind}: nothing in the variant corresponds"),
        (None, Which::Variant) => format!("{kind}: nothing in the reference corresponds"),
    };
    let own = Some(LitPlace {
        span: found.span,
        node: Some(node),
    });
    let other = partner.map(|(at, node, _)| LitPlace {
        span: node.span,
        node: Some(at),
    });
    let (a, b) = match which {
        Which::Reference => (own, other),
        Which::Variant => (other, own),
    };
    Some(Lit { a, b, text })
}
