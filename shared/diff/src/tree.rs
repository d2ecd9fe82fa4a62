//! The tree that is diffed: flat arrays in preorder, parents before children.

use crate::span::Span;

/// A node's place in its [`DiffTree`]: its index in preorder, the root's is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DiffNodeId(pub u32);

/// No node, no mapping.
pub(crate) const NONE: u32 = u32::MAX;

/// A tree with typed and labelled nodes, and for each node what the matchers ask all the time: its
/// subtree's size, its height (a leaf's is 0), its depth and a hash of its subtree. A value that
/// knows no language: [`DiffTreeBuilder`] makes it from anything.
///
/// Everything is indexed by preorder, so a subtree is a range. About 60 bytes a node.
#[derive(Clone, Debug, Default)]
pub struct DiffTree {
    /// Type of each node, as a place in `kind_names`.
    pub(crate) kinds: Vec<u32>,
    pub(crate) kind_names: Vec<&'static str>,
    pub(crate) kind_hashes: Vec<u32>,
    /// Label of each node, as a place in `label_ranges`; 0 is the empty label.
    pub(crate) labels: Vec<u32>,
    /// The different labels, sorted by hash and text, as ranges of `text`.
    label_ranges: Vec<Span>,
    pub(crate) label_hashes: Vec<u32>,
    text: String,
    pub(crate) parents: Vec<u32>,
    pub(crate) sizes: Vec<u32>,
    pub(crate) heights: Vec<u32>,
    pub(crate) depths: Vec<u32>,
    /// The how-manieth child each node is, from 0.
    pub(crate) positions: Vec<u32>,
    /// GumTree's hash of each subtree: types, labels and shape.
    pub(crate) hashes: Vec<u32>,
    /// The same over types and shape only.
    pub(crate) shapes: Vec<u32>,
    pub(crate) spans: Vec<Span>,
    origins: Vec<u32>,
}

impl DiffTree {
    /// The number of nodes, at least 1.
    pub fn n_nodes(&self) -> usize {
        self.kinds.len()
    }

    /// The root.
    pub fn root(&self) -> DiffNodeId {
        DiffNodeId(0)
    }

    /// All nodes in preorder.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = DiffNodeId> + use<> {
        (0..index(self.n_nodes())).map(DiffNodeId)
    }

    /// The node's type.
    pub fn kind(&self, id: DiffNodeId) -> &'static str {
        self.kind_names[self.kinds[id.0 as usize] as usize]
    }

    /// The node's label; empty for most inner nodes.
    pub fn label(&self, id: DiffNodeId) -> &str {
        self.label_text(self.labels[id.0 as usize])
    }

    /// Where the node stands in its source.
    pub fn span(&self, id: DiffNodeId) -> Span {
        self.spans[id.0 as usize]
    }

    /// The number of the node that it was made from, as the builder was told.
    pub fn origin(&self, id: DiffNodeId) -> Option<u32> {
        let origin = self.origins[id.0 as usize];
        (origin != NONE).then_some(origin)
    }

    /// The node's parent; `None` for the root.
    pub fn parent(&self, id: DiffNodeId) -> Option<DiffNodeId> {
        let parent = self.parents[id.0 as usize];
        (parent != NONE).then_some(DiffNodeId(parent))
    }

    /// The how-manieth child of its parent the node is, from 0; the root's is 0.
    pub fn position(&self, id: DiffNodeId) -> u32 {
        self.positions[id.0 as usize]
    }

    /// Children in order.
    pub fn children(&self, id: DiffNodeId) -> impl Iterator<Item = DiffNodeId> + '_ {
        self.child_indexes(id.0).map(DiffNodeId)
    }

    /// The node and all below it, in preorder.
    pub fn subtree(&self, id: DiffNodeId) -> impl DoubleEndedIterator<Item = DiffNodeId> + use<> {
        (id.0..self.end(id.0)).map(DiffNodeId)
    }

    /// The smallest node whose span holds `span`: where in the tree a place of the source is.
    pub fn enclosing(&self, span: Span) -> DiffNodeId {
        let mut found = self.root();
        let mut child = self
            .child_indexes(0)
            .find(|&c| self.spans[c as usize].contains(span));
        while let Some(inner) = child {
            found = DiffNodeId(inner);
            child = self
                .child_indexes(inner)
                .find(|&c| self.spans[c as usize].contains(span));
        }
        found
    }

    /// Whether both trees have the same types, labels and shape; where they stand does not matter.
    pub fn is_isomorphic_to(&self, other: &Self) -> bool {
        self.sizes == other.sizes
            && self
                .ids()
                .all(|id| self.kind(id) == other.kind(id) && self.label(id) == other.label(id))
    }

    pub(crate) fn label_text(&self, label: u32) -> &str {
        self.label_ranges[label as usize].of(&self.text)
    }

    /// One past the last node of the subtree.
    pub(crate) fn end(&self, node: u32) -> u32 {
        node + self.sizes[node as usize]
    }

    pub(crate) fn child_indexes(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.end(node);
        let first = (node + 1 < end).then_some(node + 1);
        std::iter::successors(first, move |&child| {
            let next = self.end(child);
            (next < end).then_some(next)
        })
    }

    pub(crate) fn is_leaf(&self, node: u32) -> bool {
        self.sizes[node as usize] == 1
    }

    /// The number of nodes below.
    pub(crate) fn n_below(&self, node: u32) -> u32 {
        self.sizes[node as usize] - 1
    }

    /// The node's index in postorder.
    pub(crate) fn postorder(&self, node: u32) -> u32 {
        node + self.sizes[node as usize] - 1 - self.depths[node as usize]
    }
}

