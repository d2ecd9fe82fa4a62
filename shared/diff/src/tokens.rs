//! The fallback: tokens in order, where trees would cost too much.

use crate::budget::Steps;
use crate::mapping::{MappingStore, MatchedBy};
use crate::pair::{Pair, Side};
use crate::span::Span;
use crate::tree::{DiffTree, NONE, index, key};

/// Some text in the place of other text; either may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenChange {
    /// What goes, in the source.
    pub src: Span,
    /// What comes, in the destination.
    pub dst: Span,
}

/// The leaves of a tree and the class of each: equal leaves have the same.
struct Tokens {
    nodes: Vec<u32>,
    classes: Vec<u32>,
}

/// Maps equal leaves in order: from both ends, then between tokens that occur once on either side.
/// What is between two mapped leaves is one change. n log n for any text.
pub(crate) fn compare(src: &DiffTree, dst: &DiffTree) -> (MappingStore, Vec<TokenChange>) {
    // Numbering types and labels is linear: it costs no steps.
    let mut pair = Pair::new(src, dst, Steps::none());
    let changes = match_tokens(&mut pair);
    (pair.mappings, changes)
}

fn match_tokens(pair: &mut Pair<'_>) -> Vec<TokenChange> {
    let (src, dst) = number(pair);
    let mut matched = common(&src.classes, &dst.classes);
    matched.push((index(src.nodes.len()), index(dst.nodes.len())));
    let mut changes = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (to_i, to_j) in matched {
        if i < to_i || j < to_j {
            changes.push(TokenChange {
                src: span(pair.src.tree, &src.nodes, i, to_i),
                dst: span(pair.dst.tree, &dst.nodes, j, to_j),
            });
        }
        if let (Some(&s), Some(&d)) = (src.nodes.get(to_i as usize), dst.nodes.get(to_j as usize)) {
            pair.mappings.add(s, d, MatchedBy::Token);
        }
        (i, j) = (to_i + 1, to_j + 1);
    }
    changes
}

/// The text from one token up to another.
fn span(tree: &DiffTree, nodes: &[u32], from: u32, to: u32) -> Span {
    let at = |token: u32| tree.spans[nodes[token as usize] as usize];
    if from < to {
        return Span::new(at(from).start, at(to - 1).end);
    }
    let end = if from == 0 {
        tree.spans[0].start
    } else {
        at(from - 1).end
    };
    Span::new(end, end)
}

fn number(pair: &Pair<'_>) -> (Tokens, Tokens) {
    let leaves = |tree: &DiffTree| -> Vec<u32> {
        tree.ids()
            .map(|id| id.0)
            .filter(|&node| tree.is_leaf(node))
            .collect()
    };
    let (src, dst) = (leaves(pair.src.tree), leaves(pair.dst.tree));
    let kind_and_label = |side: &Side<'_>, nodes: &[u32]| -> Vec<u64> {
        let of = |&node: &u32| key(side.kinds[node as usize], side.labels[node as usize]);
        nodes.iter().map(of).collect()
    };
    let (of_src, of_dst) = (
        kind_and_label(&pair.src, &src),
        kind_and_label(&pair.dst, &dst),
    );
    let mut different = [of_src.as_slice(), &of_dst].concat();
    different.sort_unstable();
    different.dedup();
    let tokens = |nodes: Vec<u32>, keys: &[u64]| {
        let class = |key: &u64| index(different.partition_point(|other| other < key));
        let classes = keys.iter().map(class).collect();
        Tokens { nodes, classes }
    };
    (tokens(src, &of_src), tokens(dst, &of_dst))
}

/// Pairs of equal tokens in order.
fn common(src: &[u32], dst: &[u32]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let ends = (src.len(), dst.len());
    let (mut i, mut j) = (0, 0);
    for (to_i, to_j) in anchors(src, dst).into_iter().chain([ends]) {
        let (from, to) = (&src[i..to_i], &dst[j..to_j]);
        let n_head = from.iter().zip(to).take_while(|(x, y)| x == y).count();
        let ends_alike = from[n_head..].iter().rev().zip(to[n_head..].iter().rev());
        let n_tail = ends_alike.take_while(|(x, y)| x == y).count();
        pairs.extend((0..n_head).map(|at| (index(i + at), index(j + at))));
        let tail = (1..=n_tail).rev();
        pairs.extend(tail.map(|at| (index(to_i - at), index(to_j - at))));
        if (to_i, to_j) != ends {
            pairs.push((index(to_i), index(to_j)));
        }
        (i, j) = (to_i + 1, to_j + 1);
    }
    pairs
}

/// Tokens that occur once on either side, as many in order as there are.
fn anchors(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let n_classes = a
        .iter()
        .chain(b)
        .max()
        .map_or(0, |&class| class as usize + 1);
    let once = |tokens: &[u32]| {
        let mut places = vec![NONE; n_classes];
        let mut is_repeated = vec![false; n_classes];
        for (at, &class) in (0..).zip(tokens) {
            is_repeated[class as usize] |= places[class as usize] != NONE;
            places[class as usize] = at;
        }
        for (place, _) in places
            .iter_mut()
            .zip(is_repeated)
            .filter(|(_, repeated)| *repeated)
        {
            *place = NONE;
        }
        places
    };
    let (in_a, in_b) = (once(a), once(b));
    let unique: Vec<(u32, u32)> = (0..)
        .zip(a)
        .filter(|&(at, &class)| in_a[class as usize] == at && in_b[class as usize] != NONE)
        .map(|(at, &class)| (at, in_b[class as usize]))
        .collect();
    // The longest increasing subsequence, by the last element of each length.
    let mut ends: Vec<u32> = Vec::new();
    let mut before = vec![NONE; unique.len()];
    for (at, &(_, place)) in (0..).zip(&unique) {
        let length = ends.partition_point(|&end| unique[end as usize].1 < place);
        if length > 0 {
            before[at as usize] = ends[length - 1];
        }
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied().unwrap_or(NONE);
    while at != NONE {
        let (i, j) = unique[at as usize];
        chain.push((i as usize, j as usize));
        at = before[at as usize];
    }
    chain.reverse();
    chain
}
