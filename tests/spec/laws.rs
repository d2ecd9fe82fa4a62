//! What holds for every rule over every text: real methods, generated Python, any text at all.

use proptest::prelude::*;
use shared::perturb::{Method, RULES, RuleOptions, unify, unmask};
use shared::subject::MethodContext;
use shared::syntax::{highlight, parse_python};

fn context() -> MethodContext {
    MethodContext {
        class_name: "Demo".to_owned(),
        imports: vec![
            "import math".to_owned(),
            "from os import path as p".to_owned(),
        ],
        methods: vec!["m".to_owned()],
        fields: vec!["x".to_owned()],
        globals: vec!["LIMIT".to_owned()],
        is_static: false,
    }
}

/// The laws of one text: spans lie in the text on character boundaries, sites are sorted and
/// disjoint, unmasking gives the source back, every looked-at place is accounted for.
fn check(source: &str, context: &MethodContext) {
    let method = Method::analyze(source, context);
    let mut all = Vec::new();
    for rule in &RULES {
        let outcome = method.apply(rule.id, &RuleOptions::default());
        for perturbation in outcome.perturbations {
            let sites = &perturbation.sites;
            assert!(
                !sites.is_empty(),
                "{}: an instance hides something",
                rule.id
            );
            assert!(
                sites
                    .windows(2)
                    .all(|pair| pair[0].span.end <= pair[1].span.start),
                "{}: sites overlap in {source:?}",
                rule.id
            );
            for site in sites {
                let range = site.span.start as usize..site.span.end as usize;
                assert_eq!(source.get(range), Some(site.hidden.as_str()), "{}", rule.id);
                assert!(
                    !site.hidden.is_empty(),
                    "{}: hides nothing in {source:?}",
                    rule.id
                );
            }
            let masked = perturbation.masked(source);
            assert_eq!(unmask(&masked, sites), source, "{}", rule.id);
            let n_masked = outcome
                .considered
                .iter()
                .filter(|c| c.instance == Some(perturbation.instance))
                .count();
            assert_eq!(
                n_masked,
                sites.len(),
                "{}: each site has its reason",
                rule.id
            );
            all.push(perturbation);
        }
    }
    let view = unify(source, &all);
    assert!(
        view.sites
            .windows(2)
            .all(|pair| pair[0].span.end <= pair[1].span.start)
    );
    let tokens = highlight::tokens(method.tree());
    assert!(
        tokens
            .windows(2)
            .all(|pair| pair[0].span.end <= pair[1].span.start)
    );
    assert!(tokens.iter().all(|token| {
        source
            .get(token.span.start as usize..token.span.end as usize)
            .is_some()
    }));
}

#[test]
fn laws_hold_over_classeval() {
    let Some(dataset) = crate::counts::classeval() else {
        return;
    };
    for (subject, context) in dataset.with_contexts() {
        check(&subject.source, context);
    }
}

#[test]
fn laws_hold_over_the_starter_benchmark() {
    let mut n_files = 0;
    for entry in std::fs::read_dir(tests::workspace().join("static/cases")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let source = std::fs::read_to_string(&path).unwrap();
            assert!(
                parse_python(&source).errors.is_empty(),
                "{}",
                path.display()
            );
            // Every method as its own text, with the class's indentation as benchmarks have it.
            for (at, _) in source.match_indices("    def ") {
                let text = &source[at + 4..];
                let end = text.find("\n\n    ").unwrap_or(text.len());
                check(&text[..end], &context());
            }
            n_files += 1;
        }
    }
    assert!(n_files >= 48, "{n_files} files");
}

