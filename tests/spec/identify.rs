//! Identification over replies of real models, and its laws over any text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;
use shared::case::Case;
use shared::dataset::{self, Dataset};
use shared::identify::{
    Decision, Examined, Form, IdentifyOptions, ImportPolicy, Lens, NotCase, Reference, Seen,
    SiteResolution, decide, examine, extract_class, resolution_rate,
};
use shared::perturb::{Method, Perturbation, RULES, RuleOptions, Stamp};
use shared::report::TestReport;
use shared::subject::{MethodContext, Subject};
use shared::text::Span;
use shared::variant::{Variant, VariantId, VariantOrigin};

#[derive(Deserialize)]
struct Output {
    class_name: String,
    /// The first is the greedy one.
    predict: Vec<String>,
    /// For each sample one reply a method.
    #[serde(default, rename = "raw_output")]
    one_a_method: Vec<Vec<String>>,
}

fn outputs(name: &str) -> Option<Vec<Output>> {
    let path = tests::specification(
        &format!("data/classeval/{name}.json"),
        "extraction over replies of real models",
    )?;
    Some(serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

/// Whether a line says `class` and this name: asked of the text alone.
fn mentions_class(reply: &str, name: &str) -> bool {
    reply.lines().any(|line| {
        let rest = line.trim_start().strip_prefix("class ");
        let after = rest.and_then(|rest| rest.trim_start().strip_prefix(name));
        after.is_some_and(|after| after.trim_start().starts_with([':', '(']))
    })
}

/// Whether a line says `def` and this name.
fn mentions_method(reply: &str, name: &str) -> bool {
    reply.lines().any(|line| {
        let rest = line.trim_start().strip_prefix("def ");
        let after = rest.and_then(|rest| rest.trim_start().strip_prefix(name));
        after.is_some_and(|after| after.trim_start().starts_with('('))
    })
}

fn variant(subject: &Subject, perturbation: &Perturbation, text: &str) -> Variant {
    Variant {
        schema: 1,
        id: VariantId("1".to_owned()),
        subject: subject.id.clone(),
        rule: perturbation.rule,
        instance: perturbation.instance,
        options: BTreeMap::new(),
        origin: VariantOrigin::Model("model".to_owned()),
        text: text.to_owned(),
        names: BTreeMap::new(),
    }
}

fn perturbations(subject: &Subject, context: &MethodContext) -> Vec<Perturbation> {
    let method = Method::analyze(&subject.source, context);
    let options = RuleOptions::default();
    RULES
        .iter()
        .flat_map(|rule| method.apply(rule.id, &options).perturbations)
        .collect()
}

/// One file of outputs in numbers.
#[derive(Default)]
struct Counts {
    replies: usize,
    with_class: usize,
    yields: usize,
    methods: usize,
    in_class: usize,
    in_other_class: usize,
    bare: usize,
    fenced: usize,
    renamed: usize,
    not_found: usize,
    stubs: usize,
    parse_errors: usize,
    identical: usize,
    differing: usize,
}

const HEAD: &str = "outputs                                       replies class yields | methods in-class \
                    other bare (fenced renamed) none stub | errors identical differing";

impl Counts {
    fn add(&mut self, reference: &Reference<'_>, examined: &Examined) {
        self.methods += 1;
        let Some(extraction) = &examined.extraction else {
            self.not_found += 1;
            return;
        };
        match extraction.form {
            Form::InClass => self.in_class += 1,
            Form::InOtherClass => self.in_other_class += 1,
            Form::Bare => self.bare += 1,
        }
        self.fenced += usize::from(extraction.fenced);
        self.renamed += usize::from(extraction.renamed_from.is_some());
        match examined.not_case {
            Some(NotCase::SyntaxError { .. }) => self.parse_errors += 1,
            Some(NotCase::Empty) => self.stubs += 1,
            _ if examined.fingerprint == reference.fingerprint() => self.identical += 1,
            _ => self.differing += 1,
        }
    }

    fn row(&self, name: &str) -> String {
        format!(
            "{name:46}{:7} {:5} {:6} | {:7} {:8} {:5} {:4} ({:6} {:7}) {:4} {:4} | {:6} {:9} {:9}",
            self.replies,
            self.with_class,
            self.yields,
            self.methods,
            self.in_class,
            self.in_other_class,
            self.bare,
            self.fenced,
            self.renamed,
            self.not_found,
            self.stubs,
            self.parse_errors,
            self.identical,
            self.differing
        )
    }
}

fn references<'a>(
    dataset: &'a Dataset,
    class: &str,
) -> Vec<(Reference<'a>, &'a Subject, Vec<Perturbation>)> {
    let subjects = dataset.with_contexts();
    let subjects = subjects.filter(|(subject, _)| dataset.class_of(subject).name == class);
    subjects
        .map(|(subject, context)| {
            let reference = Reference::of(dataset.class_of(subject), subject, context);
            (reference, subject, perturbations(subject, context))
        })
        .collect()
}

#[test]
fn replies_of_real_models_yield_their_class_and_methods() {
    let Some(dataset) = crate::counts::classeval() else {
        return;
    };
    let mut table = HEAD.to_owned();
    let (mut with_class, mut yields) = (0, 0);
    for name in tests::MODEL_OUTPUTS {
        let Some(outputs) = outputs(name) else { return };
        let (mut counts, mut replies_alone) = (Counts::default(), Counts::default());
        for output in &outputs {
            let reply = &output.predict[0];
            counts.replies += 1;
            let references = references(dataset, &output.class_name);
            let mut n_in_class = 0;
            for (at, (reference, subject, perturbations)) in references.iter().enumerate() {
                // Which places are asked about makes no difference to what is counted.
                let Some(first) = perturbations.first() else {
                    continue;
                };
                let look = |text: &str| {
                    let options = IdentifyOptions::default();
                    examine(reference, first, &variant(subject, first, text), options)
                };
                let examined = look(reply);
                let form = examined.extraction.as_ref().map(|e| e.form);
                n_in_class += usize::from(form == Some(Form::InClass));
                counts.add(reference, &examined);
                let is_there = mentions_method(reply, &subject.method);
                assert_eq!(form.is_some(), is_there, "{name}: {}", subject.id);
                if let Some(alone) = output
                    .one_a_method
                    .first()
                    .and_then(|sample| sample.get(at))
                {
                    replies_alone.replies += 1;
                    replies_alone.add(reference, &look(alone));
                }
            }
            if mentions_class(reply, &output.class_name) {
                counts.with_class += 1;
                let class = extract_class(reply, &[&output.class_name]);
                let is_class =
                    class.is_some_and(|span| mentions_class(span.of(reply), &output.class_name));
                counts.yields += usize::from(is_class && n_in_class > 0);
            }
        }
        with_class += counts.with_class;
        yields += counts.yields;
        write!(table, "\n{}", counts.row(name)).unwrap();
        if replies_alone.replies > 0 {
            let name = format!("{name}, one reply a method");
            write!(table, "\n{}", replies_alone.row(&name)).unwrap();
        }
    }
    tests::say(&table);
    assert!(
        yields * 100 >= with_class * 99,
        "{yields} of {with_class} replies that contain the class yield it"
    );
}

#[test]
fn lenses_over_replies_of_real_models() {
    let Some(dataset) = crate::counts::classeval() else {
        return;
    };
    let mut table =
        "places of all ten rules in replies that know the whole class, resolved".to_owned();
    // One of the files: four diffs a method take their time in a debug build.
    for name in &tests::MODEL_OUTPUTS[1..2] {
        let Some(outputs) = outputs(name) else { return };
        let mut adaptations = Vec::new();
        for output in &outputs {
            for (reference, _, perturbations) in references(dataset, &output.class_name) {
                let sites = perturbations.iter().flat_map(|p| &p.sites);
                let sites: Vec<Span> = sites.map(|site| site.span).collect();
                let reply = &output.predict[0];
                let found = reference.resolution(&sites, reply, &BTreeMap::new());
                assert_eq!(found.sites.len(), sites.len());
                adaptations.push(found);
            }
        }
        let rate = resolution_rate(&adaptations);
        write!(table, "\n{name:44}").unwrap();
        for rate in &rate.rates {
            write!(table, " {} {}", rate.lens.slug(), rate.n_resolved).unwrap();
        }
        let n_sites = rate.rates[0].n_sites;
        let n = rate.disagreements.len();
        write!(table, " of {n_sites}; lenses disagree about {n}").unwrap();
        assert_eq!(n_sites, 8_039, "the places of ClassEval's perturbations");
        assert!(rate.rates.iter().all(|rate| rate.n_resolved < n_sites));
    }
    tests::say(&table);
}

/// Cases of real replies go into a file and out of it, and come out the same.
#[test]
fn a_case_out_of_a_file_has_the_bug_sites_that_it_says() {
    let Some(dataset) = crate::counts::classeval() else {
        return;
    };
    let Some(outputs) = outputs(tests::MODEL_OUTPUTS[0]) else {
        return;
    };
    let mut n_cases = 0;
    for output in &outputs {
        for (reference, subject, perturbations) in references(dataset, &output.class_name) {
            for perturbation in perturbations.iter().step_by(5) {
                let variant = variant(subject, perturbation, &output.predict[0]);
                let options = IdentifyOptions::default();
                let examined = examine(&reference, perturbation, &variant, options);
                let report = json!({"schema": 1, "variant": "1", "tests": [{"name": "T.t", "outcome": "not_run"}]});
                let report = TestReport::from_json_line(&report.to_string()).unwrap();
                let (stamp, mut seen) = (Stamp::new(None), Seen::default());
                let decision = decide(
                    &reference,
                    &variant,
                    &examined,
                    Some(&report),
                    &mut seen,
                    &stamp,
                );
                let Decision::Case(case) = decision else {
                    continue;
                };
                n_cases += 1;
                let again = Case::from_json_line(&case.json_line()).unwrap();
                assert_eq!(again, *case);
                let sites = reference
                    .bug_sites(perturbation, &again, case.matcher)
                    .unwrap();
                assert_eq!(sites, case.sites);
                // What repairs nothing resolves nothing, by the matcher that found the sites.
                let places: Vec<Span> = sites.iter().map(|site| site.reference).collect();
                let unchanged = reference.resolution(&places, &case.method, &BTreeMap::new());
                let is_resolved =
                    |site: &SiteResolution| site.is_resolved(Lens::Matcher(case.matcher));
                assert!(!unchanged.sites.iter().any(is_resolved), "{}", case.id);
            }
        }
    }
    tests::say(&format!("{n_cases} cases of real replies"));
    assert!(n_cases > 100, "{n_cases}");
}

/// The laws of a subject: its own text goes back byte by byte, and is identical at all places of every
/// perturbation; each place has one status; the same again gives the same.
fn check_reference(dataset: &Dataset, subject: &Subject, context: &MethodContext) {
    let class = dataset.class_of(subject);
    let reference = Reference::of(class, subject, context);
    for perturbation in perturbations(subject, context) {
        // The others of a rule hide the same kind of place.
        if perturbation.instance > 0 {
            continue;
        }
        let look = |text: &str| {
            let variant = variant(subject, &perturbation, text);
            examine(
                &reference,
                &perturbation,
                &variant,
                IdentifyOptions::default(),
            )
        };
        let examined = look(&subject.source);
        let n_sites = perturbation.sites.len();
        let (id, rule) = (&subject.id, perturbation.rule);
        assert_eq!(
            examined.not_case,
            Some(NotCase::Identical { n_sites }),
            "{id} {rule}"
        );
        assert_eq!(examined.method, subject.source.trim_end(), "{id}");
        assert!(
            examined.module.as_ref() == Some(&class.source),
            "{id}: another module"
        );
        assert_eq!(
            (examined.outside.len(), examined.sites.len()),
            (0, n_sites),
            "{id} {rule}"
        );
        assert_eq!(examined.fingerprint, reference.fingerprint(), "{id}");
        let masked = look(&perturbation.masked(&subject.source));
        assert!(
            matches!(
                masked.not_case,
                Some(NotCase::Unfilled { .. } | NotCase::NoMethod { .. })
            ),
            "{id} {rule}: {:?}",
            masked.not_case
        );
        assert!(matches!(masked.sites.len(), n if n == n_sites || masked.extraction.is_none()));
    }
}

#[test]
fn every_method_of_classeval_goes_back_byte_by_byte() {
    let Some(dataset) = crate::counts::classeval() else {
        return;
    };
    let mut n = 0;
    for (subject, context) in dataset.with_contexts() {
        // One method's own text is indented otherwise than in its class.
        if dataset
            .class_of(subject)
            .source
            .contains(subject.source.trim_end())
        {
            check_reference(dataset, subject, context);
            n += 1;
        }
    }
    assert_eq!(n, 409);
}

/// A benchmark of one class with a method.
fn benchmark(method: &str) -> Option<Dataset> {
    let own = method.trim_end().replace('\n', "\n    ");
    let file = json!([{
        "class_name": "Demo",
        "solution_code": format!("import math\n\nclass Demo:\n    x = 0\n\n    {own}\n\n    def last(self):\n        return 0\n"),
        "methods_info": [{"method_name": "m", "solution_code": own}],
    }]);
    dataset::read("generated", file.to_string().as_bytes()).ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_methods_go_back_byte_by_byte(source in crate::laws::method()) {
        // A body of comments alone is no Python.
        let first_line = source.find('\n').map_or(source.len(), |at| at + 1);
        let source = format!("{}    pass\n{}", &source[..first_line], &source[first_line..]);
        if let Some(dataset) = benchmark(&source) {
            for (subject, context) in dataset.with_contexts() {
                check_reference(&dataset, subject, context);
            }
        }
    }

    #[test]
    fn any_reply_is_looked_at(
        text in any::<String>(),
        other in crate::laws::method(),
        at in 0usize..400,
        junk in "(```python\n|\"\"\"|'|[(\\[]|import os\n|from a import b\n|\\PC{0,6}|    def m\\(|class Demo:\n|\t|\r\n|@a\n){0,4}",
    ) {
        let own = "def m(self, a):\n    if a > self.x:\n        return 'é'\n    return a + 1";
        let dataset = benchmark(own).unwrap();
        let (subject, context) = dataset.with_contexts().next().unwrap();
        let reference = Reference::of(dataset.class_of(subject), subject, context);
        let cut = |code: &str| -> String {
            let at = (0..=at.min(code.len())).rev().find(|&at| code.is_char_boundary(at));
            let (before, after) = code.split_at(at.unwrap_or_default());
            format!("{before}{junk}{after}")
        };
        let in_class = format!("class Demo:\n{other}");
        for reply in [text.clone(), cut(own), cut(&other), cut(&in_class), format!("def m(self):\n {text}")] {
            extract_class(&reply, &["Demo"]);
            for perturbation in perturbations(subject, context).into_iter().step_by(3) {
                let variant = variant(subject, &perturbation, &reply);
                let look = || examine(&reference, &perturbation, &variant, IdentifyOptions::default());
                let examined = look();
                let n = examined.sites.len();
                prop_assert!(n == perturbation.sites.len() || n == 0 && examined.extraction.is_none());
                prop_assert!((0..).zip(&examined.sites).all(|(at, node)| node.site == at));
                prop_assert_eq!(&examined, &look());
                let splice = IdentifyOptions { imports: ImportPolicy::Splice, ..IdentifyOptions::default() };
                let with_imports = examine(&reference, &perturbation, &variant, splice);
                if let (Some(module), Some(with_imports)) = (&examined.module, with_imports.module) {
                    prop_assert!(with_imports.ends_with(module.as_str()));
                }
                let before = dataset.class_of(subject).source.split(own).next();
                if let (Some(module), Some(before)) = (&examined.module, before) {
                    let before = before.split("def m").next().unwrap_or_default();
                    prop_assert!(module.starts_with(before.trim_end()));
                    prop_assert!(module.ends_with("\n\n    def last(self):\n        return 0\n"));
                }
            }
            let sites: Vec<Span> = perturbations(subject, context)
                .iter()
                .flat_map(|p| p.sites.iter().map(|site| site.span))
                .collect();
            let found = reference.resolution(&sites, &reply, &BTreeMap::new());
            prop_assert_eq!(found.sites.len(), sites.len());
        }
    }
}

#[test]
fn deep_and_long_replies_neither_panic_nor_hang() {
    let own = "def m(self, a):\n    return a + 1";
    let dataset = benchmark(own).unwrap();
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let perturbation = &perturbations(subject, context)[0];
    let parentheses = format!(
        "def m(self, a):\n    return {}1{}\n",
        "(".repeat(3_000),
        ")".repeat(3_000)
    );
    for reply in [
        parentheses,
        "def m(self, a):\n    return a + 1\n".repeat(3_000),
        "class Demo:\n".repeat(20_000),
        "import a\n".repeat(20_000),
        format!("def m(self, a):\n{}", "    a = a + a + a\n".repeat(5_000)),
        "```\n".repeat(20_000),
    ] {
        let variant = variant(subject, perturbation, &reply);
        examine(
            &reference,
            perturbation,
            &variant,
            IdentifyOptions::default(),
        );
        extract_class(&reply, &["Demo"]);
    }
}
