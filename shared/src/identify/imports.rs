//! What a reply imports and its class's module does not, put into the module's head.

use serde::{Deserialize, Serialize};

use crate::syntax::scope::Scopes;
use crate::syntax::{self, Kind, NodeId, Tree};
use crate::text::{Span, TextEdit};

/// What is done with what a reply imports outside of its method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPolicy {
    /// It is told, and the module stays as it is: a reply changes nothing but its method. The paper
    /// speaks of nothing else.
    #[default]
    Ignore,
    /// What is missing goes into the module's head. A name that the module has keeps its meaning.
    Splice,
}

/// Import statements for a module's head, and where they go.
pub(super) struct Head {
    pub(super) statements: Vec<String>,
    pub(super) edit: TextEdit,
}

/// What `statements` import and a module does not: one name a statement, in order. `None` where
/// nothing is missing.
pub(super) fn missing(module: &str, statements: &[String]) -> Option<Head> {
    let tree = syntax::parse_python(module).tree;
    let mut present = imports(&tree);
    let n_present = present.len();
    let scopes = Scopes::of(&tree);
    let names = scopes.module_names();
    let bound: Vec<&str> = names
        .filter(|(_, symbol)| !symbol.bindings.is_empty())
        .map(|(name, _)| name)
        .collect();
    let reply = syntax::parse_python(&statements.join("\n")).tree;
    for import in imports(&reply) {
        let is_bound = import.name().is_some_and(|name| bound.contains(&name));
        let is_new = !is_bound || present.iter().any(|other| import.adds_to(other));
        if is_new && !present.contains(&import) {
            present.push(import);
        }
    }
    let mut new = present.split_off(n_present);
    if new.is_empty() {
        return None;
    }
    // Python wants these first.
    new.sort_by_key(|import| !import.is_future());
    let at = after_docstring(&tree)?;
    let line_break = if module.contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let statements: Vec<String> = new.iter().map(Import::statement).collect();
    let lines = statements.iter().map(|line| format!("{line}{line_break}"));
    Some(Head {
        edit: TextEdit {
            span: Span::new(at, at),
            text: lines.collect(),
        },
        statements,
    })
}

/// One imported name.
#[derive(PartialEq, Eq)]
struct Import {
    /// The module after `from`.
    from: Option<String>,
    /// The module after `import`, a name of the other, or `*`.
    what: String,
    alias: Option<String>,
}

impl Import {
    /// The name that it binds.
    fn name(&self) -> Option<&str> {
        match (&self.alias, &self.from) {
            (Some(alias), _) => Some(alias),
            (None, Some(_)) => Some(self.what.as_str()).filter(|name| *name != "*"),
            (None, None) => self.what.split('.').next(),
        }
    }

    /// Whether it gives the other's name a further module: `import a.b` after `import a`.
    fn adds_to(&self, other: &Self) -> bool {
        let is_module = |import: &Self| import.from.is_none() && import.alias.is_none();
        is_module(self)
            && is_module(other)
            && self.what.contains('.')
            && self.name() == other.name()
    }

    fn is_future(&self) -> bool {
        self.from.as_deref() == Some(FUTURE)
    }

    fn statement(&self) -> String {
        let from = self.from.as_ref();
        let from = from.map_or_else(String::new, |from| format!("from {from} "));
        let alias = self.alias.as_ref();
        let alias = alias.map_or_else(String::new, |alias| format!(" as {alias}"));
        format!("{from}import {}{alias}", self.what)
    }
}

const FUTURE: &str = "__future__";

/// What a module imports outside of functions and classes, in order.
fn imports(tree: &Tree) -> Vec<Import> {
    let in_definition = |id| {
        tree.ancestors(id).any(|id| {
            matches!(
                tree.kind(id),
                Kind::FunctionDefinition | Kind::ClassDefinition
            )
        })
    };
    let mut found = Vec::new();
    for id in tree.ids().filter(|&id| !in_definition(id)) {
        let from = match tree.kind(id) {
            Kind::ImportStatement => None,
            Kind::ImportFromStatement => tree.field(id, "module_name").map(|id| written(tree, id)),
            Kind::FutureImportStatement => Some(FUTURE.to_owned()),
            _ => continue,
        };
        for child in tree.named_children(id) {
            let import = |what: NodeId, alias: Option<NodeId>| Import {
                from: from.clone(),
                what: written(tree, what),
                alias: alias.map(|alias| written(tree, alias)),
            };
            match tree.kind(child) {
                Kind::AliasedImport => {
                    let name = tree.field(child, "name");
                    let alias = tree.field(child, "alias");
                    found.extend(name.map(|name| import(name, alias)));
                }
                kind if kind == Kind::WildcardImport || tree.node(child).field == Some("name") => {
                    found.push(import(child, None));
                }
                _ => {}
            }
        }
    }
    found
}

