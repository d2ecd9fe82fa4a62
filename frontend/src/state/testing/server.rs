//! Tests on the server: a job is asked for, listened to, and given up when nobody waits for it any more.

use shared::api::{JobEvent, JobId, JobRequest, paths};
use shared::report::TestReport;
use wasm_bindgen_futures::spawn_local;

use super::{Phase, Testing};
use crate::state::jobs::{self, Hearing, LOST, News};
use crate::worker::protocol::{Failure, FailureKind};

/// Runs a job to its report, or says in a title and a reason why there is none.
pub(crate) async fn run(
    testing: Testing,
    request: &JobRequest,
) -> Result<TestReport, (&'static str, Failure)> {
    testing.phase.set(Phase::Starting("Asking the server"));
    let taken = jobs::take(paths::JOBS, request).await?;
    let mut job = Job(Some(taken.id.clone()));
    testing.phase.set(Phase::Queued(taken.n_ahead));
    let result = listen(testing, &taken.id).await;
    // It has ended by itself.
    job.0 = None;
    result
}

async fn listen(testing: Testing, id: &JobId) -> Result<TestReport, (&'static str, Failure)> {
    let mut hearing = Hearing::open(id).map_err(|why| (LOST, why))?;
    while let Some(news) = hearing.next().await {
        match news.map_err(|why| (LOST, why))? {
            News::FromTheBeginning => testing.tests.set(Vec::new()),
            News::Lost => testing.phase.set(Phase::Waiting),
            News::Event(JobEvent::Queued { n_ahead }) => testing.phase.set(Phase::Queued(n_ahead)),
            News::Event(JobEvent::Started) => testing.phase.set(Phase::Running),
            News::Event(JobEvent::Test(run)) => testing.take(*run),
            News::Event(JobEvent::Done(report)) => return Ok(*report),
            News::Event(JobEvent::Failed { message }) => {
                let why = Failure::new(FailureKind::Broken, message);
                return Err(("The engine failed", why));
            }
            News::Event(JobEvent::Cancelled) => {
                let why = Failure::new(FailureKind::Cancelled, "somebody gave it up on the server");
                return Err(("Cancelled", why));
            }
            News::Event(JobEvent::Reference { .. } | JobEvent::Checked) => {}
        }
    }
    let why = Failure::new(FailureKind::NotFound, "it does not know it any more");
    Err((LOST, why.next("run the tests again")))
}

/// A job of the server, which is given up when this is dropped.
struct Job(Option<JobId>);

impl Drop for Job {
    fn drop(&mut self) {
        if let Some(id) = self.0.take() {
            spawn_local(jobs::give_up(id));
        }
    }
}
