//! Every strategy and condition, as a model reads it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

use serde::Deserialize;
use shared::case::{Case, Condition};
use shared::identify::{Decision, IdentifyOptions, Reference, Seen, decide, examine};
use shared::obfuscate::restore_text;
use shared::perturb::{Method, Perturbation, RuleId, RuleOptions, Stamp};
use shared::prompt::{Names, Prompt, Reused, STRATEGIES, StrategyId, Target, Task, prompt};
use shared::report::{TestOutcome, TestReport, TestRun};
use shared::variant::{Variant, VariantId, VariantOrigin};

/// What a fixture asks for; its folder is the strategy.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    method: String,
    names: Names,
    rule: Option<RuleId>,
    condition: Option<Condition>,
    /// What is replaced in the right method to make the case.
    bugs: Option<[String; 2]>,
}

fn case(reference: &Reference<'_>, perturbation: &Perturbation, bugs: &[String; 2]) -> Case {
    let subject = reference.subject();
    let [right, wrong] = bugs;
    assert!(subject.source.contains(right));
    let variant = Variant {
        schema: 1,
        id: VariantId("1".to_owned()),
        subject: subject.id.clone(),
        rule: perturbation.rule,
        instance: perturbation.instance,
        options: BTreeMap::new(),
        origin: VariantOrigin::Human,
        text: subject.source.replace(right, wrong),
        names: BTreeMap::new(),
    };
    let examined = examine(
        reference,
        perturbation,
        &variant,
        IdentifyOptions::default(),
    );
    let failed = TestOutcome::Failed {
        message: String::new(),
    };
    let report = TestReport {
        tests: vec![TestRun::new("ClassTest.test_it", failed)],
        ..TestReport::new(variant.id.clone())
    };
    let (mut seen, stamp) = (Seen::default(), Stamp::new(None));
    match decide(
        reference,
        &variant,
        &examined,
        Some(&report),
        &mut seen,
        &stamp,
    ) {
        Decision::Case(case) => *case,
        other => panic!("{other:?}"),
    }
}

fn rendered(path: &Path) -> Prompt {
    let folder = path.parent().unwrap();
    let strategy: StrategyId = folder
        .file_name()
        .and_then(OsStr::to_str)
        .unwrap()
        .parse()
        .unwrap();
    let wanted: Wanted = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let dataset = crate::classes::benchmark(&folder.with_file_name("stock.py"));
    let mut subjects = dataset.with_contexts();
    let (subject, context) = subjects.find(|(s, _)| s.method == wanted.method).unwrap();
    let class = dataset.class_of(subject);
    let target = Target {
        class,
        subject,
        context,
    };
    let perturbation = wanted.rule.map(|rule| {
        let outcome =
            Method::analyze(&subject.source, context).apply(rule, &RuleOptions::default());
        outcome.perturbations[0].clone()
    });
    let reference = Reference::of(class, subject, context);
    let case = wanted
        .bugs
        .as_ref()
        .map(|bugs| case(&reference, perturbation.as_ref().unwrap(), bugs));
    let task = match (strategy, wanted.condition) {
        (StrategyId::Infill, None) => Task::Fill(perturbation.as_ref().unwrap()),
        (StrategyId::Implant, None) => {
            Task::Implant(perturbation.as_ref().unwrap(), case.as_ref().unwrap())
        }
        (StrategyId::Plain, None) => Task::Write,
        (_, Some(condition)) => Task::Adapt(match condition {
            Condition::CtxBug => Reused::CtxBug(case.as_ref().unwrap()),
            Condition::Infill => {
                Reused::Infill(perturbation.as_ref().unwrap(), case.as_ref().unwrap())
            }
            Condition::IsolatedBug => Reused::IsolatedBug(&case.as_ref().unwrap().method),
            Condition::Reference => Reused::Reference,
        }),
        other => panic!("{other:?}"),
    };
    let prompt = prompt(strategy, target, task, wanted.names).unwrap();
    assert_eq!(prompt.condition, wanted.condition);
    assert_eq!(prompt.names.is_empty(), wanted.names == Names::Shown);
    if wanted.names == Names::Hidden {
        let hidden = prompt.text();
        assert!(!hidden.contains(&class.name), "{hidden}");
        let back = restore_text(&hidden, &prompt.names);
        assert!(back.contains(&subject.requirement), "{back}");
    }
    let json = serde_json::to_string(&prompt).unwrap();
    assert_eq!(serde_json::from_str::<Prompt>(&json).unwrap(), prompt);
    prompt
}

#[test]
fn each_fixture_is_asked_as_its_snapshot_says() {
    insta::glob!("../fixtures/prompt", "*/*.json", |path| {
        let name = path.file_stem().and_then(OsStr::to_str).unwrap();
        let beside = path.parent().unwrap();
        let prompt = rendered(path);
        let tokens = prompt.estimated_tokens();
        insta::with_settings!({
            snapshot_path => beside,
            snapshot_suffix => "",
            omit_expression => true,
            prepend_module_to_snapshot => false,
        }, {
            insta::assert_snapshot!(name, format!("{}\n\n(about {tokens} tokens)", prompt.text()));
        });
    });
}

#[test]
fn every_strategy_has_its_fixtures() {
    for strategy in &STRATEGIES {
        let folder = tests::workspace()
            .join("tests/fixtures/prompt")
            .join(strategy.slug);
        assert!(folder.is_dir(), "no {}", folder.display());
        assert_eq!(strategy.slug.parse(), Ok(strategy.id));
        assert_eq!(strategy.id.strategy().slug, strategy.slug);
    }
}
