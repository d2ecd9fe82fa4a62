//! What can be set, where it was set, and its bounds. The only reader of the environment.

mod docker;
mod llm;

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use tracing_subscriber::EnvFilter;

use shared::api::LlmMode;

pub use self::docker::DockerHost;
pub use self::llm::{
    LlmBounds, LlmConfig, LlmModelConfig, LlmPrice, LlmProviderConfig, LlmTimeouts, MaxTokens,
    PRESETS, Preset,
};
use crate::llm::Secret;
use crate::site::Site;

/// What the command line sets; it wins over the environment.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Overrides {
    /// Folder of imported benchmarks [env: `CTXLAB_DATA_DIR`; default: the user's data folder]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Folders")]
    pub data: Option<PathBuf>,
    /// Folder of the built page [env: `CTXLAB_SITE_DIR`; default: the page in this program]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Folders")]
    pub site: Option<PathBuf>,
    /// Where to listen; set by `serve --addr`.
    #[arg(skip)]
    pub addr: Option<SocketAddr>,
}

/// Everything in force.
#[derive(Debug)]
pub struct Config {
    /// Where the server listens.
    pub addr: Setting<SocketAddr>,
    /// The folder of imported benchmarks.
    pub data: Setting<PathBuf>,
    /// The folder of interpreters that run tests.
    pub engines: Setting<PathBuf>,
    /// The hosts whose container engine runs tests.
    pub docker: Setting<Vec<DockerHost>>,
    /// The Python that the engine `process` runs; absent: the first that works in a sandbox.
    pub python: Setting<Option<PathBuf>>,
    /// The page; absent when there is none.
    pub site: Setting<Option<Site>>,
    /// What is logged.
    pub log: Setting<LogFilter>,
    /// The longest that answering a request may take.
    pub request_timeout: Setting<Duration>,
    /// The longest that fetching a benchmark may take.
    pub download_timeout: Setting<Duration>,
    /// How much benchmark text is kept read, in MiB.
    pub cache_mib: Setting<u32>,
    /// How many test jobs run at a time.
    pub slots: Setting<u32>,
    /// Who provides models, and what may be spent.
    pub providers: Setting<LlmConfig>,
    /// Where models' answers come from; absent: recordings, and providers where one can be asked.
    pub llm_mode: Setting<Option<LlmMode>>,
    /// How many requests to models a client may make in a minute.
    pub llm_rate: Setting<u32>,
    /// What a client has to show where others than this machine reach the server.
    pub token: Setting<Option<Secret>>,
}

/// A value and where it was set.
#[derive(Clone, Debug)]
pub struct Setting<T> {
    /// The value in force.
    pub value: T,
    /// Who said so.
    pub origin: Origin,
}

