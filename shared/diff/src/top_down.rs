//! Identical subtrees, the highest first (Falleri et al. 2014, section 3.1, as GumTree 4 does it).
//!
//! Layer by layer of equal height, subtrees are compared by hash. One that occurs once on either
//! side is mapped at once. Those that occur several times wait until the end; then each group is
//! ranked ([`Ranking`]), the largest first.

use std::cmp::Reverse;
use std::ops::Range;

use crate::budget::OutOfBudget;
use crate::mapping::MatchedBy;
use crate::pair::{Pair, Side};
use crate::ranking::Ranking;
use crate::tree::{DST, NONE, index, key, low};

/// Leaves take no part.
const MIN_HEIGHT: u32 = 1;

pub(crate) fn top_down(pair: &mut Pair<'_>) -> Result<(), OutOfBudget> {
    let (mut groups, members) = map_unique(pair)?;
    groups.sort_unstable_by_key(|group| group.order);
    let mut ranking = Ranking::default();
    for group in groups {
        ranking.map_group(pair, &members[group.src], &members[group.dst])?;
    }
    Ok(())
}

/// Identical subtrees, several on one side at least: two ranges of the members, each in preorder.
struct Group {
    /// Larger, then higher, then earlier groups come first.
    order: (Reverse<u32>, Reverse<u32>, u32),
    src: Range<usize>,
    dst: Range<usize>,
}

/// The subtrees of one side that wait to be compared: a list for each height.
struct Layers<'a> {
    side: &'a Side<'a>,
    first: Vec<u32>,
    next: Vec<u32>,
}

impl<'a> Layers<'a> {
    fn new(side: &'a Side<'a>) -> Self {
        let tree = side.tree;
        let mut layers = Self {
            side,
            first: vec![NONE; tree.heights[0] as usize + 1],
            next: vec![NONE; tree.n_nodes()],
        };
        layers.push(0);
        layers
    }

    fn push(&mut self, node: u32) {
        let height = self.side.tree.heights[node as usize];
        if height >= MIN_HEIGHT {
            self.next[node as usize] = self.first[height as usize];
            self.first[height as usize] = node;
        }
    }

    fn open(&mut self, node: u32) {
        let tree = self.side.tree;
        for child in tree.child_indexes(node) {
            self.push(child);
        }
    }

    /// Drops empty layers from the top; the height of the first other, or 0.
    fn top(&mut self) -> usize {
        while self.first.len() > 1 && self.first.last() == Some(&NONE) {
            self.first.pop();
        }
        self.first.len() - 1
    }

    /// Takes the top layer off.
    fn pop(&mut self, mut take: impl FnMut(&mut Self, u32)) {
        let mut node = self.first.pop().unwrap_or(NONE);
        while node != NONE {
            let next = self.next[node as usize];
            take(self, node);
            node = next;
        }
    }
}

/// Maps what occurs once on either side; gives the other groups and their members.
fn map_unique(pair: &mut Pair<'_>) -> Result<(Vec<Group>, Vec<u32>), OutOfBudget> {
    let (mut groups, mut members) = (Vec::new(), Vec::new());
    let mut unique: Vec<(u32, u32)> = Vec::new();
    let mut src = Layers::new(&pair.src);
    let mut dst = Layers::new(&pair.dst);
    // A layer of both sides: hash, side, node in one number.
    let mut layer: Vec<u64> = Vec::new();
    loop {
        let (top_src, top_dst) = (src.top(), dst.top());
        if top_src == 0 || top_dst == 0 {
            break;
        }
        if top_src != top_dst {
            let higher = if top_src > top_dst {
                &mut src
            } else {
                &mut dst
            };
            higher.pop(Layers::open);
            continue;
        }
        layer.clear();
        src.pop(|src, node| {
            layer.push(key(src.side.tree.hashes[node as usize], node));
        });
        dst.pop(|dst, node| {
            layer.push(key(dst.side.tree.hashes[node as usize], node) | DST);
        });
        layer.sort_unstable();
        for same in layer.chunk_by(|a, b| a >> 32 == b >> 32) {
            let n_src = same.partition_point(|key| key & DST == 0);
            let (of_src, of_dst) = same.split_at(n_src);
            match (of_src, of_dst) {
                (&[s], &[d]) => {
                    let (s, d) = (node_of(s), node_of(d));
                    // Subtrees of equal hash and another structure are no match at all.
                    if pair.same_structure(s, d) {
                        unique.push((s, d));
                    } else {
                        src.open(s);
                        dst.open(d);
                    }
                }
                (_, []) => of_src.iter().for_each(|&key| src.open(node_of(key))),
                ([], _) => of_dst.iter().for_each(|&key| dst.open(node_of(key))),
                _ => {
                    let start = members.len();
                    members.extend(same.iter().map(|&key| node_of(key)));
                    let of_src = start..start + n_src;
                    let tree = pair.src.tree;
                    let sizes = members[of_src.clone()].iter();
                    let size = sizes.map(|&node| tree.sizes[node as usize]).max();
                    groups.push(Group {
                        order: (
                            Reverse(size.unwrap_or_default()),
                            Reverse(index(top_src)),
                            members[start],
                        ),
                        dst: of_src.end..members.len(),
                        src: of_src,
                    });
                }
            }
        }
    }
    pair.spend(pair.src.tree.n_nodes() + pair.dst.tree.n_nodes())?;
    for (src, dst) in unique {
        pair.map_subtrees(src, dst, MatchedBy::IdenticalUnique);
    }
    Ok((groups, members))
}

fn node_of(key: u64) -> u32 {
    low(key & !DST)
}
