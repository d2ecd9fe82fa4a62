//! Containers: inner nodes that have enough of their descendants mapped into each other (Falleri et
//! al. 2014, section 3.2, as GumTree 4 does it).

use crate::budget::OutOfBudget;
use crate::mapping::MatchedBy;
use crate::matchers::BottomUp;
use crate::pair::{Pair, Side};
use crate::recovery::Recoverer;
use crate::tree::{NONE, index};

pub(crate) fn bottom_up(pair: &mut Pair<'_>, how: &BottomUp) -> Result<(), OutOfBudget> {
    let n_src = pair.src.tree.n_nodes();
    let mut search = Search::new(n_src.max(pair.dst.tree.n_nodes()));
    let mut recoverer = Recoverer::new(how.recovery);
    let mut postorder = vec![0; n_src];
    for (node, id) in (0..).zip(pair.src.tree.ids()) {
        postorder[pair.src.tree.postorder(id.0) as usize] = node;
    }
    for node in postorder {
        if node == 0 {
            if pair.same_kind(0, 0) {
                pair.mappings.add(0, 0, MatchedBy::Roots);
            }
            return recoverer.recover(pair, 0, 0);
        }
        if pair.src.tree.is_leaf(node) {
            continue;
        }
        let partner = pair.mappings.dst(node);
        if partner == NONE {
            let Some(found) = search.best(pair, how, node)? else {
                continue;
            };
            recoverer.recover(pair, node, found)?;
            pair.mappings.add(node, found, MatchedBy::CommonDescendants);
        } else if how.revisits_mapped {
            recoverer.recover(pair, node, partner)?;
        }
    }
    Ok(())
}

/// Finds the best partner of a node; holds the room for it.
struct Search {
    /// Whom a node was seen for, to look at each ancestor once.
    seen: Vec<u32>,
    round: u32,
    /// Ancestors of partners in the order they were found, and where each climb begins.
    found: Vec<u32>,
    climbs: Vec<u32>,
    /// How many partners are below each node that was seen.
    n_below: Vec<u32>,
}

impl Search {
    fn new(n: usize) -> Self {
        Self {
            seen: vec![0; n],
            round: 0,
            found: Vec::new(),
            climbs: Vec::new(),
            n_below: vec![0; n],
        }
    }

    /// The destination node most like `src`; under a marriage test, only if the way back leads here.
    fn best(
        &mut self,
        pair: &mut Pair<'_>,
        how: &BottomUp,
        src: u32,
    ) -> Result<Option<u32>, OutOfBudget> {
        let (here, there) = (&pair.src, &pair.dst);
        let (mappings, steps) = (&pair.mappings, &mut pair.steps);
        let to = |node| mappings.dst(node);
        let back = |node| mappings.src(node);
        steps.spend(here.tree.n_below(src) as usize)?;
        let found = self.climb((here, &to), (there, &back), how, src);
        steps.spend(self.found.len())?;
        let Some(dst) = found.filter(|_| how.marries) else {
            return Ok(found);
        };
        steps.spend(there.tree.n_below(dst) as usize)?;
        let returned = self.climb((there, &back), (here, &to), how, dst);
        steps.spend(self.found.len())?;
        Ok(found.filter(|_| returned == Some(src)))
    }

    /// Of the ancestors of the partners of what is below `node`: the first most similar one that has
    /// its type, is unmapped, no root, and similar enough.
    fn climb(
        &mut self,
        (here, to): (&Side<'_>, &dyn Fn(u32) -> u32),
        (there, back): (&Side<'_>, &dyn Fn(u32) -> u32),
        how: &BottomUp,
        node: u32,
    ) -> Option<u32> {
        self.round += 1;
        self.found.clear();
        self.climbs.clear();
        for below in node + 1..here.tree.end(node) {
            let partner = to(below);
            if partner == NONE {
                continue;
            }
            let start = self.found.len();
            let parent = there.tree.parents[partner as usize];
            let mut at = parent;
            while at != NONE && self.seen[at as usize] != self.round {
                self.seen[at as usize] = self.round;
                self.n_below[at as usize] = 0;
                self.found.push(at);
                at = there.tree.parents[at as usize];
            }
            if parent != NONE {
                self.n_below[parent as usize] += 1;
            }
            if self.found.len() > start {
                self.climbs.push(index(start));
            }
        }
        self.add_up(there);
        let n_own = here.tree.n_below(node);
        let kind = here.kinds[node as usize];
        let (mut best, mut best_similarity) = (None, 0.0);
        for &other in &self.found {
            if other == 0 || there.kinds[other as usize] != kind || back(other) != NONE {
                continue;
            }
            let n_other = there.tree.n_below(other);
            let similarity = how
                .similarity
                .of(self.n_below[other as usize], n_own, n_other);
            if similarity > best_similarity && similarity >= how.threshold.of(n_own + n_other) {
                (best, best_similarity) = (Some(other), similarity);
            }
        }
        best
    }

    /// Adds each node's count to its parent's. A climb ends under an earlier one, so the last climb
    /// comes first, and each from below.
    fn add_up(&mut self, there: &Side<'_>) {
        let mut end = self.found.len();
        while let Some(start) = self.climbs.pop() {
            for &node in &self.found[start as usize..end] {
                let parent = there.tree.parents[node as usize];
                if parent != NONE {
                    self.n_below[parent as usize] += self.n_below[node as usize];
                }
            }
            end = start as usize;
        }
    }
}
