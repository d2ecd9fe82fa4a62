//! Comparing programs.

use std::path::PathBuf;

use clap::{Args, ColorChoice, ValueEnum};
use shared::diff::MatcherId;

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

const DIFF_HELP: &str = "\
Trees are read as GumTree reads Python: brackets, commas and layout are no part of them.

JSON and XML are GumTree's, with nodes written `type: label [start,end]` in bytes. In JSON, `nodes` \
and `edit` name them by their preorder index, `s` in the source and `d` in the destination, and `by` \
says which step matched them.

With --pairs, each line holds `mappings`, the simplified `script` and the plain `script_chawathe`; \
--with-trees adds `trees`, each node as [type, children, first byte, bytes, label]. A line that is no \
pair is answered by its number and the reason.

Ends with 0 if the trees are the same, 1 if they differ, 2 on trouble; with --pairs with 0 or 2.";
