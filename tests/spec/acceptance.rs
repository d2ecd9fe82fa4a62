//! The specification's tricky snippets, one by one.

use std::collections::BTreeMap;

use serde::Deserialize;
use shared::perturb::{Method, RuleId, RuleOptions};
use shared::subject::MethodContext;

#[derive(Deserialize)]
struct RuleCase {
    name: String,
    rule: u8,
    source: String,
    expected: Vec<String>,
    #[serde(default)]
    context: MethodContext,
}

#[test]
fn every_tricky_snippet_is_masked_as_specified() {
    let Some(path) = tests::specification(
        "spec/rule_cases.jsonl",
        "69 tricky snippets of the ten rules",
    ) else {
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<RuleCase> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(cases.len(), text.lines().count());
    let mut wrong = BTreeMap::new();
    for case in &cases {
        let rule: RuleId = case.rule.to_string().parse().unwrap();
        let outcome =
            Method::analyze(&case.source, &case.context).apply(rule, &RuleOptions::default());
        let masked: Vec<String> = outcome
            .perturbations
            .into_iter()
            .map(|p| p.masked(&case.source))
            .collect();
        if masked != case.expected {
            wrong.insert(&case.name, (&case.expected, masked));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ: {wrong:#?}",
        wrong.len(),
        cases.len()
    );
}
