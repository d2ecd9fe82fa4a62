//! What a whole benchmark costs natively: reading it, parsing its methods, all ten rules over them.
//! Over ClassEval where the specification's folder has it, else over this repository's own classes.

use std::sync::OnceLock;

use divan::counter::{BytesCount, ItemsCount};
use shared::dataset::{self, Dataset};
use shared::perturb::{CountsTable, Method, PerturbationRecord, RULES, RuleOptions, Stamp};
use shared::syntax::parse_python;

fn main() {
    divan::main();
}

fn file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let classeval = "data/classeval/ClassEval_data.json";
        let starter = tests::workspace().join("target/site/cases/starter.json");
        let path = tests::specification(classeval, "figures over ClassEval").unwrap_or(starter);
        std::fs::read(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask web`", path.display()))
    })
}

fn benchmark() -> &'static Dataset {
    static DATASET: OnceLock<Dataset> = OnceLock::new();
    DATASET.get_or_init(|| dataset::read("benchmark", file()).expect("a benchmark"))
}

#[divan::bench]
fn read_the_file(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(BytesCount::new(file().len())).bench(|| {
        dataset::read("benchmark", divan::black_box(file())).map(|dataset| dataset.subjects.len())
    });
}

#[divan::bench]
fn parse_every_method(bencher: divan::Bencher<'_, '_>) {
    let subjects = &benchmark().subjects;
    bencher
        .counter(BytesCount::new(
            subjects
                .iter()
                .map(|subject| subject.source.len())
                .sum::<usize>(),
        ))
        .bench(|| {
            subjects
                .iter()
                .map(|subject| parse_python(&subject.source).tree.n_nodes())
                .sum::<usize>()
        });
}

#[divan::bench]
fn perturb_the_whole_benchmark(bencher: divan::Bencher<'_, '_>) {
    let dataset = benchmark();
    let options = RuleOptions::default();
    bencher
        .counter(ItemsCount::new(dataset.subjects.len()))
        .bench(|| {
            let mut table = CountsTable::default();
            for (subject, context) in dataset.with_contexts() {
                let class = &dataset.class_of(subject).name;
                table.count(class, &subject.source, context, &options);
            }
            table.totals().total()
        });
}

#[divan::bench]
fn export_the_whole_benchmark(bencher: divan::Bencher<'_, '_>) {
    let dataset = benchmark();
    let options = RuleOptions::default();
    let stamp = Stamp::new(Some((dataset.id.clone(), dataset.sha256.clone())));
    bencher
        .counter(ItemsCount::new(dataset.subjects.len()))
        .bench(|| {
            let mut n_bytes = 0;
            for (subject, context) in dataset.with_contexts() {
                let method = Method::analyze(&subject.source, context);
                for rule in &RULES {
                    for perturbation in method.apply(rule.id, &options).perturbations {
                        let (id, source) = (Some(&subject.id), &subject.source);
                        n_bytes +=
                            PerturbationRecord::new(id, source, perturbation, &options, &stamp)
                                .json_line()
                                .len();
                    }
                }
            }
            n_bytes
        });
}