/// Expressions of generated methods.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("self.x".to_owned()),
        Just("self".to_owned()),
        Just("math.pi".to_owned()),
        Just("p.join(a)".to_owned()),
        Just("Demo.m(b)".to_owned()),
        Just("LIMIT".to_owned()),
        Just("None".to_owned()),
        Just("-1.5".to_owned()),
        Just("'ä' \"b\"".to_owned()),
        Just("f'{a + 1!r:>{b}} é'".to_owned()),
        "[a-d]".prop_map(|name| name),
        (0u32..99).prop_map(|n| n.to_string()),
    ];
    leaf.prop_recursive(4, 32, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} not in {b}")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} if {b} else {c})")),
            inner
                .clone()
                .prop_map(|a| format!("[{a} for a in {a} if {a}]")),
            inner
                .clone()
                .prop_map(|a| format!("(lambda a, b={a}: b)({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("sorted({a}, key={b})")),
            inner.clone().prop_map(|a| format!("({a}).upper()[0]")),
            inner.prop_map(|a| format!("(c := {a})")),
        ]
    })
}

/// Statements of generated methods, at one level of indentation.
fn statement() -> impl Strategy<Value = String> {
    let e = expression;
    prop_oneof![
        ("[a-d]", e()).prop_map(|(name, value)| format!("    {name} = {value}\n")),
        ("[a-d]", e()).prop_map(|(name, value)| format!("    {name}: int = {value}\n")),
        ("[a-d]", e()).prop_map(|(name, value)| format!("    {name} += {value}\n")),
        (e(), e()).prop_map(|(test, value)| format!("    if {test}:\n        return {value}\n")),
        (e(), e()).prop_map(|(test, value)| format!("    while({test}):\n        print({value})\n")),
        ("[a-d]", e()).prop_map(|(name, over)| format!("    for {name}, self.x in {over}:\n        pass\n")),
        e().prop_map(|from| format!("    with {from} as (a, b):\n        b = a\n")),
        e().prop_map(|raised| format!("    try:\n        pass\n    except OSError as c:\n        raise {raised}\n")),
        e().prop_map(|value| format!("    match {value}:\n        case [a, *d] if a: return d\n        case _: pass\n")),
        e().prop_map(|value| format!("    def inner(self, z={value}):\n        nonlocal a\n        a = z\n        return self.x\n")),
        Just("    import random as b\n".to_owned()),
        Just("    # ünïcode comment\n".to_owned()),
        e().prop_map(|value| format!("    return {value}\n")),
    ]
}

pub(crate) fn method() -> impl Strategy<Value = String> {
    (
        "(self|cls|w)",
        proptest::collection::vec(statement(), 1..8),
        any::<bool>(),
    )
        .prop_map(|(receiver, body, crlf)| {
            let text = format!(
                "def m({receiver}, a, /, b: int = 2, *c, d=None) -> int:\n{}",
                body.concat()
            );
            if crlf {
                text.replace('\n', "\r\n")
            } else {
                text
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn laws_hold_over_generated_python(source in method()) {
        check(&source, &context());
    }

    #[test]
    fn laws_hold_over_broken_python(source in method(), at in 0usize..400, junk in "\\PC{0,6}") {
        let at = (0..=at.min(source.len())).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0);
        check(&format!("{}{junk}{}", &source[..at], &source[at..]), &context());
        check(&source[at..], &context());
    }

    #[test]
    fn laws_hold_over_any_text(source in any::<String>()) {
        check(&source, &context());
        check(&format!("def m(self):\n {source}"), &context());
    }
}

#[test]
fn deep_and_long_texts_neither_panic_nor_hang() {
    let deep = format!(
        "def m(self):\n    return {}1{}\n",
        "(".repeat(3_000),
        ")".repeat(3_000)
    );
    let chain = format!("def m(self):\n    return math{}\n", ".a()".repeat(20_000));
    let long = format!("def m(self):\n{}", "    a = a + 1\n".repeat(5_000));
    let nested = format!(
        "def m(self):\n    return {}1{}",
        "lambda a: (a, ".repeat(500),
        ")".repeat(500)
    );
    for source in [deep, chain, long, nested] {
        let context = context();
        let method = Method::analyze(&source, &context);
        for rule in &RULES {
            method.apply(rule.id, &RuleOptions::default());
        }
    }
}
