//! Identification over replies of real models, and its laws over any text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use shared::case::SiteStatus;
use shared::dataset::Dataset;
use shared::identify::{
    Decision, Examined, Form, IdentifyOptions, LENSES, NotCase, Reference, Seen, decide, examine,
    extract_class, resolution_rate,
};
use shared::perturb::{Method, Perturbation, RULES, RuleId, RuleOptions, Stamp};
use shared::subject::{MethodContext, Subject, SubjectId};
use shared::text::Span;
use shared::variant::{Variant, VariantId, VariantOrigin};

/// ClassEval's outputs of real models: whole classes, or classes put together method by method.
const OUTPUTS: [&str; 5] = [
    "GPT-3.5-Turbo_class_H_greedy",
    "GPT-4-Turbo_class_H_greedy",
    "GPT-4-Turbo_method_C_greedy",
    "Magicoder-S-DS-6.7B_class_H_greedy",
    "deepseek-coder-6.7b-instruct_class_H_greedy",
];

#[derive(Deserialize)]
struct Output {
    class_name: String,
    /// The first is the greedy one.
    predict: Vec<String>,
    /// For each sample one reply a method.
    #[serde(default)]
    raw_output: Vec<Vec<String>>,
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
    for name in OUTPUTS {
        let Some(outputs) = outputs(name) else { return };
        let (mut counts, mut replies_alone) = (Counts::default(), Counts::default());
        for output in &outputs {
            let reply = &output.predict[0];
            counts.replies += 1;
            let references = references(dataset, &output.class_name);
            let mut n_in_class = 0;
            for (at, (reference, subject, perturbations)) in references.iter().enumerate() {
                // Which places are asked about makes no difference to what is counted.
                let Some(first) = perturbations.first() else { continue };
                let look = |text: &str| {
                    let options = IdentifyOptions::default();
                    examine(reference, first, &variant(subject, first, text), options)
                };
                let examined = look(reply);
                let form = examined.extraction.as_ref().map(|e| e.form);
                n_in_class += usize::from(form == Some(Form::InClass));
                counts.add(reference, &examined);
                if form.is_none() && reply.contains(&format!("def {}(", subject.method)) { tests::say(&format!("MISSED {name} {}", subject.id)); }
                if let Some(alone) = output.raw_output.first().and_then(|sample| sample.get(at)) {
                    replies_alone.replies += 1;
                    replies_alone.add(reference, &look(alone));
                }
            }
            if mentions_class(reply, &output.class_name) {
                counts.with_class += 1;
                let class = extract_class(reply, &[&output.class_name]);
                let is_class = class.is_some_and(|span| {
                    mentions_class(span.of(reply), &output.class_name)
                });
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
