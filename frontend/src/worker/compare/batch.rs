//! A file of variants identified, and kept for what is asked of it afterwards.

mod example;
pub(crate) mod protocol;

use std::cell::RefCell;
use std::rc::Rc;

use shared::identify::{BadLine, Batch, Decision, Identified, IdentifyOptions, text_of_line};
use shared::subject::DatasetId;
use web_sys::Blob;

pub(super) use self::example::example;
use self::protocol::{DecisionRow, IdentifiedFile, IdentifiedVariant, Lines};
use super::{Desk, diff};
use crate::worker::open::Open;
use crate::worker::protocol::{Failure, FailureKind};
use crate::worker::{blob, upload};

/// How many bad lines are told of; the file of decisions has all.
const MOST_BAD: usize = 500;
/// How many lines are one text of a file: the browser keeps what is given.
const AT_ONCE: usize = 64;

thread_local! {
    static LAST: RefCell<Option<Rc<Last>>> = const { RefCell::new(None) };
}

/// The last file.
struct Last {
    run: u32,
    open: Rc<Open>,
    options: IdentifyOptions,
    identified: Vec<Identified>,
    decisions: Blob,
    cases: Blob,
}

/// What comes out of a file, and the files made of it.
#[derive(Default)]
struct Outcome {
    found: IdentifiedFile,
    identified: Vec<Identified>,
    decisions: Writer,
    cases: Writer,
}

/// Lines on their way into a file.
#[derive(Default)]
struct Writer {
    parts: Vec<String>,
    n_lines: usize,
}

impl Outcome {
    fn add(&mut self, mut identified: Identified) {
        self.decisions.line(&identified.json_line());
        if let Decision::Case(case) = &identified.decision {
            self.cases.line(&case.json_line());
        }
        self.found.decisions.push(row(&identified));
        // The whole class is there for the tests, which are not run here.
        identified.examined.module = None;
        self.identified.push(identified);
    }

    fn refuse(&mut self, file: &str, line: usize, error: String) {
        let file = file.to_owned();
        let bad = BadLine { file, line, error };
        self.decisions.line(&bad.json_line());
        self.found.n_bad += 1;
        if self.found.bad.len() < MOST_BAD {
            self.found.bad.push(bad);
        }
    }
}

impl Writer {
    fn line(&mut self, line: &str) {
        if self.n_lines.is_multiple_of(AT_ONCE) {
            self.parts.push(String::new());
        }
        self.n_lines += 1;
        if let Some(part) = self.parts.last_mut() {
            part.push_str(line);
        }
    }
}

/// Identifies the variants of the first file, with the reports of the second, if there is one.
pub(super) async fn identify(
    dataset: &DatasetId,
    options: IdentifyOptions,
    names: &[String],
    desk: &Desk,
) -> Result<IdentifiedFile, Failure> {
    let open = desk.library.get().await.open(dataset, &desk.pace).await?;
    let mut texts = Vec::new();
    for file in &desk.files {
        texts.push(upload::text_of(file).await.map_err(no_lines)?);
    }
    let [variants, reports] = [0, 1].map(|at| texts.get(at).map_or(&[][..], Vec::as_slice));
    let [name, reports_name] = [0, 1].map(|at| names.get(at).map_or("", String::as_str));
    let n_reports = lines(reports).count();
    let of = lines(variants).count() + n_reports;
    let mut outcome = Outcome::default();
    let mut batch = Batch::new(&open.dataset, options);
    for (at, line) in lines(reports).enumerate() {
        desk.pace.breathe(at, of).await?;
        let Some(line) = text_of_line(line) else {
            continue;
        };
        if let Err(why) = line.and_then(|line| batch.report(line)) {
            outcome.refuse(reports_name, at + 1, why);
        }
    }
    for (at, line) in lines(variants).enumerate() {
        desk.pace.breathe(n_reports + at, of).await?;
        let Some(line) = text_of_line(line) else {
            continue;
        };
        match line.and_then(|line| batch.variant(line, at + 1)) {
            Ok(identified) => outcome.add(identified),
            Err(why) => outcome.refuse(name, at + 1, why),
        }
    }
    outcome.decisions.line(&batch.funnel().json_line());
    let run = LAST.with_borrow(|last| last.as_ref().map_or(1, |last| last.run + 1));
    let found = IdentifiedFile {
        run,
        options,
        funnel: batch.funnel().clone(),
        n_unused: batch.unused_reports().count(),
        first_unused: batch.unused_reports().next().map(ToString::to_string),
        ..outcome.found
    };
    let last = Last {
        run,
        options,
        identified: outcome.identified,
        decisions: blob(outcome.decisions.parts)?,
        cases: blob(outcome.cases.parts)?,
        open: Rc::clone(&open),
    };
    LAST.set(Some(Rc::new(last)));
    Ok(found)
}

/// Everything about one variant of the last file.
pub(super) fn identified(run: u32, n: usize) -> Result<IdentifiedVariant, Failure> {
    let last = last(run)?;
    let Identified {
        variant, examined, ..
    } = last.identified.get(n).ok_or_else(gone)?;
    let reference = last.open.dataset.subject(&variant.subject);
    let reference = reference.ok_or_else(gone)?.source.clone();
    let has_method = examined.extraction.is_some();
    Ok(IdentifiedVariant {
        diff: has_method.then(|| diff::compare(&reference, &examined.method, last.options.matcher)),
        reference,
        method: examined.method.clone(),
        text: variant.text.clone(),
        options: variant.options.clone(),
        extraction: examined.extraction.clone(),
        collisions: examined.collisions.clone(),
        sites: examined.sites.clone(),
        outside: examined.outside.clone(),
    })
}

/// A file of what was decided last.
pub(super) fn written(run: u32, lines: Lines) -> Result<Blob, Failure> {
    let last = last(run)?;
    Ok(match lines {
        Lines::Decisions => last.decisions.clone(),
        Lines::Cases => last.cases.clone(),
    })
}

fn last(run: u32) -> Result<Rc<Last>, Failure> {
    let last = LAST.with_borrow(Clone::clone);
    last.filter(|last| last.run == run).ok_or_else(gone)
}

fn gone() -> Failure {
    Failure::new(
        FailureKind::NotFound,
        "the background worker has these variants no longer, for it was started again",
    )
    .next("identify them once more")
}

fn row(identified: &Identified) -> DecisionRow {
    let Identified {
        variant, decision, ..
    } = identified;
    DecisionRow {
        id: variant.id.0.clone(),
        subject: variant.subject.clone(),
        rule: variant.rule,
        instance: variant.instance,
        generator: variant.origin.generator().to_owned(),
        decision: decision.slug().to_owned(),
        why: identified.why(),
        n_stages: decision.n_stages(),
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line))
}

/// The same refusal, with what this file is to be.
fn no_lines(why: Failure) -> Failure {
    match why.kind {
        FailureKind::Invalid => why.next("choose a file of JSON lines, plain or as .gz"),
        _ => why,
    }
}
