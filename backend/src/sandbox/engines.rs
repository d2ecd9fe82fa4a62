//! The engines by name: which work here, and each opened when it is first needed.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use shared::api::{BROWSER, EngineState};
use tokio::sync::OnceCell;

use super::docker::{self, DockerSandbox, Hosts};
#[cfg(target_os = "linux")]
use super::process::{self, ProcessSandbox};
use super::wasm::{PACKS, Pack, WasmSandbox};
use super::{Sandbox, browser};
use crate::config::Config;
use crate::site::Site;

/// All engines, the preferred one first.
pub struct Engines {
    /// Where interpreters are kept.
    cache: PathBuf,
    docker: Arc<Hosts>,
    /// The Python of this machine that is to be used.
    #[cfg(target_os = "linux")]
    python: Option<PathBuf>,
    #[cfg(target_os = "linux")]
    process: OnceCell<Arc<ProcessSandbox>>,
    all: Vec<(Kind, OnceCell<Arc<dyn Sandbox>>)>,
}

/// A place for a new engine.
#[derive(Clone, Copy)]
enum Kind {
    Docker,
    Wasm(&'static Pack),
    #[cfg(target_os = "linux")]
    Process,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Docker => docker::NAME,
            Self::Wasm(pack) => pack.slug,
            #[cfg(target_os = "linux")]
            Self::Process => process::NAME,
        }
    }
}

impl Engines {
    /// What a configuration describes; nothing is started yet.
    pub fn new(config: &Config) -> Self {
        let kinds = [Kind::Docker]
            .into_iter()
            .chain(PACKS.iter().map(Kind::Wasm));
        #[cfg(target_os = "linux")]
        let kinds = kinds.chain([Kind::Process]);
        Self {
            cache: config.engines.value.clone(),
            docker: Arc::new(Hosts::new(&config.docker.value)),
            #[cfg(target_os = "linux")]
            python: config.python.value.clone(),
            #[cfg(target_os = "linux")]
            process: OnceCell::new(),
            all: kinds.map(|kind| (kind, OnceCell::new())).collect(),
        }
    }

    /// Every engine, and whether it works here; last the page's own, which is not run here.
    pub async fn states(&self) -> Vec<EngineState> {
        let mut states = Vec::new();
        for (kind, _) in &self.all {
            states.push(self.state(*kind).await);
        }
        states.push(browser::state(&self.cache));
        states
    }

    /// A file of the page's engine: the site that has it, and its name there.
    pub(crate) fn page_file(&self, file: &str) -> (Site, String) {
        browser::site(&self.cache, file)
    }

    /// What is said of the engine of that name, or of the first that works here.
    pub(crate) async fn about(&self, name: Option<&str>) -> Option<EngineState> {
        let is_it = |it: &EngineState| match name {
            Some(name) => it.engine == name,
            None => it.missing.is_none() && it.engine != BROWSER,
        };
        self.states().await.into_iter().find(is_it)
    }

    /// The engine of that name, or the first that works here; `docker:label` means hosts with that label.
    pub async fn get(&self, name: Option<&str>) -> Result<Arc<dyn Sandbox>> {
        let name = match name {
            Some(name) => name.to_owned(),
            None => self.preferred().await?,
        };
        ensure!(
            name != BROWSER,
            "the engine {BROWSER} runs in the page alone; choose it there, or another engine here"
        );
        if let Some((docker::NAME, label)) = name.split_once(':') {
            let hosts = Arc::clone(&self.docker);
            let opened = DockerSandbox::open(hosts, Some(label.to_owned())).await?;
            return Ok(Arc::new(opened));
        }
        let found = self.all.iter().find(|(kind, _)| kind.name() == name);
        let (kind, open) = found.with_context(|| {
            let names: Vec<&str> = self.all.iter().map(|(kind, _)| kind.name()).collect();
            format!(
                "there is no engine {name}; choose one of {}",
                names.join(", ")
            )
        })?;
        let opened = open.get_or_try_init(|| self.open(*kind));
        opened.await.map(Arc::clone)
    }

    async fn preferred(&self) -> Result<String> {
        let mut states = self.states().await;
        states.retain(|state| state.engine != BROWSER);
        if let Some(at) = states.iter().position(|state| state.missing.is_none()) {
            return Ok(states.swap_remove(at).engine);
        }
        let ways = states.into_iter().filter_map(|state| state.missing);
        let ways: Vec<String> = ways.collect();
        bail!("no engine is ready to run tests: {}", ways.join("; or "))
    }

    async fn state(&self, kind: Kind) -> EngineState {
        match kind {
            Kind::Docker => {
                let python = docker::python(&self.docker).await;
                let missing = python.as_ref().err().map(ToString::to_string);
                EngineState {
                    engine: docker::NAME.to_owned(),
                    title: "CPython 3.11 with libraries, in containers of Docker or Podman"
                        .to_owned(),
                    python: python.unwrap_or_else(|_| "CPython 3.11".to_owned()),
                    libraries: docker::libraries(),
                    gpus: self.docker.gpus(),
                    missing,
                    gaps: Vec::new(),
                }
            }
            Kind::Wasm(pack) => EngineState {
                engine: pack.slug.to_owned(),
                title: pack.title.to_owned(),
                python: pack.python.to_owned(),
                libraries: pack.libraries.iter().map(|&it| it.to_owned()).collect(),
                gpus: 0,
                missing: (!pack.is_installed(&self.cache)).then(|| pack.how_to_install()),
                gaps: pack.gaps(),
            },
            #[cfg(target_os = "linux")]
            Kind::Process => process::state(&self.process().await),
        }
    }

    /// The engine of this machine's Python; it is tried once, and again where it did not work.
    #[cfg(target_os = "linux")]
    async fn process(&self) -> Result<Arc<ProcessSandbox>, String> {
        let open = || async {
            let opened = ProcessSandbox::open(self.python.as_deref()).await;
            opened.map(Arc::new)
        };
        self.process.get_or_try_init(open).await.map(Arc::clone)
    }

    async fn open(&self, kind: Kind) -> Result<Arc<dyn Sandbox>> {
        match kind {
            Kind::Docker => {
                let hosts = Arc::clone(&self.docker);
                Ok(Arc::new(DockerSandbox::open(hosts, None).await?))
            }
            Kind::Wasm(pack) => {
                let cache = self.cache.clone();
                let open = move || WasmSandbox::open(pack, &cache);
                Ok(Arc::new(tokio::task::spawn_blocking(open).await??))
            }
            #[cfg(target_os = "linux")]
            Kind::Process => match self.process().await {
                Ok(engine) => Ok(engine),
                Err(why) => bail!("the engine {} does not work here: {why}", process::NAME),
            },
        }
    }
}