/// Who set a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A flag of the command line.
    Flag,
    /// This environment variable.
    Variable(&'static str),
    /// Nobody.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("command line"),
            Self::Variable(name) => f.write_str(name),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A filter in `tracing`'s syntax that was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFilter(String);

impl LogFilter {
    /// The filter for the subscriber.
    pub fn filter(&self) -> EnvFilter {
        EnvFilter::new(&self.0)
    }
}

impl fmt::Display for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Config {
    /// Puts together the command line, the process's environment and the defaults.
    pub fn load(overrides: Overrides) -> Result<Self> {
        Self::from_lookup(overrides, |name| {
            std::env::var_os(name)
                .map(|value| {
                    value.into_string().map_err(|found| {
                        anyhow!("{name} cannot be {}: it is not UTF-8", found.display())
                    })
                })
                .transpose()
        })
    }

    /// The same over any environment.
    pub fn from_lookup(
        overrides: Overrides,
        lookup: impl Fn(&str) -> Result<Option<String>>,
    ) -> Result<Self> {
        let env = Environment(&lookup);
        let data = env.pick(
            overrides.data,
            "CTXLAB_DATA_DIR",
            |text| Ok(PathBuf::from(text)),
            default_data,
        )?;
        Ok(Self {
            addr: env.pick(overrides.addr, "CTXLAB_ADDR", parse_addr, || {
                Ok(DEFAULT_ADDR)
            })?,
            engines: env.pick(
                None,
                "CTXLAB_ENGINES_DIR",
                |text| Ok(PathBuf::from(text)),
                || Ok(data.value.join("engines")),
            )?,
            data,
            docker: env.pick(None, "CTXLAB_DOCKER_HOSTS", docker::parse, || {
                Ok(vec![DockerHost::local()])
            })?,
            python: env.pick(
                None,
                "CTXLAB_PYTHON",
                |text| Ok(PathBuf::from(text)),
                || Ok(None),
            )?,
            site: env.pick(
                overrides
                    .site
                    .map(site_folder)
                    .transpose()
                    .context("--site cannot be used")?,
                "CTXLAB_SITE_DIR",
                |text| site_folder(text.into()),
                || Ok(Site::embedded()),
            )?,
            log: env.pick(None, "CTXLAB_LOG", parse_log, || {
                Ok(LogFilter("info".to_owned()))
            })?,
            request_timeout: env.pick(
                None,
                "CTXLAB_REQUEST_TIMEOUT_S",
                |text| within(text, 1, 600).map(|s| Duration::from_secs(s.into())),
                || Ok(Duration::from_secs(30)),
            )?,
            download_timeout: env.pick(
                None,
                "CTXLAB_DOWNLOAD_TIMEOUT_S",
                |text| within(text, 1, 3600).map(|s| Duration::from_secs(s.into())),
                || Ok(Duration::from_mins(2)),
            )?,
            cache_mib: env.pick(
                None,
                "CTXLAB_CACHE_MIB",
                |text| within(text, 1, 65_536),
                || Ok(512),
            )?,
            slots: env.pick(
                None,
                "CTXLAB_TEST_SLOTS",
                |text| within(text, 1, 256),
                || Ok(cores()),
            )?,
            providers: env.pick(
                None,
                "CTXLAB_PROVIDERS",
                |path| llm::parse(path, &lookup),
                || Ok(LlmConfig::default()),
            )?,
            llm_mode: env.pick(None, "CTXLAB_LLM_MODE", parse_mode, || Ok(None))?,
            llm_rate: env.pick(
                None,
                "CTXLAB_LLM_RATE",
                |text| within(text, 1, 100_000),
                || Ok(600),
            )?,
            token: env.token("CTXLAB_TOKEN")?,
        })
    }

    /// The defaults over given folders, whatever the environment says.
    pub fn for_tests(data: PathBuf, site: Option<PathBuf>) -> Result<Self> {
        let overrides = Overrides {
            data: Some(data),
            site,
            addr: None,
        };
        Self::from_lookup(overrides, |_| Ok(None))
    }

    /// Name, value and origin of every setting, for people.
    pub fn lines(&self) -> Vec<(&'static str, String, Origin)> {
        let site = match &self.site.value {
            None => "none".to_owned(),
            Some(Site::Embedded) => "the page in this program".to_owned(),
            Some(Site::Folder(root)) => root.display().to_string(),
        };
        let docker: Vec<&str> = self
            .docker
            .value
            .iter()
            .map(|host| host.address.as_str())
            .collect();
        let docker = if docker.is_empty() {
            "none".to_owned()
        } else {
            docker.join(", ")
        };
        let python = self.python.value.as_deref();
        let python = python.map_or("python3".to_owned(), |path| path.display().to_string());
        let providers: Vec<String> = self
            .providers
            .value
            .providers
            .iter()
            .map(|it| match it.missing() {
                None => format!("{} ({})", it.name, it.host),
                Some(why) => format!("{} ({why})", it.name),
            })
            .collect();
        let providers = if providers.is_empty() {
            "none".to_owned()
        } else {
            providers.join(", ")
        };
        let mode = self.llm_mode.value.map_or("auto", LlmMode::slug);
        let token = self.token.value.as_ref();
        let token = token.map_or_else(|| "none".to_owned(), ToString::to_string);
        let seconds = |setting: &Setting<Duration>| format!("{} s", setting.value.as_secs());
        vec![
            ("address", self.addr.value.to_string(), self.addr.origin),
            (
                "data",
                self.data.value.display().to_string(),
                self.data.origin,
            ),
            (
                "engines",
                self.engines.value.display().to_string(),
                self.engines.origin,
            ),
            ("docker hosts", docker, self.docker.origin),
            ("python", python, self.python.origin),
            ("site", site, self.site.origin),
            ("log", self.log.value.to_string(), self.log.origin),
            (
                "request timeout",
                seconds(&self.request_timeout),
                self.request_timeout.origin,
            ),
            (
                "download timeout",
                seconds(&self.download_timeout),
                self.download_timeout.origin,
            ),
            (
                "cache",
                format!("{} MiB", self.cache_mib.value),
                self.cache_mib.origin,
            ),
            (
                "test slots",
                self.slots.value.to_string(),
                self.slots.origin,
            ),
            ("providers", providers, self.providers.origin),
            ("llm mode", mode.to_owned(), self.llm_mode.origin),
            (
                "llm rate",
                format!("{} a minute", self.llm_rate.value),
                self.llm_rate.origin,
            ),
            ("token", token, self.token.origin),
        ]
    }
}

const DEFAULT_ADDR: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7878);

