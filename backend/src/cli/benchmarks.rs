//! Benchmarks: importing, listing and perturbing them.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use shared::perturb::{RULES, Rule, RuleId};

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
