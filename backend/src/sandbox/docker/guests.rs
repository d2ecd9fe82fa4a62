//! The guests of a container: what its first process is asked and tells.

use std::sync::Arc;
use std::time::Duration;

use bollard::container::LogOutput;
use futures_util::stream::StreamExt as _;
use serde::Deserialize;
use serde_json::json;
use shared::report::{Clock, Surroundings};
use tokio::io::{AsyncWriteExt as _, DuplexStream, duplex};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::container::Container;
use super::hosts::Host;
use crate::sandbox::guest::{Exit, Guest};

/// How much a guest may write before its listener has read it, in bytes.
const PIPE: usize = 64 * 1024;
/// 2023-10-10 12:00:00 UTC: a guest's clock starts here.
const CLOCK_STARTS: u64 = 1_696_939_200;
/// How long an engine that was told to end a guest is waited for.
const STOPPING: Duration = Duration::from_secs(4);
/// The longest line in which an ending is told, in bytes.
const LONGEST_ENDING: usize = 256;

/// How a guest ended, as the first process saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Ending {
    out_of_memory: bool,
    #[serde(default)]
    code: i32,
    #[serde(default)]
    signal: Option<i32>,
}

impl Ending {
    fn exit(self) -> Exit {
        match self.signal {
            Some(_) if self.out_of_memory => Exit::OutOfMemory,
            Some(signal) => Exit::Fault(format!("the interpreter was ended by signal {signal}")),
            None => Exit::Code(self.code),
        }
    }
}

/// What a guest is started with.
pub(super) struct Start<'a> {
    /// What tells its end: a program cannot guess it.
    pub(super) word: String,
    pub(super) input: &'a str,
    /// How long it may run where nobody ends it, in seconds.
    pub(super) seconds: u64,
    pub(super) surroundings: &'a Surroundings,
}

impl Start<'_> {
    /// Starts the guest in a container of a host, and gives the container back when nothing of the guest
    /// runs any more.
    pub(super) fn within(
        self,
        container: Container,
        host: Arc<Host>,
    ) -> (Guest, oneshot::Receiver<Container>) {
        let clock = match self.surroundings.clock {
            Clock::Fixed => Some(CLOCK_STARTS),
            Clock::Real => None,
        };
        let hash_seed = self.surroundings.hash_seed;
        let asked = json!({
            "word": self.word, "input": self.input, "seconds": self.seconds, "hash_seed": hash_seed, "clock": clock,
        });
        let (output, errors) = (duplex(PIPE), duplex(PIPE));
        let (tell, exit) = oneshot::channel();
        let (stop, stopped) = oneshot::channel();
        let (give, back) = oneshot::channel();
        let mut talk = Talk {
            container,
            output: Forward::new(&self.word, output.0),
            errors: Forward::new(&self.word, errors.0),
        };
        tokio::spawn(async move {
            let ended = talk.until_ended(format!("{asked}\n"), stopped).await;
            let exit = match ended {
                Ok(ending) => {
                    // Dropped where the job is over.
                    drop(give.send(talk.container));
                    ending.exit()
                }
                Err(why) => {
                    host.look_again();
                    Exit::Lost(format!("{}: {why}", host.config.address))
                }
            };
            // Nobody may be listening any more.
            drop(tell.send(exit));
        });
        let guest = Guest {
            output: Box::new(output.1),
            errors: Box::new(errors.1),
            exit,
            stop,
        };
        (guest, back)
    }
}

/// A guest that runs.
struct Talk {
    container: Container,
    output: Forward,
    errors: Forward,
}

impl Talk {
    async fn until_ended(
        &mut self,
        asked: String,
        stopped: oneshot::Receiver<()>,
    ) -> Result<Ending, String> {
        self.ask(&asked).await?;
        tokio::select! {
            ending = self.hear() => return ending,
            _ = stopped => {}
        }
        self.ask("{}\n").await?;
        match timeout(STOPPING, self.hear()).await {
            Ok(ending) => ending,
            Err(_) => Err("it does not end a program that was stopped".to_owned()),
        }
    }

    async fn ask(&mut self, line: &str) -> Result<(), String> {
        let input = &mut self.container.input;
        let asked = async {
            input.write_all(line.as_bytes()).await?;
            input.flush().await
        };
        asked.await.map_err(|e| e.to_string())
    }

    /// Hears the guest until both streams have told that it ended. Nothing is lost where it is given up.
    async fn hear(&mut self) -> Result<Ending, String> {
        loop {
            if let (Some(ending), Some(_)) = (&self.output.ending, &self.errors.ending) {
                return serde_json::from_slice(ending).map_err(|e| e.to_string());
            }
            match self.container.output.next().await {
                Some(Ok(LogOutput::StdOut { message } | LogOutput::Console { message })) => {
                    self.output.take(&message).await;
                }
                Some(Ok(LogOutput::StdErr { message })) => self.errors.take(&message).await,
                Some(Ok(LogOutput::StdIn { .. })) => {}
                Some(Err(why)) => return Err(why.to_string()),
                None => return Err("its container is gone".to_owned()),
            }
        }
    }
}

/// One of a guest's streams on its way to the listener, up to the word.
struct Forward {
    /// The word.
    mark: Vec<u8>,
    to: Option<DuplexStream>,
    /// What may be the beginning of the word.
    held: Vec<u8>,
    /// What follows the word.
    ending: Option<Vec<u8>>,
}

impl Forward {
    fn new(word: &str, to: DuplexStream) -> Self {
        Self {
            mark: word.as_bytes().to_vec(),
            to: Some(to),
            held: Vec::new(),
            ending: None,
        }
    }

    async fn take(&mut self, bytes: &[u8]) {
        if self.ending.is_some() {
            return;
        }
        self.held.extend_from_slice(bytes);
        let found = memchr::memmem::find(&self.held, &self.mark);
        let (n, is_whole) = match found {
            Some(at) => (at, true),
            None => (self.held.len() - self.n_begun(), false),
        };
        let passed: Vec<u8> = self.held.drain(..n).collect();
        if let Some(to) = &mut self.to
            && to.write_all(&passed).await.is_err()
        {
            // Nobody listens: the rest is only looked at for its end.
            self.to = None;
        }
        if !is_whole {
            return;
        }
        let rest = &self.held[self.mark.len()..];
        if let Some(n) = rest.iter().position(|&byte| byte == b'\n') {
            self.ending = Some(rest[..n].to_vec());
            self.to = None;
        } else if rest.len() > LONGEST_ENDING {
            self.ending = Some(Vec::new());
            self.to = None;
        }
    }

    /// How many bytes at the end of what is held may be the beginning of the mark.
    fn n_begun(&self) -> usize {
        let most = self.held.len().min(self.mark.len() - 1);
        let mut lengths = (1..=most).rev();
        lengths
            .find(|&n| self.held.ends_with(&self.mark[..n]))
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
