use std::collections::BTreeMap;

use serde_json::json;

use super::{Action, Asked, Correction, Judgement, NotJudged, SiteHandling, judge, scores};
use crate::baseline;
use crate::case::{Case, Condition};
use crate::dataset::{self, Dataset};
use crate::identify::{Decision, IdentifyOptions, Reference, Seen, decide, examine};
use crate::logprobs::{TokenBytes, TokenLogprob};
use crate::perturb::{Method, RuleId, RuleOptions, Stamp};
use crate::report::{TestReport, Verdict};
use crate::run::{ModelId, Sample, SampleId};
use crate::variant::{BaselineId, SCHEMA, Variant, VariantId, VariantOrigin};

/// Four operators.
const SUMS: &str = "def m(self, a, b):\n    total = a + b\n    if total > 10:\n        total = total * 2\n    return total - 1";

fn benchmark(method: &str) -> Dataset {
    let own = method.replace('\n', "\n    ");
    let file = json!([{
        "class_name": "Demo",
        "solution_code": format!("class Demo:\n    {own}\n"),
        "methods_info": [{"method_name": "m", "solution_code": own}],
    }]);
    dataset::read("made", file.to_string().as_bytes()).unwrap()
}

fn report(of: &str, outcome: &str) -> TestReport {
    let line = json!({"schema": 1, "variant": of, "tests": [{"name": "T.t", "outcome": outcome}]});
    TestReport::from_json_line(&line.to_string()).unwrap()
}

/// The case that a text is.
fn case(reference: &Reference<'_>, dataset: &Dataset, rule: RuleId, text: &str) -> Case {
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let options = RuleOptions::default();
    let method = Method::analyze(&subject.source, context);
    let perturbation = method.apply(rule, &options).perturbations.remove(0);
    let variant = Variant {
        schema: SCHEMA,
        id: VariantId("1".to_owned()),
        subject: subject.id.clone(),
        rule,
        instance: 0,
        options: BTreeMap::new(),
        origin: VariantOrigin::Baseline(BaselineId::Mined),
        text: text.to_owned(),
        names: BTreeMap::new(),
    };
    let examined = examine(
        reference,
        &perturbation,
        &variant,
        IdentifyOptions::default(),
    );
    let (stamp, failed) = (Stamp::new(None), report("1", "failed"));
    let mut seen = Seen::default();
    match decide(
        reference,
        &variant,
        &examined,
        Some(&failed),
        &mut seen,
        &stamp,
    ) {
        Decision::Case(case) => *case,
        other => panic!("{other:?}"),
    }
}

fn sample(case: &Case, text: &str) -> Sample {
    Sample {
        schema: SCHEMA,
        id: SampleId("s".to_owned()),
        case: case.id.clone(),
        model: ModelId("model".to_owned()),
        condition: Condition::CtxBug,
        text: text.to_owned(),
        names: BTreeMap::new(),
        logprobs: Vec::new(),
    }
}

/// Judges an answer to the case in which the first and the last of the four operators are wrong.
fn judged(answer: &str, outcome: &str) -> Judgement {
    let dataset = benchmark(SUMS);
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let wrong = SUMS.replace("a + b", "a - b").replace("- 1", "+ 1");
    let case = case(&reference, &dataset, RuleId::Operators, &wrong);
    assert_eq!(
        case.sites.iter().map(|site| site.site).collect::<Vec<_>>(),
        [0, 3]
    );
    let report = report("s", outcome);
    let sample = sample(&case, answer);
    let stamp = Stamp::new(None);
    judge(
        &reference,
        Asked::as_ctxbug(&case),
        &sample,
        Some(&report),
        &stamp,
    )
    .unwrap()
}

#[track_caller]
fn check(answer: &str, action: Action, sites: [SiteHandling; 2]) {
    let judgement = judged(answer, "failed");
    let found: Vec<SiteHandling> = judgement.sites.iter().map(|site| site.handling).collect();
    assert_eq!(
        (judgement.action, found.as_slice()),
        (action, sites.as_slice()),
        "{judgement:?}"
    );
}

