//! Replies and what identification says of them, as a human reads it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use shared::dataset::{self, Dataset};
use shared::identify::{
    Decision, Examined, IdentifyOptions, ImportPolicy, OutsidePolicy, Reference, Seen, decide,
    examine,
};
use shared::perturb::{Method, RuleId, RuleOptions, Stamp};
use shared::report::{TestOutcome, TestReport, TestRun};
use shared::syntax::{outline, parse_python};
use shared::text::LineIndex;
use shared::variant::{Variant, VariantId, VariantOrigin};

const CLASS: &str = "Account";

/// What a line that begins with `=== ` says of the reply below it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    method: String,
    rule: RuleId,
    #[serde(default)]
    names: BTreeMap<String, String>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    imports: ImportPolicy,
    tests: Option<Tests>,
    load_error: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tests {
    Passed,
    Failed,
}

impl Head {
    fn report(&self, variant: &VariantId) -> Option<TestReport> {
        let outcome = self.tests.as_ref().map(|tests| match tests {
            Tests::Passed => TestOutcome::Passed,
            Tests::Failed => TestOutcome::Failed {
                message: "False is not true".to_owned(),
            },
        });
        let run = outcome.map(|outcome| TestRun::new("AccountTest.test_it", outcome));
        (run.is_some() || self.load_error.is_some()).then(|| TestReport {
            load_error: self.load_error.clone(),
            tests: run.into_iter().collect(),
            ..TestReport::new(variant.clone())
        })
    }
}

/// The class of all fixtures, its methods cut out as benchmarks do.
fn benchmark() -> Dataset {
    let path = tests::workspace().join("tests/fixtures/identify/account.py");
    let module = std::fs::read_to_string(path).unwrap();
    let tree = parse_python(&module).tree;
    let class = outline::class(&tree, CLASS).unwrap();
    let methods = ["pay", "fee"].map(|name| {
        let method = outline::method_of(&tree, class, name).unwrap();
        json!({"method_name": name, "solution_code": tree.text(method)})
    });
    let file = json!([{"class_name": CLASS, "solution_code": module, "methods_info": methods}]);
    dataset::read("account", file.to_string().as_bytes()).unwrap()
}

/// The heads and replies of a file.
fn replies(text: &str) -> Vec<(Head, String)> {
    let mut found: Vec<(Head, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        match (line.strip_prefix("=== "), found.last_mut()) {
            (Some(head), _) => found.push((serde_json::from_str(head).unwrap(), String::new())),
            (None, Some((_, reply))) => reply.push_str(line),
            (None, None) => panic!("the first line must begin with `=== `"),
        }
    }
    found
}

/// What is said of each reply, and the last decision's name.
fn report(text: &str) -> (String, &'static str) {
    let dataset = benchmark();
    let stamp = Stamp::new(None);
    let mut seen = Seen::default();
    let (mut out, mut word) = (String::new(), "");
    for (head, reply) in replies(text) {
        let mut subjects = dataset.with_contexts();
        let (subject, context) = subjects.find(|(s, _)| s.method == head.method).unwrap();
        let class = dataset.class_of(subject);
        let reference = Reference::of(class, subject, context);
        let analyzed = Method::analyze(&subject.source, context);
        let outcome = analyzed.apply(head.rule, &RuleOptions::default());
        let perturbation = &outcome.perturbations[0];
        let n = out.matches("decision:").count() + 1;
        let variant = Variant {
            schema: 1,
            id: VariantId(format!("reply {n}")),
            subject: subject.id.clone(),
            rule: head.rule,
            instance: 0,
            options: BTreeMap::new(),
            origin: VariantOrigin::Human,
            text: reply,
            names: head.names.clone(),
        };
        let options = IdentifyOptions {
            outside: if head.strict {
                OutsidePolicy::Reject
            } else {
                OutsidePolicy::Accept
            },
            imports: head.imports,
            ..IdentifyOptions::default()
        };
        let examined = examine(&reference, perturbation, &variant, options);
        let report = head.report(&variant.id);
        let decision = decide(
            &reference,
            &variant,
            &examined,
            report.as_ref(),
            &mut seen,
            &stamp,
        );
        let why = match &decision {
            Decision::Case(case) => format!("breaks {}", case.broken_tests.join(", ")),
            Decision::Candidate => "not tested".to_owned(),
            Decision::NotCase(why) => why.to_string(),
        };
        word = match &decision {
            Decision::Case(_) => "case",
            Decision::Candidate => "candidate",
            Decision::NotCase(why) => why.slug(),
        };
        writeln!(
            out,
            "{}decision: {word} ({why})",
            if n > 1 { "\n" } else { "" }
        )
        .unwrap();
        describe(
            &mut out,
            &examined,
            &subject.source,
            &variant.text,
            &class.source,
        )
        .unwrap();
    }
    (out, word)
}

