//! Hosts whose container engine runs tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

/// A host with a container engine.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DockerHost {
    /// Where its engine listens: `unix:///var/run/docker.sock`, `tcp://10.0.0.7:2376`, `ssh://me@server`.
    pub address: String,
    /// For `tcp://`: the folder with `ca.pem`, `cert.pem` and `key.pem`.
    #[serde(default)]
    pub tls: Option<PathBuf>,
    /// How many jobs run there at a time; absent: as many as it has cores.
    #[serde(default)]
    pub slots: Option<u32>,
    /// How many graphics processors it has.
    #[serde(default)]
    pub gpus: u32,
    /// Names by which jobs may choose it, as `docker:name`.
    #[serde(default)]
    pub labels: BTreeSet<String>,
}

impl DockerHost {
    /// A host of which only the address is known.
    pub fn at(address: &str) -> Self {
        Self {
            address: address.to_owned(),
            tls: None,
            slots: None,
            gpus: 0,
            labels: BTreeSet::new(),
        }
    }

    /// This machine.
    pub(super) fn local() -> Self {
        Self::at(if cfg!(windows) {
            "npipe:////./pipe/docker_engine"
        } else {
            "unix:///var/run/docker.sock"
        })
    }

    fn checked(self) -> Result<Self> {
        let Some((scheme, place)) = self.address.split_once("://") else {
            bail!(
                "{} is no address; expected unix://, tcp:// or ssh:// before it",
                self.address
            );
        };
        ensure!(!place.is_empty(), "{} names no host", self.address);
        match scheme {
            "unix" | "npipe" | "ssh" => {}
            // Whoever may speak to an engine is root on its host.
            "tcp" => ensure!(
                self.tls.is_some() || is_local(place),
                "{} needs TLS: describe it in a JSON file with \"tls\", the folder of ca.pem, cert.pem and key.pem",
                self.address
            ),
            _ => bail!(
                "{} cannot be used; expected unix://, tcp:// or ssh://",
                self.address
            ),
        }
        ensure!(
            self.slots.is_none_or(|n| (1..=1024).contains(&n)),
            "{} cannot have {} slots; expected 1 to 1024",
            self.address,
            self.slots.unwrap_or(0)
        );
        Ok(self)
    }
}

fn is_local(place: &str) -> bool {
    ["127.0.0.1:", "localhost:", "[::1]:"]
        .iter()
        .any(|local| place.starts_with(local))
}

/// Addresses with commas between them, `none`, or the path of a JSON file: a list of hosts.
pub(super) fn parse(text: &str) -> Result<Vec<DockerHost>> {
    if text == "none" {
        return Ok(Vec::new());
    }
    let hosts = if text.contains("://") {
        text.split(',')
            .map(|it| DockerHost::at(it.trim()))
            .collect()
    } else {
        read(Path::new(text))?
    };
    hosts.into_iter().map(DockerHost::checked).collect()
}

fn read(path: &Path) -> Result<Vec<DockerHost>> {
    let shown = path.display();
    let json = std::fs::read(path).with_context(|| {
        format!("expected none, addresses such as unix:///var/run/docker.sock, or a JSON file; cannot read {shown}")
    })?;
    serde_json::from_slice(&json).with_context(|| {
        format!("{shown} is no list of hosts, such as [{{\"address\": \"ssh://me@server\", \"slots\": 8}}]")
    })
}
