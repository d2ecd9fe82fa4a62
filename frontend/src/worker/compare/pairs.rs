//! A file of pairs of texts, compared line by line.

use shared::diff::{DiffOptions, MatcherId, PairOptions, pair_line};
use web_sys::Blob;

use super::Desk;
use super::protocol::PairCounts;
use crate::worker::protocol::{Failure, FailureKind};
use crate::worker::{blob, upload};

/// How many lines are one text of the answer: the browser keeps what is given.
const AT_ONCE: usize = 64;

pub(super) async fn compare(
    matcher: MatcherId,
    with_trees: bool,
    desk: &Desk,
) -> Result<(PairCounts, Blob), Failure> {
    let options = PairOptions {
        diff: DiffOptions {
            matcher,
            ..DiffOptions::default()
        },
        with_trees,
    };
    let bytes = upload::text_of(desk.file(0)?).await.map_err(no_pairs)?;
    let text = String::from_utf8_lossy(&bytes);
    let of = text.lines().count();
    let mut counts = PairCounts::default();
    let mut parts = Vec::with_capacity(of / AT_ONCE + 1);
    let mut part = String::new();
    for (done, line) in text.lines().enumerate() {
        desk.pace.breathe(done, of).await?;
        let Some(answer) = pair_line(line, done + 1, &options) else {
            continue;
        };
        match &answer {
            Ok(_) => counts.n_compared += 1,
            Err(_) => counts.n_bad += 1,
        }
        part.push_str(&answer.unwrap_or_else(|bad| bad));
        part.push('\n');
        if done % AT_ONCE == 0 {
            parts.push(std::mem::take(&mut part));
        }
    }
    parts.push(part);
    Ok((counts, blob(parts)?))
}

/// What to choose instead of a file that cannot be unpacked.
fn no_pairs(why: Failure) -> Failure {
    match why.kind {
        FailureKind::Invalid => {
            why.next("choose JSON lines with id, a and b, as they are or as .gz")
        }
        _ => why,
    }
}
