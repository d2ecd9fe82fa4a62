//! What a rule is, what it sees, and how its looks become perturbations.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::perturb::options::OptionSpec;
use crate::perturb::{Considered, Perturbation, PerturbedSite, RULES, RuleOutcome};
use crate::subject::MethodContext;
use crate::syntax::outline::{self, Imports};
use crate::syntax::scope::{Role, Scopes, Symbol};
use crate::syntax::{Kind, NodeId, Tree};
use crate::text::Span;

/// The four kinds of adaptation (CtxBugGen, section 3.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdaptationTask {
    /// What goes in and comes out.
    Interface,
    /// What it does.
    Functionality,
    /// What things are called.
    Identifier,
    /// What it stands on.
    Dependency,
}

impl AdaptationTask {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 4] = [
        Self::Interface,
        Self::Functionality,
        Self::Identifier,
        Self::Dependency,
    ];

    /// For people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Interface => "Interface",
            Self::Functionality => "Functionality",
            Self::Identifier => "Identifier",
            Self::Dependency => "Dependency",
        }
    }
}

/// One of the ten rules; the discriminant is the paper's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is documented in its rule's file")]
pub enum RuleId {
    Parameters = 1,
    Returns,
    Constants,
    Operators,
    Assignments,
    Conditions,
    LibraryCalls,
    ContextNames,
    LocalNames,
    ThirdParty,
}

impl RuleId {
    /// The rule itself.
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize - 1]
    }

    /// The paper's number, 1 to 10.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The name used in files, links and options.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Returns => "returns",
            Self::Constants => "constants",
            Self::Operators => "operators",
            Self::Assignments => "assignments",
            Self::Conditions => "conditions",
            Self::LibraryCalls => "library_calls",
            Self::ContextNames => "context_names",
            Self::LocalNames => "local_names",
            Self::ThirdParty => "third_party",
        }
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl FromStr for RuleId {
    type Err = String;

    /// Takes a slug or a number (`4`, `R4`).
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_prefix(['R', 'r']).unwrap_or(text);
        RULES
            .iter()
            .map(|rule| rule.id)
            .find(|id| id.slug() == text || id.number().to_string() == number)
            .ok_or_else(|| {
                let slugs: Vec<&str> = RULES.iter().map(|rule| rule.id.slug()).collect();
                format!("no rule {text}; choose 1 to 10 or {}", slugs.join(", "))
            })
    }
}

/// A perturbation rule: data and one function.
pub struct Rule {
    /// Which of the ten.
    pub id: RuleId,
    /// What it is about.
    pub task: AdaptationTask,
    /// For a list: what is hidden.
    pub title: &'static str,
    /// One sentence: what one instance is.
    pub summary: &'static str,
    /// What stands in a hidden place.
    pub placeholder: &'static str,
    /// Its free choices.
    pub options: &'static [OptionSpec],
    pub(super) find: fn(&RuleCx<'_>, NodeId, &mut Looks),
}

impl Rule {
    pub(super) fn find(&self, cx: &RuleCx<'_>, method: NodeId, looks: &mut Looks) {
        (self.find)(cx, method, looks);
    }
}

/// What a rule sees of a method.
pub(super) struct RuleCx<'a> {
    pub(super) tree: Tree,
    pub(super) scopes: Scopes,
    pub(super) context: &'a MethodContext,
    /// The method's `function_definition`.
    pub(super) method: Option<NodeId>,
    imports: Imports,
    out_of_reach: Vec<Option<&'static str>>,
    chain_roots: Vec<Option<NodeId>>,
}

/// What a name stands for.
pub(super) enum Meaning<'a> {
    /// An import of the module or of the method.
    Library,
    /// Bound in the method.
    Bound(&'a Symbol),
    /// Of the module, or a builtin.
    Free,
}

impl<'a> RuleCx<'a> {
    pub(super) fn new(tree: Tree, context: &'a MethodContext) -> Self {
        let scopes = Scopes::of(&tree);
        let method = outline::method(&tree);
        let imports = Imports::of(&context.imports);
        let out_of_reach = out_of_reach(&tree);
        let chain_roots = chain_roots(&tree);
        Self {
            tree,
            scopes,
            context,
            method,
            imports,
            out_of_reach,
            chain_roots,
        }
    }

