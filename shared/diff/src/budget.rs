//! How much a diff may cost.

/// What a diff may cost before it gives up on trees and compares tokens. Counted in steps, not in
/// time, so that the same input gives the same result on any machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most nodes of both trees together.
    pub max_nodes: usize,
    /// The most elementary steps: cells of a table, nodes looked at. A native build does about
    /// 800 million a second.
    pub max_steps: u64,
}

impl Default for Budget {
    /// For two files of some ten thousand lines, and two seconds at the worst. The reference's own
    /// corpus, files of a thousand lines among it, stays below a thirtieth.
    fn default() -> Self {
        Self {
            max_nodes: 400_000,
            max_steps: 1_000_000_000,
        }
    }
}

/// The budget is spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutOfBudget;

/// What is left of the budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps(u64);

impl Steps {
    pub(crate) fn new(budget: &Budget) -> Self {
        Self(budget.max_steps)
    }

    /// For what costs none.
    pub(crate) fn none() -> Self {
        Self(0)
    }

    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), OutOfBudget> {
        let left = self.0.checked_sub(steps as u64).ok_or(OutOfBudget)?;
        self.0 = left;
        Ok(())
    }
}
