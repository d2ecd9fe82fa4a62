//! Scopes agree with CPython's own symbol table, function by function.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde::Deserialize;
use shared::syntax::scope::{ScopeKind, Scopes};
use shared::syntax::{Kind, NodeId, Tree, parse_python};
use shared::text::LineIndex;

#[derive(Deserialize)]
struct Scope {
    function: String,
    line: usize,
    names: BTreeMap<String, String>,
}

/// Asks the real Python; `None` when there is none.
fn symbol_tables(sources: &[String]) -> Option<Vec<Vec<Scope>>> {
    let script = tests::workspace().join("tests/spec/symbol_tables.py");
    let child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = child.ok()?;
    child
        .stdin
        .take()
        .unwrap()
        .write_all(&serde_json::to_vec(sources).unwrap())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// What the names of each function are to us: by the function's name and line.
fn ours(source: &str) -> BTreeMap<(String, usize), BTreeMap<String, &'static str>> {
    let tree = parse_python(source).tree;
    let scopes = Scopes::of(&tree);
    let lines = LineIndex::new(source);
    let mut functions: BTreeMap<(String, usize), BTreeMap<String, &'static str>> = BTreeMap::new();
    for id in tree
        .ids()
        .filter(|&id| scopes.kind_at(id) == Some(ScopeKind::Function))
    {
        let Some(function) = function_around(&tree, id) else {
            continue;
        };
        let name = tree.text(id);
        // CPython mangles private names, and newer versions give annotations a scope of their own.
        if name.starts_with("__") || tree.ancestors(id).any(|id| tree.kind(id) == Kind::Type) {
            continue;
        }
        let kind = match scopes.resolve(id) {
            None => "global",
            Some(symbol) => {
                let is_own = symbol
                    .bindings
                    .iter()
                    .any(|&(at, _)| function_around(&tree, at) == Some(function));
                if is_own { "local" } else { "free" }
            }
        };
        // A decorated function is where its `def` is for us, and where its first decorator is for some Pythons.
        let line = lines.line(tree.span(function).start);
        let title = tree
            .field(function, "name")
            .map_or("", |name| tree.text(name));
        functions
            .entry((title.to_owned(), line))
            .or_default()
            .insert(name.to_owned(), kind);
    }
    functions
}

/// The function whose parameters or body a name stands in.
fn function_around(tree: &Tree, id: NodeId) -> Option<NodeId> {
    let mut below = id;
    tree.ancestors(id).find(|&at| {
        let inside = matches!(tree.node(below).field, Some("body" | "parameters"));
        below = at;
        inside && tree.kind(at) == Kind::FunctionDefinition
    })
}

fn check(sources: &[String]) -> usize {
    let Some(theirs) = symbol_tables(sources) else {
        eprintln!(
            "skipped: scopes of {} files against CPython's symtable (no python3)",
            sources.len()
        );
        return 0;
    };
    let mut n_names = 0;
    for (source, theirs) in sources.iter().zip(theirs) {
        let ours = ours(source);
        for Scope {
            function,
            line,
            names,
        } in theirs
        {
            let Some(found) = ours.get(&(function, line)) else {
                continue;
            };
            for (name, kind) in found {
                assert_eq!(
                    names.get(name).map(String::as_str),
                    Some(*kind),
                    "{name} at line {line} of\n{source}"
                );
                n_names += 1;
            }
        }
    }
    n_names
}

const TRICKY: &str = "
import os
def f(a, b=os, *c, d=1, **e):
    global g
    g = [x for x in a if (y := x)]
    def h(z):
        nonlocal y
        y = z + k
        return lambda w: w + d
    for i, (j, *m) in b:
        k = i
    with c as n, e as (o, p):
        del o
    try:
        import os.path as q, sys
    except OSError as r:
        pass
    match a:
        case [s, *t] | {'u': s, **t}: pass
        case os.path: pass
        case str(v, w=u) as x: pass
    class K:
        l = k
        def m(self):
            return l
    return f\"{j:>{m}} {v!r}\"
";

#[test]
fn scopes_are_those_of_cpython() {
    let mut sources = vec![TRICKY.to_owned()];
    for entry in std::fs::read_dir(tests::workspace().join("static/cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "py") {
            sources.push(std::fs::read_to_string(path).unwrap());
        }
    }
    if let Some(dataset) = crate::counts::classeval() {
        sources.extend(dataset.classes.iter().map(|class| class.source.clone()));
    }
    let n_names = check(&sources);
    assert!(n_names == 0 || n_names > 1000, "{n_names} names compared");
}