#[test]
fn one_action_an_answer() {
    use SiteHandling::{Invalid, Overlooked, Resolved};
    let of = |first: &str, last: &str| {
        SUMS.replace("a + b", &format!("a {first} b"))
            .replace("- 1", &format!("{last} 1"))
    };
    check(&of("-", "+"), Action::Overlooked, [Overlooked, Overlooked]);
    check(&of("+", "+"), Action::Invalid, [Resolved, Overlooked]);
    check(&of("*", "+"), Action::Invalid, [Invalid, Overlooked]);
    check(&of("*", "*"), Action::Invalid, [Invalid, Invalid]);
    check(&of("+", "*"), Action::Invalid, [Resolved, Invalid]);
    let other = SUMS.replace("10", "11");
    check(&other, Action::Unexpected, [Resolved, Resolved]);
}

#[test]
fn answers_that_have_nothing_to_do_with_the_bug() {
    use SiteHandling::Invalid;
    let others = [
        "def m(self, a, b):\n    return sum([a, b])",
        "def m(self, a, b):\n    \"\"\"Later.\"\"\"\n    pass",
        "def m(self, a, b):\n    ...",
        "I cannot.",
        "",
    ];
    for answer in others {
        check(answer, Action::Others, [Invalid, Invalid]);
    }
    assert_eq!(judged("", "failed").verdict, Verdict::Empty);
    let half = judged("def m(self, a, b):\n    return sum([a, b])", "failed");
    assert!(half.n_kept * 2 < half.n_outside, "{half:?}");
}

#[test]
fn what_passes_is_resolved() {
    let repeated = SUMS.replace("a + b", "a - b").replace("- 1", "+ 1");
    assert_eq!(judged(&repeated, "passed").action, Action::Resolved);
    assert_eq!(judged(SUMS, "passed").action, Action::Resolved);
}

#[test]
fn an_answer_without_its_report_is_not_judged() {
    let dataset = benchmark(SUMS);
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let wrong = SUMS.replace("a + b", "a - b");
    let case = case(&reference, &dataset, RuleId::Operators, &wrong);
    let stamp = Stamp::new(None);
    let answer = sample(&case, SUMS);
    let ask = |sample: &Sample, report: Option<&TestReport>| {
        judge(&reference, Asked::as_ctxbug(&case), sample, report, &stamp)
    };
    assert!(matches!(ask(&answer, None), Err(NotJudged::NoReport(_))));
    let silent = TestReport::new(VariantId("s".to_owned()));
    assert!(matches!(
        ask(&answer, Some(&silent)),
        Err(NotJudged::NoReport(_))
    ));
    let other = report("t", "passed");
    assert!(matches!(
        ask(&answer, Some(&other)),
        Err(NotJudged::OtherReport { .. })
    ));
    assert_eq!(
        ask(&sample(&case, ""), None).unwrap().verdict,
        Verdict::Empty
    );
    let mut elsewhere = answer.clone();
    elsewhere.case.0.push('x');
    assert!(matches!(
        ask(&elsewhere, None),
        Err(NotJudged::OtherCase { .. })
    ));
}

#[test]
fn the_tokens_of_an_overlooked_site_are_found_through_names_and_layout() {
    let own = "def m(self, a):\n    return a + 1";
    let dataset = benchmark(own);
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let case = case(
        &reference,
        &dataset,
        RuleId::Constants,
        &own.replace('1', "25"),
    );
    let tokens = [
        (
            "Here it is:\n```python\nclass Demo:\n  def m(self, var_0):\n",
            0.9,
        ),
        ("    return var_0 +", 0.1),
        (" 2", 0.8),
        ("5\n", 0.6),
        ("```", 0.5),
    ];
    let text: String = tokens.iter().map(|(token, _)| *token).collect();
    let mut answer = sample(&case, &text);
    answer.names.insert("var_0".to_owned(), "a".to_owned());
    let judge = |answer: &Sample| {
        let report = report("s", "failed");
        let stamp = Stamp::new(None);
        judge(
            &reference,
            Asked::as_ctxbug(&case),
            answer,
            Some(&report),
            &stamp,
        )
        .unwrap()
    };
    assert_eq!(judge(&answer).sites[0].probability, None);
    answer.logprobs = tokens
        .iter()
        .map(|(token, probability)| TokenLogprob {
            token: TokenBytes(token.as_bytes().to_vec()),
            logprob: f64::ln(*probability),
            top: Vec::new(),
        })
        .collect();
    let judgement = judge(&answer);
    assert_eq!(judgement.action, Action::Overlooked);
    let found = judgement.sites[0].probability.unwrap();
    assert_eq!((found.mean, found.n_tokens), (0.7, 2));
    let overlooked = scores(&[judgement])[0].all.overlooked.unwrap();
    assert_eq!(
        (overlooked.mean, overlooked.n_sites, overlooked.n_unknown),
        (0.7, 1, 0)
    );
    // Tokens that do not spell the reply say nothing.
    answer.logprobs.remove(1);
    assert_eq!(judge(&answer).sites[0].probability, None);
}

