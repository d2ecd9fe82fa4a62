//! Which of several identical subtrees belong together.
//!
//! Each pair of a group's members is ranked by what is mapped below their parents, then by the types
//! above them, by their positions among their siblings from the nodes up to the roots, by their
//! distance in the text, and last in postorder. The best pair is mapped, then the next best one whose
//! nodes are both unmapped still.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::budget::OutOfBudget;
use crate::lcs::LcsTable;
use crate::mapping::MatchedBy;
use crate::pair::{Pair, Side};
use crate::similarity::dice;
use crate::tree::{DST, NONE, index, key, low};

/// The most combinations that one group may rank: 24 bytes each.
const MAX_CANDIDATES: usize = 1 << 20;

/// How well the surroundings of two parents fit: what all pairs of their children have in common.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    /// Dice of what is mapped below the parents.
    below: f64,
    /// Dice of the types of the parents and those above.
    above: f64,
    /// Squared distance of the child positions of the parents and those above.
    distance: u64,
}

/// One source and one destination node of a group.
#[derive(Clone, Copy)]
struct Candidate {
    src: u32,
    dst: u32,
    /// Place in the table of surroundings.
    around: u32,
    /// Squared distance of the child positions from the nodes up to the roots.
    distance: u64,
}

/// The ranking of a group, and the room for it, used again for the next.
#[derive(Default)]
pub(crate) struct Ranking {
    candidates: Vec<Candidate>,
    around: Vec<Surroundings>,
    /// For each member of the group, the place of its parent among the group's parents.
    src_parents: Places,
    dst_parents: Places,
    partners: Vec<u32>,
    table: LcsTable,
    chain: Vec<u32>,
    dst_chain: Vec<u32>,
}

/// The different parents of a group's members.
#[derive(Default)]
struct Places {
    parents: Vec<u32>,
    of_member: Vec<u32>,
}

impl Places {
    /// Members are in preorder, but their parents need not be in one run.
    fn fill(&mut self, side: &Side<'_>, members: &[u32]) {
        let parent = |&node: &u32| side.tree.parents[node as usize];
        self.parents.clear();
        self.parents.extend(members.iter().map(parent));
        self.parents.sort_unstable();
        self.parents.dedup();
        self.of_member.clear();
        for member in members {
            let place = self
                .parents
                .partition_point(|&other| other < parent(member));
            self.of_member.push(index(place));
        }
    }
}

impl Ranking {
    /// Maps the best candidates of a group, given by its members in preorder.
    pub(crate) fn map_group(
        &mut self,
        pair: &mut Pair<'_>,
        src: &[u32],
        dst: &[u32],
    ) -> Result<(), OutOfBudget> {
        self.src_parents.fill(&pair.src, src);
        self.dst_parents.fill(&pair.dst, dst);
        if self.src_parents.parents.len() == 1 && self.dst_parents.parents.len() == 1 {
            return map_siblings(pair, src, dst);
        }
        let n_candidates = src.len().saturating_mul(dst.len());
        if n_candidates > MAX_CANDIDATES {
            return Err(OutOfBudget);
        }
        pair.spend(n_candidates * 8)?;
        self.compare_parents(pair)?;
        let (src_side, dst_side) = (&pair.src, &pair.dst);
        self.candidates.clear();
        for (&s, &p) in src.iter().zip(&self.src_parents.of_member) {
            let row = p as usize * self.dst_parents.parents.len();
            for (&d, &q) in dst.iter().zip(&self.dst_parents.of_member) {
                let around = row + q as usize;
                let own = src_side.tree.positions[s as usize]
                    .abs_diff(dst_side.tree.positions[d as usize]);
                self.candidates.push(Candidate {
                    src: s,
                    dst: d,
                    around: index(around),
                    distance: self.around[around].distance + u64::from(own).pow(2),
                });
            }
        }
        let around = &self.around;
        self.candidates.sort_unstable_by(|x, y| {
            let (a, b) = (&around[x.around as usize], &around[y.around as usize]);
            b.below
                .total_cmp(&a.below)
                .then_with(|| b.above.total_cmp(&a.above))
                .then_with(|| x.distance.cmp(&y.distance))
                .then_with(|| tie_break(pair, x.src, x.dst).cmp(&tie_break(pair, y.src, y.dst)))
        });
        for candidate in &self.candidates {
            map_ranked(pair, candidate.src, candidate.dst);
        }
        Ok(())
    }

