//! The Wasm module that the page ships gives the bytes that the same code gives natively.

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::{Value, json};
use shared::diff::MatcherId;
use shared::perturb::{Method, RULES, RuleId, RuleOptions, RuleOutcome};
use shared::subject::MethodContext;
use shared::syntax::{highlight, parse_python};
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;
use tests::specification;

#[derive(Deserialize)]
struct RuleCase {
    name: String,
    rule: u8,
    source: String,
    expected: Vec<String>,
    #[serde(default)]
    context: MethodContext,
}

/// A worker’s answer and how long it took.
#[derive(Deserialize)]
pub(crate) struct Answer {
    pub(crate) reply: String,
    /// The text of the file that came with it.
    pub(crate) file: Option<String>,
    /// How often it told its progress.
    pub(crate) n_progress: usize,
    pub(crate) ms: f64,
}

/// Asks a worker of the site's own; the page has to be open.
pub(crate) async fn ask_worker(page: &Browser, requests: &[Value]) -> Result<Vec<Answer>> {
    let requests = requests
        .iter()
        .map(|request| json!({ "request": request.to_string() }));
    ask(page, requests.collect()).await
}

/// Asks a worker of the site's own to compare a file of pairs, so often.
pub(crate) async fn ask_pairs(
    page: &Browser,
    lines: &str,
    matcher: MatcherId,
    with_trees: bool,
    n_times: usize,
) -> Result<Vec<Answer>> {
    let question = json!({ "DiffPairs": { "matcher": matcher, "with_trees": with_trees } });
    let request = json!({ "Compare": question.to_string() }).to_string();
    let request = json!({ "request": request, "file": lines });
    ask(page, vec![request; n_times]).await
}

async fn ask(page: &Browser, requests: Vec<Value>) -> Result<Vec<Answer>> {
    let script = include_str!("ask_worker.js");
    let script = format!("return (async function () {{ {script} }}).apply(null, arguments)");
    page.eval(&script, &[requests.into()]).await
}

/// The reply of `worker/protocol.rs` as native code writes it.
fn native(case: &RuleCase) -> Result<String> {
    let options = RuleOptions::default();
    let method = Method::analyze(&case.source, &case.context);
    let outcomes: Vec<RuleOutcome> = RULES
        .iter()
        .map(|rule| method.apply(rule.id, &options))
        .collect();
    let tokens = serde_json::to_string(&highlight::tokens(&parse_python(&case.source).tree))?;
    let errors = serde_json::to_string(method.errors())?;
    let outcomes = serde_json::to_string(&outcomes)?;
    Ok(format!(
        r#"{{"Perturbed":{{"tokens":{tokens},"errors":{errors},"outcomes":{outcomes}}}}}"#
    ))
}

#[tokio::test]
async fn every_tricky_snippet_is_masked_in_the_module_as_natively() -> Result<()> {
    let Some(path) = specification(
        "spec/rule_cases.jsonl",
        "the tricky snippets in the Wasm module",
    ) else {
        return Ok(());
    };
    let text = std::fs::read_to_string(path)?;
    let cases = text
        .lines()
        .map(serde_json::from_str::<RuleCase>)
        .collect::<Result<Vec<_>, _>>()?;
    assert!(cases.len() >= 69, "only {} cases", cases.len());
    let server = Server::start()?;
    journey("native_wasm", async |page| {
        page.open(&server.url("/")).await?;
        let request = |case: &RuleCase| {
            json!({ "Perturb": { "source": case.source, "context": case.context, "options": RuleOptions::default() } })
        };
        let requests: Vec<Value> = cases.iter().map(request).collect();
        let answers = ask_worker(page, &requests).await?;
        assert_eq!(answers.len(), cases.len());
        for (case, Answer { reply, .. }) in cases.iter().zip(&answers) {
            assert_eq!(*reply, native(case)?, "{}: other bytes than natively", case.name);
            let rule: RuleId = case.rule.to_string().parse().map_err(anyhow::Error::msg)?;
            let mut view: Value = serde_json::from_str(reply)?;
            let outcomes: Vec<RuleOutcome> = serde_json::from_value(view["Perturbed"]["outcomes"].take())?;
            let outcome = outcomes.iter().find(|it| it.rule == rule).context("a rule is missing")?;
            let masked: Vec<String> = outcome.perturbations.iter().map(|it| it.masked(&case.source)).collect();
            assert_eq!(masked, case.expected, "{}", case.name);
        }
        Ok(())
    })
    .await
}
