//! Which words of a code are names to hide, told by scope.
//!
//! Kept are `self`, `cls`, names with two underscores on both sides, builtins, imports with their aliases
//! and members, attributes of other objects, and keyword names of other callees.

use crate::subject::{ClassItem, MethodContext};
use crate::syntax::outline::{self, Imports};
use crate::syntax::scope::{Binding, ScopeKind, Scopes, Symbol, Variable};
use crate::syntax::{Kind, NodeId, Tree, parse_python};
use crate::text::Span;

use super::names::Category;

/// A name to hide, in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mention {
    pub(super) span: Span,
    pub(super) category: Category,
}

/// What a code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Text {
    /// A method's own text: what is around it is the class's body.
    Method,
    /// A module with the class in it.
    Module,
}

/// The names that are known around a method.
pub(super) struct ClassNames<'a> {
    class: &'a str,
    imports: Imports,
    /// Of the class; sorted, as are the lists below.
    methods: Vec<&'a str>,
    fields: Vec<&'a str>,
    /// Of the module, without the class.
    globals: Vec<&'a str>,
    /// Those of the module that are functions.
    functions: Vec<String>,
}

impl<'a> ClassNames<'a> {
    pub(super) fn of(class: &'a ClassItem, context: &'a MethodContext) -> Self {
        let tree = parse_python(&class.source).tree;
        let scopes = Scopes::of(&tree);
        let is_function = |symbol: &Symbol| first_binding(symbol) == Some(Binding::Function);
        let functions = scopes
            .module_names()
            .filter(|(_, symbol)| is_function(symbol));
        Self {
            functions: functions.map(|(name, _)| name.to_owned()).collect(),
            imports: Imports::of(&context.imports),
            class: &context.class_name,
            methods: sorted(&context.methods),
            fields: sorted(&context.fields),
            globals: sorted(&context.globals),
        }
    }

    /// The category of a name as the class's own.
    pub(super) fn member(&self, name: &str) -> Option<Category> {
        let is_among = |names: &[&str]| names.binary_search(&name).is_ok();
        if is_kept(name) {
            None
        } else if is_among(&self.methods) {
            Some(Category::Func)
        } else {
            is_among(&self.fields).then_some(Category::Var)
        }
    }

    /// The category of a name as one of the module.
    pub(super) fn global(&self, name: &str) -> Option<Category> {
        if is_kept(name) {
            None
        } else if name == self.class {
            Some(Category::Class)
        } else if self.is_import(name) {
            None
        } else {
            let found = self.globals.binary_search(&name);
            found.is_ok().then_some(Category::Func)
        }
    }

    pub(super) fn is_class(&self, name: &str) -> bool {
        name == self.class
    }

    pub(super) fn is_import(&self, name: &str) -> bool {
        self.imports.module_of(name).is_some()
    }

    fn is_function(&self, name: &str) -> bool {
        let functions = &self.functions;
        let found = functions.binary_search_by(|function| function.as_str().cmp(name));
        found.is_ok()
    }
}

fn sorted(names: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Names that have a meaning of their own in Python.
pub(super) fn is_kept(name: &str) -> bool {
    let is_special = name.starts_with("__") && name.ends_with("__");
    matches!(name, "" | "self" | "cls") || is_special
}

/// The names to hide in a code, in order.
pub(super) fn of(tree: &Tree, class: &ClassNames<'_>, text: Text) -> Vec<Mention> {
    let cx = Cx {
        scopes: Scopes::of(tree),
        own: match text {
            Text::Method => outline::method(tree),
            Text::Module => outline::class(tree, class.class),
        },
        tree,
        class,
        text,
    };
    let identifiers = tree
        .ids()
        .filter(|&id| tree.kind(id) == Kind::Identifier && !tree.span(id).is_empty());
    identifiers
        .filter_map(|id| {
            let category = cx.category(id)?;
            let span = tree.span(id);
            Some(Mention { span, category })
        })
        .collect()
}

struct Cx<'a> {
    tree: &'a Tree,
    scopes: Scopes,
    class: &'a ClassNames<'a>,
    text: Text,
    /// The method that the text is, or the class in the module.
    own: Option<NodeId>,
}