    /// Fills the table of surroundings: a row for each source parent.
    fn compare_parents(&mut self, pair: &mut Pair<'_>) -> Result<(), OutOfBudget> {
        let n_dst = self.dst_parents.parents.len();
        self.around.clear();
        self.around.resize(
            self.src_parents.parents.len() * n_dst,
            Surroundings::default(),
        );
        for (row, &p) in self.src_parents.parents.iter().enumerate() {
            if p == NONE {
                continue;
            }
            // Where in the destination the nodes below `p` went.
            let below = p as usize + 1..pair.src.tree.end(p) as usize;
            self.partners.clear();
            let partners = pair.mappings.dsts()[below].iter();
            self.partners
                .extend(partners.filter(|&&partner| partner != NONE));
            self.partners.sort_unstable();
            pair.steps
                .spend(pair.src.tree.n_below(p) as usize + n_dst * 8)?;
            for (column, &q) in self.dst_parents.parents.iter().enumerate() {
                if q == NONE {
                    continue;
                }
                let before = |end: u32| self.partners.partition_point(|&partner| partner < end);
                let n_common = if self.partners.is_empty() {
                    0
                } else {
                    before(pair.dst.tree.end(q)) - before(q + 1)
                };
                let cell = &mut self.around[row * n_dst + column];
                cell.below = dice(
                    index(n_common),
                    pair.src.tree.n_below(p),
                    pair.dst.tree.n_below(q),
                );
                cell.distance = position_distance(pair, p, q);
            }
        }
        self.compare_chains(pair)
    }

    /// The ancestors' types, as longest common subsequences.
    fn compare_chains(&mut self, pair: &mut Pair<'_>) -> Result<(), OutOfBudget> {
        let n_dst = self.dst_parents.parents.len();
        for (column, &q) in self.dst_parents.parents.iter().enumerate() {
            chain_of(&pair.dst, q, &mut self.dst_chain);
            for (row, &p) in self.src_parents.parents.iter().enumerate() {
                chain_of(&pair.src, p, &mut self.chain);
                let (a, b) = (&self.chain, &self.dst_chain);
                pair.spend(2 * a.len() + b.len())?;
                let n_common = common_length(a, b, &mut self.table, pair)?;
                self.around[row * n_dst + column].above =
                    dice(n_common, index(a.len()), index(b.len()));
            }
        }
        Ok(())
    }
}

fn common_length(
    a: &[u32],
    b: &[u32],
    table: &mut LcsTable,
    pair: &mut Pair<'_>,
) -> Result<u32, OutOfBudget> {
    // Chains meet at the roots: what is common there costs no table.
    let n_same = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (&a[..a.len() - n_same], &b[..b.len() - n_same]);
    if a.is_empty() || b.is_empty() {
        return Ok(index(n_same));
    }
    table.fill(a, b, pair.n_kinds, &mut pair.steps)?;
    Ok(table.len(a.len(), b.len()) + index(n_same))
}

/// The types of a node and those above it.
fn chain_of(side: &Side<'_>, mut node: u32, chain: &mut Vec<u32>) {
    chain.clear();
    while node != NONE {
        chain.push(side.kinds[node as usize]);
        node = side.tree.parents[node as usize];
    }
}

/// The squared distance of the child positions from two nodes up, over the shorter way to a root.
fn position_distance(pair: &Pair<'_>, mut src: u32, mut dst: u32) -> u64 {
    let (a, b) = (pair.src.tree, pair.dst.tree);
    let mut distance = 0u64;
    while src != 0 && dst != 0 {
        let difference = a.positions[src as usize].abs_diff(b.positions[dst as usize]);
        distance += u64::from(difference).pow(2);
        (src, dst) = (a.parents[src as usize], b.parents[dst as usize]);
    }
    distance
}

