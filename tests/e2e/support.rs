//! What several journeys do or need.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::{Value, json};
use shared::perturb::PerturbedSite;
use tempfile::TempDir;
use tests::browser::Browser;
use tests::server::{ctxlab, site};

/// ClassEval, where the specification's data is.
pub(crate) fn classeval(what_is_skipped: &str) -> Option<PathBuf> {
    tests::specification("data/classeval/ClassEval_data.json", what_is_skipped)
}

/// A folder for files that a journey brings along.
pub(crate) struct Luggage(TempDir);

impl Luggage {
    pub(crate) fn new() -> Result<Self> {
        Ok(Self(tempfile::tempdir()?))
    }

    /// Puts a file in.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> Result<PathBuf> {
        let path = self.0.path().join(name);
        std::fs::write(&path, text)?;
        Ok(path)
    }

    /// Puts in a benchmark of so many classes with so many methods each.
    pub(crate) fn benchmark(
        &self,
        name: &str,
        n_classes: usize,
        n_methods: usize,
    ) -> Result<PathBuf> {
        let records: Vec<Value> = (0..n_classes).map(|at| class(at, n_methods)).collect();
        self.file(name, serde_json::to_string(&records)?)
    }
}

/// A class in ClassEval's schema.
pub(crate) fn class(at: usize, n_methods: usize) -> Value {
    let name = format!("Shelf{at}");
    let method = |n: usize| {
        format!(
            "    def place_{n}(self, thing, limit={n}):\n        \"\"\"Puts a thing on board {n}.\"\"\"\n        \
             count = len(self.things) + {at}\n        if count > limit and thing != \"\":\n            return False\n        \
             self.things.append(math.floor(count * 2) - {n})\n        return True\n"
        )
    };
    let mut code = format!(
        "import math\n\nclass {name}:\n    def __init__(self):\n        self.things = []\n"
    );
    let mut methods = Vec::new();
    for n in 0..n_methods {
        // Writing into a string cannot fail.
        let _done = write!(code, "\n{}", method(n));
        let solution = method(n).trim_start().to_owned();
        methods.push(json!({
            "method_name": format!("place_{n}"),
            "method_description": format!("Puts a thing on board {n} of shelf {at}."),
            "solution_code": solution,
            "test_class": format!("{name}TestPlace{n}"),
            "test_code": "",
            "dependencies": { "Standalone": false, "lib_dependencies": ["math"], "field_dependencies": ["self.things"], "method_dependencies": [] },
        }));
    }
    json!({
        "task_id": format!("Made_{at}"),
        "skeleton": format!("class {name}:\n    pass\n"),
        "test": "",
        "solution_code": code,
        "import_statement": ["import math"],
        "class_description": "A shelf.",
        "class_name": name,
        "test_classes": [],
        "class_constructor": "",
        "fields": ["self.things"],
        "methods_info": methods,
    })
}

/// Drops a file on the page, as a mouse that carries it would.
pub(crate) async fn drop_file(page: &Browser, path: &Path) -> Result<()> {
    page.find("button", "choose a file").await?;
    for step in ["dragEnter", "dragOver", "drop"] {
        let data = json!({ "items": [], "files": [path], "dragOperationsMask": 1 });
        let event = json!({ "type": step, "x": 300, "y": 300, "data": data });
        page.cdp("Input.dispatchDragEvent", event).await?;
    }
    Ok(())
}

/// Chooses a file in the page's file dialogue.
pub(crate) async fn choose_file(page: &Browser, path: &Path) -> Result<()> {
    let field = page.find("button", "Benchmark file").await?;
    let path = path.canonicalize()?;
    let path = path.to_str().context("the path is not UTF-8")?;
    Ok(field.send_keys(path).await?)
}

/// The text under the masks of the open method.
pub(crate) async fn masked_text(page: &Browser) -> Result<String> {
    let script = "return document.querySelector('.masked-view code')?.textContent ?? null";
    page.until("the masked text", script, &[]).await
}

/// Waits until the masked text is this one.
pub(crate) async fn until_masked(page: &Browser, text: &str) -> Result<()> {
    let script = "return document.querySelector('.masked-view code')?.textContent === arguments[0]";
    let what = format!("the masked text {text:?}");
    page.until_true(&what, script, &[text.into()]).await?;
    Ok(())
}

/// A line of `ctxlab perturb`, as far as journeys read it.
#[derive(Deserialize)]
pub(crate) struct Record {
    pub(crate) subject: String,
    pub(crate) sites: Vec<PerturbedSite>,
    pub(crate) masked: String,
}

/// What the command line makes of a method of the starter benchmark under a rule, with options.
pub(crate) fn starter(subject: &str, rule: &str, options: &[&str]) -> Result<Vec<Record>> {
    let site = site()?;
    let site = site.to_str().context("the path is not UTF-8")?;
    let mut args = vec![
        "perturb",
        "--dataset",
        "starter",
        "--site",
        site,
        "--rule",
        rule,
    ];
    for option in options {
        args.extend(["--option", option]);
    }
    let lines = String::from_utf8(ctxlab(&args)?)?;
    let records = lines.lines().map(serde_json::from_str::<Record>);
    let records = records.collect::<Result<Vec<_>, _>>()?.into_iter();
    Ok(records.filter(|record| record.subject == subject).collect())
}
