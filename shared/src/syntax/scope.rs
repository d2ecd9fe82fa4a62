//! Python's names: which occurrence means which variable.
//!
//! Source: the Python language reference, 4.2 (naming and binding) and 6.2.4 (comprehensions); the
//! results agree with CPython's `symtable`. The text's top level counts as the module, so a method's
//! own text sees the names of its class and module as unresolved.

mod role;

use std::collections::BTreeMap;

use self::role::role;
use crate::syntax::{Kind, NodeId, Tree};

/// A scope's place in [`Scopes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ScopeId(u32);

/// What opens a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// The text.
    Module,
    /// A function's parameters and body.
    Function,
    /// A lambda's parameters and body.
    Lambda,
    /// A comprehension or generator expression, but for its first iterable.
    Comprehension,
    /// A class body.
    Class,
}

/// What an occurrence of a name does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Reads it.
    Load,
    /// Binds it.
    Bind(Binding),
    /// `del`: makes it local without binding it.
    Delete,
    /// Stands in a `global` statement.
    Global,
    /// Stands in a `nonlocal` statement.
    Nonlocal,
}

/// How a name is bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// `=`, annotated or not.
    Assignment,
    /// `+=` and the like.
    Augmented,
    /// The target of a `for` statement.
    For,
    /// `with … as`.
    With,
    /// `except … as`.
    Except,
    /// `:=`.
    Walrus,
    /// A `match` pattern.
    Capture,
    /// The target of a comprehension.
    Comprehension,
    /// A parameter.
    Parameter,
    /// An import.
    Import,
    /// `def`.
    Function,
    /// `class`.
    Class,
    /// `type X = …`.
    TypeAlias,
}

/// A variable of one scope.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symbol {
    /// Where it is bound and how, in source order.
    pub bindings: Vec<(NodeId, Binding)>,
    is_deleted: bool,
    is_global: bool,
    is_nonlocal: bool,
}

impl Symbol {
    /// Whether an import binds it.
    pub fn is_import(&self) -> bool {
        self.bindings
            .iter()
            .any(|&(_, binding)| binding == Binding::Import)
    }

    /// Whether it is a plain local: no parameter, import, function or class.
    pub fn is_variable(&self) -> bool {
        use Binding as B;
        let other = |binding| {
            matches!(
                binding,
                B::Parameter | B::Import | B::Function | B::Class | B::TypeAlias
            )
        };
        !self.bindings.is_empty() && !self.bindings.iter().any(|&(_, binding)| other(binding))
    }

    /// Whether a parameter binds it.
    pub fn is_parameter(&self) -> bool {
        self.bindings
            .iter()
            .any(|&(_, binding)| binding == Binding::Parameter)
    }

    /// The top-level module that an import takes it from; the dots of a relative import are kept.
    pub fn import_module(&self, tree: &Tree) -> Option<String> {
        let (node, _) = self
            .bindings
            .iter()
            .find(|&&(_, binding)| binding == Binding::Import)?;
        let statement = tree
            .ancestors(*node)
            .find(|&id| is_import_statement(tree.kind(id)))?;
        let module = match tree.field(statement, "module_name") {
            Some(module) => tree.text(module),
            None if tree.kind(statement) == Kind::FutureImportStatement => "__future__",
            None => match tree
                .parent(*node)
                .filter(|&parent| tree.kind(parent) == Kind::AliasedImport)
            {
                Some(aliased) => tree.field(aliased, "name").map(|name| tree.text(name))?,
                None => tree.text(*node),
            },
        };
        Some(
            module
                .split('.')
                .find(|part| !part.is_empty())
                .unwrap_or(module)
                .trim()
                .to_owned(),
        )
    }
}

/// A variable of one scope, by its place in [`Scopes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The scope that it belongs to.
    pub scope: ScopeId,
    /// Its number among all variables of the text, from 0.
    pub index: usize,
}

#[derive(Clone, Debug)]
struct Scope {
    kind: ScopeKind,
    parent: Option<ScopeId>,
    /// Each name's place in [`Scopes::symbols`].
    names: BTreeMap<String, usize>,
}

