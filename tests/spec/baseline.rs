//! The baselines over ClassEval: what `mined` fills, and what `copy` and `reference` are judged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::json;
use shared::baseline::{self, Level, Mined, Miner};
use shared::case::{Case, Condition, SiteStatus};
use shared::dataset;
use shared::identify::{Decision, IdentifyOptions, NotCase, Reference, Seen, decide, examine};
use shared::judge::{Action, Asked, Judgement, Score, SiteHandling, judge, scores};
use shared::perturb::{Method, Perturbation, RULES, RuleOptions, Stamp};
use shared::report::TestReport;
use shared::run::{ModelId, Sample, SampleId};
use shared::subject::Subject;
use shared::text::Span;
use shared::variant::Variant;

/// What became of the perturbations of one rule.
#[derive(Default)]
struct Row {
    n: usize,
    filled: usize,
    /// Filled places, by level.
    levels: [usize; Level::ALL.len()],
    differing: usize,
    sites: usize,
    identical: usize,
    other: usize,
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.filled += other.filled;
        for (sum, n) in self.levels.iter_mut().zip(other.levels) {
            *sum += n;
        }
        self.differing += other.differing;
        self.sites += other.sites;
        self.identical += other.identical;
        self.other += other.other;
    }

    fn line(&self, name: &str) -> String {
        let mut line = format!("{name:13} {:5} {:6} |", self.n, self.filled);
        for n in self.levels {
            write!(line, " {n:6}").unwrap();
        }
        let (differing, sites) = (self.differing, self.sites);
        let (identical, other) = (self.identical, self.other);
        write!(line, " | {differing:6} {sites:5} | {identical:5} {other:5}").unwrap();
        line
    }
}

/// All perturbations of ClassEval, each filled and looked at. Figures of our own making: they hold the
/// generator still, and say nothing of its quality.
const MINED: &str = "\
rule              n filled | beside detail   role   kind  place | differ sites | ident other
parameters      306    305 |     31    140    131      3      0 |     56    56 |   249     0
returns         341    341 |    523      6      2      1      0 |    244   336 |    97     0
constants       599    599 |   1050    359    135     85      0 |    318   839 |   281     0
operators       265    263 |    635    414    255      9      0 |    207   667 |    56     0
assignments     749    749 |    684      3     56      6      0 |    573   573 |   176     0
conditions      444    444 |    423      5      0     15      1 |    417   417 |    27     0
library_calls   163    163 |    106     25     16     16      0 |    163   163 |     0     0
context_names   310    310 |    514    163    107     26      0 |    281   749 |    29     0
local_names     249    249 |    878    535    397     14      0 |    168  1168 |    81     0
third_party     102    102 |    179     31     21     17      0 |    102   238 |     0     0
all            3528   3525 |   5023   1681   1120    192      1 |   2529  5206 |   996     0";

/// Reports are data here: the reference passes, all else fails.
fn report(of: &str, outcome: &str) -> TestReport {
    let line = json!({"schema": 1, "variant": of, "tests": [{"name": "T.t", "outcome": outcome}]});
    TestReport::from_json_line(&line.to_string()).unwrap()
}

/// Judges the baselines on a case, and adds what they are.
fn judge_baselines(
    reference: &Reference<'_>,
    subject: &Subject,
    case: &Case,
    judgements: &mut Vec<Judgement>,
) {
    let stamp = Stamp::new(None);
    let answers = [
        (
            baseline::copy(case, Condition::CtxBug, &case.method),
            "failed",
        ),
        (
            baseline::reference(case, Condition::CtxBug, subject),
            "passed",
        ),
    ];
    for (answer, outcome) in answers {
        let report = report(answer.id.as_str(), outcome);
        let asked = Asked::as_ctxbug(case);
        let judgement = judge(reference, asked, &answer, Some(&report), &stamp).unwrap();
        judgements.push(judgement);
    }
}

