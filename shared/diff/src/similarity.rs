//! How alike two inner nodes are, from what is mapped below them.

/// How many of the nodes below two nodes correspond, as a number from 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Similarity {
    /// The common ones by the larger number of descendants.
    CommonOfLarger,
    /// Twice the common ones by the sum of both numbers (Dice).
    Dice,
}

impl Similarity {
    /// The similarity of nodes with `n_src` and `n_dst` descendants, `n_common` of them mapped into
    /// each other.
    pub fn of(self, n_common: u32, n_src: u32, n_dst: u32) -> f64 {
        match self {
            Self::CommonOfLarger => ratio(f64::from(n_common), f64::from(n_src.max(n_dst))),
            Self::Dice => dice(n_common, n_src, n_dst),
        }
    }
}

/// How alike two inner nodes have to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Threshold {
    /// 1 / (1 + ln of the descendants of both): less is asked of larger nodes.
    Falling,
    /// Always the same.
    Fixed(f64),
}

impl Threshold {
    /// The least similarity of two nodes with `n` descendants together, at least 2.
    pub fn of(self, n: u32) -> f64 {
        match self {
            Self::Falling => 1.0 / (1.0 + f64::from(n).ln()),
            Self::Fixed(least) => least,
        }
    }
}

/// Twice the common ones by the sum of both numbers; 0 where there is nothing.
pub(crate) fn dice(n_common: u32, n_src: u32, n_dst: u32) -> f64 {
    ratio(
        2.0 * f64::from(n_common),
        f64::from(n_src) + f64::from(n_dst),
    )
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}