/// The scopes of a tree and what each name in it is.
#[derive(Clone, Debug)]
pub struct Scopes {
    all: Vec<Scope>,
    symbols: Vec<Symbol>,
    /// One a node of the tree.
    uses: Vec<Option<Use>>,
}

#[derive(Clone, Debug)]
struct Use {
    name: String,
    scope: ScopeId,
    role: Role,
}

impl Scopes {
    /// Finds the scopes and names of a tree.
    pub fn of(tree: &Tree) -> Self {
        let mut scopes = vec![Scope {
            kind: ScopeKind::Module,
            parent: None,
            names: BTreeMap::new(),
        }];
        let inner = lay_out(tree, &mut scopes);
        let mut this = Self {
            all: scopes,
            symbols: Vec::new(),
            uses: vec![None; tree.n_nodes()],
        };
        for id in tree.ids().filter(|&id| tree.kind(id) == Kind::Identifier) {
            if let Some(role) = role(tree, id) {
                this.enter(tree, id, role, inner[id.0 as usize]);
            }
        }
        this
    }

    /// Whether an identifier is a name (and no attribute, keyword or part of a module's path).
    pub fn is_name(&self, id: NodeId) -> bool {
        self.occurrence(id).is_some()
    }

    /// What an occurrence of a name does; `None` for what is no name.
    pub fn role(&self, id: NodeId) -> Option<Role> {
        self.occurrence(id).map(|found| found.role)
    }

    /// The kind of scope that an occurrence stands in.
    pub fn kind_at(&self, id: NodeId) -> Option<ScopeKind> {
        self.occurrence(id)
            .map(|found| self.scope(found.scope).kind)
    }

    /// The variable that an occurrence means; `None` for the module's names, builtins and non-names.
    pub fn resolve(&self, id: NodeId) -> Option<&Symbol> {
        self.lookup(id).map(|found| &self.symbols[found.index])
    }

    /// The variable that an occurrence means, as a number.
    pub fn lookup(&self, id: NodeId) -> Option<Variable> {
        let found = self.occurrence(id)?;
        let mut at = Some(found.scope);
        while let Some(id) = at {
            let scope = self.scope(id);
            if scope.kind == ScopeKind::Module {
                return None;
            }
            // A class body's names are seen in it, not in the functions inside it.
            if let Some(&index) = scope.names.get(&found.name)
                && (scope.kind != ScopeKind::Class || id == found.scope)
            {
                let symbol = &self.symbols[index];
                if symbol.is_global {
                    return None;
                }
                if !symbol.is_nonlocal && (symbol.is_deleted || !symbol.bindings.is_empty()) {
                    return Some(Variable { scope: id, index });
                }
            }
            at = scope.parent;
        }
        None
    }

    /// Whether an occurrence means a name that a `global` statement declared.
    pub fn is_declared_global(&self, id: NodeId) -> bool {
        let Some(found) = self.occurrence(id) else {
            return false;
        };
        let mut at = Some(found.scope);
        while let Some(id) = at {
            let scope = self.scope(id);
            match scope.names.get(&found.name).map(|&at| &self.symbols[at]) {
                Some(symbol) if symbol.is_global => return true,
                Some(symbol) if !symbol.bindings.is_empty() && scope.kind != ScopeKind::Class => {
                    return false;
                }
                _ => at = scope.parent,
            }
        }
        false
    }

    /// The kind of a scope.
    pub fn kind(&self, id: ScopeId) -> ScopeKind {
        self.scope(id).kind
    }

    /// The names bound at the text's top level.
    pub fn module_names(&self) -> impl Iterator<Item = (&str, &Symbol)> {
        self.all[0]
            .names
            .iter()
            .map(|(name, &at)| (name.as_str(), &self.symbols[at]))
    }

    /// How many variables there are.
    pub fn n_variables(&self) -> usize {
        self.symbols.len()
    }

    fn occurrence(&self, id: NodeId) -> Option<&Use> {
        self.uses.get(id.0 as usize)?.as_ref()
    }

    fn scope(&self, id: ScopeId) -> &Scope {
        &self.all[id.0 as usize]
    }

