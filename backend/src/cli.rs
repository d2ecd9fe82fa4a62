//! What can be asked on the command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ColorChoice, Parser, Subcommand, ValueEnum};
use shared::diff::MatcherId;
use shared::perturb::{RULES, Rule, RuleId};

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

With --pairs, each line holds `mappings`, the simplified `script` and the plain `script_chawathe`.

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
    /// What to print
    #[arg(long, value_enum, default_value_t = IdentifyFormat::Text)]
    pub format: IdentifyFormat,
}

const IDENTIFY_HELP: &str = "\
A variant is a case if it differs from the reference at a hidden place and fails a test (CtxBugGen, \
section 3.4). Without a report it is a candidate.

A line of --variants is a line of `ctxlab perturb` with two more fields: `text`, the whole reply, and \
`origin`, {\"model\": \"its name\"}, \"human\" or \"bundled\". Needed of it are schema, subject, rule and \
instance; `id` names the variant, `names` maps obfuscated names to the original ones.

A line of --reports has schema, `variant` (its id), and `tests`, each with name, outcome (passed, \
failed, errored, timed_out, not_run) and message; or `load_error`.

A line that cannot be used is told with its number, and the others go on.";

/// What `identify` prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum IdentifyFormat {
    /// One decision a line, then a table of what is left after each step
    Text,
    /// One decision a line, as JSON, then one line of what is left after each step
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