#[test]
fn a_line_is_read_as_it_was_written() {
    let mut judgement = judged(SUMS, "failed");
    let line = judgement.json_line();
    assert!(line.contains(r#""verdict":"fail""#), "{line}");
    assert_eq!(Judgement::from_json_line(&line).unwrap(), judgement);
    judgement.correction = Some(Correction {
        action: Action::Invalid,
        by: "someone".to_owned(),
        note: String::new(),
    });
    let again = Judgement::from_json_line(&judgement.json_line()).unwrap();
    assert_eq!(
        (again.action, again.final_action()),
        (Action::Unexpected, Action::Invalid)
    );
    let other = line.replacen(r#""schema":1"#, r#""schema":9"#, 1);
    let told = Judgement::from_json_line(&other).unwrap_err().to_string();
    assert!(told.contains("schema 9"), "{told}");
    assert!(Judgement::from_json_line("{}").is_err());
}

#[test]
fn a_row_a_model_and_condition() {
    let repeated = SUMS.replace("a + b", "a - b").replace("- 1", "+ 1");
    let mut all = vec![
        judged(SUMS, "passed"),
        judged(&repeated, "failed"),
        judged("", "failed"),
        judged(SUMS, "passed"),
    ];
    all[3].condition = Condition::Infill;
    all[2].correction = Some(Correction {
        action: Action::Invalid,
        by: "someone".to_owned(),
        note: "it said why".to_owned(),
    });
    let rows = scores(&all);
    assert_eq!(rows.len(), 2);
    let score = &rows[0].all;
    assert_eq!(
        (score.n, score.n_cases, score.n_passed, score.n_corrected),
        (3, 1, 1, 1)
    );
    let (low, high) = score.interval.unwrap();
    assert!(low < 1.0 / 3.0 && 1.0 / 3.0 < high);
    assert_eq!((score.rates[0].n_resolved, score.rates[0].n_sites), (2, 6));
    let counts: Vec<u32> = score.actions.iter().map(|of| of.n).collect();
    assert_eq!(counts, [1, 1, 1, 0, 0]);
    assert_eq!(score.overlooked, None);
    assert_eq!(rows[0].tasks.len(), 1);
    assert_eq!((rows[1].condition, rows[1].all.n), (Condition::Infill, 1));
    assert!(scores(&[]).is_empty());
}

#[test]
fn a_baseline_is_judged_as_what_it_is() {
    let dataset = benchmark(SUMS);
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let wrong = SUMS.replace("a + b", "a - b");
    let case = case(&reference, &dataset, RuleId::Operators, &wrong);
    let answers = [
        (
            baseline::copy(&case, Condition::CtxBug, &case.method),
            "failed",
            Action::Overlooked,
        ),
        (
            baseline::reference(&case, Condition::CtxBug, subject),
            "passed",
            Action::Resolved,
        ),
    ];
    for (answer, outcome, action) in answers {
        let report = report(answer.id.as_str(), outcome);
        let stamp = Stamp::new(None);
        let asked = Asked::as_ctxbug(&case);
        let judgement = judge(&reference, asked, &answer, Some(&report), &stamp).unwrap();
        assert_eq!(judgement.action, action);
        assert!(judgement.model.is_baseline());
    }
}
