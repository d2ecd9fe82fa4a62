//! What became of the masked nodes.

use crate::case::SiteStatus;
use crate::diff::{Diff, DiffNodeId, DiffTree};
use crate::identify::program::Program;
use crate::text::Span;

/// The node that a place of the method's text is: the node of exactly these bytes, the innermost of
/// several; where there is none, the smallest around it. An `in`, a run of parameters and a part of a
/// string are no nodes of their own.
pub(super) fn masked_node(tree: &DiffTree, place: Span) -> DiffNodeId {
    tree.enclosing(place)
}

/// What became of one masked node, and where its partner stands.
pub(super) fn status(
    reference: &Program,
    variant: &Program,
    diff: &Diff,
    node: DiffNodeId,
) -> (SiteStatus, Option<Span>) {
    let partner = if diff.fallback.is_some() && reference.diff.children(node).next().is_some() {
        between_leaves(reference, variant, diff, node)
    } else {
        diff.mappings
            .dst_of(node)
            .map(|partner| variant.diff.span(partner))
    };
    let Some(partner) = partner else {
        return (SiteStatus::Deleted, None);
    };
    let text = reference.diff.span(node).of(reference.tree.source());
    let status = if partner.of(variant.tree.source()) == text {
        SiteStatus::Resolved
    } else {
        SiteStatus::Changed
    };
    (status, Some(partner))
}

/// Where trees were not compared only leaves have partners: an inner node's partner is then from its
/// first leaf's to its last leaf's.
fn between_leaves(
    reference: &Program,
    variant: &Program,
    diff: &Diff,
    node: DiffNodeId,
) -> Option<Span> {
    let leaves = reference
        .diff
        .subtree(node)
        .filter_map(|leaf| diff.mappings.dst_of(leaf));
    let spans = leaves.map(|leaf| variant.diff.span(leaf));
    spans.reduce(|a, b| Span::new(a.start.min(b.start), a.end.max(b.end)))
}
