//! A method's names by the part that they play, and which of them were mentioned last.

use crate::perturb::Method;
use crate::syntax::scope::{Binding, Role, Symbol};
use crate::syntax::{Kind, NodeId, Tree};
use crate::text::Span;

/// What a variable of a method is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// It comes in.
    Parameter,
    /// It is assigned.
    Local,
    /// It goes through something, or is opened: `for`, `with`, `except`, comprehensions, patterns.
    Element,
}

/// All parts.
pub(super) const PARTS: [Part; 3] = [Part::Parameter, Part::Local, Part::Element];

/// What a member of the receiver is, told by its use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Member {
    /// It is called.
    Method,
    /// It is not.
    Field,
}

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name<'a> {
    /// The method's receiver.
    Receiver,
    /// A variable, by its number.
    Variable(usize),
    /// A member of the receiver: the name after its point.
    Member(Member, &'a str),
    /// Of a library, of the module, or a builtin.
    Free(&'a str),
}

/// A variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable<'a> {
    pub(super) name: &'a str,
    pub(super) part: Part,
    /// Where it is seen: its function, lambda or comprehension.
    pub(super) extent: Span,
    /// What it goes through, where a comprehension binds it: there it is not known yet, and in the
    /// rest of the comprehension before the place that binds it too.
    goes_through: Option<Span>,
    /// Where it is bound first.
    bound: u32,
}

/// A name at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention<'a> {
    /// The byte after which it counts: a variable is not there before its statement has assigned it.
    pub(super) at: u32,
    /// Where it stands.
    pub(super) start: u32,
    pub(super) name: Name<'a>,
}

/// How far back mentions are looked at.
const MAX_BACK: usize = 200;

/// The names of a method.
pub(super) struct Names<'a> {
    pub(super) method: &'a Method<'a>,
    /// By number; `None` for what is no variable of the method.
    variables: Vec<Option<Variable<'a>>>,
    receiver: Option<(usize, &'a str)>,
    /// Variables by name; sorted.
    by_name: Vec<(&'a str, usize)>,
    /// Variables that comprehensions bind, by where these begin.
    in_comprehensions: Vec<(u32, usize)>,
    /// In the order in which they count.
    pub(super) mentions: Vec<Mention<'a>>,
}

impl<'a> Names<'a> {
    pub(super) fn of(method: &'a Method<'a>) -> Self {
        let (tree, scopes) = (method.tree(), method.scopes());
        let receiver = method.receiver().and_then(|id| {
            let found = scopes.lookup(id)?;
            Some((found.index, tree.text(id)))
        });
        let mut names = Self {
            method,
            variables: vec![None; scopes.n_variables()],
            receiver,
            by_name: Vec::new(),
            in_comprehensions: Vec::new(),
            mentions: Vec::new(),
        };
        let own_name = method.definition().and_then(|id| tree.field(id, "name"));
        for id in tree.ids().filter(|&id| tree.kind(id) == Kind::Identifier) {
            if let (Some(found), Some(symbol)) = (scopes.lookup(id), scopes.resolve(id)) {
                let known = &mut names.variables[found.index];
                *known = known.or_else(|| variable(tree, tree.text(id), symbol));
            }
            // In the method its own name means nothing.
            if let Some(name) = names.name(id).filter(|_| Some(id) != own_name) {
                let start = tree.span(id).start;
                let at = counts_after(tree, id, scopes.role(id));
                names.mentions.push(Mention { at, start, name });
            }
        }
        names.mentions.sort_by_key(|mention| mention.at);
        for (number, known) in names.variables.iter().enumerate() {
            let Some(known) = known else { continue };
            names.by_name.push((known.name, number));
            if known.goes_through.is_some() {
                let begins = known.extent.start;
                names.in_comprehensions.push((begins, number));
            }
        }
        names.by_name.sort_unstable();
        names.in_comprehensions.sort_unstable();
        names
    }

    pub(super) fn tree(&self) -> &'a Tree {
        self.method.tree()
    }

    pub(super) fn receiver(&self) -> Option<&'a str> {
        self.receiver.map(|(_, name)| name)
    }

    pub(super) fn variable(&self, number: usize) -> Option<&Variable<'a>> {
        self.variables.get(number)?.as_ref()
    }

    /// Whether a variable of this name is seen at a place.
    pub(super) fn shadows(&self, name: &str, place: Span) -> bool {
        let first = self.by_name.partition_point(|&(other, _)| other < name);
        let same = self.by_name[first..].iter();
        same.take_while(|&&(other, _)| other == name)
            .filter_map(|&(_, number)| self.variable(number))
            .any(|known| known.extent.contains(place))
    }

    /// What an identifier means; `None` for keywords and for members of anything else.
    pub(super) fn name(&self, id: NodeId) -> Option<Name<'a>> {
        let (tree, scopes) = (self.tree(), self.method.scopes());
        if let Some(member) = self.member(id) {
            return Some(Name::Member(member, tree.text(id)));
        }
        if !scopes.is_name(id) {
            return None;
        }
        Some(match scopes.lookup(id).map(|found| found.index) {
            Some(number) if self.receiver.is_some_and(|(own, _)| own == number) => Name::Receiver,
            Some(number) if self.variables[number].is_some() => Name::Variable(number),
            _ => Name::Free(tree.text(id)),
        })
    }

    fn member(&self, id: NodeId) -> Option<Member> {
        let (tree, scopes) = (self.tree(), self.method.scopes());
        let attribute = tree.parent(id)?;
        let is_attribute =
            tree.kind(attribute) == Kind::Attribute && tree.node(id).field == Some("attribute");
        let object = tree.field(attribute, "object").filter(|_| is_attribute)?;
        let (receiver, _) = self.receiver?;
        if scopes.lookup(object)?.index != receiver {
            return None;
        }
        let is_called = tree.node(attribute).field == Some("function");
        Some(if is_called {
            Member::Method
        } else {
            Member::Field
        })
    }

    /// The variables of a part that are seen at a place and were mentioned before it, the last one
    /// first; those of the comprehensions around it come before all others.
    pub(super) fn recent_variables(
        &self,
        mentions: &[Mention<'_>],
        place: Span,
        part: Part,
    ) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        if part == Part::Element {
            let begun = self
                .in_comprehensions
                .partition_point(|&(at, _)| at <= place.start);
            let last = self.in_comprehensions[..begun].iter().rev().take(MAX_BACK);
            let around = last.filter_map(|&(_, number)| {
                let known = self.variable(number)?;
                let is_known = !known.goes_through?.contains(place) && known.extent.contains(place);
                is_known.then_some((number, known))
            });
            let mut around: Vec<_> = around.collect();
            around.sort_by_key(|(_, of)| (std::cmp::Reverse(of.extent.start), of.bound));
            found.extend(around.into_iter().map(|(number, _)| number));
        }
        for mention in before(mentions, place) {
            if let Name::Variable(number) = mention.name
                && !found.contains(&number)
                && let Some(known) = self.variable(number)
                && known.part == part
                && known.extent.contains(place)
                && known.goes_through.is_none()
            {
                found.push(number);
            }
        }
        found
    }
}

