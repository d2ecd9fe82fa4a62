//! Comparing programs: what the worker does for the pages that are a part of their own (`pages/lazy.rs`).

#![expect(
    clippy::unnecessary_wraps,
    reason = "an error is what `wasm_split` makes of a part that cannot be loaded"
)]

pub(crate) mod protocol;

pub(crate) mod client;

pub(crate) mod batch;
pub(crate) mod diff;
mod examine;
mod pairs;
mod prepare;

use futures_util::future::LocalBoxFuture;
use serde::Serialize;
use wasm_split_helpers::wasm_split;
use web_sys::Blob;

use self::protocol::Question;
use crate::worker::library::SharedLibrary;
use crate::worker::pace::Pace;
use crate::worker::protocol::{Failure, FailureKind};

/// What a question comes with.
pub(crate) struct Desk {
    pub(crate) files: Vec<Blob>,
    pub(crate) library: SharedLibrary,
    pub(crate) pace: Pace,
}

impl Desk {
    /// A file that the question needs.
    fn file(&self, at: usize) -> Result<&Blob, Failure> {
        self.files
            .get(at)
            .ok_or_else(|| Failure::new(FailureKind::Invalid, "no file came with the question"))
    }
}

/// JSON, and a file where one was asked for.
pub(crate) type Answer = (String, Option<Blob>);

/// Answers a [`Question`] given as JSON.
#[wasm_split(compare, fallible)]
pub(crate) fn answer(
    question: String,
    desk: Desk,
) -> Result<LocalBoxFuture<'static, Result<Answer, Failure>>, Failure> {
    Ok(Box::pin(async move {
        let question = serde_json::from_str(&question).map_err(|e| {
            let message = format!("the worker does not understand the question ({e})");
            Failure::new(FailureKind::Invalid, message)
        })?;
        answered(question, &desk).await
    }))
}

async fn answered(question: Question, desk: &Desk) -> Result<Answer, Failure> {
    match question {
        Question::Diff { a, b, matcher } => Ok((json(&diff::compare(&a, &b, matcher)), None)),
        Question::DiffPairs {
            matcher,
            with_trees,
        } => {
            let (counts, lines) = pairs::compare(matcher, with_trees, desk).await?;
            Ok((json(&counts), Some(lines)))
        }
        Question::Identify {
            dataset,
            options,
            names,
        } => {
            let found = batch::identify(&dataset, options, &names, desk).await?;
            Ok((json(&found), None))
        }
        Question::Identified { run, n } => Ok((json(&batch::identified(run, n)?), None)),
        Question::Written { run, lines } => {
            Ok((String::from("null"), Some(batch::written(run, lines)?)))
        }
        Question::Example(dataset) => {
            let library = desk.library.get().await;
            let open = library.open(&dataset, &desk.pace).await?;
            Ok((json(&batch::example(&open.dataset)), None))
        }
        Question::Prepare(program) => Ok((json(&prepare::prepare(program, desk).await?), None)),
        Question::Examine(variant) => Ok((json(&examine::examine(variant, desk).await?), None)),
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
