//! Every reply here is written by hand.

use std::collections::BTreeMap;

use serde_json::json;

use super::program::{Normalized, Program};
use super::*;
use crate::dataset::{self, Dataset};
use crate::perturb::{Method, RuleId, RuleOptions};
use crate::variant::{LineError, VariantOrigin};

const MODULE: &str = "\
import math

class Account:
    def __init__(self):
        self.balance = 0

    def pay(self, amount):
        # Keeps a reserve.
        left = self.balance - amount
        if left < 10:
            return \"no\"
        self.balance = left
        return 'ok'

    @staticmethod
    def fee(amount, rate=2):
        return math.floor(amount * rate)

    def close(self):
        text = '''
def pay(self):
    pass
'''
        return text
";

pub(super) const PAY: &str = "\
def pay(self, amount):
        # Keeps a reserve.
        left = self.balance - amount
        if left < 10:
            return \"no\"
        self.balance = left
        return 'ok'";
pub(super) const FEE: &str = "\
@staticmethod
    def fee(amount, rate=2):
        return math.floor(amount * rate)";
const CLOSE: &str = "\
def close(self):
        text = '''
def pay(self):
    pass
'''
        return text";

pub(super) fn dataset() -> Dataset {
    let method = |name: &str, text: &str| json!({"method_name": name, "solution_code": text});
    let file = json!([{
        "class_name": "Account",
        "solution_code": MODULE,
        "methods_info": [method("pay", PAY), method("fee", FEE), method("close", CLOSE)],
    }]);
    dataset::read("hand", file.to_string().as_bytes()).unwrap()
}

/// Runs `then` with a subject, the first perturbation of a rule, and a way to make variants of it.
fn with<T>(
    method: &str,
    rule: RuleId,
    then: impl FnOnce(&Reference<'_>, &Perturbation, &dyn Fn(&str, &str) -> Variant) -> T,
) -> T {
    let dataset = dataset();
    let mut subjects = dataset.with_contexts();
    let (subject, context) = subjects.find(|(s, _)| s.method == method).unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let analyzed = Method::analyze(&subject.source, context);
    let outcome = analyzed.apply(rule, &RuleOptions::default());
    let variant = |id: &str, text: &str| Variant {
        schema: 1,
        id: VariantId(id.to_owned()),
        subject: subject.id.clone(),
        rule,
        instance: 0,
        options: BTreeMap::new(),
        origin: VariantOrigin::Human,
        text: text.to_owned(),
        names: BTreeMap::new(),
    };
    then(&reference, &outcome.perturbations[0], &variant)
}

fn look(method: &str, rule: RuleId, text: &str) -> Examined {
    with(method, rule, |reference, perturbation, variant| {
        examine(
            reference,
            perturbation,
            &variant("1", text),
            IdentifyOptions::default(),
        )
    })
}

/// The slug of the reason why a filling of the operators of `pay` can be no case; `differs` for none.
fn pay(text: &str) -> &'static str {
    let examined = look("pay", RuleId::Operators, text);
    examined.not_case.map_or("differs", |why| why.slug())
}

