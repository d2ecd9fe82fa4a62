//! How alike labels are, and what matching two nodes saves by it.

use crate::pair::Pair;

/// A cost of 1: deleting a node, inserting a node.
const UNIT: u64 = 1 << 24;

/// The most pairs of labels whose similarity is remembered: 4 bytes each.
const MAX_REMEMBERED: usize = 1 << 20;

/// Similarities of labels.
#[derive(Default)]
pub(crate) struct Labels {
    /// Each label's 3-grams, sorted, once they were asked for.
    src: Vec<Option<Box<[u64]>>>,
    dst: Vec<Option<Box<[u64]>>>,
    /// One more than the similarity in units, or 0 where it is not known yet; a row for each label
    /// of the source. Empty if there are too many.
    known: Vec<u32>,
}

impl Labels {
    /// Makes room for the labels of a pair of trees, once.
    pub(crate) fn prepare(&mut self, pair: &Pair<'_>) {
        if self.src.is_empty() {
            let (n_src, n_dst) = (
                pair.src.tree.label_hashes.len(),
                pair.dst.tree.label_hashes.len(),
            );
            self.src.resize(n_src, None);
            self.dst.resize(n_dst, None);
            if n_src.saturating_mul(n_dst) <= MAX_REMEMBERED {
                self.known.resize(n_src * n_dst, 0);
            }
        }
    }

    /// What matching two nodes of one type saves, by their labels in the pair's numbering.
    pub(crate) fn gain(
        &mut self,
        pair: &Pair<'_>,
        (a, b): (u32, u32),
        (src, dst): (u32, u32),
    ) -> u64 {
        if a == 0 || b == 0 {
            return UNIT;
        }
        if a == b {
            return 2 * UNIT;
        }
        let (a, b) = (
            pair.src.tree.labels[src as usize],
            pair.dst.tree.labels[dst as usize],
        );
        let place = a as usize * self.dst.len() + b as usize;
        match self.known.get(place) {
            Some(0) | None => {
                let units = self.compare(pair, a, b);
                if let Some(known) = self.known.get_mut(place) {
                    *known = units + 1;
                }
                UNIT + u64::from(units)
            }
            Some(known) => UNIT + u64::from(known - 1),
        }
    }

    fn compare(&mut self, pair: &Pair<'_>, a: u32, b: u32) -> u32 {
        let x = self.src[a as usize].get_or_insert_with(|| grams(pair.src.tree.label_text(a)));
        let y = self.dst[b as usize].get_or_insert_with(|| grams(pair.dst.tree.label_text(b)));
        similarity(x, y)
    }
}

/// The sorted 3-grams of a label between two `#` on either side; a code point has 21 bits.
fn grams(label: &str) -> Box<[u64]> {
    let mut gram = u64::from('#') << 21 | u64::from('#');
    let units = label.chars().chain("##".chars());
    let mut grams: Vec<u64> = units
        .map(|unit| {
            gram = (gram << 21 | u64::from(unit)) & ((1 << 63) - 1);
            gram
        })
        .collect();
    grams.sort_unstable();
    grams.into_boxed_slice()
}

/// The similarity of two multisets in units: 1 less the differing ones by all, in single precision.
fn similarity(a: &[u64], b: &[u64]) -> u32 {
    let (mut i, mut j, mut n_common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, n_common) = (i + 1, j + 1, n_common + 1),
        }
    }
    let n_grams = a.len() + b.len();
    in_units(n_grams - 2 * n_common, n_grams)
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the reference's own single precision, of a number from 0 to 1"
)]
fn in_units(n_differing: usize, n_grams: usize) -> u32 {
    let similarity = 1.0 - n_differing as f32 / n_grams as f32;
    (similarity * UNIT as f32) as u32
}