/// Where a name counts as mentioned.
fn counts_after(tree: &Tree, id: NodeId, role: Option<Role>) -> u32 {
    let holder = |kind| tree.ancestors(id).find(|&id| tree.kind(id) == kind);
    let last = match role {
        Some(Role::Bind(Binding::Assignment)) => holder(Kind::ExpressionStatement),
        Some(Role::Bind(Binding::For)) => {
            holder(Kind::ForStatement).and_then(|id| tree.field(id, "right"))
        }
        _ => None,
    };
    let end = last.map_or(0, |id| tree.span(id).end.saturating_sub(1));
    end.max(tree.span(id).start)
}

/// The members of the receiver that were mentioned before a place, the last one first.
pub(super) fn recent_members<'a>(
    mentions: &[Mention<'a>],
    place: Span,
    member: Member,
) -> Vec<&'a str> {
    let mut found = Vec::new();
    for mention in before(mentions, place) {
        if let Name::Member(other, name) = mention.name
            && other == member
            && !found.contains(&name)
        {
            found.push(name);
        }
    }
    found
}

/// The last mentions before a place, backwards.
fn before<'m, 'a>(
    mentions: &'m [Mention<'a>],
    place: Span,
) -> impl Iterator<Item = &'m Mention<'a>> {
    let end = mentions.partition_point(|mention| mention.at < place.start);
    mentions[..end].iter().rev().take(MAX_BACK)
}

fn variable<'a>(tree: &Tree, name: &'a str, symbol: &Symbol) -> Option<Variable<'a>> {
    let &(node, binding) = symbol.bindings.first()?;
    let part = match binding {
        Binding::Import => return None,
        Binding::Parameter => Part::Parameter,
        Binding::For
        | Binding::With
        | Binding::Except
        | Binding::Capture
        | Binding::Comprehension => Part::Element,
        _ => Part::Local,
    };
    let in_comprehension = binding == Binding::Comprehension;
    let clause = tree
        .ancestors(node)
        .find(|&id| tree.kind(id) == Kind::ForInClause);
    let goes_through = clause
        .filter(|_| in_comprehension)
        .and_then(|clause| tree.field(clause, "right"))
        .map(|right| tree.span(right));
    // A nested function's name is seen where the function stands.
    let is_name = matches!(binding, Binding::Function | Binding::Class);
    let holders = tree.ancestors(node).skip(usize::from(is_name));
    let mut holders = holders.filter(|&id| match tree.kind(id) {
        Kind::FunctionDefinition | Kind::ClassDefinition => true,
        Kind::Lambda => binding == Binding::Parameter,
        Kind::ListComprehension
        | Kind::SetComprehension
        | Kind::DictionaryComprehension
        | Kind::GeneratorExpression => in_comprehension,
        _ => false,
    });
    Some(Variable {
        name,
        part,
        extent: holders.next().map(|id| tree.span(id))?,
        goes_through,
        bound: tree.span(node).start,
    })
}
