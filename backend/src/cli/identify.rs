//! Which variants are bugs, and what replies resolve.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use shared::diff::MatcherId;

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
