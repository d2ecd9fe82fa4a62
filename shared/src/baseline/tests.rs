use proptest::prelude::*;
use serde_json::json;

use super::names::Names;
use super::{Level, Mined, Miner, copy, fill::fill, reference};
use crate::case::{Case, Condition};
use crate::dataset::{self, Dataset};
use crate::perturb::{Method, Perturbation, RULES, RuleId, RuleOptions};
use crate::run::Sample;
use crate::subject::MethodContext;
use crate::variant::{Variant, VariantOrigin};

/// A benchmark of one class a method; each method is called `m`.
fn benchmark(methods: &[&str]) -> Dataset {
    let classes = (0..).zip(methods).map(|(number, method)| {
        let own = method.replace('\n', "\n    ");
        json!({
            "class_name": format!("C{number}"),
            "solution_code": format!("import math\n\nclass C{number}:\n    {own}\n"),
            "methods_info": [{"method_name": "m", "solution_code": own}],
        })
    });
    let file = json!(classes.collect::<Vec<_>>());
    dataset::read("made", file.to_string().as_bytes()).unwrap()
}

/// What the first method's first perturbation by a rule is filled with, out of all methods.
fn mined(methods: &[&str], rule: RuleId) -> Option<Mined> {
    let dataset = benchmark(methods);
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let options = RuleOptions::default();
    let method = Method::analyze(&subject.source, context);
    let perturbations = method.apply(rule, &options).perturbations;
    Miner::of(&dataset).variant(subject, context, &perturbations[0], &options)
}

/// The method's text in its own layout, if it can be filled.
#[track_caller]
fn check(rule: RuleId, own: &str, others: &[&str], expected: Option<&str>) {
    let methods = [&[own], others].concat();
    let found = mined(&methods, rule).map(|mined| mined.variant.text);
    let found = found.map(|text| text.replace("\n    ", "\n"));
    assert_eq!(found.as_deref(), expected);
}

#[test]
fn the_most_frequent_filling_takes_the_methods_own_names() {
    let own = "def m(self, xs):\n    return xs";
    let others = [
        "def m(self, a):\n    return len(a)",
        "def m(self, b):\n    return str(b)",
        "def m(self, c):\n    return str(c)",
    ];
    let expected = "def m(self, xs):\n    return str(xs)";
    check(RuleId::Returns, own, &others, Some(expected));
    let mined = mined(&[&[own], others.as_slice()].concat(), RuleId::Returns).unwrap();
    let place = &mined.places[0];
    assert_eq!(
        (
            place.text.as_str(),
            place.level,
            place.n_seen,
            place.n_classes
        ),
        ("return str(xs)", Level::Beside, 2, 2)
    );
}

#[test]
fn of_equals_the_first_text_is_taken() {
    let own = "def m(self, xs):\n    return xs";
    let others = [
        "def m(self, b):\n    return str(b)",
        "def m(self, a):\n    return len(a)",
    ];
    let expected = "def m(self, xs):\n    return len(xs)";
    check(RuleId::Returns, own, &others, Some(expected));
}

#[test]
fn nothing_comes_from_the_class_itself() {
    let own = "def m(self, xs):\n    return xs";
    check(RuleId::Returns, own, &[], None);
    check(RuleId::Returns, own, &["def m(self):\n    pass"], None);
}

#[test]
fn names_that_cannot_be_read_in_the_masked_method_do_not_fit() {
    let pi = "def m(self, a):\n    return math.pi";
    let others = [pi, pi, "def m(self, a):\n    return a"];
    let own = "def m(self, xs):\n    return xs[0]";
    let expected = "def m(self, xs):\n    return xs";
    check(RuleId::Returns, own, &others, Some(expected));
    let own = "def m(self, xs):\n    print(math.e)\n    return xs[0]";
    let expected = "def m(self, xs):\n    print(math.e)\n    return math.pi";
    check(RuleId::Returns, own, &others, Some(expected));
}

#[test]
fn a_variable_is_not_there_before_it_is_assigned() {
    let counts = "def m(self):\n    n = 0\n    n = n + 1";
    let others = [
        counts,
        counts,
        "def m(self, a):\n    b = a + 1\n    return b",
    ];
    let own = "def m(self, k):\n    total = k * 2\n    return total";
    let expected = "def m(self, k):\n    total = k + 1\n    return total";
    check(RuleId::Assignments, own, &others, Some(expected));
}

#[test]
fn types_that_cannot_be_do_not_fit() {
    let wrong = "def m(self, a):\n    return 'x' - len(a)";
    let others = [wrong, wrong, "def m(self, a):\n    return 'x' + str(a)"];
    let own = "def m(self, a):\n    return 'n' * str(a)";
    let expected = "def m(self, a):\n    return 'n' + str(a)";
    check(RuleId::Operators, own, &others, Some(expected));
}

#[test]
fn parameters_bind_what_the_body_uses() {
    let own = "def m(self, a, b):\n    return b - a";
    let others = ["def m(self, x, y=0):\n    return x + y"];
    let expected = "def m(self, b, a=0):\n    return b - a";
    check(RuleId::Parameters, own, &others, Some(expected));
    check(
        RuleId::Parameters,
        own,
        &["def m(self, x):\n    return x"],
        None,
    );
}

