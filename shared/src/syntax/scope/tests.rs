//! Each occurrence of a name, in source order, as `name:` and what it means: the kind of scope and the
//! number of the scope's variable, or `free`.

use super::{ScopeKind, Scopes};
use crate::syntax::parse_python;

fn check(source: &str, expected: &str) {
    let tree = parse_python(source).tree;
    let scopes = Scopes::of(&tree);
    let found: Vec<String> = tree
        .ids()
        .filter(|&id| scopes.is_name(id))
        .map(|id| {
            let meaning =
                scopes
                    .lookup(id)
                    .map_or("free", |found| match scopes.kind(found.scope) {
                        ScopeKind::Module => "module",
                        ScopeKind::Function => "function",
                        ScopeKind::Lambda => "lambda",
                        ScopeKind::Comprehension => "comprehension",
                        ScopeKind::Class => "class",
                    });
            format!("{}:{meaning}", tree.text(id))
        })
        .collect();
    assert_eq!(found.join(" "), expected, "{source}");
}

#[test]
fn parameters_and_defaults() {
    check(
        "def f(a, b=a, *c, d: a = 1, **e):\n    return a, b, c, d, e\n",
        "f:free a:function b:function a:free c:function d:function a:free e:function \
         a:function b:function c:function d:function e:function",
    );
}

#[test]
fn lambdas() {
    check(
        "def f(k):\n    return lambda v, w=k: v * k\n",
        "f:free k:function v:lambda w:lambda k:function v:lambda k:function",
    );
}

#[test]
fn a_comprehensions_first_iterable_is_outside() {
    check(
        "def f(x):\n    return [x for x in x for y in x]\n",
        "f:free x:function x:comprehension x:comprehension x:function y:comprehension x:comprehension",
    );
}

#[test]
fn a_walrus_binds_outside_comprehensions() {
    check(
        "def f(xs):\n    return [y for x in xs if (y := x)]\n",
        "f:free xs:function y:function x:comprehension xs:function y:function x:comprehension",
    );
}

#[test]
fn global_and_nonlocal() {
    check(
        "def f():\n    n = 1\n    def g():\n        global m\n        nonlocal n\n        n = m\n    return n\n",
        "f:free n:function g:function m:free n:function n:function m:free n:function",
    );
}

#[test]
fn class_bodies_are_seen_in_themselves_only() {
    check(
        "def f():\n    a = 1\n    class K:\n        a = 2\n        b = a\n        def g(self):\n            return a\n",
        "f:free a:function K:function a:class b:class a:class g:class self:function a:function",
    );
}

#[test]
fn match_captures() {
    check(
        "def f(v):\n    match v:\n        case [a, *b] | {'k': a, **b}: return a\n        case P.q: pass\n        case K(z, w=c) as d: return c\n        case _: pass\n",
        "f:free v:function v:function a:function b:function a:function b:function a:function P:free K:free \
         z:function c:function d:function c:function",
    );
}

#[test]
fn targets() {
    check(
        "def f(o):\n    for i, (j, *k) in o:\n        o.x[i], o.y = j, k\n    with o as (p, q), o as r:\n        pass\n    try:\n        del i, (j)\n    except E as e:\n        pass\n",
        "f:free o:function i:function j:function k:function o:function o:function i:function o:function \
         j:function k:function o:function p:function q:function o:function r:function i:function j:function \
         E:free e:function",
    );
}

#[test]
fn imports_bind_their_first_or_last_name() {
    check(
        "def f():\n    import a.b, c.d as e\n    from g.h import i, j as k\n    from . import l\n    return a, e, i, k, l, g\n",
        "f:free a:function e:function i:function k:function l:function a:function e:function i:function \
         k:function l:function g:free",
    );
}

#[test]
fn interpolations_and_keywords() {
    check(
        "def f(a):\n    w = 1\n    return g(a=w).a, f'{a:>{w}} {w!r} w'\n",
        "f:free a:function w:function g:free w:function a:function w:function w:function",
    );
}

#[test]
fn an_import_knows_its_module() {
    let tree = parse_python(
        "import os.path\nimport numpy as np\nfrom json import dumps as d\nfrom .x import y\n",
    )
    .tree;
    let scopes = Scopes::of(&tree);
    let modules: Vec<(String, Option<String>)> = scopes
        .module_names()
        .map(|(name, symbol)| (name.to_owned(), symbol.import_module(&tree)))
        .collect();
    let expected = [("d", "json"), ("np", "numpy"), ("os", "os"), ("y", "x")];
    assert_eq!(
        modules,
        expected.map(|(name, module)| (name.to_owned(), Some(module.to_owned())))
    );
}
