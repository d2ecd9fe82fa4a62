//! What the starter benchmark promises: enough of everything, showcases that show something, tests that pass.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use duct::cmd;
use serde::{Deserialize, Serialize};
use shared::dataset::{self, Dataset};
use shared::perturb::{Method, RULES, RuleOptions};
use shared::subject::{ClassItem, Showcase, Subject};
use shared::syntax::{outline, parse_python};
use shared::text::Span;

use crate::toolchain;

const MIN_CLASSES: usize = 24;
const MIN_METHODS: usize = 90;
const MIN_TESTS_PER_METHOD: usize = 4;
const MIN_METHODS_PER_RULE: usize = 10;
const MIN_CLASSES_WITH_LIBRARIES: usize = 8;
const MIN_SHOWCASES: usize = 12;
/// The tests of one class and of all its showcases; they take well under a second.
const TIME_LIMIT: Duration = Duration::from_mins(1);

/// Runs the tests of a class and of its variants; one JSON line for each.
const RUNNER: &str = include_str!("run_tests.py");

/// Checks everything that needs no Python; fails with all that is wrong.
pub(super) fn content(json: &str) -> Result<Dataset> {
    let dataset =
        dataset::read("starter", json.as_bytes()).context("the product cannot read the file")?;
    let mut problems: Vec<String> = dataset
        .reports
        .iter()
        .map(|report| format!("{}: {}", report.name, report.reason))
        .collect();
    let mut at_least = |n: usize, least: usize, what: &str| {
        if n < least {
            problems.push(format!("{n} {what}, at least {least} are promised"));
        }
    };
    at_least(dataset.classes.len(), MIN_CLASSES, "classes");
    at_least(dataset.subjects.len(), MIN_METHODS, "methods");
    let showcases = dataset
        .subjects
        .iter()
        .flat_map(|subject| &subject.showcases);
    let n_showcases = showcases.count();
    at_least(n_showcases, MIN_SHOWCASES, "showcases");
    let with_libraries = dataset
        .subjects
        .iter()
        .filter(|subject| !subject.libraries.is_empty());
    let with_libraries: BTreeSet<_> = with_libraries.map(|subject| subject.class).collect();
    at_least(
        with_libraries.len(),
        MIN_CLASSES_WITH_LIBRARIES,
        "classes that use a library",
    );
    let mut coverage = Vec::new();
    for (rule, n_methods) in methods_per_rule(&dataset) {
        at_least(
            n_methods,
            MIN_METHODS_PER_RULE,
            &format!("methods for rule {rule}"),
        );
        coverage.push(format!("{rule} {n_methods}"));
    }
    for subject in &dataset.subjects {
        let n_tests = subject.tests.matches("def test").count();
        at_least(
            n_tests,
            MIN_TESTS_PER_METHOD,
            &format!("tests of {}", subject.id.as_str()),
        );
    }
    for subject in &dataset.subjects {
        if !subject.requirement.contains(">>>") {
            problems.push(format!(
                "{}: its requirement has no example",
                subject.id.as_str()
            ));
        }
        for showcase in &subject.showcases {
            if let Err(error) = variant(&dataset, subject, showcase) {
                problems.push(format!(
                    "showcase {:?} of {}: {error:#}",
                    showcase.title,
                    subject.id.as_str()
                ));
            }
        }
    }
    ensure!(
        problems.is_empty(),
        "the starter benchmark is not in order:\n  {}",
        problems.join("\n  ")
    );
    println!(
        "{} classes ({} with libraries), {} methods, {} tests, {n_showcases} showcases",
        dataset.classes.len(),
        with_libraries.len(),
        dataset.subjects.len(),
        dataset.n_tests(),
    );
    println!("methods per rule: {}", coverage.join(", "));
    Ok(dataset)
}

/// Runs the examples of the requirements, which readers take for true.
pub(super) fn examples(sources: &[PathBuf]) -> Result<()> {
    let Some(python) = toolchain::python() else {
        println!(
            "skipped: the requirements' examples did not run, there is no Python 3.11 or newer"
        );
        return Ok(());
    };
    for source in sources {
        let run = cmd!(&python, "-I", "-B", "-m", "doctest", source)
            .stdout_capture()
            .unchecked();
        let output = run.run()?;
        ensure!(
            output.status.success(),
            "an example in {} is wrong:\n{}",
            source.display(),
            String::from_utf8_lossy(&output.stdout)
        );
    }
    Ok(())
}

