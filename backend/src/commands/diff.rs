//! `ctxlab diff`: two programs, two folders of programs, or many pairs of texts.

mod json;
mod text;
mod xml;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use clap::ColorChoice;
use shared::diff::{self, Diff, DiffOptions, DiffTree, EditScript, PairOptions, Parent, pair_line};
use shared::syntax::{abstraction, parse_python};

use super::Outcome;
use crate::cli::{DiffArgs, DiffFormat};

pub(super) fn run(args: &DiffArgs, out: &mut dyn Write) -> Result<Outcome> {
    let options = DiffOptions {
        matcher: args.matcher,
        ..DiffOptions::default()
    };
    if let Some(path) = &args.pairs {
        let options = PairOptions {
            diff: options,
            with_trees: args.with_trees,
        };
        pairs(path, &options, out)?;
        return Ok(Outcome::Done);
    }
    let (Some(a), Some(b)) = (&args.a, &args.b) else {
        bail!("there is nothing to compare; give two files or two folders, or --pairs");
    };
    ensure!(
        a.as_os_str() != "-" || b.as_os_str() != "-",
        "standard input can be only one of the two; give a file for the other"
    );
    let files = match (a.is_dir(), b.is_dir()) {
        (false, false) => vec![Compared::Both(Box::new(Comparison::of(
            a, b, None, &options,
        )?))],
        (true, true) => compare_folders(a, b, &options)?,
        (is_dir, _) => {
            let (folder, other) = if is_dir { (a, b) } else { (b, a) };
            bail!(
                "{} is a folder and {} is not; give two files or two folders",
                folder.display(),
                other.display()
            );
        }
    };
    let are_folders = a.is_dir();
    match args.format {
        DiffFormat::Text => text::print(&files, is_coloured(args.color), out)?,
        DiffFormat::Json => json::print(&files, are_folders, out)?,
        DiffFormat::Xml => xml::print(&files, are_folders, out)?,
    }
    let is_same = files.iter().all(Compared::is_same);
    Ok(if is_same {
        Outcome::Done
    } else {
        Outcome::Different
    })
}

fn is_coloured(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let choice = anstream::AutoStream::choice(&io::stdout());
            choice != anstream::ColorChoice::Never
        }
    }
}

/// One file, or the same file of two folders.
enum Compared {
    Both(Box<Comparison>),
    /// A file of this name within one folder only: of the source's, or of the destination's.
    Only {
        name: String,
        in_source: bool,
    },
}

impl Compared {
    fn is_same(&self) -> bool {
        matches!(self, Self::Both(comparison) if comparison.diff.is_same())
    }
}

/// A text and its tree.
struct Program {
    /// As the user named it.
    name: String,
    text: String,
    tree: DiffTree,
}

impl Program {
    fn read(path: &Path) -> Result<Self> {
        let read = if path.as_os_str() == "-" {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map(|_| text)
        } else {
            fs::read_to_string(path)
        };
        let name = path.display().to_string();
        let text = read.map_err(|e| {
            anyhow!("cannot read {name}: {e}; check the path and that it is UTF-8 text")
        })?;
        let parsed = parse_python(&text);
        if !parsed.errors.is_empty() {
            eprintln!(
                "note: not all of {name} is valid Python ({} errors); it is compared as it is",
                parsed.errors.len()
            );
        }
        let tree = abstraction::PYTHON.diff_tree(&parsed.tree);
        Ok(Self { name, text, tree })
    }
}

/// Two programs, compared.
struct Comparison {
    /// The file's name within both folders.
    path: Option<String>,
    src: Program,
    dst: Program,
    diff: Diff,
    script: EditScript,
}