/// A dotted name without blanks.
fn written(tree: &Tree, id: NodeId) -> String {
    tree.text(id).split_whitespace().collect()
}

/// Where the first statement begins that is neither the module's docstring nor an import of the future.
fn after_docstring(tree: &Tree) -> Option<u32> {
    let mut statements = tree.named_children(tree.root());
    let first = statements.find(|&id| {
        let start = tree.span(id).start;
        let only = tree.named_children(id).next();
        let is_string =
            only.is_some_and(|id| matches!(tree.kind(id), Kind::String | Kind::ConcatenatedString));
        let is_docstring = tree.kind(id) == Kind::ExpressionStatement && is_string;
        let begins_line = tree.source()[..start as usize].ends_with('\n') || start == 0;
        begins_line
            && tree.kind(id) != Kind::Comment
            && !is_docstring
            && tree.kind(id) != Kind::FutureImportStatement
    });
    first.map(|id| tree.span(id).start)
}

#[cfg(test)]
mod tests {
    use super::missing;
    use crate::text::apply_edits;

    /// The module with what a reply's statements import.
    fn with(module: &str, statements: &[&str]) -> String {
        let statements: Vec<String> = statements.iter().map(|s| (*s).to_owned()).collect();
        match missing(module, &statements) {
            Some(head) => apply_edits(module, &[head.edit]),
            None => module.to_owned(),
        }
    }

    #[test]
    fn only_what_is_missing_comes_in_name_by_name() {
        let module = "import math\nfrom os import path\n\nclass A:\n    import re\n";
        let check = |statement: &str, comes: &str| {
            assert_eq!(
                with(module, &[statement]),
                format!("{comes}{module}"),
                "{statement}"
            );
        };
        check("import math", "");
        check("from os import path, sep", "from os import sep\n");
        check("import re; import math", "import re\n");
        check("import numpy as np, math", "import numpy as np\n");
        check(
            "from collections import (\n    deque,  # fast\n    Counter as C\n)",
            "from collections import deque\nfrom collections import Counter as C\n",
        );
        check("from .near import *", "from .near import *\n");
        check("import xml . etree", "import xml.etree\n");
        check(
            "try:\n    import json\nexcept ImportError:\n    pass",
            "import json\n",
        );
        check("def f():\n    import json", "");
    }

    #[test]
    fn a_name_of_the_module_keeps_its_meaning() {
        let module = "import datetime\nLIMIT = 3\n\nclass A:\n    pass\n";
        for statement in [
            "from datetime import datetime",
            "import numpy as LIMIT",
            "from other import A",
        ] {
            assert_eq!(with(module, &[statement]), module, "{statement}");
        }
        let module = "import xml\nclass A: pass\n";
        assert_eq!(
            with(module, &["import xml.dom"]),
            format!("import xml.dom\n{module}")
        );
    }

    #[test]
    fn docstrings_futures_comments_and_line_breaks_stay_where_they_are() {
        for (head, rest) in [
            (
                "#!/usr/bin/python\n'''Doc.'''\n# Imports.\n",
                "import math\nclass A: pass\n",
            ),
            (
                "'''Doc.'''\nfrom __future__ import generators\n",
                "class A: pass\n",
            ),
            ("'''Doc.'''; x = 1\n", "class A: pass\n"),
            ("", "@a\nclass A: pass"),
        ] {
            let statements = ["import re", "from __future__ import annotations"];
            let comes = "from __future__ import annotations\nimport re\n";
            assert_eq!(
                with(&format!("{head}{rest}"), &statements),
                format!("{head}{comes}{rest}")
            );
        }
        let crlf = with("import math\r\nclass A: pass\r\n", &["import re"]);
        assert_eq!(crlf, "import re\r\nimport math\r\nclass A: pass\r\n");
        assert_eq!(with("", &["import re"]), "");
    }
}