#[test]
fn a_member_that_was_mentioned_is_the_next_one_too() {
    let own = "def m(self):\n    self.a = 1\n    return self.b";
    let others = ["def m(self):\n    self.items = []\n    return self.items"];
    let expected = "def m(self):\n    self.items = 1\n    return self.items";
    check(RuleId::ContextNames, own, &others, Some(expected));
}

#[test]
fn a_comprehensions_variable_is_known_in_it() {
    let own = "def m(self, xs):\n    return [x for x in xs]";
    let others = ["def m(self, a, b):\n    k = 0\n    return [c for c in b]"];
    check(RuleId::LocalNames, own, &others, Some(own));
}

#[test]
fn a_mined_line_is_a_variant_of_a_baseline() {
    let methods = [
        "def m(self, a):\n    return a",
        "def m(self, b):\n    return len(b)",
    ];
    let mined = mined(&methods, RuleId::Returns).unwrap();
    let line = mined.json_line();
    assert!(line.contains(r#""origin":{"baseline":"mined"}"#), "{line}");
    assert!(
        line.contains(r#""mined":[{"text":"return len(a)","level":"beside""#),
        "{line}"
    );
    let read = Variant::from_json_line(&line, 1).unwrap();
    assert_eq!(read, mined.variant);
    assert_eq!(read.origin.generator(), "baseline:mined");
    assert!(!matches!(read.origin, VariantOrigin::Model(_)));
}

#[test]
fn no_model_is_called_like_a_baseline() {
    let variant = r#"{"schema": 1, "subject": "C.m", "rule": 2, "instance": 0, "text": "",
        "origin": {"model": "baseline:mined"}}"#;
    let told = Variant::from_json_line(variant, 1).unwrap_err().to_string();
    assert!(told.contains("baseline:mined is no model"), "{told}");
    let sample = |model: &str| {
        let line = json!({"case": "c", "model": model, "text": ""}).to_string();
        Sample::from_json_line(&line, 1)
    };
    assert!(sample("baseline:clever").is_err());
    assert!(sample("baseline:copy").is_ok() && sample("clever").is_ok());
}

#[test]
fn answers_say_that_no_model_gave_them() {
    let dataset = benchmark(&["def m(self, a):\n    return a"]);
    let case = Case::from_json_line(
        &json!({
            "schema": 1, "id": "C0.m-1", "subject": "C0.m", "rule": "returns", "instance": 0,
            "options": {}, "variant": "1", "origin": {"baseline": "mined"},
            "matcher": "simple", "method": "def m(self, a):\n    return 1", "sites": [],
            "outside": [], "broken_tests": [], "stamp": {"ctxlab": "0"},
        })
        .to_string(),
    )
    .unwrap();
    let copy = copy(&case, Condition::CtxBug, &case.method);
    let reference = reference(&case, Condition::Infill, &dataset.subjects[0]);
    assert_eq!(
        (copy.text.as_str(), copy.model.as_str()),
        (case.method.as_str(), "baseline:copy")
    );
    assert_eq!(reference.text, dataset.subjects[0].source);
    assert!(copy.model.is_baseline() && reference.model.is_baseline());
    assert_ne!(copy.id, reference.id);
    let again = Sample::from_json_line(&reference.json_line(), 1).unwrap();
    assert_eq!(again, reference);
}

/// All perturbations of a text that may be no method at all.
fn perturbations(source: &str, context: &MethodContext) -> Vec<Perturbation> {
    let method = Method::analyze(source, context);
    let options = RuleOptions::default();
    let found = RULES
        .iter()
        .flat_map(|rule| method.apply(rule.id, &options).perturbations);
    found.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_filled_with_python_or_not_at_all(
        junk in any::<String>(),
        lines in prop::collection::vec(
            "(x = [a-c]( [-+*] [0-9])?|self\\.[a-c] = \\[[a-c] for [a-c] in x\\]|return f\\(x, '.'\\)|if x [<>] 3: pass|for a in b: c \\+= a|import os|\\PC{0,8})",
            0..6,
        ),
    ) {
        let source = format!("def m(self, x, b=1):\n    {}\n", lines.join("\n    "));
        let dataset = benchmark(&[
            "def m(self, a):\n    return len(a)",
            "def m(self, q, z=2):\n    k = [w for w in q if w > 0]\n    self.n = k + [z]\n    return k",
        ]);
        let miner = Miner::of(&dataset);
        let context = MethodContext::default();
        for source in [&source, &junk] {
            let method = Method::analyze(source, &context);
            let names = Names::of(&method);
            for perturbation in perturbations(source, &context) {
                let filling = fill(&miner, &names, &perturbation, None);
                if let Some(filling) = &filling {
                    prop_assert!(crate::syntax::parse_python(&filling.text).errors.is_empty());
                    prop_assert_eq!(filling.places.len(), perturbation.sites.len());
                }
                let again = fill(&Miner::of(&dataset), &names, &perturbation, None);
                prop_assert_eq!(again.map(|of| of.text), filling.map(|of| of.text));
            }
        }
    }
}
