//! What these tests do.

use backend::sandbox::{self, Sandbox};
use shared::harness::TestJob;
use shared::report::TestReport;

pub(crate) async fn run(engine: &dyn Sandbox, job: &TestJob) -> TestReport {
    let report = sandbox::run(engine, job, |_| ()).await;
    report.unwrap_or_else(|why| panic!("{}: no report: {why}", job.variant))
}