    /// Why no rule but the first may touch a node: it is a docstring, an annotation, a decorator.
    pub(super) fn out_of_reach(&self, node: NodeId) -> Option<&'static str> {
        self.out_of_reach[node.0 as usize]
    }

    /// The nodes that rules may touch, in source order.
    pub(super) fn in_reach(&self, method: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.tree
            .subtree(method)
            .filter(|&node| self.out_of_reach(node).is_none())
    }

    /// What a name (an identifier that is one) stands for.
    pub(super) fn meaning(&self, name: NodeId) -> Meaning<'_> {
        match self.scopes.resolve(name) {
            Some(symbol) if symbol.is_import() => Meaning::Library,
            Some(symbol) => Meaning::Bound(symbol),
            None if self.imports.module_of(self.tree.text(name)).is_some() => Meaning::Library,
            None => Meaning::Free,
        }
    }

    /// Whether an identifier is a use of an imported name.
    pub(super) fn is_library(&self, node: NodeId) -> bool {
        self.scopes.is_name(node) && matches!(self.meaning(node), Meaning::Library)
    }

    /// The module that an imported name comes from.
    pub(super) fn module_of(&self, name: NodeId) -> Option<String> {
        match self.scopes.resolve(name) {
            Some(symbol) => symbol.import_module(&self.tree),
            None => self
                .imports
                .module_of(self.tree.text(name))
                .map(str::to_owned),
        }
    }

    /// The leftmost name of a chain of attributes and calls; a subscript or anything else ends it.
    pub(super) fn chain_root(&self, node: NodeId) -> Option<NodeId> {
        self.chain_roots[node.0 as usize]
    }

    /// The top of the chain of attributes and calls that starts at a name.
    pub(super) fn chain_top(&self, name: NodeId) -> NodeId {
        let mut top = name;
        while let Some(parent) = self.tree.parent(top) {
            let goes_on = match self.tree.kind(parent) {
                Kind::Attribute => self.tree.node(top).field == Some("object"),
                Kind::Call => self.tree.node(top).field == Some("function"),
                _ => false,
            };
            if !goes_on {
                break;
            }
            top = parent;
        }
        top
    }

    /// The call of which a node is the callee; the node itself when it is none.
    pub(super) fn with_call(&self, node: NodeId) -> NodeId {
        self.tree
            .parent(node)
            .filter(|&parent| {
                self.tree.kind(parent) == Kind::Call
                    && self.tree.node(node).field == Some("function")
            })
            .unwrap_or(node)
    }

    /// The method's own receiver (`self` or `cls`), where it has one.
    pub(super) fn receiver(&self, method: NodeId) -> Option<NodeId> {
        if self.context.is_static || outline::is_static(&self.tree, method) {
            return None;
        }
        let parameters = self.tree.field(method, "parameters")?;
        let first = self.tree.named_children(parameters).next()?;
        let name = match self.tree.kind(first) {
            Kind::Identifier => first,
            Kind::TypedParameter => self.tree.named_children(first).next()?,
            _ => return None,
        };
        matches!(self.tree.text(name), "self" | "cls").then_some(name)
    }
}

/// Marks docstrings, annotations, decorators and comments with everything below them.
fn out_of_reach(tree: &Tree) -> Vec<Option<&'static str>> {
    let mut marks: Vec<Option<&'static str>> = vec![None; tree.n_nodes()];
    for id in tree.ids() {
        let inherited = tree.parent(id).and_then(|parent| marks[parent.0 as usize]);
        marks[id.0 as usize] = inherited.or_else(|| match tree.kind(id) {
            Kind::Comment => Some("a comment"),
            Kind::Decorator => Some("a decorator"),
            Kind::Type | Kind::TypeParameter | Kind::TypeAliasStatement => Some("an annotation"),
            Kind::String | Kind::ConcatenatedString if outline::is_docstring(tree, id) => {
                Some("a docstring")
            }
            _ => None,
        });
    }
    marks
}

/// Where the chain of attributes and calls that ends at a node starts. Children come after their
/// parents, so backwards each is known when it is asked for.
fn chain_roots(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut roots = vec![None; tree.n_nodes()];
    for id in tree.ids().rev() {
        let before = match tree.kind(id) {
            Kind::Identifier => {
                roots[id.0 as usize] = Some(id);
                continue;
            }
            Kind::Attribute => tree.field(id, "object"),
            Kind::Call => tree.field(id, "function"),
            _ => None,
        };
        roots[id.0 as usize] = before.and_then(|before| roots[before.0 as usize]);
    }
    roots
}

/// Which instance a masked place belongs to: places of one key are hidden together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Group {
    order: u32,
    label: Option<&'static str>,
}

/// Collects what a rule looked at.
pub(super) struct Looks {
    options: BTreeMap<String, String>,
    seen: Vec<Look>,
    /// The order of each text that [`Looks::by_text`] saw.
    texts: BTreeMap<String, usize>,
}

struct Look {
    span: Span,
    kind: String,
    group: Option<Group>,
    reason: &'static str,
}

