//! The reference's output on pairs of programs, from the Wasm module that the page ships.

use std::collections::BTreeMap;
use std::io::Read as _;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use shared::diff::{DiffOptions, MATCHERS, MatcherId, PairOptions, pair_line};
use tests::journey::journey;
use tests::say;
use tests::server::Server;

use crate::native_wasm::ask_pairs;

const FOLDERS: [&str; 2] = ["open", "classeval"];
/// Where the reference leaves full ties to a hash table, as in the specification's tests.
const UNDECIDED: [&str; 4] = ["p0143", "p0490", "p0491", "p0492"];

/// A file of the goldens by one of its fields; `None` where it is not there.
fn read(folder: &str, file: &str, key: &str) -> Result<Option<BTreeMap<String, Value>>> {
    let skipped = format!("GumTree's output from the Wasm module, {folder}");
    let path = format!("goldens/gumtree/{folder}/{file}.jsonl.gz");
    let Some(path) = tests::specification(&path, &skipped) else {
        return Ok(None);
    };
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path)?).read_to_string(&mut text)?;
    let records = text.lines().map(|line| {
        let record: Value = serde_json::from_str(line)?;
        let key = record[key].as_str().context("a record without a name")?;
        Ok((key.to_owned(), record.clone()))
    });
    records.collect::<Result<_>>().map(Some)
}

/// The pairs of a folder of goldens.
pub(crate) struct Goldens {
    folder: &'static str,
    sources: BTreeMap<String, Value>,
    pairs: BTreeMap<String, Value>,
}

impl Goldens {
    /// The folders that are there.
    pub(crate) fn all() -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for folder in FOLDERS {
            let sources = read(folder, "sources", "id")?;
            if let (Some(sources), Some(pairs)) = (sources, read(folder, "pairs", "id")?) {
                all.push(Self {
                    folder,
                    sources,
                    pairs,
                });
            }
        }
        Ok(all)
    }

    /// Both sources of a pair.
    fn of(&self, pair: &Value) -> Option<[&Value; 2]> {
        let source = |side: &str| self.sources.get(pair[side].as_str()?);
        Some([source("src")?, source("dst")?])
    }

    /// The pairs of a family, or all, as a file of pairs.
    pub(crate) fn lines(&self, family: Option<&str>) -> Vec<String> {
        let of_family = |pair: &&Value| family.is_none_or(|family| pair["family"] == family);
        let pairs = self.pairs.values().filter(of_family);
        let line = |pair: &Value| {
            let [a, b] = self.of(pair)?;
            Some(json!({ "id": pair["id"], "a": a["text"], "b": b["text"] }).to_string())
        };
        pairs.filter_map(line).collect()
    }

    /// Checks a file of answers; how many are the reference's.
    fn check(&self, matcher: MatcherId, answers: &str) -> Result<usize> {
        let goldens = read(self.folder, matcher.slug(), "pair")?.context("no goldens")?;
        let mut n_equal = 0;
        for line in answers.lines() {
            let found: Value = serde_json::from_str(line)?;
            let id = found["id"].as_str().context("an answer without its id")?;
            let trees = self.of(&self.pairs[id]).context("a pair without texts")?;
            let trees = json!(trees.map(|source| &source["nodes"]));
            ensure!(found["trees"] == trees, "{id}: other trees");
            let golden = &goldens[id];
            let parts = ["mappings", "script", "script_chawathe"];
            let is_equal = parts.iter().all(|part| found[part] == golden[part]);
            ensure!(
                is_equal || UNDECIDED.contains(&id),
                "{id} by {matcher}: another result than the reference's"
            );
            n_equal += usize::from(is_equal);
        }
        Ok(n_equal)
    }
}

/// What the same code answers natively.
fn native(lines: &[String], matcher: MatcherId) -> String {
    let options = PairOptions {
        diff: DiffOptions {
            matcher,
            ..DiffOptions::default()
        },
        with_trees: true,
    };
    let lines = lines.iter().zip(1..);
    let answers = lines.filter_map(|(line, number)| pair_line(line, number, &options));
    let answers = answers.map(|answer| answer.unwrap_or_else(|bad| bad) + "\n");
    answers.collect()
}

#[tokio::test]
async fn every_golden_pair_comes_out_of_the_module_as_of_the_reference() -> Result<()> {
    let goldens = Goldens::all()?;
    if goldens.is_empty() {
        return Ok(());
    }
    let server = Server::start()?;
    journey("gumtree", async |page| {
        page.open(&server.url("/diff")).await?;
        for golden in &goldens {
            let lines = golden.lines(None);
            for matcher in MATCHERS.iter().map(|matcher| matcher.id) {
                let answers = ask_pairs(page, &lines.join("\n"), matcher, true, 1).await?;
                let file = answers[0].file.as_deref().context("no file came back")?;
                assert_eq!(file.lines().count(), lines.len());
                assert!(file == native(&lines, matcher), "{matcher}: other bytes than natively");
                let n_equal = golden.check(matcher, file)?;
                say(&format!(
                    "GumTree {matcher} in the Wasm module, {}: {n_equal} of {} pairs equal the reference's, trees and both scripts",
                    golden.folder,
                    lines.len(),
                ));
            }
        }
        Ok(())
    })
    .await
}
