//! What a variant changes besides the masked places: its tokens against the reference's.

use crate::case::OutsideEdit;
use crate::diff::{self, Budget, DiffOptions, DiffTree, DiffTreeBuilder};
use crate::identify::program::{Sight, View};
use crate::syntax::{Kind, NodeId, Tree};
use crate::text::Span;

/// A method as its tokens in order, without comments and docstrings. A token is its type and text
/// and how many blocks it stands in: moving a line out of a loop changes no text.
pub(super) struct Tokens {
    /// The tokens as leaves under one root, whose label is the text.
    tree: DiffTree,
}

impl Tokens {
    pub(super) fn of(tree: &Tree) -> Self {
        let view = View::of(tree, Sight::Written);
        let mut builder = DiffTreeBuilder::with_capacity(tree.n_nodes(), tree.source().len());
        builder.open("module", tree.source(), tree.span(tree.root()), None);
        let mut depths = vec![0u32; tree.n_nodes()];
        // Preorder: a node that does not count is left with all below it.
        let mut open: Vec<NodeId> = vec![tree.root()];
        while let Some(id) = open.pop() {
            let depth = depths[id.0 as usize] + u32::from(tree.kind(id) == Kind::Block);
            let children = view.children(id);
            if children.is_empty() || tree.kind(id) == Kind::String {
                let is_token = tree.children(id).next().is_none() || tree.kind(id) == Kind::String;
                if is_token && !tree.span(id).is_empty() {
                    let label = format!("{depth} {}", tree.text(id));
                    builder.open(tree.node(id).name, &label, tree.span(id), None);
                    builder.close();
                }
                continue;
            }
            for &child in children.iter().rev() {
                depths[child.0 as usize] = depth;
                open.push(child);
            }
        }
        builder.close();
        Self {
            tree: builder.finish(),
        }
    }

    fn source(&self) -> &str {
        self.tree.label(self.tree.root())
    }

    /// Where each stands, its type, and its depth and text.
    pub(super) fn spans(&self) -> impl Iterator<Item = (Span, &str, &str)> {
        let tokens = self.tree.ids().skip(1);
        tokens.map(|id| (self.tree.span(id), self.tree.kind(id), self.tree.label(id)))
    }
}

/// What differs outside the sorted, disjoint `sites` of the reference, in order. Nothing where the
/// variant is the reference with any tokens in the places of the sites.
pub(super) fn outside_edits(
    reference: &Tokens,
    variant: &Tokens,
    sites: &[Span],
) -> Vec<OutsideEdit> {
    if is_filling(reference, variant, sites) {
        return Vec::new();
    }
    let options = DiffOptions {
        // Tokens only.
        budget: Budget {
            max_nodes: 0,
            max_steps: 0,
        },
        ..DiffOptions::default()
    };
    let diff = diff::diff(&reference.tree, &variant.tree, &options);
    let changes = diff.fallback.map_or_else(Vec::new, |f| f.changes);
    let mut edits = Vec::with_capacity(changes.len());
    for change in changes {
        // The first site that does not end before the change.
        let at = sites.partition_point(|site| site.end < change.src.start);
        let is_inside = |site: &Span| {
            let gap = Span::new(change.src.end, site.start).of(reference.source());
            // What only comes may stand right before a site.
            site.contains(change.src) || change.src.is_empty() && gap.trim().is_empty()
        };
        if !sites.get(at).is_some_and(is_inside) {
            edits.push(OutsideEdit {
                reference: change.src,
                variant: change.dst,
            });
        }
    }
    edits
}

/// Whether the variant is what stands between the sites, in order, with anything in their places.
fn is_filling(reference: &Tokens, variant: &Tokens, sites: &[Span]) -> bool {
    let variant: Vec<_> = variant
        .spans()
        .map(|(_, kind, label)| (kind, label))
        .collect();
    // The runs of tokens between the sites.
    let mut runs: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    let mut next = 0;
    for (span, kind, label) in reference.spans() {
        while sites.get(next).is_some_and(|site| site.end <= span.start) {
            next += 1;
            runs.push(Vec::new());
        }
        let is_in_site = sites.get(next).is_some_and(|site| site.start < span.end);
        if let (false, Some(run)) = (is_in_site, runs.last_mut()) {
            run.push((kind, label));
        }
    }
    runs.resize_with(sites.len() + 1, Vec::new);
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
        return false;
    };
    if runs.len() == 1 {
        return *first == variant;
    }
    let Some(rest) = variant.strip_prefix(first.as_slice()) else {
        return false;
    };
    let Some(mut rest) = rest.strip_suffix(last.as_slice()) else {
        return false;
    };
    for run in &runs[1..runs.len() - 1] {
        if run.is_empty() {
            continue;
        }
        let Some(at) = find(rest, run) else {
            return false;
        };
        rest = &rest[at + run.len()..];
    }
    true
}

/// Where a run of tokens first stands (Knuth, Morris and Pratt: linear for any text).
fn find(tokens: &[(&str, &str)], run: &[(&str, &str)]) -> Option<usize> {
    // How many tokens at the run's end, up to each place, are also its beginning.
    let mut borders = vec![0; run.len()];
    let advance = |borders: &[usize], mut n: usize, token| {
        while n > 0 && (n == run.len() || run[n] != token) {
            n = borders[n - 1];
        }
        n + usize::from(run[n] == token)
    };
    for at in 1..run.len() {
        borders[at] = advance(&borders, borders[at - 1], run[at]);
    }
    let mut n = 0;
    for (at, &token) in tokens.iter().enumerate() {
        n = advance(&borders, n, token);
        if n == run.len() {
            return Some(at + 1 - n);
        }
    }
    None
}
