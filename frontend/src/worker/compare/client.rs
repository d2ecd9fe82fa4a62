//! What the pages of the part `compare` ask, a function a question.

use serde::de::DeserializeOwned;
use shared::diff::MatcherId;
use shared::identify::IdentifyOptions;
use shared::subject::DatasetId;
use web_sys::Blob;

use super::batch::protocol::{Example, IdentifiedFile, IdentifiedVariant, Lines};
use super::protocol::{
    DiffView, ExaminedView, PairCounts, Prepared, ProgramText, Question, VariantText,
};
use crate::platform::files::UserFile;
use crate::worker::client::{self, ClientError, OnProgress};

/// A file that the worker made, to be saved.
pub(crate) type Made = Blob;

pub(crate) async fn diff(
    a: String,
    b: String,
    matcher: MatcherId,
) -> Result<DiffView, ClientError> {
    Ok(ask(&Question::Diff { a, b, matcher }, &[], None).await?.0)
}

/// Compares every pair of a file of JSON lines; the answer's lines are a file, too.
pub(crate) async fn diff_pairs(
    file: Blob,
    matcher: MatcherId,
    on_progress: OnProgress,
) -> Result<(PairCounts, Made), ClientError> {
    let question = Question::DiffPairs {
        matcher,
        with_trees: false,
    };
    let (counts, lines) = ask(&question, &[file], Some(on_progress)).await?;
    lines
        .map(|lines| (counts, lines))
        .ok_or_else(client::no_file)
}

/// Identifies the variants of the first file; a second one holds test reports.
pub(crate) async fn identify(
    dataset: DatasetId,
    options: IdentifyOptions,
    files: Vec<UserFile>,
    on_progress: OnProgress,
) -> Result<IdentifiedFile, ClientError> {
    let question = Question::Identify {
        dataset,
        options,
        names: files.iter().map(UserFile::name).collect(),
    };
    let files: Vec<Blob> = files.into_iter().map(UserFile::into_blob).collect();
    Ok(ask(&question, &files, Some(on_progress)).await?.0)
}

pub(crate) async fn identified(run: u32, n: usize) -> Result<IdentifiedVariant, ClientError> {
    Ok(ask(&Question::Identified { run, n }, &[], None).await?.0)
}

pub(crate) async fn written(run: u32, lines: Lines) -> Result<Made, ClientError> {
    let ((), file) = ask(&Question::Written { run, lines }, &[], None).await?;
    file.ok_or_else(client::no_file)
}

pub(crate) async fn example(dataset: DatasetId) -> Result<Example, ClientError> {
    Ok(ask(&Question::Example(dataset), &[], None).await?.0)
}

pub(crate) async fn examine(variant: VariantText) -> Result<ExaminedView, ClientError> {
    Ok(ask(&Question::Examine(variant), &[], None).await?.0)
}

pub(crate) async fn prepare(program: ProgramText) -> Result<Prepared, ClientError> {
    Ok(ask(&Question::Prepare(program), &[], None).await?.0)
}

async fn ask<T: DeserializeOwned>(
    question: &Question,
    files: &[Blob],
    on_progress: Option<OnProgress>,
) -> Result<(T, Option<Blob>), ClientError> {
    let question = serde_json::to_string(question).unwrap_or_default();
    let (answer, blob) = client::compare(question, files, on_progress).await?;
    let answer = serde_json::from_str(&answer).map_err(|e| client::unreadable(&e))?;
    Ok((answer, blob))
}
