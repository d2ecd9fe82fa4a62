//! The program itself: its output, its exit codes, and what an interruption leaves.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod cli {
    pub(crate) mod support;

    mod import;
    mod openai;
    mod perturb;
    mod recordings;
    mod serve;
    #[path = "../../../tests/api/llm/upstream.rs"]
    #[expect(dead_code, reason = "these tests need a part of it")]
    mod upstream;
}
