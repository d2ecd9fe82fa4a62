//! One job on one engine: guests are started, heard and ended, and a report comes of it.

use std::collections::BTreeSet;
use std::time::Duration;

use shared::harness::{Ended, Heard, Listener, TestJob};
use shared::report::{TestReport, TestRun};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::time::{Instant, timeout, timeout_at};

use super::guest::{Exit, Guest};
use super::turn::Turn;
use super::{About, Place, Sandbox, SandboxError};

/// The longest line of the harness, in bytes: its texts are bounded.
const LONGEST_LINE: usize = 256 * 1024;
/// How long the end of a guest is waited for.
const EXIT_PAUSE: Duration = Duration::from_secs(5);
/// How often a job whose place is lost is begun again.
const MOST_LOST: u32 = 2;

/// What is heard while a job runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// A test ended, or will never run.
    Test(TestRun),
}

/// Runs all tests of a job; `on_progress` hears of each test when it ends. A job whose place is lost is
/// begun again in another one.
pub async fn run(
    sandbox: &dyn Sandbox,
    job: &TestJob,
    mut on_progress: impl FnMut(Progress) + Send,
) -> Result<TestReport, SandboxError> {
    let (wanted, most) = (job.limits.gpus, sandbox.gpus());
    if wanted > most {
        let engine = sandbox.about().engine;
        return Err(SandboxError::NoGpu {
            engine,
            wanted,
            most,
        });
    }
    let mut told = BTreeSet::new();
    let mut once_each = |Progress::Test(test): Progress| {
        if told.insert(test.name.clone()) {
            on_progress(Progress::Test(test));
        }
    };
    let mut n_lost = 0;
    loop {
        match attempt(sandbox, job, &mut once_each).await {
            Err(why @ SandboxError::Lost { .. }) if n_lost < MOST_LOST => {
                tracing::warn!("{}: {why}", job.variant);
                n_lost += 1;
            }
            ended => return ended,
        }
    }
}

async fn attempt(
    sandbox: &dyn Sandbox,
    job: &TestJob,
    on_progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<TestReport, SandboxError> {
    let about = sandbox.about();
    let mut run = Run {
        job,
        listener: Listener::new(job, about.stamp(job)),
        on_progress,
        began: Instant::now(),
    };
    let mut place = sandbox.place(job).await?;
    while run.listener.wants_guest() {
        run.guest(place.as_mut(), &about).await?;
    }
    place.close().await;
    run.listener.close();
    run.tell();
    Ok(run.listener.report())
}

/// A job that runs.
struct Run<'a> {
    job: &'a TestJob,
    listener: Listener<'a>,
    on_progress: &'a mut (dyn FnMut(Progress) + Send),
    began: Instant,
}

impl Run<'_> {
    /// Runs the test classes that are left until they have ended or one has to be given up.
    async fn guest(&mut self, place: &mut dyn Place, about: &About) -> Result<(), SandboxError> {
        let failed = |why: String| SandboxError::Failed {
            engine: about.engine,
            why,
        };
        let nonce = nonce().map_err(|e| failed(e.to_string()))?;
        let turn = if self.listener.wants_to_be_alone() {
            Turn::alone().await
        } else {
            Turn::beside_others().await
        };
        let input = self.listener.guest(nonce, about.folder);
        let Guest {
            output,
            errors,
            exit,
            stop,
        } = place.start(input).await?;
        let keep = self.job.limits.output_kib as usize * 1024;
        let printed = tokio::spawn(collect(errors, keep));
        let told = self.listen(output).await;
        // A guest that fell silent ends by itself, and says how.
        let stop = told.is_none().then_some(stop);
        let exit = timeout(EXIT_PAUSE, exit).await;
        drop(stop);
        let ended = match (told, exit) {
            (Some(Ended::Done), _) => Ended::Done,
            // Whatever it seemed to do, its place was about to go.
            (_, Ok(Ok(Exit::Lost(why)))) => {
                let engine = about.engine;
                return Err(SandboxError::Lost { engine, why });
            }
            (Some(told), _) => told,
            (None, Ok(Ok(Exit::Failed(why)))) => return Err(failed(why)),
            (None, Ok(Ok(Exit::OutOfMemory))) => Ended::OutOfMemory,
            (None, Ok(Ok(Exit::Code(code)))) => Ended::Code(code),
            (None, Ok(Ok(Exit::Fault(why)))) => Ended::Fault(why),
            (None, Ok(Err(_)) | Err(_)) => Ended::Silent,
        };
        if let Ok((bytes, n_dropped)) = printed.await {
            self.listener.printed(&bytes, n_dropped);
        }
        // Time that ran out beside others may have gone to them.
        let is_to_blame = ended != Ended::TooLate || turn.was_alone();
        if is_to_blame || !self.listener.try_again() {
            self.listener.ended(ended, self.began.elapsed());
        }
        self.tell();
        Ok(())
    }

    /// Hears the guest until its last word or until its time is over; `None` where it fell silent.
    async fn listen(&mut self, output: Box<dyn AsyncRead + Send + Unpin>) -> Option<Ended> {
        let mut lines = Lines::of(output);
        let mut deadline = Instant::now() + self.listener.time();
        loop {
            let Ok(line) = timeout_at(deadline, lines.next()).await else {
                return Some(Ended::TooLate);
            };
            match self.listener.hear(&line?, self.began.elapsed()) {
                Heard::Nothing => {}
                Heard::Class => deadline = Instant::now() + self.listener.time(),
                Heard::Done => return Some(Ended::Done),
                Heard::TooMuch => return Some(Ended::TooMuch),
            }
            self.tell();
        }
    }

    fn tell(&mut self) {
        for test in self.listener.fresh() {
            (self.on_progress)(Progress::Test(test.clone()));
        }
    }
}

/// The lines of a stream; a longer one than [`LONGEST_LINE`] comes in pieces.
struct Lines {
    from: Box<dyn AsyncRead + Send + Unpin>,
    read: Vec<u8>,
}

impl Lines {
    fn of(from: Box<dyn AsyncRead + Send + Unpin>) -> Self {
        Self {
            from,
            read: Vec::new(),
        }
    }

    /// The next line without its end; `None` at the end. Nothing is lost where it is given up.
    async fn next(&mut self) -> Option<Vec<u8>> {
        let mut seen = 0;
        loop {
            if let Some(at) = self.read[seen..].iter().position(|&byte| byte == b'\n') {
                let mut line: Vec<u8> = self.read.drain(..=seen + at).collect();
                line.pop();
                return Some(line);
            }
            if self.read.len() >= LONGEST_LINE {
                return Some(std::mem::take(&mut self.read));
            }
            seen = self.read.len();
            let n = self.from.read_buf(&mut self.read).await.unwrap_or(0);
            if n == 0 {
                return (!self.read.is_empty()).then(|| std::mem::take(&mut self.read));
            }
        }
    }
}

/// Reads to the end; keeps the beginning and counts the rest.
async fn collect(mut from: Box<dyn AsyncRead + Send + Unpin>, keep: usize) -> (Vec<u8>, u64) {
    let (mut kept, mut n_dropped) = (Vec::new(), 0);
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(n) = from.read(&mut buffer).await {
        if n == 0 {
            break;
        }
        let n_kept = n.min(keep - kept.len());
        kept.extend_from_slice(&buffer[..n_kept]);
        n_dropped += (n - n_kept) as u64;
    }
    (kept, n_dropped)
}

/// A word that the program cannot guess.
pub(super) fn nonce() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}
