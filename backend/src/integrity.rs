//! Running references under probes, to learn which can judge variants.

mod kept;

use std::sync::Arc;

use futures_util::future::{BoxFuture, try_join_all};
use futures_util::{FutureExt as _, StreamExt as _};
use shared::harness::{Allowance, TestJob};
use shared::integrity::{Integrity, Probe, ProbeRun, next_probe};
use shared::report::{Limits, Protocol, TestReport};
use shared::subject::ClassItem;
use shared::variant::VariantId;
use tokio::sync::Semaphore;

pub(crate) use self::kept::{Kept, Key};
use crate::sandbox::{Sandbox, SandboxError, run};

/// A quiet run takes the seats of so many: the machine is busy when all seats are taken one by one.
const QUIET: u32 = 2;

/// How references are run.
#[derive(Clone)]
pub struct Check {
    sandbox: Arc<dyn Sandbox>,
    protocol: Protocol,
    limits: Limits,
    allowance: Option<Allowance>,
    n_seats: u32,
    seats: Arc<Semaphore>,
}

impl Check {
    /// On an engine, with so many quiet runs at a time.
    pub fn new(
        sandbox: Arc<dyn Sandbox>,
        (protocol, limits, allowance): (Protocol, Limits, Option<Allowance>),
        n_at_once: usize,
    ) -> Self {
        let n_seats = u32::try_from(n_at_once).unwrap_or(1) * QUIET;
        Self {
            sandbox,
            protocol,
            limits,
            allowance,
            n_seats,
            seats: Arc::new(Semaphore::new(n_seats as usize)),
        }
    }

    /// Checks classes; `on_one` hears what each is.
    pub async fn all<'a>(
        &self,
        classes: impl IntoIterator<Item = &'a ClassItem>,
        on_one: impl Fn(&Integrity) + Sync,
    ) -> Result<Vec<Integrity>, SandboxError> {
        let one = |class: &'a ClassItem| {
            let heard = async {
                let found = self.one(class).await?;
                found.iter().for_each(&on_one);
                Ok(found)
            };
            heard.boxed()
        };
        let running: Vec<BoxFuture<'_, _>> = classes.into_iter().map(one).collect();
        let running = futures_util::stream::iter(running);
        let found: Vec<_> = running.buffered(self.n_seats as usize).collect().await;
        found.into_iter().filter_map(Result::transpose).collect()
    }

    /// Runs a class's reference under every probe that says something new.
    async fn one(&self, class: &ClassItem) -> Result<Option<Integrity>, SandboxError> {
        let mut runs: Vec<ProbeRun> = Vec::new();
        while let Some(probe) = next_probe(class, &runs) {
            let report = self.probe(class, &probe, runs.first()).await?;
            runs.push(ProbeRun { probe, report });
        }
        Ok(Integrity::of(class, self.protocol, &runs))
    }

    async fn probe(
        &self,
        class: &ClassItem,
        probe: &Probe,
        usual: Option<&ProbeRun>,
    ) -> Result<TestReport, SandboxError> {
        let id = VariantId(class.name.clone());
        let source = class.source.clone();
        let mut job = TestJob::of(class, id, source, self.protocol, self.limits);
        // A variant has no more.
        if let (Some(usual), Some(allowance)) = (usual, self.allowance) {
            job.allow(&usual.report, allowance);
        }
        let job = job.within(probe.surroundings());
        if *probe != Probe::Busy {
            let n_seats = if probe.is_busy() { 1 } else { QUIET };
            return self.run(&job, n_seats).await;
        }
        // Nothing else may want seats now: it takes them all with copies of itself.
        let copies = (0..self.n_seats).map(|_| self.run(&job, 1));
        let mut reports = try_join_all(copies).await?;
        let failed = reports.iter().position(|it| it.broken().next().is_some());
        Ok(reports.swap_remove(failed.unwrap_or(0)))
    }

    async fn run(&self, job: &TestJob, n_seats: u32) -> Result<TestReport, SandboxError> {
        let _seats = self.seats.acquire_many(n_seats).await;
        run(self.sandbox.as_ref(), job, |_| ()).await
    }
}