/// Runs every class's tests on the class as it is and on each showcase's filling.
pub(super) fn tests(dataset: &Dataset) -> Result<()> {
    let Some(python) = toolchain::python() else {
        println!(
            "skipped: the starter benchmark's tests did not run, there is no Python 3.11 or newer"
        );
        return Ok(());
    };
    let mut problems = Vec::new();
    let mut n_passed = 0;
    let mut n_fillings = 0;
    for class in &dataset.classes {
        let subjects = dataset
            .subjects
            .iter()
            .filter(|subject| dataset.class_of(subject).name == class.name);
        let mut fillings = Vec::new();
        for showcase in subjects.flat_map(|subject| {
            subject
                .showcases
                .iter()
                .map(move |showcase| (subject, showcase))
        }) {
            fillings.push((showcase.1, variant(dataset, showcase.0, showcase.1)?));
        }
        let sources = std::iter::once(class.source.as_str())
            .chain(fillings.iter().map(|(_, source)| source.as_str()));
        let job = Job {
            sources: sources.collect(),
            test: &class.test,
            test_classes: &class.test_classes,
        };
        let reports = match run_python(&python, &job) {
            Ok(reports) => reports,
            Err(error) => {
                problems.push(format!("{}: {error:#}", class.name));
                continue;
            }
        };
        let bad = reports[0]
            .iter()
            .filter(|(_, outcome)| *outcome != "passed");
        problems.extend(bad.map(|(test, outcome)| format!("{test}: {outcome}")));
        n_passed += reports[0].len();
        for ((showcase, _), report) in fillings.iter().zip(&reports[1..]) {
            n_fillings += 1;
            let outcome = report
                .get(&showcase.broken_test)
                .map_or("no such test", String::as_str);
            if !outcome.starts_with("failed") {
                problems.push(format!(
                    "showcase {:?} of {}: {} should fail an assertion: {outcome}",
                    showcase.title,
                    showcase.subject.as_str(),
                    showcase.broken_test
                ));
            }
        }
    }
    ensure!(
        problems.is_empty(),
        "{} tests are not as they should be:\n  {}",
        problems.len(),
        problems.join("\n  ")
    );
    println!("{n_passed} tests pass; each of {n_fillings} showcases fails the test that it names");
    Ok(())
}

/// In how many methods each rule finds something, in the rules' order.
fn methods_per_rule(dataset: &Dataset) -> Vec<(&'static str, usize)> {
    let options = RuleOptions::default();
    let mut counts = vec![0; RULES.len()];
    for (subject, context) in dataset.with_contexts() {
        let method = Method::analyze(&subject.source, context);
        for (rule, count) in RULES.iter().zip(&mut counts) {
            *count += usize::from(!method.apply(rule.id, &options).perturbations.is_empty());
        }
    }
    RULES
        .iter()
        .map(|rule| rule.id.slug())
        .zip(counts)
        .collect()
}

/// The class's source with a showcase's filling in its place; says what is wrong with the showcase otherwise.
fn variant(dataset: &Dataset, subject: &Subject, showcase: &Showcase) -> Result<String> {
    let class = dataset.class_of(subject);
    let rule = showcase.rule.parse().map_err(anyhow::Error::msg)?;
    let method = Method::analyze(&subject.source, dataset.context_of(subject));
    let outcome = method.apply(rule, &RuleOptions::default());
    // A place that several instances mask is one place.
    let sites = outcome
        .perturbations
        .iter()
        .flat_map(|perturbation| &perturbation.sites);
    let places: BTreeMap<Span, &str> = sites
        .map(|site| (site.span, site.hidden.as_str()))
        .collect();
    let fitting = places
        .iter()
        .filter(|(_, hidden)| **hidden == showcase.hidden)
        .map(|(span, _)| *span);
    let span = fitting
        .clone()
        .nth(showcase.occurrence as usize)
        .with_context(|| {
            let hidden: Vec<_> = places.values().collect();
            format!(
                "the rule hides `{}` in {} places; it hides {hidden:?}",
                showcase.hidden,
                fitting.count()
            )
        })?;
    ensure!(
        showcase.plausible != showcase.hidden,
        "the filling is the original"
    );
    let decides = |text: &str| {
        text.lines()
            .any(|line| line.trim() == showcase.decides.trim())
    };
    ensure!(
        decides(&class.source) || decides(&class.skeleton),
        "no line of the class is `{}`",
        showcase.decides
    );
    let start = method_start(class, &subject.method).context("the method is not in its class")?;
    let mut source = class.source.clone();
    source.replace_range(
        start + span.start as usize..start + span.end as usize,
        &showcase.plausible,
    );
    Ok(source)
}

fn method_start(class: &ClassItem, method: &str) -> Option<usize> {
    let tree = parse_python(&class.source).tree;
    let definition = outline::method_of(&tree, outline::class(&tree, &class.name)?, method)?;
    Some(tree.span(definition).start as usize)
}

/// What the runner reads.
#[derive(Serialize)]
struct Job<'a> {
    sources: Vec<&'a str>,
    test: &'a str,
    test_classes: &'a [String],
}

/// What became of each test of one source.
type Report = BTreeMap<String, String>;

#[derive(Deserialize)]
struct ReportLine {
    outcomes: Report,
}

fn run_python(python: &Path, job: &Job<'_>) -> Result<Vec<Report>> {
    let input = serde_json::to_vec(job)?;
    let run = cmd!(python, "-I", "-B", "-c", RUNNER)
        .stdin_bytes(input)
        .stdout_capture()
        .stderr_capture()
        .unchecked();
    let handle = run.start()?;
    let Some(output) = handle.wait_timeout(TIME_LIMIT)? else {
        handle.kill()?;
        anyhow::bail!("its tests did not end within {} s", TIME_LIMIT.as_secs());
    };
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let lines = String::from_utf8(output.stdout.clone())?;
    let reports = lines
        .lines()
        .map(|line| Ok(serde_json::from_str::<ReportLine>(line)?.outcomes));
    let reports = reports.collect::<Result<Vec<_>>>()?;
    ensure!(
        reports.len() == job.sources.len(),
        "the runner gave {} reports",
        reports.len()
    );
    Ok(reports)
}