impl Looks {
    pub(super) fn new(options: BTreeMap<String, String>) -> Self {
        Self {
            options,
            seen: Vec::new(),
            texts: BTreeMap::new(),
        }
    }

    /// The value of one of the rule's own options.
    pub(super) fn option(&self, name: &str) -> &str {
        debug_assert!(self.options.contains_key(name), "no option {name}");
        self.options.get(name).map_or("", String::as_str)
    }

    /// Whether an option is, or holds, a value.
    pub(super) fn chose(&self, name: &str, value: &str) -> bool {
        self.option(name).split(',').any(|chosen| chosen == value)
    }

    /// All such places are one instance.
    pub(super) fn together() -> Group {
        Group {
            order: 0,
            label: None,
        }
    }

    /// All places of one order and label are one instance.
    pub(super) fn by_label(order: u32, label: &'static str) -> Group {
        Group {
            order,
            label: Some(label),
        }
    }

    /// All places of one number are one instance.
    pub(super) fn numbered(order: u32) -> Group {
        Group { order, label: None }
    }

    /// All places of one text are one instance, ordered by the first.
    pub(super) fn by_text(&mut self, text: &str) -> Group {
        let next = self.seen.len();
        let first = *self.texts.entry(text.to_owned()).or_insert(next);
        Self::numbered(u32::try_from(first).unwrap_or(u32::MAX))
    }

    /// This place is an instance of its own.
    pub(super) fn alone(&self, label: Option<&'static str>) -> Group {
        Group {
            order: self.next(),
            label,
        }
    }

    fn next(&self) -> u32 {
        u32::try_from(self.seen.len()).unwrap_or(u32::MAX)
    }

    /// Hides a node.
    pub(super) fn mask(
        &mut self,
        cx: &RuleCx<'_>,
        node: NodeId,
        group: Group,
        reason: &'static str,
    ) {
        if cx.tree.span(node).is_empty() {
            // The parser supplied it for a text that is no valid Python.
            self.leave(cx, node, "nothing stands there");
            return;
        }
        let kind = cx.tree.node(node).name;
        self.mask_span(cx.tree.span(node), kind, group, reason);
    }

    /// Hides a place that is no single node.
    pub(super) fn mask_span(&mut self, span: Span, kind: &str, group: Group, reason: &'static str) {
        self.seen.push(Look {
            span,
            kind: kind.to_owned(),
            group: Some(group),
            reason,
        });
    }

    /// Leaves a node alone.
    pub(super) fn leave(&mut self, cx: &RuleCx<'_>, node: NodeId, reason: &'static str) {
        let (span, kind) = (cx.tree.span(node), cx.tree.node(node).name.to_owned());
        self.seen.push(Look {
            span,
            kind,
            group: None,
            reason,
        });
    }

    /// Groups become instances; in one instance a place inside another is dropped.
    pub(super) fn finish(mut self, rule: RuleId, source: &str) -> RuleOutcome {
        self.seen
            .sort_by_key(|look| (look.span.start, std::cmp::Reverse(look.span.end)));
        let mut groups: Vec<Group> = self
            .seen
            .iter()
            .filter_map(|look| look.group.clone())
            .collect();
        groups.sort();
        groups.dedup();
        let placeholder = rule.rule().placeholder;
        let mut perturbations: Vec<Perturbation> = (0..)
            .zip(&groups)
            .map(|(instance, group)| Perturbation {
                rule,
                instance,
                label: group.label.map(str::to_owned),
                sites: Vec::new(),
            })
            .collect();
        let mut considered = Vec::with_capacity(self.seen.len());
        for look in self.seen {
            let Look {
                span,
                kind,
                group,
                mut reason,
            } = look;
            let mut instance = None;
            if let Some(index) = group.and_then(|group| groups.binary_search(&group).ok()) {
                let of = &mut perturbations[index];
                if of
                    .sites
                    .last()
                    .is_some_and(|last| span.start < last.span.end)
                {
                    reason = "inside a larger place that is hidden";
                } else {
                    instance = Some(of.instance);
                    let (hidden, placeholder) =
                        (span.of(source).to_owned(), placeholder.to_owned());
                    of.sites.push(PerturbedSite {
                        span,
                        kind: kind.clone(),
                        hidden,
                        placeholder,
                    });
                }
            }
            considered.push(Considered {
                span,
                kind,
                instance,
                reason: reason.to_owned(),
            });
        }
        RuleOutcome {
            rule,
            perturbations,
            considered,
        }
    }
}

impl RuleCx<'_> {
    /// Whether an identifier occurrence binds, declares or reads a name.
    pub(super) fn role(&self, node: NodeId) -> Option<Role> {
        self.scopes.role(node)
    }
}