fn describe(
    out: &mut String,
    examined: &Examined,
    reference: &str,
    reply: &str,
    module: &str,
) -> fmt::Result {
    let Some(extraction) = &examined.extraction else {
        return writeln!(out, "extraction: none");
    };
    let (line, column) = LineIndex::new(reply).line_column(reply, extraction.span.start);
    let fenced = if extraction.fenced { ", fenced" } else { "" };
    let form = extraction.form.label();
    write!(out, "extraction: {form}{fenced}, at {line}:{column}")?;
    if let Some(name) = &extraction.renamed_from {
        write!(out, ", where it is named {name}")?;
    }
    writeln!(out)?;
    for import in &extraction.imports {
        writeln!(out, "imports: {import}")?;
    }
    for node in &examined.sites {
        let (right, status) = (node.reference.of(reference), node.status.slug());
        let there = node.variant.map(|span| span.of(&examined.method));
        let there = there.map_or_else(String::new, |there| format!(" `{there}`"));
        writeln!(out, "site {} `{right}`: {status}{there}", node.site)?;
    }
    for edit in &examined.outside {
        let (goes, comes) = (
            edit.reference.of(reference),
            edit.variant.of(&examined.method),
        );
        writeln!(out, "outside: `{goes}` to `{comes}`")?;
    }
    let Some(spliced) = &examined.module else {
        return writeln!(out, "\nmethod:\n{}", examined.method);
    };
    let mut spliced = spliced.as_str();
    for import in &examined.imported {
        spliced = spliced.strip_prefix(&format!("{import}\n")).unwrap();
        writeln!(out, "put into the head: {import}")?;
    }
    if spliced == module {
        return writeln!(out, "\nthe module is the benchmark's");
    }
    // Whatever the reply holds, the rest of the module begins and ends as the benchmark's.
    let (own, new): (Vec<&str>, Vec<&str>) = (module.lines().collect(), spliced.lines().collect());
    let same = |a: &&(&&str, &&str)| a.0 == a.1;
    let pairs: Vec<(&&str, &&str)> = own.iter().zip(&new).collect();
    let n_before = pairs.iter().take_while(same).count();
    let pairs: Vec<(&&str, &&str)> = own.iter().rev().zip(new.iter().rev()).collect();
    let n_shorter = own.len().min(new.len()) - n_before;
    let n_after = pairs.iter().take(n_shorter).take_while(same).count();
    writeln!(out, "\nline {} of the module:", n_before + 1)?;
    for line in &own[n_before..own.len() - n_after] {
        writeln!(out, "{}", format!("- {line}").trim_end())?;
    }
    for line in &new[n_before..new.len() - n_after] {
        writeln!(out, "{}", format!("+ {line}").trim_end())?;
    }
    Ok(())
}

#[test]
fn each_reply_is_told_as_its_snapshot_says() {
    insta::glob!("../fixtures/identify", "*/*.md", |path| {
        let (said, word) = report(&std::fs::read_to_string(path).unwrap());
        let beside = path.parent().unwrap();
        let folder = beside.file_name().and_then(OsStr::to_str).unwrap();
        assert!(
            folder == word || folder == "extraction",
            "{}: {word}",
            path.display()
        );
        let name = path.file_stem().and_then(OsStr::to_str).unwrap();
        insta::with_settings!({
            snapshot_path => beside,
            snapshot_suffix => "",
            omit_expression => true,
            prepend_module_to_snapshot => false,
        }, {
            insta::assert_snapshot!(name, said);
        });
    });
}

#[test]
fn every_decision_has_a_fixture() {
    let folder = tests::workspace().join("tests/fixtures/identify");
    for decision in [
        "case",
        "candidate",
        "empty",
        "no_method",
        "unfilled",
        "syntax_error",
        "identical",
        "outside_edits",
        "does_not_load",
        "passes_tests",
        "duplicate",
    ] {
        let has_fixture = Path::read_dir(&folder.join(decision)).is_ok_and(|mut files| {
            files.any(|file| file.unwrap().path().extension() == Some(OsStr::new("md")))
        });
        assert!(has_fixture, "{decision}");
    }
}
