//! ClassEval under every reading of the rules: the counts of the specification, section 3.

use std::sync::OnceLock;

use shared::dataset::{self, Dataset, Severity};
use shared::perturb::{CountsTable, Method, RuleId, RuleOptions};

pub(crate) fn classeval() -> Option<&'static Dataset> {
    static DATASET: OnceLock<Option<Dataset>> = OnceLock::new();
    DATASET
        .get_or_init(|| {
            let path = tests::specification(
                "data/classeval/ClassEval_data.json",
                "counts over ClassEval",
            )?;
            let bytes = std::fs::read(path).expect("the file is there");
            Some(dataset::read("ClassEval_data", &bytes).expect("ClassEval is a benchmark"))
        })
        .as_ref()
}

fn counts(dataset: &Dataset, options: &RuleOptions) -> CountsTable {
    let mut table = CountsTable::default();
    for (subject, context) in dataset.with_contexts() {
        let class = &dataset.class_of(subject).name;
        table.count(class, &subject.source, context, options);
    }
    table
}

#[test]
fn the_benchmark_is_read_whole() {
    let Some(dataset) = classeval() else { return };
    assert_eq!(
        (
            dataset.classes.len(),
            dataset.subjects.len(),
            dataset.n_tests()
        ),
        (100, 410, 2196)
    );
    let reports: Vec<(&str, Severity)> = dataset
        .reports
        .iter()
        .map(|r| (r.reason.as_str(), r.severity))
        .collect();
    assert_eq!(reports.len(), 3, "{reports:?}");
    assert!(reports.iter().all(|(reason, severity)| reason.contains("skeleton") && *severity == Severity::Warning));
}

#[test]
fn every_cell_of_the_counts_is_the_specifications() {
    let Some(dataset) = classeval() else { return };
    let path = tests::specification("spec/rule_counts.csv", "counts over ClassEval").unwrap();
    let options = RuleOptions::default();
    let csv = counts(dataset, &options).csv(&options);
    let expected = std::fs::read_to_string(path).unwrap();
    let differing: Vec<(&str, &str)> = csv
        .lines()
        .zip(expected.lines())
        .filter(|(a, b)| a != b)
        .collect();
    assert!(csv == expected, "ours, theirs: {differing:#?}");
}

/// Rule, options, instances: section 3 of the rules' specification.
const READINGS: &[(RuleId, &[&str], usize)] = &[
    (RuleId::Parameters, &["unit=parameter"], 466),
    (RuleId::Returns, &["count=valued"], 338),
    (RuleId::Returns, &["count=each"], 529),
    (RuleId::Constants, &["unit=type_bool"], 542),
    (
        RuleId::Constants,
        &["types=integer,float,string,true,false"],
        559,
    ),
    (
        RuleId::Constants,
        &["types=integer,float,string,true,false", "unit=type_bool"],
        502,
    ),
    (RuleId::Constants, &["types=integer,float,string"], 413),
    (
        RuleId::Constants,
        &[
            "types=integer,float,string,true,false",
            "unit=type_number_bool",
        ],
        488,
    ),
    (RuleId::Constants, &["unit=type_number_bool"], 528),
    (RuleId::Constants, &["unit=method"], 346),
    (RuleId::Constants, &["unit=constant"], 1631),
    (RuleId::Constants, &["types=string", "f_strings=no"], 210),
    (RuleId::Constants, &["defaults=no"], 588),
    (RuleId::Constants, &["defaults=no", "unit=type_bool"], 531),
    (
        RuleId::Constants,
        &["defaults=no", "types=integer,float,string"],
        407,
    ),
    (RuleId::Constants, &["defaults=no", "unit=method"], 344),
    (
        RuleId::Operators,
        &["kinds=binary,comparison,boolean,not,augmented"],
        264,
    ),
    (
        RuleId::Operators,
        &["kinds=binary,comparison,boolean,augmented"],
        257,
    ),
    (RuleId::Operators, &["kinds=binary,comparison,boolean"], 253),
    (RuleId::Operators, &["unit=group"], 440),
    (RuleId::Operators, &["unit=node"], 516),
    (RuleId::Operators, &["unit=token"], 746),
    (RuleId::Operators, &["unit=operator"], 1334),
    (RuleId::Assignments, &["chained=each"], 752),
    (RuleId::Assignments, &["augmented=yes"], 879),
    (RuleId::Assignments, &["distinct=yes", "chained=each"], 695),
    (
        RuleId::Assignments,
        &["augmented=yes", "distinct=yes", "chained=each"],
        790,
    ),
    (RuleId::Conditions, &["kinds=if"], 366),
    (RuleId::Conditions, &["kinds=if,elif"], 402),
    (RuleId::Conditions, &["kinds=if,elif,while"], 425),
    (RuleId::Conditions, &["kinds=if,elif,while,ternary"], 439),
    (
        RuleId::Conditions,
        &["kinds=if,elif,while,ternary,filter,guard,assert"],
        445,
    ),
    (RuleId::LibraryCalls, &["callees=import,derived"], 240),
    (RuleId::LibraryCalls, &["callees=builtin"], 346),
    (RuleId::LibraryCalls, &["callees=import,builtin"], 509),
    (
        RuleId::LibraryCalls,
        &["callees=import,derived,object"],
        577,
    ),
    (
        RuleId::LibraryCalls,
        &["callees=import,derived,builtin,object,value"],
        926,
    ),
    (
        RuleId::LibraryCalls,
        &["callees=import,derived,builtin,object,value,context"],
        1069,
    ),
    (RuleId::LibraryCalls, &["distinct=yes"], 147),
    (
        RuleId::LibraryCalls,
        &["callees=import,builtin", "distinct=yes"],
        435,
    ),
    (RuleId::ContextNames, &["other_instances=yes"], 313),
    (RuleId::ContextNames, &["members=field"], 268),
    (RuleId::ContextNames, &["unit=sort"], 364),
    (RuleId::ContextNames, &["unit=name"], 512),
    (RuleId::LocalNames, &["comprehensions=no"], 245),
    (RuleId::LocalNames, &["parameters=yes"], 373),
    (RuleId::LocalNames, &["unit=variable"], 771),
    (
        RuleId::LocalNames,
        &["unit=variable", "parameters=yes"],
        1239,
    ),
    (RuleId::ThirdParty, &["uses=attribute"], 101),
    (RuleId::ThirdParty, &["uses=call"], 95),
    (RuleId::ThirdParty, &["modules=outside_stdlib"], 29),
];

#[test]
fn every_other_reading_gives_its_published_count() {
    let Some(dataset) = classeval() else { return };
    let mut wrong = Vec::new();
    for (rule, choices, expected) in READINGS {
        let mut options = RuleOptions::default();
        for choice in *choices {
            let (name, value) = choice.split_once('=').unwrap();
            options.set(&format!("{rule}.{name}"), value).unwrap();
        }
        let n: usize = dataset
            .with_contexts()
            .map(|(subject, context)| {
                Method::analyze(&subject.source, context)
                    .apply(*rule, &options)
                    .perturbations
                    .len()
            })
            .sum();
        if n != *expected {
            wrong.push(format!("{rule} {choices:?}: {n}, specified {expected}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ: {wrong:#?}",
        wrong.len(),
        READINGS.len()
    );
}