/// How long a token is at least: who can guess a shorter one spends our money.
const MIN_TOKEN: usize = 16;

struct Environment<'a>(&'a dyn Fn(&str) -> Result<Option<String>>);

impl Environment<'_> {
    fn pick<T, U: Into<T>>(
        &self,
        flag: Option<U>,
        name: &'static str,
        parse: impl Fn(&str) -> Result<U>,
        default: impl Fn() -> Result<T>,
    ) -> Result<Setting<T>> {
        if let Some(value) = flag {
            return Ok(Setting {
                value: value.into(),
                origin: Origin::Flag,
            });
        }
        if let Some(text) = (self.0)(name)?.filter(|text| !text.is_empty()) {
            let value = parse(&text)
                .with_context(|| format!("{name} cannot be {text:?}"))?
                .into();
            return Ok(Setting {
                value,
                origin: Origin::Variable(name),
            });
        }
        Ok(Setting {
            value: default()?,
            origin: Origin::Default,
        })
    }

    /// A secret, which no error may quote.
    fn token(&self, name: &'static str) -> Result<Setting<Option<Secret>>> {
        let Some(text) = (self.0)(name)?.filter(|text| !text.is_empty()) else {
            let (value, origin) = (None, Origin::Default);
            return Ok(Setting { value, origin });
        };
        let token = Secret::new(&text).filter(|_| text.trim().len() >= MIN_TOKEN);
        let token = token.with_context(|| {
            format!("{name} needs {MIN_TOKEN} or more printable ASCII characters without spaces")
        })?;
        Ok(Setting {
            value: Some(token),
            origin: Origin::Variable(name),
        })
    }
}

/// An address with its port (`127.0.0.1:7878`).
pub fn parse_addr(text: &str) -> Result<SocketAddr> {
    text.parse().map_err(|e| {
        anyhow!("expected an IP address and a port, such as 127.0.0.1:7878 or [::1]:7878 ({e})")
    })
}

fn default_data() -> Result<PathBuf> {
    directories::ProjectDirs::from("", "", "ctxlab")
        .map(|dirs| dirs.data_dir().to_owned())
        .context("this user has no home folder; name a folder with --data or CTXLAB_DATA_DIR")
}

fn cores() -> u32 {
    let n = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    u32::try_from(n).unwrap_or(256).min(256)
}

fn site_folder(root: PathBuf) -> Result<Site> {
    ensure!(
        root.join("index.html").is_file(),
        "{} has no index.html; build the page with `cargo xtask web`, which fills target/site",
        root.display()
    );
    Ok(Site::Folder(root))
}

fn parse_log(text: &str) -> Result<LogFilter> {
    EnvFilter::builder()
        .parse(text)
        .map(|_| LogFilter(text.to_owned()))
        .map_err(|e| {
            anyhow!("expected error, warn, info, debug, trace or target=level pairs ({e})")
        })
}

fn parse_mode(text: &str) -> Result<LlmMode> {
    let found = LlmMode::ALL.into_iter().find(|mode| mode.slug() == text);
    found.context("expected replay, record or live")
}

fn within(text: &str, least: u32, most: u32) -> Result<u32> {
    text.parse()
        .ok()
        .filter(|value| (least..=most).contains(value))
        .ok_or_else(|| anyhow!("expected a whole number from {least} to {most}"))
}

#[cfg(test)]
mod tests;