impl Cx<'_> {
    fn category(&self, id: NodeId) -> Option<Category> {
        let name = self.tree.text(id);
        if is_kept(name) {
            None
        } else if !self.scopes.is_name(id) {
            self.part(id, name)
        } else if let (Some(variable), Some(symbol)) =
            (self.scopes.lookup(id), self.scopes.resolve(id))
        {
            self.variable(name, variable, symbol)
        } else {
            self.free(id, name)
        }
    }

    /// A variable of the code: a local, or one of a class's body.
    fn variable(&self, name: &str, variable: Variable, symbol: &Symbol) -> Option<Category> {
        if symbol.is_import() {
            return None;
        }
        let own = match first_binding(symbol) {
            Some(Binding::Function) => Category::Func,
            Some(Binding::Class) => Category::Class,
            _ => Category::Var,
        };
        match self.scopes.kind(variable.scope) {
            ScopeKind::Class if self.is_of_own_class(symbol) => self.class.member(name),
            // Members of another class: those who ask for them by an object are not told apart.
            ScopeKind::Class => None,
            _ => Some(own),
        }
    }

    /// A name that the code does not bind, or binds at its top level.
    fn free(&self, id: NodeId, name: &str) -> Option<Category> {
        if self.text == Text::Method {
            let in_body = self.scopes.kind_at(id) == Some(ScopeKind::Module);
            if self.own == self.tree.parent(id) && self.tree.node(id).field == Some("name") {
                return Some(Category::Func);
            }
            // Decorators, defaults and annotations are read where the class's body is.
            if let (true, Some(category)) = (in_body, self.class.member(name)) {
                return Some(category);
            }
        }
        let declared = || self.scopes.is_declared_global(id).then_some(Category::Func);
        self.class.global(name).or_else(declared)
    }

    /// An identifier that is no name: an attribute, or a keyword.
    fn part(&self, id: NodeId, name: &str) -> Option<Category> {
        let parent = self.tree.parent(id)?;
        match self.tree.kind(parent) {
            Kind::Attribute => {
                let object = self.tree.field(parent, "object")?;
                self.is_own_object(object)
                    .then(|| self.class.member(name))
                    .flatten()
            }
            Kind::KeywordArgument => {
                let call = self
                    .tree
                    .parent(parent)
                    .and_then(|list| self.tree.parent(list));
                let callee = call.and_then(|call| self.tree.field(call, "function"))?;
                self.takes_own_names(callee).then_some(Category::Var)
            }
            _ => None,
        }
    }

    /// Whether a member that is asked of an object may be the class's: of the receiver, of the class, of a
    /// parameter.
    fn is_own_object(&self, object: NodeId) -> bool {
        if !self.scopes.is_name(object) {
            return false;
        }
        let name = self.tree.text(object);
        match self.scopes.resolve(object) {
            Some(symbol) => {
                symbol.is_parameter() && !(is_receiver(name) && self.is_of_other_class(symbol))
            }
            None => is_receiver(name) || self.class.is_class(name),
        }
    }

    /// Whether the parameters of what is called are hidden too: those of the class's methods and
    /// constructor, and of functions that the code or the module defines.
    fn takes_own_names(&self, callee: NodeId) -> bool {
        if let Some(method) = self.tree.field(callee, "attribute") {
            return self.category(method) == Some(Category::Func);
        }
        if !self.scopes.is_name(callee) {
            return false;
        }
        let name = self.tree.text(callee);
        match self.scopes.resolve(callee) {
            Some(symbol) => {
                first_binding(symbol) == Some(Binding::Function) && self.category(callee).is_some()
            }
            None => self.class.is_class(name) || self.class.is_function(name),
        }
    }

    /// Whether a variable of a class's body is one of the class that is hidden.
    fn is_of_own_class(&self, symbol: &Symbol) -> bool {
        let class = symbol.bindings.first().and_then(|&(id, _)| {
            let is_body_of = |&class: &NodeId| {
                self.tree.kind(class) == Kind::ClassDefinition
                    && self.tree.field(class, "name") != Some(id)
            };
            self.tree.ancestors(id).find(is_body_of)
        });
        self.text == Text::Module && class.is_some() && class == self.own
    }

    /// Whether a parameter is one of a method of another class.
    fn is_of_other_class(&self, parameter: &Symbol) -> bool {
        let Some(&(id, _)) = parameter.bindings.first() else {
            return false;
        };
        let is_definition = |&id: &NodeId| {
            matches!(
                self.tree.kind(id),
                Kind::FunctionDefinition | Kind::ClassDefinition | Kind::Lambda
            )
        };
        let mut around = self.tree.ancestors(id).filter(is_definition);
        around.next();
        around.next().is_some_and(|holder| {
            let is_own = self.text == Text::Module && self.own == Some(holder);
            self.tree.kind(holder) == Kind::ClassDefinition && !is_own
        })
    }
}

fn is_receiver(name: &str) -> bool {
    matches!(name, "self" | "cls")
}

fn first_binding(symbol: &Symbol) -> Option<Binding> {
    symbol.bindings.first().map(|&(_, binding)| binding)
}