#[test]
fn the_reference_is_found_in_every_form() {
    let bare = "def pay(self, amount):\n    # Keeps a reserve.\n    left = self.balance - amount\n    \
                if left < 10:\n        return \"no\"\n    self.balance = left\n    return 'ok'\n";
    let indented = bare.replace('\n', "\n    ");
    let tabs = bare.replace("    ", "\t");
    let fenced =
        format!("Sure! Here's the code:\n\n```python\nimport os\n{bare}```\nIt isn't hard.");
    let cut_off = format!("```\n{bare}\n\ndef other(self):\n    return (1,");
    let prose = format!("The method (as asked:\n\n{bare}\nThis doesn't change \"anything.");
    let class = format!("class Wallet:\n    {indented}");
    let renamed = bare.replace("def pay", "def solve");
    let twice = format!("def pay(self, amount):\n    '''Pays.'''\n\n@@ Response:\n{bare}");
    let unclosed = format!("def __init__(self):\n    '''Begins.\n    pass\n\n{bare}");
    let crlf = bare.replace('\n', "\r\n");
    let several = format!("def helper(x):\n    return x\n\n{bare}\ndef last(): pass\n");
    for (reply, form, fenced) in [
        (PAY, Form::Bare, false),
        (MODULE, Form::InClass, false),
        (bare, Form::Bare, false),
        (&format!("    {indented}"), Form::Bare, false),
        (&tabs, Form::Bare, false),
        (&fenced, Form::Bare, true),
        (&cut_off, Form::Bare, true),
        (&prose, Form::Bare, false),
        (&class, Form::InOtherClass, false),
        (&renamed, Form::Bare, false),
        (&twice, Form::Bare, false),
        (&unclosed, Form::Bare, false),
        (&crlf, Form::Bare, false),
        (&several, Form::Bare, false),
    ] {
        let examined = look("pay", RuleId::Operators, reply);
        let extraction = examined.extraction.unwrap();
        assert_eq!(
            (extraction.form, extraction.fenced),
            (form, fenced),
            "{reply}"
        );
        assert_eq!(
            examined.not_case,
            Some(NotCase::Identical { n_sites: 2 }),
            "{reply}\n{}",
            examined.method
        );
        assert_eq!(examined.outside, [], "{reply}");
        if reply != tabs {
            assert_eq!(examined.method, PAY, "{reply}");
            assert_eq!(examined.module.as_deref(), Some(MODULE), "{reply}");
        }
        let renamed_from = (reply == renamed).then_some("solve");
        assert_eq!(extraction.renamed_from.as_deref(), renamed_from);
    }
    assert_eq!(
        look("pay", RuleId::Operators, &fenced)
            .extraction
            .unwrap()
            .imports,
        ["import os"]
    );
}

#[test]
fn every_method_goes_back_into_its_class_byte_by_byte() {
    for (method, source) in [("pay", PAY), ("fee", FEE), ("close", CLOSE)] {
        let rule = if method == "close" {
            RuleId::Assignments
        } else {
            RuleId::Returns
        };
        for reply in [source, MODULE] {
            let examined = look(method, rule, reply);
            assert_eq!(examined.method, source);
            assert_eq!(examined.module.as_deref(), Some(MODULE), "{method}");
        }
    }
}

#[test]
fn a_static_method_keeps_its_decorator_unless_it_takes_its_receiver() {
    let bare = "def fee(amount, rate=2):\n    return math.ceil(amount * rate)";
    let module = look("fee", RuleId::Returns, bare).module.unwrap();
    assert_eq!(module, MODULE.replace("floor", "ceil"));
    let with_self = bare.replace("fee(", "fee(self, ");
    let module = look("fee", RuleId::Returns, &with_self).module.unwrap();
    assert!(!module.contains("@staticmethod"), "{module}");
    assert!(
        module.contains("\n    def fee(self, amount, rate=2):\n        return"),
        "{module}"
    );
}

#[test]
fn each_reason_has_its_reply() {
    for (reply, reason) in [
        ("", "empty"),
        (" \n\t", "empty"),
        ("def pay(self, amount):\n    '''Pays.'''", "empty"),
        ("I cannot do that.", "no_method"),
        ("def close(self):\n    return 1", "no_method"),
        (
            "def a(x):\n    return x\ndef b(x):\n    return x",
            "no_method",
        ),
        ("def pay(self, amount):\n    return (1", "syntax_error"),
        (&PAY.replace("- amount", "<INFILL> amount"), "unfilled"),
        (&PAY.replace("return 'ok'", "return 'fine'"), "identical"),
        (&PAY.replace("- amount", "+ amount"), "differs"),
        (&PAY.replace("left < 10", "left"), "differs"),
    ] {
        assert_eq!(pay(reply), reason, "{reply}");
    }
}

#[test]
fn each_masked_node_has_a_status() {
    let text = PAY
        .replace("- amount", "+ amount")
        .replace("left < 10", "left");
    let examined = look("pay", RuleId::Operators, &text);
    let found: Vec<(u32, SiteStatus, &str)> = examined
        .sites
        .iter()
        .map(|node| (node.site, node.status, node.reference.of(PAY)))
        .collect();
    assert_eq!(
        found,
        [(0, SiteStatus::Deleted, "-"), (1, SiteStatus::Deleted, "<")]
    );
    let text = PAY.replace("\"no\"", "'no'");
    let examined = look("pay", RuleId::Returns, &text);
    let found: Vec<SiteStatus> = examined.sites.iter().map(|node| node.status).collect();
    assert_eq!(found, [SiteStatus::Changed, SiteStatus::Resolved]);
    let partner = examined.sites[0].variant.unwrap();
    assert_eq!(partner.of(&examined.method), "return 'no'");
}