impl Comparison {
    fn of(a: &Path, b: &Path, path: Option<String>, options: &DiffOptions) -> Result<Self> {
        let (src, dst) = (Program::read(a)?, Program::read(b)?);
        let diff = diff::diff(&src.tree, &dst.tree, options);
        if let Some(fallback) = &diff.fallback {
            eprintln!(
                "note: {} and {} are compared token by token: {}",
                src.name, dst.name, fallback.reason
            );
        } else if diff.is_same() && src.text != dst.text {
            eprintln!(
                "note: {} and {} differ only in what trees leave out: layout, brackets, commas",
                src.name, dst.name
            );
        }
        let script = diff.simplified(&src.tree, &dst.tree);
        Ok(Self {
            path,
            src,
            dst,
            diff,
            script,
        })
    }

    /// A node that something is put under, as GumTree writes it: always the destination's.
    fn parent_in_dst(&self, node: diff::DiffNodeId) -> Option<String> {
        self.dst
            .tree
            .parent(node)
            .map(|parent| written(&self.dst.tree, parent))
    }

    /// A node that something is put under, for people.
    fn parent_kind(&self, parent: Parent) -> &'static str {
        match parent {
            Parent::Src(node) => self.src.tree.kind(node),
            Parent::Dst(node) => self.dst.tree.kind(node),
            Parent::Root => "nothing",
        }
    }
}

/// A node as GumTree writes it: type, label if there is one, first byte and end.
fn written(tree: &DiffTree, node: diff::DiffNodeId) -> String {
    let (kind, label, span) = (tree.kind(node), tree.label(node), tree.span(node));
    let colon = if label.is_empty() { "" } else { ": " };
    format!("{kind}{colon}{label} [{},{}]", span.start, span.end)
}

/// Python files of both folders by their names, subfolders included.
fn compare_folders(a: &Path, b: &Path, options: &DiffOptions) -> Result<Vec<Compared>> {
    let (in_a, in_b) = (python_files(a)?, python_files(b)?);
    ensure!(
        !in_a.is_empty() || !in_b.is_empty(),
        "neither {} nor {} has a Python file; give folders with files that end in .py",
        a.display(),
        b.display()
    );
    let compare = |name: &PathBuf| {
        let shown = name.display().to_string();
        Ok(match (in_a.contains(name), in_b.contains(name)) {
            (true, true) => {
                let comparison =
                    Comparison::of(&a.join(name), &b.join(name), Some(shown), options)?;
                Compared::Both(Box::new(comparison))
            }
            (in_source, _) => Compared::Only {
                name: shown,
                in_source,
            },
        })
    };
    in_a.union(&in_b).map(compare).collect()
}

fn python_files(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let shown = root.join(&folder);
        let cannot = || {
            format!(
                "cannot list {}; check that you may read it",
                shown.display()
            )
        };
        for entry in fs::read_dir(&shown).with_context(cannot)? {
            let entry = entry.with_context(cannot)?;
            let name = folder.join(entry.file_name());
            // A link to a folder is not followed: it could lead back here.
            if entry.file_type().with_context(cannot)?.is_dir() {
                folders.push(name);
            } else if name.extension().is_some_and(|extension| extension == "py") {
                found.insert(name);
            }
        }
    }
    Ok(found)
}

/// One JSON line for each line of the file, and whether all were pairs.
fn pairs(path: &Path, options: &PairOptions, out: &mut dyn Write) -> Result<()> {
    let name = path.display();
    let lines: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = fs::File::open(path);
        let file = file.map_err(|e| anyhow!("cannot read {name}: {e}; check the path"))?;
        Box::new(BufReader::new(file))
    };
    let mut n_bad = 0_usize;
    for (line, number) in lines.split(b'\n').zip(1..) {
        let line = line.with_context(|| format!("cannot read line {number} of {name}"))?;
        let line = String::from_utf8_lossy(&line);
        let Some(answer) = pair_line(&line, number, options) else {
            continue;
        };
        n_bad += usize::from(answer.is_err());
        writeln!(out, "{}", answer.unwrap_or_else(|bad| bad))?;
    }
    ensure!(
        n_bad == 0,
        "{n_bad} lines of {name} are no pairs; the lines with `error` say which and why"
    );
    Ok(())
}
