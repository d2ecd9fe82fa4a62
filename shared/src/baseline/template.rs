//! A piece of code whose names are parts: what is taken out of one method and put into another.

use super::names::{Member, Mention, Name, Names, PARTS, Part, recent_members};
use crate::perturb::is_builtin;
use crate::syntax::{Kind, NodeId};
use crate::text::Span;

/// A name's part. A rank says how many others of the part were mentioned since.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    Receiver,
    Variable(Part, usize),
    Member(Member, usize),
    /// A parameter that the body uses: its place in the order of first uses.
    Bound(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Text(String),
    Slot(Slot),
}

/// A piece of code with slots for names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Template {
    /// The grammar's name of the node; `parameters` for a run of parameters.
    pub(super) kind: &'static str,
    pieces: Vec<Piece>,
    /// Names that it binds itself.
    binds: Vec<String>,
    /// Names that it takes from around the method, builtins too.
    free: Vec<String>,
    /// Members of the receiver that it mentions and its method did not before.
    members: Vec<(Member, String)>,
}

/// Code made of a template.
pub(super) struct Made<'a> {
    pub(super) text: String,
    /// What it mentions, in order.
    pub(super) mentions: Vec<Name<'a>>,
}

/// Longer code is not taken over.
const MAX_BYTES: u32 = 160;

/// Stands before and after a slot in a template's key, and in no code.
const MARK: char = '\u{1}';

/// The last mentioned names at a place, asked for once.
pub(super) struct Recent<'n> {
    place: Span,
    variables: [Vec<usize>; PARTS.len()],
    fields: Vec<&'n str>,
    methods: Vec<&'n str>,
}

impl<'n> Recent<'n> {
    pub(super) fn at(names: &Names<'_>, mentions: &[Mention<'n>], place: Span) -> Self {
        Self {
            place,
            variables: PARTS.map(|part| names.recent_variables(mentions, place, part)),
            fields: recent_members(mentions, place, Member::Field),
            methods: recent_members(mentions, place, Member::Method),
        }
    }

    fn members(&self, member: Member) -> &[&'n str] {
        match member {
            Member::Field => &self.fields,
            Member::Method => &self.methods,
        }
    }
}

impl Template {
    /// Takes a node out of its method; `None` where it is long, goes over lines, or has a name that
    /// was not there before.
    pub(super) fn of(names: &Names<'_>, node: NodeId, recent: &Recent<'_>) -> Option<Self> {
        let tree = names.tree();
        let span = tree.span(node);
        let mut template = Self::empty(tree.node(node).name, span.of(tree.source()), span)?;
        let mut at = span.start;
        for id in tree.subtree(node) {
            if tree.kind(id) != Kind::Identifier {
                continue;
            }
            let Some(name) = names.name(id) else { continue };
            let slot = match name {
                Name::Receiver => Slot::Receiver,
                Name::Variable(number) => {
                    let variable = names.variable(number)?;
                    if span.contains(variable.extent) {
                        template.binds.push(variable.name.to_owned());
                        continue;
                    }
                    let known = &recent.variables[variable.part as usize];
                    let rank = known.iter().position(|&other| other == number)?;
                    Slot::Variable(variable.part, rank)
                }
                Name::Member(member, name) => {
                    let known = recent.members(member);
                    if let Some(rank) = known.iter().position(|other| *other == name) {
                        Slot::Member(member, rank)
                    } else {
                        template.members.push((member, name.to_owned()));
                        continue;
                    }
                }
                Name::Free(name) => {
                    template.free.push(name.to_owned());
                    continue;
                }
            };
            template.text(Span::new(at, tree.span(id).start).of(tree.source()));
            template.pieces.push(Piece::Slot(slot));
            at = tree.span(id).end;
        }
        template.text(Span::new(at, span.end).of(tree.source()));
        Some(template)
    }

    /// Takes a run of parameters; those that the body uses become slots.
    pub(super) fn of_parameters(names: &Names<'_>, run: &[NodeId], used: &[usize]) -> Option<Self> {
        let tree = names.tree();
        let span = run_span(names, run)?;
        let mut template = Self::empty("parameters", span.of(tree.source()), span)?;
        let mut at = span.start;
        let ids = run.iter().flat_map(|&node| tree.subtree(node));
        for id in ids.filter(|&id| tree.kind(id) == Kind::Identifier) {
            match names.name(id) {
                Some(Name::Variable(number)) => {
                    let Some(order) = used.iter().position(|&other| other == number) else {
                        template.binds.push(tree.text(id).to_owned());
                        continue;
                    };
                    template.text(Span::new(at, tree.span(id).start).of(tree.source()));
                    template.pieces.push(Piece::Slot(Slot::Bound(order)));
                    at = tree.span(id).end;
                }
                Some(Name::Free(name)) => template.free.push(name.to_owned()),
                _ => {}
            }
        }
        template.text(Span::new(at, span.end).of(tree.source()));
        Some(template)
    }

