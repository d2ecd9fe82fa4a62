//! What running a class in a sandbox costs beside a bare `python3 -m unittest` of the same class: each
//! engine that is ready here, in one run, so that the machine's load is in both. Over ClassEval where the
//! specification's folder has it, else over the built site's starter benchmark.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use backend::config::{Config, Overrides};
use backend::sandbox::{Engines, Sandbox, run};
use futures_util::StreamExt as _;
use shared::api::BROWSER;
use shared::dataset::{self, Dataset};
use shared::harness::TestJob;
use shared::report::{Limits, Protocol};
use shared::subject::ClassItem;
use shared::variant::VariantId;
use tests::hostile::attack;

/// How many classes are run; every engine has their modules.
const CLASSES: usize = 20;
/// How many run at a time where that is measured.
const AT_ONCE: usize = 2;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(all());
    runtime.shutdown_background();
}

async fn all() {
    let dataset = benchmark();
    let classes = plain_classes(&dataset);
    let engines = tests::workspace().join("target/engines");
    let config = Config::from_lookup(Overrides::default(), |name| {
        let is_folder = name == "CTXLAB_ENGINES_DIR";
        Ok(is_folder.then(|| engines.display().to_string()))
    });
    let engines = Engines::new(&config.expect("a configuration"));
    let n = classes.len();
    tests::say(&format!("{n} classes of {}", dataset.name));
    let states = engines.states().await.into_iter();
    for state in states.filter(|it| it.engine != BROWSER) {
        if let Some(why) = state.missing {
            tests::skipped(&format!("{}: {why}", state.engine));
            continue;
        }
        let began = Instant::now();
        let sandbox = engines.get(Some(&state.engine)).await.expect("an engine");
        judge(sandbox.as_ref(), classes[0]).await;
        let first = began.elapsed();
        measure(&sandbox, &classes, first).await;
    }
}

async fn measure(sandbox: &Arc<dyn Sandbox>, classes: &[&ClassItem], first: Duration) {
    let mut overheads = Vec::new();
    let (mut bare, mut boxed) = (Duration::ZERO, Duration::ZERO);
    forget_peak();
    for &class in classes {
        // One after the other, so that both have the same load beside them.
        let alone = without(class);
        let began = Instant::now();
        judge(sandbox.as_ref(), class).await;
        let took = began.elapsed();
        overheads.push(took.as_secs_f64() - alone.as_secs_f64());
        bare += alone;
        boxed += took;
    }
    let one = peak_mib();
    overheads.sort_by(f64::total_cmp);
    let began = Instant::now();
    let jobs = classes.iter().map(|class| judge(sandbox.as_ref(), class));
    let running = futures_util::stream::iter(jobs).buffer_unordered(AT_ONCE);
    running.collect::<Vec<()>>().await;
    let n_classes = u32::try_from(classes.len()).map_or(0.0, f64::from);
    let rate = n_classes / began.elapsed().as_secs_f64();
    let about = sandbox.about();
    let two = peak_mib();
    let own = guest_mib(sandbox.as_ref()).await;
    let own = own.map_or(String::new(), |mib| format!(", of a guest's own {mib} MiB"));
    tests::say(&format!(
        "{} ({}): {:.0} ms more a class than python3 -m unittest (median), {:.1} times its time; \
         {rate:.1} classes a second with {AT_ONCE} at once; first run {:.2} s; \
         peak of this process {one} MiB with one guest, {two} MiB with {AT_ONCE}{own}",
        about.engine,
        about.python,
        overheads[overheads.len() / 2] * 1000.0,
        boxed.as_secs_f64() / bare.as_secs_f64(),
        first.as_secs_f64(),
    ));
}

async fn judge(sandbox: &dyn Sandbox, class: &ClassItem) {
    let id = VariantId(class.name.clone());
    let (source, limits) = (class.source.clone(), Limits::default());
    let job = TestJob::of(class, id, source, Protocol::Corrected, limits);
    let report = run(sandbox, &job, |_| ()).await.expect("a report");
    assert!(!report.tests.is_empty(), "{}", class.name);
}

/// The time of a class's tests without a sandbox.
fn without(class: &ClassItem) -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("subject.py");
    let text = format!("{}\n{}\n", class.source, class.test);
    fs::write(path, text).expect("a file");
    let began = Instant::now();
    Command::new("python3")
        .args(["-m", "unittest", "subject"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("python3");
    began.elapsed()
}

fn benchmark() -> Dataset {
    let classeval = "data/classeval/ClassEval_data.json";
    let starter = tests::workspace().join("target/site/cases/starter.json");
    let path = tests::specification(classeval, "figures over ClassEval").unwrap_or(starter);
    let bytes = fs::read(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask web`", path.display()));
    dataset::read("the benchmark", &bytes).expect("a benchmark")
}

/// Classes that need Python's own library only, and little time.
fn plain_classes(dataset: &Dataset) -> Vec<&ClassItem> {
    let heavy = [
        "numpy", "pandas", "docx", "openpyxl", "bs4", "gensim", "PIL", "nltk", "PyPDF2",
    ];
    let is_plain = |class: &&ClassItem| {
        let needs = |module: &&str| class.source.contains(module) || class.test.contains(module);
        !heavy.iter().any(needs) && class.name != "EightPuzzle"
    };
    let classes = dataset.classes.iter().filter(is_plain);
    classes.take(CLASSES).collect()
}

/// The most memory that a guest has that is a process of its own, in MiB, as it says itself.
async fn guest_mib(sandbox: &dyn Sandbox) -> Option<u64> {
    let program = "def attack():\n    \
        import resource\n    \
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n    \
        return 'fine'\n";
    let job = attack("memory", program, Limits::default());
    let report = run(sandbox, &job, |_| ()).await.expect("a report");
    let kib: u64 = report.output.text.trim().parse().ok()?;
    Some(kib / 1024)
}

/// The most memory that this process has had since [`forget_peak`], in MiB.
fn peak_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    kib.and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn forget_peak() {
    let file = Path::new("/proc/self/clear_refs");
    if fs::write(file, "5").is_err() {
        tests::skipped("the peak is that of the whole run: it cannot be forgotten here");
    }
}
