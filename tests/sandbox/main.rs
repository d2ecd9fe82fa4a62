//! Programs that are run: by real engines, over real and hostile code.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod classeval;
mod dockerd;
mod engines;
mod faults;
mod hostile;
mod integrity;
mod leftovers;
mod predictions;
mod support;
mod surroundings;
mod time;

/// The tests of an engine, each under its name: `cargo test … wasm_lite` runs one engine's.
macro_rules! each_engine {
    ($($module:ident: $engine:expr,)+) => {
        $(mod $module {
            #[tokio::test(flavor = "multi_thread")]
            async fn contains_every_attack() {
                crate::hostile::every_attack_is_contained(&$engine).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn agrees_with_what_is_known_of_classeval() {
                crate::classeval::references_pass_as_they_are_known_to(&$engine).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn finds_the_starter_clean() {
                crate::integrity::the_starter_is_clean(&$engine).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn gives_time_again_that_ran_out_beside_others() {
                crate::time::time_that_runs_out_beside_others_is_given_again_alone(&$engine).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn gives_a_multiple_of_the_references_time() {
                crate::time::a_test_class_gets_a_multiple_of_what_the_reference_takes(&$engine).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn agrees_with_what_is_known_of_real_models() {
                crate::predictions::verdicts_of_real_models_are_as_they_are_known(&$engine).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn keeps_files_after_a_hang() {
                crate::surroundings::files_outlive_a_hang(&$engine).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn gives_the_surroundings_that_it_reports() {
                crate::surroundings::surroundings_are_as_the_report_says(&$engine).await;
                crate::surroundings::hashes_follow_their_seed(&$engine).await;
            }
        })+
    };
}

each_engine! {
    wasm_full: crate::engines::WASM_FULL,
    wasm_lite: crate::engines::WASM_LITE,
    docker: crate::engines::DOCKER,
    process: crate::engines::PROCESS,
}