    /// Takes an operator.
    pub(super) fn of_operator(names: &Names<'_>, token: NodeId) -> Option<Self> {
        let tree = names.tree();
        let span = tree.span(token);
        let mut template = Self::empty(tree.node(token).name, span.of(tree.source()), span)?;
        template.text(span.of(tree.source()));
        Some(template)
    }

    fn empty(kind: &'static str, text: &str, span: Span) -> Option<Self> {
        let is_short = !span.is_empty() && span.len() <= MAX_BYTES;
        let is_plain = !text.contains(['\n', '\r', MARK]);
        (is_short && is_plain).then(|| Self {
            kind,
            pieces: Vec::new(),
            binds: Vec::new(),
            free: Vec::new(),
            members: Vec::new(),
        })
    }

    fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
    }

    /// Equal for equal templates, and the order of those that are equally frequent.
    pub(super) fn key(&self) -> String {
        let mut key = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => key.push_str(text),
                Piece::Slot(slot) => {
                    let slot = match slot {
                        Slot::Receiver => "receiver".to_owned(),
                        Slot::Variable(part, rank) => format!("{part:?} {rank:03}"),
                        Slot::Member(member, rank) => format!("{member:?} {rank:03}"),
                        Slot::Bound(order) => format!("bound {order:03}"),
                    };
                    key.extend([MARK.to_string(), slot, MARK.to_string()]);
                }
            }
        }
        key.push(MARK);
        key.push_str(self.kind);
        key
    }

    /// The code at a place of another method; `None` where a name of it is not there. `is_free` says
    /// which names from around the method may be used.
    pub(super) fn make<'n>(
        &'n self,
        names: &Names<'n>,
        recent: &Recent<'n>,
        is_free: &dyn Fn(&str) -> bool,
    ) -> Option<Made<'n>> {
        let place = recent.place;
        let is_there =
            |name: &String| (is_builtin(name) || is_free(name)) && !names.shadows(name, place);
        if !self.free.iter().all(is_there) {
            return None;
        }
        let mut made = Made {
            text: String::new(),
            mentions: Vec::new(),
        };
        for piece in &self.pieces {
            let text = match piece {
                Piece::Text(text) => text.as_str(),
                Piece::Slot(Slot::Receiver) => names.receiver()?,
                Piece::Slot(Slot::Variable(part, rank)) => {
                    let number = *recent.variables[*part as usize].get(*rank)?;
                    let name = names.variable(number)?.name;
                    if self.binds.iter().any(|bound| bound == name) {
                        return None;
                    }
                    made.mentions.push(Name::Variable(number));
                    name
                }
                Piece::Slot(Slot::Member(member, rank)) => {
                    let name = *recent.members(*member).get(*rank)?;
                    made.mentions.push(Name::Member(*member, name));
                    name
                }
                Piece::Slot(Slot::Bound(_)) => return None,
            };
            made.text.push_str(text);
        }
        let own = self.members.iter();
        let own = own.map(|(member, name)| Name::Member(*member, name.as_str()));
        made.mentions.extend(own);
        Some(made)
    }

    /// A run of parameters that binds just these `used` ones.
    pub(super) fn make_parameters(
        &self,
        names: &Names<'_>,
        used: &[usize],
        is_free: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let slots = self.pieces.iter();
        let n_slots = slots
            .filter(|piece| matches!(piece, Piece::Slot(_)))
            .count();
        let is_there = |name: &String| is_builtin(name) || is_free(name);
        if n_slots != used.len() || !self.free.iter().all(is_there) {
            return None;
        }
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Slot(Slot::Bound(order)) => {
                    let name = names.variable(*used.get(*order)?)?.name;
                    if self.binds.iter().any(|bound| bound == name) {
                        return None;
                    }
                    out.push_str(name);
                }
                Piece::Slot(_) => return None,
            }
        }
        Some(out)
    }
}

/// From the first of some parameters to the last.
pub(super) fn run_span(names: &Names<'_>, run: &[NodeId]) -> Option<Span> {
    let (first, last) = (run.first()?, run.last()?);
    Some(Span::new(
        names.tree().span(*first).start,
        names.tree().span(*last).end,
    ))
}
