//! A diff to read in a terminal: one edit a line.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use shared::diff::{DiffNodeId, EditAction};
use shared::text::{LineIndex, Span};

use super::{Compared, Comparison, Program};

/// How much of a node's text is shown, in characters.
const SHOWN: usize = 60;

pub(super) fn print(files: &[Compared], is_coloured: bool, out: &mut dyn Write) -> Result<()> {
    let paint = Paint(is_coloured);
    for compared in files {
        match compared {
            Compared::Both(comparison) if comparison.diff.is_same() => {}
            Compared::Both(comparison) => print_one(comparison, &paint, out)?,
            Compared::Only { name, in_source } => {
                let (side, color) = if *in_source {
                    ("source", AnsiColor::Red)
                } else {
                    ("destination", AnsiColor::Green)
                };
                let style = paint.color(color);
                writeln!(out, "{style}only in the {side}: {name}{style:#}")?;
            }
        }
    }
    Ok(())
}

/// The colours of a terminal, or none.
struct Paint(bool);

impl Paint {
    fn style(&self, style: Style) -> Style {
        if self.0 { style } else { Style::new() }
    }

    fn color(&self, color: AnsiColor) -> Style {
        self.style(color.on_default())
    }
}

/// A side's text and its lines.
struct Side<'a> {
    program: &'a Program,
    lines: LineIndex,
}

impl<'a> Side<'a> {
    fn of(program: &'a Program) -> Self {
        Self {
            program,
            lines: LineIndex::new(&program.text),
        }
    }

    /// Line and column, both from 1.
    fn place(&self, span: Span) -> String {
        let (line, column) = self.lines.line_column(&self.program.text, span.start);
        format!("{line}:{column}")
    }

    fn text(&self, span: Span) -> String {
        one_line(span.of(&self.program.text))
    }

    fn span(&self, node: DiffNodeId) -> Span {
        self.program.tree.span(node)
    }

    fn kind(&self, node: DiffNodeId) -> &'static str {
        self.program.tree.kind(node)
    }
}

fn print_one(comparison: &Comparison, paint: &Paint, out: &mut dyn Write) -> Result<()> {
    let (src, dst) = (Side::of(&comparison.src), Side::of(&comparison.dst));
    let bold = paint.style(Style::new().bold());
    writeln!(out, "{bold}--- {}{bold:#}", src.program.name)?;
    writeln!(out, "{bold}+++ {}{bold:#}", dst.program.name)?;
    if let Some(fallback) = &comparison.diff.fallback {
        let (red, green) = (paint.color(AnsiColor::Red), paint.color(AnsiColor::Green));
        for change in &fallback.changes {
            if !change.src.is_empty() {
                let place = src.place(change.src);
                writeln!(out, "{red}- {place:>8}  {}{red:#}", src.text(change.src))?;
            }
            if !change.dst.is_empty() {
                let place = dst.place(change.dst);
                writeln!(
                    out,
                    "{green}+ {place:>8}  {}{green:#}",
                    dst.text(change.dst)
                )?;
            }
        }
        return Ok(());
    }
    for &action in &comparison.script {
        let (word, color, (side, node), more) = match action {
            EditAction::Insert {
                node,
                parent,
                index,
            }
            | EditAction::InsertTree {
                node,
                parent,
                index,
            } => {
                let into = format!("  into {}, child {index}", comparison.parent_kind(parent));
                ("+ insert", AnsiColor::Green, (&dst, node), into)
            }
            EditAction::Move {
                node,
                parent,
                index,
            } => {
                let into = format!("  into {}, child {index}", comparison.parent_kind(parent));
                ("> move", AnsiColor::Cyan, (&src, node), into)
            }
            EditAction::Update { node, to } => {
                let label = format!(" -> {}", one_line(comparison.dst.tree.label(to)));
                ("~ update", AnsiColor::Yellow, (&src, node), label)
            }
            EditAction::Delete { node } | EditAction::DeleteTree { node } => {
                ("- delete", AnsiColor::Red, (&src, node), String::new())
            }
        };
        // An inner node alone is told from one that takes along what is below it.
        let alone = match action {
            EditAction::Insert { .. } | EditAction::Delete { .. } => {
                side.program.tree.children(node).next().is_some()
            }
            _ => false,
        };
        let alone = if alone { " (node only)" } else { "" };
        let (style, dim) = (paint.color(color), paint.style(Style::new().dimmed()));
        let (span, kind) = (side.span(node), side.kind(node));
        let (place, text) = (side.place(span), side.text(span));
        writeln!(
            out,
            "{style}{word:<8}{style:#} {place:>8}  {dim}{kind}{alone}{dim:#}  {text}{dim}{more}{dim:#}"
        )?;
    }
    let n_edits = comparison.script.len();
    let n_mapped = comparison.diff.mappings.n_mappings();
    writeln!(
        out,
        "{n_edits} {}; {n_mapped} nodes correspond, of {} and {} (matcher {})",
        if n_edits == 1 { "edit" } else { "edits" },
        src.program.tree.n_nodes(),
        dst.program.tree.n_nodes(),
        comparison.diff.matcher
    )?;
    Ok(())
}

/// The first line of a text, shortened, without what a terminal would obey.
fn one_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let is_whole = line.len() == text.len() && line.chars().count() <= SHOWN;
    let shown: String = line.chars().take(SHOWN).collect();
    let plain: String = shown
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    format!("{plain}{}", if is_whole { "" } else { " …" })
}
