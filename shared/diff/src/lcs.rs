//! Longest common subsequences, with the reference's choice among several.
//!
//! The length table is kept as one bit a cell (Hyyrö 2004): whether a cell is one more than its
//! left neighbour. A cell's length is the number of such bits up to it.

use crate::budget::{OutOfBudget, Steps};
use crate::tree::index;

/// The most words of a table, 8 bytes each: for two sequences of some 20,000.
const MAX_WORDS: usize = 1 << 23;

/// The lengths of the longest common subsequences of all prefixes of two sequences.
#[derive(Default)]
pub(crate) struct LcsTable {
    n_words: usize,
    /// Row after row, from that of the empty first sequence on.
    rows: Vec<u64>,
    masks: Vec<u64>,
}

impl LcsTable {
    /// The table of two sequences of numbers below `n_classes`.
    pub(crate) fn fill(
        &mut self,
        a: &[u32],
        b: &[u32],
        n_classes: usize,
        steps: &mut Steps,
    ) -> Result<(), OutOfBudget> {
        let n_words = b.len().div_ceil(64).max(1);
        let n_table = n_words.saturating_mul(n_classes + a.len() + 1);
        if n_table > MAX_WORDS {
            return Err(OutOfBudget);
        }
        steps.spend(2 * n_table + b.len())?;
        self.n_words = n_words;
        self.masks.clear();
        self.masks.resize(n_words * n_classes, 0);
        for (at, &class) in b.iter().enumerate() {
            self.masks[class as usize * n_words + at / 64] |= 1 << (at % 64);
        }
        self.rows.clear();
        self.rows.resize(n_words * (a.len() + 1), 0);
        for (at, &class) in a.iter().enumerate() {
            let (above, row) = self.rows.split_at_mut((at + 1) * n_words);
            let above = &above[at * n_words..];
            let mask = &self.masks[class as usize * n_words..][..n_words];
            let mut carry = false;
            for word in 0..n_words {
                // In the literature's form a clear bit is a step.
                let flat = !above[word];
                let hit = flat & mask[word];
                let (sum, first) = flat.overflowing_add(hit);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                carry = first | second;
                row[word] = !(sum | (flat & !mask[word]));
            }
        }
        Ok(())
    }

    /// The length for the first `i` of the first and the first `j` of the second sequence.
    pub(crate) fn len(&self, i: usize, j: usize) -> u32 {
        let row = &self.rows[i * self.n_words..][..self.n_words];
        let whole = row[..j / 64].iter().map(|word| word.count_ones()).sum();
        if j.is_multiple_of(64) {
            return whole;
        }
        whole + (row[j / 64] & ((1 << (j % 64)) - 1)).count_ones()
    }

    /// The pairs of one longest common subsequence, last first: read from the end, dropping the
    /// last of the first sequence where that costs nothing, else that of the second.
    pub(crate) fn pairs(&self, n_a: usize, n_b: usize, pairs: &mut Vec<(u32, u32)>) {
        let (mut i, mut j) = (n_a, n_b);
        let mut len = self.len(i, j);
        while len > 0 {
            if self.len(i - 1, j) == len {
                i -= 1;
            } else if self.len(i, j - 1) == len {
                j -= 1;
            } else {
                (i, j, len) = (i - 1, j - 1, len - 1);
                pairs.push((index(i), index(j)));
            }
        }
    }
}
