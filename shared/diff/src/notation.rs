//! A diff as short JSON: nodes by their preorder index, `s` for the source's, `d` for the
//! destination's, an action as `["insert-node", "d5", "s3", 2]`.

use serde::ser::{Serialize, SerializeSeq as _, SerializeTuple as _, Serializer};

use crate::{Diff, DiffNodeId, DiffTree, EditAction, EditScript, MappingStore, Parent};

/// A diff of two trees, to be serialized.
#[derive(serde::Serialize)]
pub struct Record<'a> {
    mappings: Mappings<'a>,
    /// The simplified script.
    script: Script<'a>,
    /// The plain one.
    script_chawathe: Script<'a>,
}

impl<'a> Record<'a> {
    /// The record of a diff with its simplified script.
    pub fn new(diff: &'a Diff, simplified: &'a EditScript, dst: &'a DiffTree) -> Self {
        Self {
            mappings: Mappings(&diff.mappings),
            script: Script(simplified, dst),
            script_chawathe: Script(&diff.script, dst),
        }
    }
}

/// The nodes of a tree in preorder, to be serialized: type, number of children, first byte, number of
/// bytes, and the label of those that have one.
pub struct Nodes<'a>(pub &'a DiffTree);

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tree = self.0;
        serializer.collect_seq(tree.ids().map(|id| Node(tree, id)))
    }
}

struct Node<'a>(&'a DiffTree, DiffNodeId);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(tree, id) = *self;
        let (span, label) = (tree.span(id), tree.label(id));
        let mut node = serializer.serialize_seq(None)?;
        node.serialize_element(tree.kind(id))?;
        node.serialize_element(&tree.children(id).count())?;
        node.serialize_element(&span.start)?;
        node.serialize_element(&span.len())?;
        if !label.is_empty() {
            node.serialize_element(label)?;
        }
        node.end()
    }
}

struct Mappings<'a>(&'a MappingStore);

impl Serialize for Mappings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mappings = self.0.iter();
        serializer.collect_seq(mappings.map(|mapping| [mapping.src.0, mapping.dst.0]))
    }
}

struct Script<'a>(&'a EditScript, &'a DiffTree);

impl Serialize for Script<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for &action in self.0 {
            seq.serialize_element(&Action(action, self.1))?;
        }
        seq.end()
    }
}

/// One action, to be serialized.
pub struct Action<'a>(EditAction, &'a DiffTree);

impl<'a> Action<'a> {
    /// An action of a script to this destination.
    pub fn new(action: EditAction, dst: &'a DiffTree) -> Self {
        Self(action, dst)
    }
}

impl Serialize for Action<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.0.name();
        match self.0 {
            EditAction::Insert {
                node,
                parent,
                index,
            }
            | EditAction::InsertTree {
                node,
                parent,
                index,
            } => (name, dst(node), place(parent), index).serialize(serializer),
            EditAction::Move {
                node,
                parent,
                index,
            } => (name, src(node), place(parent), index).serialize(serializer),
            EditAction::Update { node, to } => {
                (name, src(node), self.1.label(to)).serialize(serializer)
            }
            EditAction::Delete { node } | EditAction::DeleteTree { node } => {
                let mut tuple = serializer.serialize_tuple(2)?;
                tuple.serialize_element(name)?;
                tuple.serialize_element(&src(node))?;
                tuple.end()
            }
        }
    }
}

fn src(node: DiffNodeId) -> String {
    format!("s{}", node.0)
}

fn dst(node: DiffNodeId) -> String {
    format!("d{}", node.0)
}

fn place(parent: Parent) -> String {
    match parent {
        Parent::Src(node) => src(node),
        Parent::Dst(node) => dst(node),
        Parent::Root => "root".to_owned(),
    }
}