    fn enter(&mut self, tree: &Tree, id: NodeId, role: Role, mut scope: ScopeId) {
        let name = tree.text(id).to_owned();
        // A walrus binds outside the comprehensions that it stands in.
        while role == Role::Bind(Binding::Walrus)
            && self.scope(scope).kind == ScopeKind::Comprehension
        {
            match self.scope(scope).parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        if role != Role::Load {
            let next = self.symbols.len();
            let names = &mut self.all[scope.0 as usize].names;
            let at = *names.entry(name.clone()).or_insert(next);
            if at == next {
                self.symbols.push(Symbol::default());
            }
            let symbol = &mut self.symbols[at];
            match role {
                Role::Bind(binding) => symbol.bindings.push((id, binding)),
                Role::Delete => symbol.is_deleted = true,
                Role::Global => symbol.is_global = true,
                Role::Nonlocal => symbol.is_nonlocal = true,
                Role::Load => {}
            }
        }
        self.uses[id.0 as usize] = Some(Use { name, scope, role });
    }
}

/// The scope that each node stands in.
fn lay_out(tree: &Tree, scopes: &mut Vec<Scope>) -> Vec<ScopeId> {
    let module = ScopeId(0);
    // The scope of a node, the scope of its children, and of a function's children the scope inside.
    let mut own = vec![module; tree.n_nodes()];
    let mut inside = vec![module; tree.n_nodes()];
    for id in tree.ids() {
        let at = id.0 as usize;
        own[at] = tree.parent(id).map_or(module, |parent| {
            scope_below(tree, &own, &inside, parent, id)
        });
        inside[at] = match opens(tree.kind(id)) {
            Some(kind) => {
                let opened = ScopeId(u32::try_from(scopes.len()).unwrap_or(u32::MAX));
                scopes.push(Scope {
                    kind,
                    parent: Some(own[at]),
                    names: BTreeMap::new(),
                });
                opened
            }
            None => own[at],
        };
    }
    own
}

fn opens(kind: Kind) -> Option<ScopeKind> {
    Some(match kind {
        Kind::FunctionDefinition => ScopeKind::Function,
        Kind::Lambda => ScopeKind::Lambda,
        Kind::ClassDefinition => ScopeKind::Class,
        kind if is_comprehension(kind) => ScopeKind::Comprehension,
        _ => return None,
    })
}

fn is_comprehension(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::DictionaryComprehension
            | Kind::GeneratorExpression
    )
}

fn is_import_statement(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ImportStatement | Kind::ImportFromStatement | Kind::FutureImportStatement
    )
}

fn scope_below(
    tree: &Tree,
    own: &[ScopeId],
    inside: &[ScopeId],
    parent: NodeId,
    child: NodeId,
) -> ScopeId {
    let (outer, inner) = (own[parent.0 as usize], inside[parent.0 as usize]);
    let field = tree.node(child).field;
    match tree.kind(parent) {
        Kind::FunctionDefinition | Kind::Lambda => match field {
            Some("body" | "parameters") => inner,
            _ => outer,
        },
        Kind::ClassDefinition if field != Some("body") => outer,
        // Defaults and annotations belong outside the function.
        Kind::DefaultParameter | Kind::TypedDefaultParameter | Kind::TypedParameter
            if matches!(field, Some("value" | "type")) =>
        {
            let function = tree
                .ancestors(parent)
                .find(|&id| opens(tree.kind(id)).is_some());
            function.map_or(outer, |function| own[function.0 as usize])
        }
        // So does the first iterable of a comprehension.
        Kind::ForInClause if field == Some("right") => {
            let comprehension = tree
                .parent(parent)
                .filter(|&id| is_comprehension(tree.kind(id)));
            let is_first = |of: &NodeId| {
                tree.children(*of)
                    .find(|&id| tree.kind(id) == Kind::ForInClause)
                    == Some(parent)
            };
            comprehension
                .filter(is_first)
                .map_or(inner, |of| own[of.0 as usize])
        }
        _ => inner,
    }
}

#[cfg(test)]
mod tests;