/// What decides between pairs that rank equal: their distance in the text, then in postorder; a full
/// tie goes to the earlier source node, then the earlier destination node.
fn tie_break(pair: &Pair<'_>, src: u32, dst: u32) -> (u64, u32, u32, u32) {
    let (a, b) = (pair.src.tree, pair.dst.tree);
    let (x, y) = (a.spans[src as usize], b.spans[dst as usize]);
    let text = u64::from(x.start.abs_diff(y.start)) + u64::from(x.end.abs_diff(y.end));
    let postorder = a.postorder(src).abs_diff(b.postorder(dst));
    (text, postorder, src, dst)
}

fn map_ranked(pair: &mut Pair<'_>, src: u32, dst: u32) {
    if pair.mappings.are_unmapped(src, dst) && pair.same_structure(src, dst) {
        pair.map_subtrees(src, dst, MatchedBy::IdenticalRanked);
    }
}

/// A group whose members have one parent on either side: only their own positions rank them. When
/// both sides are put in one line, the nearest pair is always one of neighbours, so no other pair
/// needs to be looked at: n log n for any number of siblings.
fn map_siblings(pair: &mut Pair<'_>, src: &[u32], dst: &[u32]) -> Result<(), OutOfBudget> {
    let mut line = Line::of(pair, src, dst);
    pair.spend(line.members.len() * 16)?;
    for right in 1..index(line.members.len()) {
        line.offer(pair, right - 1, right);
    }
    while let Some(Reverse(nearest)) = line.nearest.pop() {
        let (_, _, src, dst) = nearest.tie_break;
        // Subtrees of equal hash and another structure keep each other's places.
        if pair.mappings.are_unmapped(src, dst) && pair.same_structure(src, dst) {
            map_ranked(pair, src, dst);
            line.take_out(pair, nearest.left, nearest.right);
        }
    }
    Ok(())
}

/// The members of a group by their positions.
struct Line {
    members: Vec<Member>,
    nearest: BinaryHeap<Reverse<Neighbours>>,
}

/// A member of a group in line; a source comes before the destination of its position.
struct Member {
    position: u32,
    is_dst: bool,
    node: u32,
    /// The places of its neighbours.
    before: u32,
    after: u32,
}

/// A source and a destination next to each other; the least one is mapped first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Neighbours {
    distance: u32,
    tie_break: (u64, u32, u32, u32),
    left: u32,
    right: u32,
}

impl Line {
    fn of(pair: &Pair<'_>, src: &[u32], dst: &[u32]) -> Self {
        // Position, side, node in one number.
        let place = |side: &Side<'_>, node: u32| key(side.tree.positions[node as usize], node);
        let of_src = src.iter().map(|&node| place(&pair.src, node));
        let of_dst = dst.iter().map(|&node| place(&pair.dst, node) | DST);
        let mut places: Vec<u64> = of_src.chain(of_dst).collect();
        places.sort_unstable();
        let n = places.len();
        let members = (0..).zip(places).map(|(at, place)| Member {
            position: low(place >> 32),
            is_dst: place & DST != 0,
            node: low(place & !DST),
            before: if at == 0 { NONE } else { at - 1 },
            after: if at as usize + 1 == n { NONE } else { at + 1 },
        });
        let members = members.collect();
        Self {
            members,
            nearest: BinaryHeap::new(),
        }
    }

    fn offer(&mut self, pair: &Pair<'_>, left: u32, right: u32) {
        let (x, y) = (&self.members[left as usize], &self.members[right as usize]);
        if x.is_dst != y.is_dst {
            let (src, dst) = if x.is_dst { (y, x) } else { (x, y) };
            self.nearest.push(Reverse(Neighbours {
                distance: y.position - x.position,
                tie_break: tie_break(pair, src.node, dst.node),
                left,
                right,
            }));
        }
    }

    /// Takes two neighbours out: those around them become neighbours.
    fn take_out(&mut self, pair: &Pair<'_>, left: u32, right: u32) {
        let before = self.members[left as usize].before;
        let after = self.members[right as usize].after;
        if let Some(member) = self.members.get_mut(before as usize) {
            member.after = after;
        }
        if let Some(member) = self.members.get_mut(after as usize) {
            member.before = before;
        }
        if before != NONE && after != NONE {
            self.offer(pair, before, after);
        }
    }
}
