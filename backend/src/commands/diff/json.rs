//! GumTree's JSON, with the nodes' indexes beside.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use shared::diff::EditAction;
use shared::diff::notation::Action;
use shared::text::Span;

use super::{Compared, Comparison, written};

#[derive(Serialize)]
struct Files<'a> {
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum File<'a> {
    Both(Document<'a>),
    Only {
        path: &'a str,
        only_in: &'static str,
    },
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    matcher: &'static str,
    matches: Vec<Match>,
    actions: Vec<ActionLine<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<Fallback>,
}

#[derive(Serialize)]
struct Match {
    src: String,
    dest: String,
    nodes: [u32; 2],
    by: &'static str,
}

#[derive(Serialize)]
struct ActionLine<'a> {
    action: &'static str,
    tree: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    /// The action by the nodes' indexes.
    edit: Action<'a>,
}

#[derive(Serialize)]
struct Fallback {
    reason: String,
    changes: Vec<[Span; 2]>,
}

pub(super) fn print(files: &[Compared], are_folders: bool, out: &mut dyn Write) -> Result<()> {
    let mut documents: Vec<File<'_>> = files.iter().map(file).collect();
    if are_folders {
        serde_json::to_writer_pretty(&mut *out, &Files { files: documents })?;
    } else {
        serde_json::to_writer_pretty(&mut *out, &documents.pop())?;
    }
    writeln!(out)?;
    Ok(())
}

fn file(compared: &Compared) -> File<'_> {
    match compared {
        Compared::Both(comparison) => File::Both(document(comparison)),
        Compared::Only { name, in_source } => File::Only {
            path: name,
            only_in: if *in_source { "src" } else { "dest" },
        },
    }
}

fn document(comparison: &Comparison) -> Document<'_> {
    let (src, dst) = (&comparison.src.tree, &comparison.dst.tree);
    let matches = comparison.diff.mappings.iter().map(|mapping| Match {
        src: written(src, mapping.src),
        dest: written(dst, mapping.dst),
        nodes: [mapping.src.0, mapping.dst.0],
        by: mapping.by.slug(),
    });
    let fallback = comparison.diff.fallback.as_ref().map(|fallback| Fallback {
        reason: fallback.reason.to_string(),
        changes: fallback
            .changes
            .iter()
            .map(|change| [change.src, change.dst])
            .collect(),
    });
    let actions = comparison.script.iter();
    Document {
        path: comparison.path.as_deref(),
        matcher: comparison.diff.matcher.slug(),
        matches: matches.collect(),
        actions: actions
            .map(|&action| action_line(comparison, action))
            .collect(),
        fallback,
    }
}

fn action_line(comparison: &Comparison, action: EditAction) -> ActionLine<'_> {
    let Described {
        tree,
        parent,
        at,
        label,
    } = describe(comparison, action);
    ActionLine {
        action: action.name(),
        tree,
        parent,
        at,
        label,
        edit: Action::new(action, &comparison.dst.tree),
    }
}

/// An action as GumTree describes it.
pub(super) struct Described<'a> {
    pub(super) tree: String,
    pub(super) parent: Option<String>,
    pub(super) at: Option<u32>,
    pub(super) label: Option<&'a str>,
}

/// Parents are the destination's, and an inserted node stands where the destination has it.
pub(super) fn describe(comparison: &Comparison, action: EditAction) -> Described<'_> {
    let (src, dst) = (&comparison.src.tree, &comparison.dst.tree);
    let (tree, parent, at, label) = match action {
        EditAction::Insert { node, .. } | EditAction::InsertTree { node, .. } => {
            let at = dst.parent(node).map(|_| dst.position(node));
            (written(dst, node), comparison.parent_in_dst(node), at, None)
        }
        EditAction::Move { node, index, .. } => {
            let partner = comparison.diff.mappings.dst_of(node);
            let parent = partner.and_then(|partner| comparison.parent_in_dst(partner));
            (written(src, node), parent, Some(index), None)
        }
        EditAction::Update { node, to } => (written(src, node), None, None, Some(dst.label(to))),
        EditAction::Delete { node } | EditAction::DeleteTree { node } => {
            (written(src, node), None, None, None)
        }
    };
    Described {
        tree,
        parent,
        at,
        label,
    }
}