/// Builds a [`DiffTree`] node by node, in preorder.
#[derive(Debug, Default)]
pub struct DiffTreeBuilder {
    tree: DiffTree,
    open: Vec<u32>,
    /// Where each node's label stands in the text.
    raw_labels: Vec<Span>,
    /// Place in `kind_names` by the address of the name: a grammar's names are few and stand still.
    kind_cache: Vec<(usize, u32)>,
}

const KIND_CACHE: usize = 256;

impl DiffTreeBuilder {
    /// A builder with room for `n_nodes` nodes and `n_bytes` bytes of labels.
    pub fn with_capacity(n_nodes: usize, n_bytes: usize) -> Self {
        let mut builder = Self::default();
        builder.raw_labels.reserve(n_nodes);
        let tree = &mut builder.tree;
        tree.text.reserve(n_bytes);
        for column in [
            &mut tree.kinds,
            &mut tree.parents,
            &mut tree.sizes,
            &mut tree.depths,
            &mut tree.positions,
            &mut tree.origins,
        ] {
            column.reserve(n_nodes);
        }
        tree.spans.reserve(n_nodes);
        builder
    }

    /// Begins a node: a child of the last one begun and not yet ended. A second root becomes a child
    /// of the first.
    pub fn open(&mut self, kind: &'static str, label: &str, span: Span, origin: Option<u32>) {
        let kind = self.kind(kind);
        let tree = &mut self.tree;
        let id = index(tree.kinds.len());
        let parent = match self.open.last() {
            Some(&parent) => parent,
            None if id == 0 => NONE,
            None => 0,
        };
        let (depth, position) = if parent == NONE {
            (0, 0)
        } else {
            // Until the tree is finished, `sizes` counts children.
            let n_children = &mut tree.sizes[parent as usize];
            *n_children += 1;
            (tree.depths[parent as usize] + 1, *n_children - 1)
        };
        let start = index(tree.text.len());
        tree.text.push_str(label);
        self.raw_labels
            .push(Span::new(start, index(tree.text.len())));
        tree.kinds.push(kind);
        tree.parents.push(parent);
        tree.depths.push(depth);
        tree.positions.push(position);
        tree.sizes.push(0);
        tree.spans.push(span);
        tree.origins.push(origin.unwrap_or(NONE));
        self.open.push(id);
    }

    /// Ends the last node begun.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// Ends all nodes. A tree without nodes gets a root without type.
    pub fn finish(mut self) -> DiffTree {
        if self.tree.kinds.is_empty() {
            self.open("", "", Span::new(0, 0), None);
        }
        self.intern_labels();
        self.measure();
        self.tree
    }

