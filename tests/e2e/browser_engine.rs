//! Programs in the page's own engine, hostile ones and the starter's: its worker and its bounds, heard by the
//! listener of all engines.

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use shared::api::paths;
use shared::dataset;
use shared::harness::{Ended, HARNESS, Heard, Listener, TestJob};
use shared::report::{EngineStamp, Limits, Protocol, TestReport, Verdict};
use shared::subject::ClassItem;
use shared::variant::VariantId;
use tests::browser::Browser;
use tests::hostile::{PATIENT, TIGHT, attack, expected_of, is_expected, programs};
use tests::journey::journey;
use tests::say;
use tests::server::{Server, site};

/// What leads out of a worker, were a program to get at JavaScript. Each is `'fine'` where it does not.
const ESCAPES: [(&str, &str); 4] = [
    (
        "run_js",
        "    from pyodide.code import run_js\n    return run_js('typeof fetch')\n",
    ),
    (
        "pyodide_js",
        "    import pyodide_js\n    return repr(pyodide_js)\n",
    ),
    ("js", "    import js\n    return repr(js.indexedDB)\n"),
    ("fetch", "    import js\n    return repr(js.fetch)\n"),
];

/// How many programs run beside each other.
const BESIDE: usize = 2;

/// What a worker told: words and their values.
type Told = Vec<(String, Value)>;

/// Runs programs beside each other, each in a worker of its own.
async fn run(page: &Browser, jobs: &[TestJob]) -> Result<Vec<TestReport>> {
    let origin: String = page.eval("return location.origin", &[]).await?;
    let base = json!(format!("{origin}{}/", paths::PAGE_ENGINE));
    let program = |job: &TestJob| {
        let input = listener(job).guest(NONCE.to_owned(), "/work");
        let parts = json!({ "limits": job.limits, "hashSeed": 0 });
        json!([parts, HARNESS, input, job.limits.class_ms])
    };
    let programs: Value = jobs.iter().map(program).collect();
    let script = include_str!("run_programs.js");
    let script = format!("return (async function () {{ {script} }}).apply(null, arguments)");
    let told: Vec<Told> = page.eval(&script, &[base, programs]).await?;
    let reports = jobs.iter().zip(&told);
    reports.map(|(job, told)| report(job, told)).collect()
}

const NONCE: &str = "n0nce";

fn listener(job: &TestJob) -> Listener<'_> {
    let stamp = EngineStamp {
        engine: "browser".to_owned(),
        python: String::new(),
        limits: job.limits,
        protocol: job.protocol,
        surroundings: job.surroundings.clone(),
    };
    Listener::new(job, stamp)
}

/// What all engines make of such words.
fn report(job: &TestJob, told: &Told) -> Result<TestReport> {
    let mut listener = listener(job);
    listener.guest(NONCE.to_owned(), "/work");
    let bytes = |value: &Value| -> Vec<u8> {
        let text = value.as_str().unwrap_or_default().chars();
        text.filter_map(|c| u8::try_from(u32::from(c)).ok())
            .collect()
    };
    let now = Duration::ZERO;
    let (mut output, mut ended) = (Vec::new(), Ended::TooLate);
    for (word, value) in told {
        match word.as_str() {
            "output" => output.extend(bytes(value)),
            "errors" => listener.printed(&bytes(value), 0),
            "dropped" => listener.printed(&[], value.as_u64().unwrap_or_default()),
            "ready" => {}
            "exit" => {
                let code = value.as_i64().and_then(|code| i32::try_from(code).ok());
                ended = Ended::Code(code.context("an exit without a code")?);
            }
            "fault" => ended = Ended::Fault(value.as_str().unwrap_or_default().to_owned()),
            "outOfMemory" => ended = Ended::OutOfMemory,
            "flood" => ended = Ended::TooMuch,
            other => anyhow::bail!("{}: {other} {value}", job.variant),
        }
    }
    for line in output.split(|&byte| byte == b'\n') {
        match listener.hear(line, now) {
            Heard::Done => ended = Ended::Done,
            Heard::TooMuch => ended = Ended::TooMuch,
            Heard::Nothing | Heard::Class => {}
        }
    }
    listener.ended(ended, now);
    listener.close();
    Ok(listener.report())
}

#[tokio::test]
async fn every_attack_is_contained() -> Result<()> {
    let Some(server) = Server::with_engines(&["browser"], "hostile programs in the page")? else {
        return Ok(());
    };
    journey("hostile_browser", async |page| {
        page.open(&server.url("/")).await?;
        let paths = programs()?;
        assert!(paths.len() >= 40, "only {} programs", paths.len());
        let mut jobs = Vec::new();
        for path in &paths {
            let program = std::fs::read_to_string(path)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let expected = expected_of(&program, "browser");
            let may_hang = expected.starts_with("timeout") || expected == "any_break";
            let limits = if may_hang { TIGHT } else { PATIENT };
            jobs.push((expected.to_owned(), attack(&name, &program, limits)));
        }
        for (name, body) in ESCAPES {
            let program = format!(
                "def out():\n{body}\ndef attack():\n    try:\n        return out()\n    \
                 except (AttributeError, ImportError):\n        return 'fine'\n"
            );
            jobs.push(("pass".to_owned(), attack(name, &program, PATIENT)));
        }
        let mut wrong = Vec::new();
        for some in jobs.chunks(BESIDE) {
            let (expected, jobs): (Vec<String>, Vec<TestJob>) = some.iter().cloned().unzip();
            for (expected, report) in expected.iter().zip(run(page, &jobs).await?) {
                if !is_expected(expected, &report) {
                    let (name, verdict, run) =
                        (&report.variant, report.verdict(), &report.tests[0]);
                    wrong.push(format!(
                        "{name}: wanted {expected}, got {verdict:?} {run:?}"
                    ));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        let n = jobs.len();
        say(&format!("browser: {n} hostile programs contained"));
        Ok(())
    })
    .await
}

#[tokio::test]
async fn every_reference_of_the_starter_passes() -> Result<()> {
    let Some(server) = Server::with_engines(&["browser"], "the starter in the page's engine")?
    else {
        return Ok(());
    };
    let bytes = std::fs::read(site()?.join("cases/starter.json"))?;
    let dataset = dataset::read("the starter", &bytes)?;
    journey("starter_browser", async |page| {
        page.open(&server.url("/")).await?;
        let job = |class: &ClassItem| {
            let id = VariantId(class.name.clone());
            let (source, protocol) = (class.source.clone(), Protocol::Corrected);
            TestJob::of(class, id, source, protocol, Limits::of(protocol))
        };
        let jobs: Vec<TestJob> = dataset.classes.iter().map(job).collect();
        let mut failing = Vec::new();
        for some in jobs.chunks(BESIDE) {
            for report in run(page, some).await? {
                if report.verdict() != Verdict::Pass {
                    failing.push(format!("{}: {:?}", report.variant, report.verdict()));
                }
            }
        }
        assert!(failing.is_empty(), "{}", failing.join("\n"));
        say(&format!(
            "browser: {} references of the starter pass",
            jobs.len()
        ));
        Ok(())
    })
    .await
}