/// Fills a perturbation's row with what its mined variant is; gives the case that it would be.
fn examined_case(
    reference: &Reference<'_>,
    perturbation: &Perturbation,
    mined: Option<Mined>,
    row: &mut Row,
    seen: &mut Seen,
) -> Option<Case> {
    row.n += 1;
    let Mined { variant, places } = mined?;
    row.filled += 1;
    assert_eq!(places.len(), perturbation.sites.len(), "{}", variant.id);
    for place in &places {
        row.levels[place.level as usize] += 1;
        assert!(place.n_seen >= place.n_classes && place.n_classes > 0);
    }
    let options = IdentifyOptions::default();
    let examined = examine(reference, perturbation, &variant, options);
    let differing = examined.sites.iter();
    let differing = differing.filter(|site| site.status != SiteStatus::Resolved);
    row.sites += differing.count();
    match &examined.not_case {
        None => row.differing += 1,
        Some(NotCase::Identical { .. }) => row.identical += 1,
        Some(_) => row.other += 1,
    }
    let failed = report(variant.id.as_str(), "failed");
    let stamp = Stamp::new(None);
    match decide(reference, &variant, &examined, Some(&failed), seen, &stamp) {
        Decision::Case(case) => Some(*case),
        _ => None,
    }
}

#[test]
fn mined_fills_classeval_and_the_other_baselines_are_judged_on_it() {
    let Some(dataset) = crate::counts::classeval() else {
        return;
    };
    let began = Instant::now();
    let miner = Miner::of(dataset);
    let (built, mut filled) = (began.elapsed(), Duration::ZERO);
    let options = RuleOptions::default();
    let mut rows: Vec<Row> = RULES.iter().map(|_| Row::default()).collect();
    let mut judgements = Vec::new();
    for (subject, context) in dataset.with_contexts() {
        let reference = Reference::of(dataset.class_of(subject), subject, context);
        let method = Method::analyze(&subject.source, context);
        let mut seen = Seen::default();
        for rule in &RULES {
            for perturbation in method.apply(rule.id, &options).perturbations {
                let began = Instant::now();
                let found = miner.variant(subject, context, &perturbation, &options);
                filled += began.elapsed();
                let row = &mut rows[rule.id as usize - 1];
                let case = examined_case(&reference, &perturbation, found, row, &mut seen);
                if let Some(case) = case {
                    judge_baselines(&reference, subject, &case, &mut judgements);
                }
            }
        }
    }
    let mut table = MINED.lines().next().unwrap().to_owned();
    let mut total = Row::default();
    for (rule, row) in RULES.iter().zip(&rows) {
        write!(table, "\n{}", row.line(rule.id.slug())).unwrap();
        total.add(row);
    }
    write!(table, "\n{}", total.line("all")).unwrap();
    tests::say(&format!(
        "{table}\nbuilt in {built:.2?}, filled in {filled:.2?}"
    ));
    check_baselines(&judgements);
    assert_eq!(table, MINED);
}