    fn kind(&mut self, name: &'static str) -> u32 {
        if self.kind_cache.is_empty() {
            self.kind_cache.resize(KIND_CACHE, (0, 0));
        }
        // Names of one address may differ in length only where one begins the other.
        let key = name.as_ptr().addr() ^ name.len().rotate_right(8);
        let slot = (key ^ (key >> 8)) % KIND_CACHE;
        let names = &mut self.tree.kind_names;
        let (cached, place) = self.kind_cache[slot];
        if cached == key && names.get(place as usize) == Some(&name) {
            return place;
        }
        let place = names.iter().position(|&known| known == name);
        let place = place.unwrap_or_else(|| {
            names.push(name);
            self.tree.kind_hashes.push(java_hash(name));
            names.len() - 1
        });
        self.kind_cache[slot] = (key, index(place));
        index(place)
    }

    fn intern_labels(&mut self) {
        let tree = &mut self.tree;
        let raw = &self.raw_labels;
        let text = tree.text.as_str();
        let of = |node: u32| raw[node as usize].of(text);
        let mut order: Vec<u64> = (0..index(raw.len()))
            .filter(|&node| !raw[node as usize].is_empty())
            .map(|node| key(java_hash(of(node)), node))
            .collect();
        let split = |key: u64| (low(key >> 32), low(key));
        order.sort_unstable_by(|&a, &b| {
            let ((hash_a, a), (hash_b, b)) = (split(a), split(b));
            (hash_a, of(a), a).cmp(&(hash_b, of(b), b))
        });
        tree.labels.resize(raw.len(), 0);
        tree.label_ranges.push(Span::new(0, 0));
        tree.label_hashes.push(0);
        let mut last = None;
        for key in order {
            let (hash, node) = split(key);
            if last != Some((hash, of(node))) {
                last = Some((hash, of(node)));
                tree.label_ranges.push(raw[node as usize]);
                tree.label_hashes.push(hash);
            }
            tree.labels[node as usize] = index(tree.label_ranges.len() - 1);
        }
    }

    /// Sizes, heights and hashes, children before parents.
    fn measure(&mut self) {
        let tree = &mut self.tree;
        let n = tree.kinds.len();
        let (enter, leave) = (java_hash("enter"), java_hash("leave"));
        tree.heights.resize(n, 0);
        tree.hashes.resize(n, 0);
        tree.shapes.resize(n, 0);
        // 33 to the power of twice the subtree's size.
        let mut powers = vec![0u32; n];
        for node in (0..n).rev() {
            let kind = tree.kind_hashes[tree.kinds[node] as usize];
            let label = tree.label_hashes[tree.labels[node] as usize];
            let mut hash = three(kind, label, enter);
            let mut shape = three(kind, 0, enter);
            let (mut size, mut height, mut power) = (1, 0, 33u32);
            for _ in 0..tree.sizes[node] {
                let child = node + size as usize;
                hash = hash.wrapping_add(tree.hashes[child].wrapping_mul(power));
                shape = shape.wrapping_add(tree.shapes[child].wrapping_mul(power));
                power = power.wrapping_mul(powers[child]);
                height = height.max(tree.heights[child] + 1);
                size += tree.sizes[child];
            }
            tree.hashes[node] = hash.wrapping_add(three(kind, label, leave).wrapping_mul(power));
            tree.shapes[node] = shape.wrapping_add(three(kind, 0, leave).wrapping_mul(power));
            // The loop left 33 to the power of one more than twice the children's sizes.
            powers[node] = power.wrapping_mul(33);
            tree.sizes[node] = size;
            tree.heights[node] = height;
        }
    }
}

/// Java's hash of a string: over UTF-16 units, in wrapping 32-bit integers.
fn java_hash(text: &str) -> u32 {
    let step = |hash: u32, unit: u32| hash.wrapping_mul(31).wrapping_add(unit);
    if text.is_ascii() {
        return text.bytes().map(u32::from).fold(0, step);
    }
    text.encode_utf16().map(u32::from).fold(0, step)
}

/// Java's hash of three values.
fn three(a: u32, b: u32, c: u32) -> u32 {
    [a, b, c].into_iter().fold(1u32, |hash, value| {
        hash.wrapping_mul(31).wrapping_add(value)
    })
}

/// Sizes are 32 bits: no source that is parsed has more nodes.
pub(crate) fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The bit that tells a destination's node from a source's in a sort key.
pub(crate) const DST: u64 = 1 << 31;

/// A sort key: first by `high`, then by `low`.
pub(crate) fn key(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The lower half of a sort key.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the lower half is what is asked for"
)]
pub(crate) fn low(key: u64) -> u32 {
    key as u32
}
