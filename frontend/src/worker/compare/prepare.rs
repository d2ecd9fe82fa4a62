//! A program of a class and its tests, as an engine takes them.

use std::ops::Range;

use shared::dataset::Dataset;
use shared::harness::TestJob;
use shared::identify::Reference;
use shared::report::{Limits, Protocol};
use shared::syntax::{outline, parse_python};
use shared::text::LineIndex;
use shared::variant::VariantId;

use super::Desk;
use super::protocol::{Prepared, ProgramText};
use crate::worker::protocol::{Failure, FailureKind};

pub(super) async fn prepare(asked: ProgramText, desk: &Desk) -> Result<Prepared, Failure> {
    let library = desk.library.get().await;
    let open = library.open(&asked.dataset, &desk.pace).await?;
    prepare_in(&open.dataset, &asked)
}

fn prepare_in(dataset: &Dataset, asked: &ProgramText) -> Result<Prepared, Failure> {
    let subject = dataset.subject(&asked.subject).ok_or_else(|| {
        let message = format!("the benchmark has no method {}", asked.subject);
        Failure::new(FailureKind::NotFound, message).next("choose one of its methods from the list")
    })?;
    let class = dataset.class_of(subject);
    let module = match &asked.code {
        None => class.source.clone(),
        Some(code) => {
            let reference = Reference::of(class, subject, dataset.context_of(subject));
            reference.splice(code).ok_or_else(|| {
                let message = format!("there is no method {} in the text", subject.method);
                Failure::new(FailureKind::Invalid, message)
                    .next(format!("write it as `def {}(self, …):`", subject.method))
            })?
        }
    };
    let method = lines_of(&module, &class.name, &subject.method);
    let id = VariantId(subject.id.0.clone());
    let job = TestJob::of(class, id, module, Protocol::default(), Limits::default());
    if job.classes.is_empty() {
        let message = format!("the benchmark has no tests for {}", class.name);
        return Err(Failure::new(FailureKind::NotFound, message).next("choose another class"));
    }
    Ok(Prepared { job, method })
}

/// The lines of a method, from 1; none where it is not found.
fn lines_of(module: &str, class: &str, method: &str) -> Range<u32> {
    let parsed = parse_python(module);
    let tree = &parsed.tree;
    let found = outline::class(tree, class);
    let Some(found) = found.and_then(|class| outline::method_of(tree, class, method)) else {
        return 0..0;
    };
    let lines = LineIndex::new(module);
    let line = |offset| u32::try_from(lines.line(offset)).unwrap_or_default();
    let span = tree.node(found).span;
    line(span.start)..line(span.end.saturating_sub(1)) + 1
}

#[cfg(test)]
mod tests;
