//! What a diff costs natively: a corpus of pairs by each matcher, matching and script apart; one pair
//! of methods from its text; how the cost grows with the nodes. Over the goldens' pairs where the
//! specification's folder has them, else over this repository's own classes, each against the next.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::OnceLock;

use divan::counter::ItemsCount;
use serde_json::Value;
use shared::diff::{Diff, DiffOptions, DiffTree, MATCHERS, MatcherId, Matching, diff};
use shared::syntax::{abstraction, parse_python};

fn main() {
    divan::main();
}

fn ids() -> impl Iterator<Item = MatcherId> {
    MATCHERS.iter().map(|matcher| matcher.id)
}

/// Pairs of texts; those of single methods are marked.
fn texts() -> &'static Vec<(String, String, bool)> {
    static TEXTS: OnceLock<Vec<(String, String, bool)>> = OnceLock::new();
    TEXTS.get_or_init(|| {
        let folders = ["open", "classeval"];
        let pairs: Vec<_> = folders
            .into_iter()
            .filter_map(golden_pairs)
            .flatten()
            .collect();
        if pairs.is_empty() { own_pairs() } else { pairs }
    })
}

fn golden_pairs(folder: &str) -> Option<Vec<(String, String, bool)>> {
    let read = |file: &str| -> Option<Vec<Value>> {
        let path = format!("goldens/gumtree/{folder}/{file}.jsonl.gz");
        let path = tests::specification(&path, "figures over GumTree's goldens")?;
        let mut text = String::new();
        let file = std::fs::File::open(path).expect("the file is there");
        let mut file = flate2::read::MultiGzDecoder::new(file);
        file.read_to_string(&mut text).expect("gzip");
        Some(
            text.lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect(),
        )
    };
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sources: BTreeMap<String, String> = read("sources")?
        .iter()
        .map(|source| (word(&source["id"]), word(&source["text"])))
        .collect();
    let pairs = read("pairs")?;
    let pair = |pair: &Value| {
        let text = |side: &str| sources[&word(&pair[side])].clone();
        let is_method = word(&pair["family"]) == "ce-method";
        (text("src"), text("dst"), is_method)
    };
    Some(pairs.iter().map(pair).collect())
}

fn own_pairs() -> Vec<(String, String, bool)> {
    let folder = tests::workspace().join("static/cases");
    let entries = std::fs::read_dir(folder).expect("the repository's own classes");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "py"));
    paths.sort();
    let texts: Vec<String> = paths
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a Python file"))
        .collect();
    texts
        .windows(2)
        .map(|pair| (pair[0].clone(), pair[1].clone(), true))
        .collect()
}

fn tree(text: &str) -> DiffTree {
    abstraction::PYTHON.diff_tree(&parse_python(text).tree)
}

fn trees() -> &'static Vec<(DiffTree, DiffTree)> {
    static TREES: OnceLock<Vec<(DiffTree, DiffTree)>> = OnceLock::new();
    TREES.get_or_init(|| texts().iter().map(|(a, b, _)| (tree(a), tree(b))).collect())
}

fn options(matcher: MatcherId) -> DiffOptions {
    DiffOptions {
        matcher,
        ..DiffOptions::default()
    }
}

#[divan::bench(args = ids(), sample_size = 1)]
fn match_the_corpus(bencher: divan::Bencher<'_, '_>, matcher: MatcherId) {
    let options = options(matcher);
    bencher.counter(ItemsCount::new(trees().len())).bench(|| {
        trees()
            .iter()
            .filter(|(a, b)| Matching::new(a, b, &options).is_ok())
            .count()
    });
}

#[divan::bench(args = ids(), sample_size = 1)]
fn script_the_corpus(bencher: divan::Bencher<'_, '_>, matcher: MatcherId) {
    let options = options(matcher);
    bencher
        .counter(ItemsCount::new(trees().len()))
        .with_inputs(|| -> Vec<_> {
            trees()
                .iter()
                .filter_map(|(a, b)| {
                    Matching::new(a, b, &options)
                        .ok()
                        .map(|matching| (matching, a, b))
                })
                .collect()
        })
        .bench_values(|matchings| {
            matchings
                .into_iter()
                .map(|(matching, a, b)| {
                    matching
                        .script()
                        .map_or(0, |diff: Diff| diff.simplified(a, b).len())
                })
                .sum::<usize>()
        });
}

/// The pair of methods that is longer than 95 % of them.
#[divan::bench(args = ids())]
fn one_pair_of_methods_from_its_text(bencher: divan::Bencher<'_, '_>, matcher: MatcherId) {
    let mut methods: Vec<_> = texts()
        .iter()
        .filter(|(.., is_method)| *is_method)
        .collect();
    methods.sort_by_key(|(a, b, _)| a.len() + b.len());
    let (a, b, _) = methods[methods.len() * 95 / 100];
    let options = options(matcher);
    bencher.bench(|| {
        let (a, b) = (tree(divan::black_box(a)), tree(b));
        let diff = diff(&a, &b, &options);
        diff.simplified(&a, &b).len()
    });
}

/// One text of 64 KB, and 2 and 4 times as long, and the same with every seventh line gone.
#[divan::bench(args = [1, 2, 4])]
fn growth(bencher: divan::Bencher<'_, '_>, n_times: usize) {
    let mut a = String::new();
    for (text, ..) in texts() {
        if a.len() < n_times << 16 {
            a += text;
            a += "\n";
        }
    }
    let lines = a.lines().enumerate().filter(|(at, _)| at % 7 != 6);
    let b: String = lines.flat_map(|(_, line)| [line, "\n"]).collect();
    let (a, b) = (tree(&a), tree(&b));
    let n_nodes = a.n_nodes() + b.n_nodes();
    bencher
        .counter(ItemsCount::new(n_nodes))
        .bench(|| diff(&a, &b, &options(MatcherId::Simple)).script.len());
}
