//! Tests in this page: the same harness and the same listener as on the server, around a Python in a worker.

use std::cell::RefCell;
use std::time::Duration;

use futures_util::future::{Either, select};
use shared::api::{BROWSER, EngineState};
use shared::harness::{Ended, HARNESS, Heard, Listener, TestJob};
use shared::report::{EngineStamp, Limits, Surroundings, TestReport};

use super::{Phase, Testing};
use crate::platform::clock;
use crate::platform::python::{self, Python, Told};
use crate::worker::protocol::{Failure, FailureKind};

/// Where a program finds its folder.
const FOLDER: &str = "/work";
/// How long Python may take to start, in milliseconds.
const START_MS: u32 = 60_000;
/// How long a program that said its last word may take to end.
const END: Duration = Duration::from_secs(1);
/// The longest line of the harness, in bytes: its texts are bounded.
const LONGEST_LINE: usize = 256 * 1024;

/// Why there is no report: a title and a reason.
type Failed = (&'static str, Failure);

thread_local! {
    /// A Python that waits for the next program: starting one takes seconds.
    static SPARE: RefCell<Option<(Limits, Surroundings, Python)>> = const { RefCell::new(None) };
}

/// Ends the Python that waits.
pub(crate) fn drop_spare() {
    SPARE.set(None);
}

/// This engine, where no server says what it is.
pub(crate) fn state() -> EngineState {
    EngineState {
        engine: BROWSER.to_owned(),
        title: "Python in this browser, with its standard library".to_owned(),
        python: "Pyodide".to_owned(),
        libraries: Vec::new(),
        gpus: 0,
        missing: None,
        gaps: Vec::new(),
    }
}

/// Runs a job to its report.
pub(crate) async fn run(testing: Testing, job: &TestJob) -> Result<TestReport, Failed> {
    let words = if python::is_loaded() {
        "Starting Python"
    } else {
        "Loading Python into this browser, once"
    };
    testing.phase.set(Phase::Starting(words));
    let cannot = "Python could not be started";
    python::load().await.map_err(|why| (cannot, why))?;
    let mut guest = Guest::start(job).await.map_err(|why| (cannot, why))?;
    testing.phase.set(Phase::Running);
    let stamp = EngineStamp {
        engine: BROWSER.to_owned(),
        python: guest.about.clone(),
        limits: job.limits,
        protocol: job.protocol,
        surroundings: job.surroundings.clone(),
    };
    let mut listener = Listener::new(job, stamp);
    loop {
        let nonce = python::nonce().ok_or_else(|| {
            let why = "the browser gives no random numbers".to_owned();
            (cannot, Failure::new(FailureKind::Broken, why))
        })?;
        let input = listener.guest(nonce, FOLDER);
        guest.python.run(HARNESS, &input);
        let ended = guest.hear(testing, &mut listener).await?;
        listener.ended(ended, now());
        tell(testing, &mut listener);
        if !listener.wants_guest() {
            break;
        }
        // The one that hung is ended before another starts.
        drop(guest);
        guest = Guest::start(job).await.map_err(|why| (cannot, why))?;
    }
    drop(guest);
    listener.close();
    if let Ok(python) = Python::start(&job.limits, &job.surroundings) {
        SPARE.set(Some((job.limits, job.surroundings.clone(), python)));
    }
    Ok(listener.report())
}

fn tell(testing: Testing, listener: &mut Listener<'_>) {
    for run in listener.fresh() {
        testing.take(run.clone());
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time since the page started is a small positive number"
)]
fn now() -> Duration {
    Duration::from_micros((clock::now_ms() * 1e3) as u64)
}

/// A Python that is ready, and what it has written since its last whole line.
struct Guest {
    python: Python,
    about: String,
    line: Vec<u8>,
}

impl Guest {
    /// The one that waits, or a new one.
    async fn start(job: &TestJob) -> Result<Self, Failure> {
        let fits = |(limits, surroundings, python): (Limits, Surroundings, Python)| {
            (limits == job.limits && surroundings == job.surroundings).then_some(python)
        };
        let mut python = match SPARE.take().and_then(fits) {
            Some(python) => python,
            None => Python::start(&job.limits, &job.surroundings)?,
        };
        let broken = |why: String| {
            Failure::new(FailureKind::Broken, why).next("reload the page, or choose another engine")
        };
        match within(START_MS, &mut python).await {
            Some(Told::Ready(about)) => Ok(Self {
                python,
                about,
                line: Vec::new(),
            }),
            Some(Told::Failed(why)) => Err(broken(why)),
            Some(other) => Err(broken(format!("it said {other:?}"))),
            None => Err(broken(format!("it was not ready in {} s", START_MS / 1000))),
        }
    }

    /// Hears the program until it ends or its time is over.
    async fn hear(
        &mut self,
        testing: Testing,
        listener: &mut Listener<'_>,
    ) -> Result<Ended, Failed> {
        let mut deadline = now() + listener.time();
        let mut is_done = false;
        loop {
            // Whoever writes without end leaves no pause in which a timer could end.
            let told = match rest(deadline) {
                0 => None,
                ms => within(ms, &mut self.python).await,
            };
            let Some(told) = told else {
                return Ok(if is_done { Ended::Done } else { Ended::TooLate });
            };
            let ended = match told {
                Told::Output(bytes) => {
                    for line in self.lines(&bytes) {
                        match listener.hear(&line, now()) {
                            Heard::Nothing => {}
                            Heard::Class => deadline = now() + listener.time(),
                            Heard::Done => {
                                // What it printed besides is on its way.
                                is_done = true;
                                deadline = now() + END;
                            }
                            Heard::TooMuch => return Ok(Ended::TooMuch),
                        }
                    }
                    tell(testing, listener);
                    continue;
                }
                Told::Errors(bytes) => {
                    listener.printed(&bytes, 0);
                    continue;
                }
                Told::Dropped(n) => {
                    listener.printed(&[], n);
                    continue;
                }
                Told::Ready(_) => continue,
                _ if is_done => Ended::Done,
                Told::Exit(code) => Ended::Code(code),
                Told::Fault(why) => Ended::Fault(why),
                Told::OutOfMemory => Ended::OutOfMemory,
                Told::Flood => Ended::TooMuch,
                Told::Failed(why) => {
                    let why = Failure::new(FailureKind::Broken, why).next("run the tests again");
                    return Err(("The browser’s Python failed", why));
                }
            };
            return Ok(ended);
        }
    }

    /// The lines that these bytes end, without their ends.
    fn lines(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        for &byte in bytes {
            if byte == b'\n' || self.line.len() >= LONGEST_LINE {
                lines.push(std::mem::take(&mut self.line));
            }
            if byte != b'\n' {
                self.line.push(byte);
            }
        }
        lines
    }
}

/// Milliseconds until then.
fn rest(deadline: Duration) -> u32 {
    u32::try_from(deadline.saturating_sub(now()).as_millis()).unwrap_or(u32::MAX)
}

/// What a Python tells next; `None` where that takes longer.
async fn within(ms: u32, python: &mut Python) -> Option<Told> {
    let next = Box::pin(python.next());
    match select(next, Box::pin(clock::rest(ms))).await {
        Either::Left((told, _)) => Some(told),
        Either::Right(_) => None,
    }
}
