//! Long runs of rows without an edit, folded.

use std::ops::Range;

/// Rows that are shown around an edit.
const CONTEXT: usize = 3;
/// A run shorter than this is not worth folding.
const WORTH: usize = 4;
/// The most rows that are shown without being asked for: a page of more is slow.
const MOST: usize = 1500;

/// Rows that are shown or folded together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) rows: Range<usize>,
    pub(crate) is_folded: bool,
}

/// Cuts all rows into blocks; `is_edited` tells of each whether it has an edit.
pub(crate) fn fold(is_edited: &[bool]) -> Vec<Block> {
    let n = is_edited.len();
    let mut is_near = vec![false; n];
    for (at, _) in is_edited.iter().enumerate().filter(|(_, edited)| **edited) {
        is_near[at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(n)].fill(true);
    }
    let mut blocks: Vec<Block> = Vec::new();
    let mut n_shown = 0;
    for run in is_near.chunk_by(|x, y| x == y) {
        let start = blocks.last().map_or(0, |block| block.rows.end);
        let is_folded = !run[0] && run.len() >= WORTH || n_shown > MOST;
        if !is_folded {
            n_shown += run.len();
        }
        let end = start + run.len();
        match blocks.last_mut() {
            Some(last) if last.is_folded == is_folded => last.rows.end = end,
            _ => blocks.push(Block {
                rows: start..end,
                is_folded,
            }),
        }
    }
    // One run alone may be too much.
    for at in 0..blocks.len() {
        let Range { start, end } = blocks[at].rows;
        if !blocks[at].is_folded && end - start > MOST {
            blocks[at].rows.end = start + MOST;
            let rest = Block {
                rows: start + MOST..end,
                is_folded: true,
            };
            blocks.insert(at + 1, rest);
        }
    }
    blocks
}
