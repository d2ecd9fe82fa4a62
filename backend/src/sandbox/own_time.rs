//! What test classes take of the reference: the measure of what a variant may take.

use std::sync::Arc;

use moka::future::Cache;
use shared::dataset::Dataset;
use shared::harness::{Allowance, TestJob};
use shared::report::TestReport;
use shared::subject::ClassItem;
use shared::variant::VariantId;

use super::{Sandbox, SandboxError, run};

/// Each reference is run once on an engine.
pub struct OwnTimes(Cache<Key, Arc<TestReport>>);

#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// Of the benchmark's content.
    sha256: String,
    class: String,
    engine: &'static str,
    python: String,
}

impl Default for OwnTimes {
    fn default() -> Self {
        Self(Cache::new(10_000))
    }
}

impl OwnTimes {
    /// Gives the test classes of a job their time.
    pub async fn allow(
        &self,
        sandbox: &dyn Sandbox,
        (dataset, class): (&Dataset, &ClassItem),
        job: &mut TestJob,
        allowance: Allowance,
    ) -> Result<(), Arc<SandboxError>> {
        if job.module == class.source {
            return Ok(());
        }
        let about = sandbox.about();
        let key = Key {
            sha256: dataset.sha256.clone(),
            class: class.name.clone(),
            engine: about.engine,
            python: about.python,
        };
        let id = VariantId(class.name.clone());
        let reference = TestJob::of(class, id, class.source.clone(), job.protocol, job.limits);
        let measured = async { run(sandbox, &reference, |_| ()).await.map(Arc::new) };
        job.allow(&*self.0.try_get_with(key, measured).await?, allowance);
        Ok(())
    }
}