fn check_baselines(judgements: &[Judgement]) {
    let rows = scores(judgements);
    let of = |name: &str| rows.iter().find(|row| row.model.as_str() == name).unwrap();
    let (copy, reference) = (&of("baseline:copy").all, &of("baseline:reference").all);
    let rates = &copy.rates;
    let n_sites = rates[0].n_sites;
    tests::say(&format!("{} cases, {n_sites} bug sites", copy.n));
    assert!(copy.n > 1_000 && copy.n == reference.n, "{}", copy.n);
    let action = |score: &Score, action| {
        let found = score.actions.iter().find(|of| of.action == action);
        found.map_or(0, |of| of.n)
    };
    assert_eq!((rates[0].n_resolved, copy.n_passed), (0, 0));
    assert_eq!(action(copy, Action::Overlooked), copy.n);
    for rate in &reference.rates {
        assert_eq!(rate.n_resolved, rate.n_sites, "{}", rate.lens.slug());
    }
    assert_eq!(action(reference, Action::Resolved), reference.n);
    for judgement in judgements {
        let again = Judgement::from_json_line(&judgement.json_line()).unwrap();
        assert_eq!(again, *judgement);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_answer_is_judged(
        text in any::<String>(),
        other in crate::laws::method(),
        junk in "(```python\n|\"\"\"|\\(|    def m\\(|class Demo:\n|\r\n|@a\n|\\PC{0,5}){0,3}",
        at in 0usize..300,
        outcome in prop_oneof!["passed", "failed", "not_run"],
    ) {
        let own = "def m(self, a):\n        if a > self.x:\n            return 'é'\n        return a + 1";
        let file = json!([{
            "class_name": "Demo",
            "solution_code": format!("class Demo:\n    x = 0\n\n    {own}\n"),
            "methods_info": [{"method_name": "m", "solution_code": own}],
        }, {
            "class_name": "Other",
            "solution_code": "class Other:\n    def n(self, b):\n        self.y = b * 2\n        return b - 2 if b < self.y else 'x'\n",
            "methods_info": [{"method_name": "n", "solution_code": "def n(self, b):\n        self.y = b * 2\n        return b - 2 if b < self.y else 'x'"}],
        }]);
        let dataset = dataset::read("made", file.to_string().as_bytes()).unwrap();
        let miner = Miner::of(&dataset);
        let (subject, context) = dataset.with_contexts().next().unwrap();
        let reference = Reference::of(dataset.class_of(subject), subject, context);
        let options = RuleOptions::default();
        let method = Method::analyze(&subject.source, context);
        let stamp = Stamp::new(None);
        let mut n_cases = 0;
        for perturbation in RULES.iter().flat_map(|rule| method.apply(rule.id, &options).perturbations) {
            let Some(Mined { variant, .. }) = miner.variant(subject, context, &perturbation, &options) else {
                continue;
            };
            let examined = examine(&reference, &perturbation, &variant, IdentifyOptions::default());
            let failed = report(variant.id.as_str(), "failed");
            let mut seen = Seen::default();
            let Decision::Case(case) = decide(&reference, &variant, &examined, Some(&failed), &mut seen, &stamp) else {
                continue;
            };
            n_cases += 1;
            let cut = (0..=at.min(case.method.len())).rev().find(|&at| case.method.is_char_boundary(at)).unwrap_or_default();
            let (before, after) = case.method.split_at(cut);
            for reply in [text.clone(), other.clone(), format!("{before}{junk}{after}"), format!("{junk}{}", subject.source)] {
                let sample = Sample {
                    schema: 1,
                    id: SampleId("s".to_owned()),
                    case: case.id.clone(),
                    model: ModelId("model".to_owned()),
                    condition: Condition::CtxBug,
                    text: reply,
                    names: BTreeMap::from([("var_0".to_owned(), "a".to_owned())]),
                    logprobs: Vec::new(),
                };
                let report = report("s", &outcome);
                let judgement = judge(&reference, Asked::as_ctxbug(&case), &sample, Some(&report), &stamp).unwrap();
                prop_assert_eq!(judgement.sites.len(), case.sites.len());
                prop_assert!(judgement.n_kept <= judgement.n_outside);
                let places: Vec<Span> = case.sites.iter().map(|site| site.reference).collect();
                let found = reference.resolution(&places, &sample.text, &sample.names);
                let method = found.method.clone().unwrap_or_default();
                for site in &judgement.sites {
                    prop_assert_eq!(site.handling == SiteHandling::Resolved, site.status == SiteStatus::Resolved);
                    if let Some(span) = site.standing {
                        prop_assert!(method.get(span.start as usize..span.end as usize).is_some());
                        for from in found.origin.in_reply(span) {
                            prop_assert!(from.start < from.end && from.end as usize <= sample.text.len());
                        }
                    }
                }
                let again = Judgement::from_json_line(&judgement.json_line()).unwrap();
                prop_assert_eq!(again, judgement);
            }
            let mut judged = Vec::new();
            judge_baselines(&reference, subject, &case, &mut judged);
            prop_assert!(judged[0].sites.iter().all(|site| site.handling == SiteHandling::Overlooked));
            prop_assert!(judged[1].sites.iter().all(|site| site.handling == SiteHandling::Resolved));
        }
        prop_assert!(n_cases > 0);
    }
}

/// A mined line is a variant's line.
#[test]
fn a_mined_line_goes_where_variants_go() {
    let Some(dataset) = crate::counts::classeval() else {
        return;
    };
    let miner = Miner::of(dataset);
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let options = RuleOptions::default();
    let method = Method::analyze(&subject.source, context);
    let mut n = 0;
    for rule in &RULES {
        for perturbation in method.apply(rule.id, &options).perturbations {
            let Some(found) = miner.variant(subject, context, &perturbation, &options) else {
                continue;
            };
            let again = Variant::from_json_line(&found.json_line(), 1).unwrap();
            assert_eq!(again, found.variant);
            n += 1;
        }
    }
    assert!(n > 0);
}
