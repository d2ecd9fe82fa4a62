//! The program itself: its output, its exit codes, and what an interruption leaves.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cli {
    pub(crate) mod support;

    mod import;
    mod perturb;
    mod serve;
}
