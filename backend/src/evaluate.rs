//! One job of the server: from a request to its last word.

use anyhow::{Context as _, Result};
use shared::api::{CheckRequest, JobEvent, JobRequest};
use shared::dataset::Dataset;
use shared::harness::{Allowance, TestJob};
use shared::identify::Reference;
use shared::integrity::Integrity;
use shared::relation::Related;
use shared::report::{Limits, Protocol};
use shared::variant::VariantId;

use crate::integrity::{Check, Kept, Key};
use crate::jobs::Listener;
use crate::sandbox::{self, Engines, OwnTimes, Progress};

/// Runs the tests of a class.
pub(crate) async fn run(
    (engines, times): (&Engines, &OwnTimes),
    dataset: &Dataset,
    request: JobRequest,
    listener: Listener,
) -> Result<JobEvent> {
    let engine = engines.get(request.engine.as_deref()).await?;
    let subject = dataset
        .subject(&request.subject)
        .with_context(|| format!("the benchmark has no method {} any more", request.subject))?;
    let class = dataset.class_of(subject);
    let module = match &request.code {
        None => class.source.clone(),
        Some(reply) => {
            let reference = Reference::of(class, subject, dataset.context_of(subject));
            reference.splice(reply).with_context(|| {
                format!("the code has no method {}; give its code", subject.method)
            })?
        }
    };
    let limits = Limits {
        gpus: request.gpus,
        ..Limits::of(request.protocol)
    };
    let id = VariantId(subject.id.0.clone());
    let job = TestJob::of(class, id, module, request.protocol, limits);
    let mut job = job.related(&Related::of(dataset, subject));
    if request.protocol == Protocol::Corrected {
        let allowance = Allowance::default();
        let of = (dataset, class);
        times
            .allow(engine.as_ref(), of, &mut job, allowance)
            .await?;
    }
    let heard = |Progress::Test(run)| listener(JobEvent::Test(Box::new(run)));
    let report = sandbox::run(engine.as_ref(), &job, heard).await?;
    Ok(JobEvent::Done(Box::new(report)))
}

/// Checks the references of a benchmark, so many at a time, and keeps what is found.
pub(crate) async fn check(
    (engines, kept): (&Engines, &Kept),
    dataset: &Dataset,
    how: CheckRequest,
    n_at_once: usize,
    listener: Listener,
) -> Result<JobEvent> {
    let state = engines.about(how.engine.as_deref()).await;
    let name = state.as_ref().map(|it| it.engine.as_str());
    let sandbox = engines.get(name.or(how.engine.as_deref())).await?;
    let protocol = how.protocol;
    let allowance = (protocol == Protocol::Corrected).then(Allowance::default);
    let check = Check::new(
        sandbox,
        (protocol, Limits::of(protocol), allowance),
        n_at_once,
    );
    let of = dataset.classes.len();
    let heard = |it: &Integrity| {
        listener(JobEvent::Reference {
            class: it.class.clone(),
            standing: it.standing,
            of,
        });
    };
    let found = check.all(&dataset.classes, heard).await?;
    if let Some(engine) = &state {
        let sha256 = &dataset.sha256;
        let key = Key {
            sha256,
            engine,
            protocol,
        };
        kept.keep(&key, &found)?;
    }
    Ok(JobEvent::Checked)
}