#[test]
fn what_differs_elsewhere_is_told_and_refused_on_request() {
    let outside = |text: &str| -> Vec<(String, String)> {
        let examined = look("pay", RuleId::Operators, text);
        let edits = examined.outside.iter();
        edits
            .map(|edit| {
                let (from, to) = (edit.reference.of(PAY), edit.variant.of(&examined.method));
                (from.to_owned(), to.to_owned())
            })
            .collect()
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let plus = PAY.replace("- amount", "+ amount");
    assert_eq!(outside(&plus), []);
    assert_eq!(outside(&PAY.replace("- amount", "- 2 * amount")), []);
    assert_eq!(
        outside(&plus.replace("# Keeps a reserve.", "\"\"\"Pays.\"\"\"")),
        []
    );
    assert_eq!(outside(&plus.replace("10", "20")), [pair("10", "20")]);
    assert_eq!(outside(&plus.replace("'ok'", "'ok', 1")), [pair("", ", 1")]);
    // Out of the branch: no token differs, but where one stands.
    let moved = PAY.replace(
        "        self.balance = left",
        "            self.balance = left",
    );
    assert!(!outside(&moved).is_empty());
    with(
        "pay",
        RuleId::Operators,
        |reference, perturbation, variant| {
            let options = IdentifyOptions {
                outside: OutsidePolicy::Reject,
                ..IdentifyOptions::default()
            };
            let look = |text: &str| {
                examine(reference, perturbation, &variant("1", text), options).not_case
            };
            assert_eq!(look(&plus), None);
            assert_eq!(
                look(&plus.replace("10", "20")),
                Some(NotCase::OutsideEdits { n_edits: 1 })
            );
        },
    );
}

#[test]
fn obfuscated_names_are_put_back() {
    let reply = "class C0:\n    def f0(self, v0):\n        # v0\n        v1 = self.a0 + v0\n        \
                 if v1 < 10:\n            return \"no\"\n        self.a0 = v1\n        return 'ok'\n";
    let names = [
        ("C0", "Account"),
        ("f0", "pay"),
        ("v0", "amount"),
        ("v1", "left"),
        ("a0", "balance"),
    ];
    with(
        "pay",
        RuleId::Operators,
        |reference, perturbation, variant| {
            let mut obfuscated = variant("1", reply);
            obfuscated.names = names.map(|(a, b)| (a.to_owned(), b.to_owned())).into();
            let options = IdentifyOptions::default();
            let examined = examine(reference, perturbation, &obfuscated, options);
            let extraction = examined.extraction.unwrap();
            assert_eq!(
                (extraction.form, extraction.renamed_from),
                (Form::InClass, None)
            );
            let expected = PAY
                .replace("# Keeps a reserve.", "# v0")
                .replace("- amount", "+ amount");
            assert_eq!(examined.method, expected);
            assert_eq!(examined.collisions, [""; 0]);
            obfuscated.text = reply.replace("< 10", "< left");
            let examined = examine(reference, perturbation, &obfuscated, options);
            assert_eq!(examined.collisions, ["left"]);
        },
    );
}

#[test]
fn only_a_failing_new_program_is_a_case() {
    with(
        "pay",
        RuleId::Operators,
        |reference, perturbation, variant| {
            let report = |outcomes: &[&str], load_error: Option<&str>| -> TestReport {
                let tests = outcomes.iter().zip(1..);
                let tests: Vec<_> = tests
                    .map(|(outcome, n)| json!({"name": format!("T.test_{n}"), "outcome": outcome}))
                    .collect();
                let line =
                    json!({"schema": 1, "variant": "v", "tests": tests, "load_error": load_error});
                TestReport::from_json_line(&line.to_string()).unwrap()
            };
            let (mut seen, mut funnel) = (Seen::default(), Funnel::default());
            let stamp = Stamp::new(None);
            let mut decide = |id: &str, text: &str, report: Option<TestReport>| {
                let variant = variant(id, text);
                let options = IdentifyOptions::default();
                let examined = examine(reference, perturbation, &variant, options);
                let found = decide(
                    reference,
                    &variant,
                    &examined,
                    report.as_ref(),
                    &mut seen,
                    &stamp,
                );
                funnel.add(&variant.origin, variant.rule, &found);
                found
            };
            let plus = PAY.replace("- amount", "+ amount");
            let slug = |found: &Decision| match found {
                Decision::NotCase(why) => why.slug(),
                Decision::Candidate => "candidate",
                Decision::Case(_) => "case",
            };
            let passes = Some(report(&["passed", "passed"], None));
            assert_eq!(slug(&decide("1", &plus, passes)), "passes_tests");
            assert_eq!(slug(&decide("2", &plus, None)), "candidate");
            let broken = Some(report(&["passed", "not_run"], None));
            let Decision::Case(case) = decide("3", &plus, broken.clone()) else {
                panic!("no case");
            };
            assert_eq!(case.broken_tests, ["T.test_2"]);
            assert_eq!(case.sites.len(), 1);
            assert_eq!(
                (case.sites[0].correct.as_str(), case.sites[0].site),
                ("-", 0)
            );
            assert!(case.id.as_str().starts_with("Account.pay-"));
            let again = plus.replace('"', "'").replace("left < 10", "(left < 10)");
            let Decision::NotCase(NotCase::Duplicate { of, tested }) = decide("4", &again, broken)
            else {
                panic!("no duplicate");
            };
            assert_eq!((of.as_str(), tested), ("3", true));
            assert_eq!(slug(&decide("5", &plus, None)), "duplicate");
            let dies = Some(report(&[], Some("NameError")));
            assert_eq!(
                slug(&decide("6", &PAY.replace('-', "*"), dies)),
                "does_not_load"
            );
            assert_eq!(
                slug(&decide(
                    "7",
                    &PAY.replace('-', "*"),
                    Some(report(&[], None))
                )),
                "candidate"
            );
            assert_eq!(slug(&decide("8", PAY, None)), "identical");
            assert_eq!(slug(&decide("9", "no", None)), "no_method");
            let total = funnel.total(None);
            let left = [
                total.n_generated,
                total.n_parsed,
                total.n_differing,
                total.n_failing,
                total.n_unique,
                total.n_candidates,
            ];
            assert_eq!(left, [9, 8, 7, 2, 1, 2]);
        },
    );
}

#[test]
fn a_program_means_the_same_however_it_is_written() {
    let fingerprint = |text: &str| {
        let program = Program::of(&format!("def f():\n    return {text}\n"));
        assert!(program.errors.is_empty(), "{text}");
        Normalized::of(&program.tree).fingerprint(&program.tree)
    };
    for (a, b) in [
        ("'a'", "\"a\""),
        ("'it\\'s'", "\"it's\""),
        ("u'a'", "'''a'''"),
        ("r'a'", "'a'"),
        ("f'{x}: {y[\"k\"]}'", "f\"{x}: {y['k']}\""),
        ("(a + b) * 2", "((a + (b))) * 2"),
        ("a, b", "(a, b,)"),
        ("a * b", "b*a"),
        ("x == 1", "1 == x"),
        ("x + 1", "1 + x"),
        ("x is None", "None is x"),
        ("f(a,b)", "f(\n        a,\n        b,  # last\n    )"),
    ] {
        assert_eq!(fingerprint(a), fingerprint(b), "{a} and {b}");
    }
    for (a, b) in [
        ("'a'", "b'a'"),
        ("'a'", "'A'"),
        ("r'\\n'", "'\\n'"),
        ("f'{x}'", "f'{y}'"),
        ("(a + b) * 2", "a + b * 2"),
        ("a + b", "b + a"),
        ("a - 1", "1 - a"),
        ("a < b", "b < a"),
        ("a < b", "a > b"),
        ("a * b", "a + b"),
        ("a.b * c", "a.b + c"),
        ("a or b", "b or a"),
        ("f() * g()", "g() * f()"),
        ("a[1:]", "a[:1]"),
        ("[a]", "(a,)"),
        ("a == b == c", "c == b == a"),
    ] {
        assert_ne!(fingerprint(a), fingerprint(b), "{a} and {b}");
    }
}

#[test]
fn lenses_agree_on_the_reference_and_say_where_they_do_not() {
    with("pay", RuleId::Returns, |reference, perturbation, _| {
        let sites: Vec<Span> = perturbation.sites.iter().map(|site| site.span).collect();
        let look = |reply: &str| reference.resolution(&sites, reply, &BTreeMap::new());
        let quotes = PAY.replace("\"no\"", "'no'");
        let inserted = PAY.replace("# Keeps a reserve.", "print(amount)");
        let rate = resolution_rate(&[look(PAY), look(&quotes), look(&inserted), look("nothing")]);
        assert_eq!(rate.n_adaptations, 4);
        let found: Vec<(&str, u32, u32)> = rate
            .rates
            .iter()
            .map(|rate| (rate.lens.slug(), rate.n_resolved, rate.n_sites))
            .collect();
        assert_eq!(
            found,
            [
                ("simple", 5, 8),
                ("classic", 5, 8),
                ("hybrid", 5, 8),
                ("stable", 5, 8),
                ("path", 3, 8),
                ("normalized", 4, 8),
            ]
        );
        let places: Vec<(u32, u32, usize)> = rate
            .disagreements
            .iter()
            .map(|d| (d.adaptation, d.site, d.resolved_by.len()))
            .collect();
        // Quotes: only by what it means. After an inserted line: only by the matchers.
        assert_eq!(places, [(1, 0, 1), (2, 0, 4), (2, 1, 4)]);
        assert_eq!(rate.disagreements[0].resolved_by, [Lens::Normalized]);
    });
    assert_eq!(resolution_rate(&[]).rates[0].n_sites, 0);
}

#[test]
fn imports_of_a_reply_go_into_the_head_where_that_is_asked_for() {
    let reply = "```python\nimport math\nfrom decimal import (\n    Decimal as D,\n)\n\n\
                 def fee(amount, rate=2):\n    return x1.ceil(D(amount) * rate)\n```";
    with(
        "fee",
        RuleId::Returns,
        |reference, perturbation, variant| {
            let mut variant = variant("1", reply);
            variant.names.insert("x1".to_owned(), "math".to_owned());
            let look = |imports| {
                let options = IdentifyOptions {
                    imports,
                    ..IdentifyOptions::default()
                };
                examine(reference, perturbation, &variant, options)
            };
            let ignored = look(ImportPolicy::Ignore);
            let module = MODULE.replace("floor(amount", "ceil(D(amount)");
            assert_eq!(ignored.module.as_deref(), Some(module.as_str()));
            let spliced = look(ImportPolicy::Splice);
            assert_eq!(spliced.imported, ["from decimal import Decimal as D"]);
            let module = format!("from decimal import Decimal as D\n{module}");
            assert_eq!(spliced.module.as_deref(), Some(module.as_str()));
            let but_imports = Examined {
                module: ignored.module.clone(),
                imports: ImportPolicy::Ignore,
                imported: Vec::new(),
                ..spliced
            };
            assert_eq!(but_imports, ignored);
        },
    );
}

#[test]
fn lines_are_read_or_say_why_not() {
    let line = json!({
        "schema": 1, "subject": "Account.pay", "rule": 4, "slug": "operators", "instance": 0,
        "options": {}, "sites": [], "masked": "", "stamp": {"ctxlab": "0"},
        "origin": {"model": "m"}, "text": "x",
    });
    let variant = Variant::from_json_line(&line.to_string(), 7).unwrap();
    assert_eq!(
        (variant.id.as_str(), variant.rule),
        ("#7", RuleId::Operators)
    );
    assert_eq!(variant.origin.generator(), "m");
    let again = serde_json::to_string(&variant).unwrap();
    assert_eq!(Variant::from_json_line(&again, 1), Ok(variant));
    let with = |field: &str, value: serde_json::Value| {
        let mut line = line.clone();
        line[field] = value;
        Variant::from_json_line(&line.to_string(), 1).unwrap_err()
    };
    assert_eq!(with("schema", json!(2)), LineError::Schema(2));
    assert!(matches!(with("rule", json!("r99")), LineError::Rule(_)));
    assert!(matches!(
        with("options", json!({"unit": "x"})),
        LineError::Option(_)
    ));
    assert!(matches!(
        with("text", json!(1)),
        LineError::Format("variant", ..)
    ));
}
