//! The large features of a text: its method, its class, what it imports.

use std::collections::BTreeMap;

use crate::syntax::scope::{Binding, Scopes};
use crate::syntax::{Kind, NodeId, Tree, parse_python};

/// The first function of a text: its method.
pub fn method(tree: &Tree) -> Option<NodeId> {
    tree.ids()
        .find(|&id| tree.kind(id) == Kind::FunctionDefinition)
}

/// The name of a function or class.
pub fn name(tree: &Tree, definition: NodeId) -> &str {
    tree.field(definition, "name")
        .map_or("", |name| tree.text(name))
}

/// Whether a function is decorated with `@staticmethod`.
pub fn is_static(tree: &Tree, function: NodeId) -> bool {
    let decorated = tree
        .parent(function)
        .filter(|&parent| tree.kind(parent) == Kind::DecoratedDefinition);
    decorated.is_some_and(|decorated| {
        tree.children(decorated)
            .filter(|&id| tree.kind(id) == Kind::Decorator)
            .any(|id| tree.text(id).trim_start_matches('@').trim() == "staticmethod")
    })
}

/// Whether a node is a string that is the first statement of a function's or class's body.
pub fn is_docstring(tree: &Tree, string: NodeId) -> bool {
    if !matches!(tree.kind(string), Kind::String | Kind::ConcatenatedString) {
        return false;
    }
    let Some(statement) = tree
        .parent(string)
        .filter(|&id| tree.kind(id) == Kind::ExpressionStatement)
    else {
        return false;
    };
    let Some(block) = tree
        .parent(statement)
        .filter(|&id| tree.kind(id) == Kind::Block)
    else {
        return false;
    };
    let owner = tree.parent(block).map(|id| tree.kind(id));
    matches!(
        owner,
        Some(Kind::FunctionDefinition | Kind::ClassDefinition)
    ) && tree.named_children(statement).count() == 1
        && tree.named_children(block).next() == Some(statement)
}

/// What a module and one class of it hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Module {
    /// Import statements outside functions, as written.
    pub imports: Vec<String>,
    /// Functions, classes and variables of the module, without imports and the class itself; sorted.
    pub globals: Vec<String>,
    /// The class's methods, and whether each is static; sorted by name.
    pub methods: Vec<(String, bool)>,
    /// The class's fields: assigned on the receiver or in the class body; sorted.
    pub fields: Vec<String>,
}

impl Module {
    /// Reads a module's tree for the class of that name.
    pub fn of(tree: &Tree, class_name: &str) -> Self {
        let scopes = Scopes::of(tree);
        let is_import = |kind| matches!(kind, Kind::ImportStatement | Kind::ImportFromStatement);
        let in_function = |id| {
            tree.ancestors(id)
                .any(|id| tree.kind(id) == Kind::FunctionDefinition)
        };
        let mut module = Self {
            imports: tree
                .ids()
                .filter(|&id| is_import(tree.kind(id)) && !in_function(id))
                .map(|id| tree.text(id).to_owned())
                .collect(),
            globals: scopes
                .module_names()
                .filter(|(name, symbol)| {
                    *name != class_name && !symbol.is_import() && !symbol.bindings.is_empty()
                })
                .map(|(name, _)| name.to_owned())
                .collect(),
            ..Self::default()
        };
        if let Some(class) = class(tree, class_name) {
            module.read_class(tree, &scopes, class);
        }
        module
    }

    /// Whether a method of the class is static; `None` where it has no such method.
    pub fn is_static(&self, method: &str) -> Option<bool> {
        self.place_of(method).ok().map(|at| self.methods[at].1)
    }

    /// Adds a method, or says anew whether it is static.
    pub fn add_method(&mut self, method: &str, is_static: bool) {
        match self.place_of(method) {
            Ok(at) => self.methods[at].1 = is_static,
            Err(at) => self.methods.insert(at, (method.to_owned(), is_static)),
        }
    }

    fn place_of(&self, method: &str) -> Result<usize, usize> {
        self.methods
            .binary_search_by(|(name, _)| name.as_str().cmp(method))
    }

    fn read_class(&mut self, tree: &Tree, scopes: &Scopes, class: NodeId) {
        let Some(body) = tree.field(class, "body") else {
            return;
        };
        let mut fields = Vec::new();
        for id in tree.subtree(body) {
            match tree.kind(id) {
                Kind::FunctionDefinition if owner(tree, id) == Some(class) => {
                    self.add_method(name(tree, id), is_static(tree, id));
                }
                Kind::Identifier if owner(tree, id) == Some(class) => {
                    let bound = scopes.role(id).is_some_and(|role| {
                        matches!(
                            role,
                            super::scope::Role::Bind(Binding::Assignment | Binding::Augmented)
                        )
                    });
                    if bound {
                        fields.push(tree.text(id).to_owned());
                    }
                }
                Kind::Attribute if is_target(tree, id) => {
                    let object = tree
                        .field(id, "object")
                        .map_or("", |object| tree.text(object));
                    if let ("self" | "cls", Some(field)) = (object, tree.field(id, "attribute")) {
                        fields.push(tree.text(field).to_owned());
                    }
                }
                _ => {}
            }
        }
        self.fields = sorted(fields);
    }
}

/// The class of that name.
pub fn class(tree: &Tree, class_name: &str) -> Option<NodeId> {
    tree.ids()
        .find(|&id| tree.kind(id) == Kind::ClassDefinition && name(tree, id) == class_name)
}

/// A method of a class, decorators included.
pub fn method_of(tree: &Tree, class: NodeId, method: &str) -> Option<NodeId> {
    let found = tree.subtree(class).find(|&id| {
        tree.kind(id) == Kind::FunctionDefinition
            && name(tree, id) == method
            && owner(tree, id) == Some(class)
    })?;
    Some(
        tree.parent(found)
            .filter(|&parent| tree.kind(parent) == Kind::DecoratedDefinition)
            .unwrap_or(found),
    )
}

/// The nearest function or class around a node.
fn owner(tree: &Tree, id: NodeId) -> Option<NodeId> {
    tree.ancestors(id).find(|&id| {
        matches!(
            tree.kind(id),
            Kind::FunctionDefinition | Kind::ClassDefinition
        )
    })
}

fn is_target(tree: &Tree, id: NodeId) -> bool {
    let mut at = id;
    while let Some(parent) = tree.parent(at) {
        match tree.kind(parent) {
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern | Kind::ListSplatPattern => {
                at = parent;
            }
            Kind::Assignment | Kind::AugmentedAssignment | Kind::ForStatement => {
                return tree.node(at).field == Some("left");
            }
            Kind::AsPatternTarget => return true,
            _ => return false,
        }
    }
    false
}

/// The names that import statements bind, and their top-level modules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imports(BTreeMap<String, String>);

impl Imports {
    /// Reads import statements; other text among them binds nothing.
    pub fn of(statements: &[String]) -> Self {
        if statements.is_empty() {
            return Self::default();
        }
        let parsed = parse_python(&statements.join("\n"));
        let scopes = Scopes::of(&parsed.tree);
        let modules = scopes.module_names().filter_map(|(name, symbol)| {
            Some((name.to_owned(), symbol.import_module(&parsed.tree)?))
        });
        Self(modules.collect())
    }

    /// The top-level module of an imported name.
    pub fn module_of(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// The top-level modules of the imported names that a method's code uses, sorted; annotations,
/// decorators and the method's own import statements are no use.
pub fn libraries_used(tree: &Tree, scopes: &Scopes, imports: &Imports) -> Vec<String> {
    let Some(method) = method(tree) else {
        return Vec::new();
    };
    let mut used = Vec::new();
    let mut skip_to = NodeId(0);
    for id in tree.subtree(method) {
        if id < skip_to {
            continue;
        }
        match tree.kind(id) {
            Kind::Type | Kind::ImportStatement | Kind::ImportFromStatement => {
                skip_to = tree.after(id);
            }
            Kind::Identifier if scopes.is_name(id) => match scopes.resolve(id) {
                Some(symbol) => used.extend(symbol.import_module(tree)),
                None => used.extend(imports.module_of(tree.text(id)).map(str::to_owned)),
            },
            _ => {}
        }
    }
    sorted(used)
}

/// Sorted, each once.
fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}
