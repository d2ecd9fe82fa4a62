//! `cargo xtask test`: every check and test there is, in the order in which they are cheap.

use std::io::{Write as _, stdout};
use std::time::Instant;

use anyhow::{Result, ensure};
use cargo_metadata::MetadataCommand;
use duct::{Expression, cmd};

use crate::toolchain::{self, Job};

/// What every step compiles: with one selection of packages and features nothing is compiled twice.
const SELECTION: &[&str] = &[
    "--workspace",
    "--features",
    "tests/e2e,tests/sandbox,xtask/web",
];

/// What to test.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Leave out the page and the browser
    #[arg(long)]
    fast: bool,
}

/// What the runners counted, over all steps.
#[derive(Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_field_names,
    reason = "a count is called `n_…` everywhere"
)]
struct Counts {
    n_passed: usize,
    n_failed: usize,
    n_skipped: usize,
}

/// Everything to say at the end.
#[derive(Default)]
struct Summary {
    counts: Counts,
    /// The lines in which a test or a step says what it left out, and why.
    skipped: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    toolchain::ensure(if options.fast {
        &[Job::Cases]
    } else {
        &Job::ALL
    })?;
    let mut summary = Summary::default();
    let result = summary.run_all(options);
    if !summary.skipped.is_empty() {
        println!("\nLeft out:");
        for line in &summary.skipped {
            println!("  {line}");
        }
    }
    if let Err(error) = &result {
        println!("\n{error:#}");
    }
    let Counts {
        n_passed,
        n_failed,
        n_skipped,
    } = summary.counts;
    println!("\n{n_passed} passed, {n_failed} failed, {n_skipped} skipped");
    if result.is_err() {
        std::process::exit(1);
    }
    Ok(())
}

impl Summary {
    fn run_all(&mut self, options: &Options) -> Result<()> {
        self.step("format", &cargo(&["fmt", "--all", "--check"]))?;
        self.step(
            "tidy",
            &cargo(&["run", "--quiet", "-p", "xtask", "--", "tidy"]),
        )?;
        let lint = [&["clippy", "--quiet"], SELECTION, &["--all-targets"]].concat();
        let strict = ["--", "-D", "warnings"];
        self.step("lint", &cargo(&[&lint[..], &strict].concat()))?;
        self.step("test", &tests()?)?;
        self.step(
            "examples in the docs",
            &cargo(&[&["test", "--doc"], SELECTION].concat()),
        )?;
        let docs = cargo(&["doc", "--quiet", "--no-deps", "--workspace"]);
        self.step("docs", &docs.env("RUSTDOCFLAGS", "-D warnings"))?;
        // With `--tests` they share what the tests have compiled.
        let programs = [&["build", "--quiet", "--bins", "--tests"], SELECTION];
        self.step("programs", &cargo(&programs.concat()))?;
        self.step("starter benchmark", &xtask(&["cases", "--check"])?)?;
        if options.fast {
            self.skip("sandbox: --fast");
            self.skip("page: --fast");
            self.skip("browser: --fast");
            return Ok(());
        }
        let engine = |name| {
            let test = ["--test", name, "--", "--nocapture"];
            cargo(&[&["test"], SELECTION, &test].concat())
        };
        self.step("sandbox", &engine("sandbox"))?;
        self.step("page", &xtask(&["web", "--release"])?)?;
        self.step("browser", &engine("e2e"))
    }

    /// Runs a command and prints one line, and all of its output if it failed.
    fn step(&mut self, name: &str, command: &Expression) -> Result<()> {
        print!("{name:<28} ");
        stdout().flush()?;
        let start = Instant::now();
        let output = command
            .stderr_to_stdout()
            .stdout_capture()
            .unchecked()
            .run()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let counts = Counts::read(&text);
        let skipped: Vec<_> = text
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("skipped:"))
            .collect();
        println!(
            "{:>7.2} s  {}",
            start.elapsed().as_secs_f64(),
            if output.status.success() {
                "ok"
            } else {
                "failed"
            }
        );
        // A test that says it did nothing has not passed.
        self.counts.n_passed += counts.n_passed.saturating_sub(skipped.len());
        self.counts.n_failed += counts.n_failed;
        self.counts.n_skipped += counts.n_skipped + skipped.len();
        self.skipped
            .extend(skipped.iter().map(|line| format!("{name}: {line}")));
        if !output.status.success() {
            self.counts.n_failed += usize::from(counts.n_failed == 0);
            println!("{text}");
        }
        ensure!(output.status.success(), "step `{name}` failed");
        Ok(())
    }

    fn skip(&mut self, what: &str) {
        println!("skipped: {what}");
        self.counts.n_skipped += 1;
        self.skipped.push(what.to_owned());
    }
}

impl Counts {
    /// Adds up the summary lines of `cargo test` and of nextest.
    fn read(output: &str) -> Self {
        let mut counts = Self::default();
        for line in output.lines().map(str::trim) {
            let summary = line.strip_prefix("test result:");
            let summary = summary.or_else(|| {
                line.strip_prefix("Summary [")
                    .and_then(|it| it.split_once(" run:"))
                    .map(|it| it.1)
            });
            let Some(summary) = summary else { continue };
            let words: Vec<_> = summary
                .split([' ', ';', ',', '(', ')'])
                .filter(|word| !word.is_empty())
                .collect();
            for pair in words.windows(2) {
                let Ok(n) = pair[0].parse::<usize>() else {
                    continue;
                };
                match pair[1] {
                    "passed" => counts.n_passed += n,
                    "failed" | "timed" | "exec" => counts.n_failed += n,
                    "skipped" | "ignored" => counts.n_skipped += n,
                    _ => {}
                }
            }
        }
        counts
    }
}

/// Everything but the browser's tests, which want a page and a server first.
/// The tests that need neither a sandbox nor a browser.
fn tests() -> Result<Expression> {
    let metadata = MetadataCommand::new().no_deps().exec()?;
    let targets = metadata
        .packages
        .iter()
        .flat_map(|package| &package.targets);
    let targets = targets.filter(|target| target.is_test() && target.required_features.is_empty());
    let names: Vec<&str> = targets
        .flat_map(|target| ["--test", target.name.as_str()])
        .collect();
    let what = [SELECTION, &["--lib", "--bins"], &names].concat();
    let expression = if which::which("cargo-nextest").is_ok() {
        let run = [
            "nextest",
            "run",
            "--no-tests",
            "pass",
            "--success-output",
            "immediate",
        ];
        cargo(&[&run[..], &what].concat())
    } else {
        cargo(&[&["test"], &what[..], &["--", "--show-output"]].concat())
    };
    // A changed snapshot is a failure here; accepting it is for a human who has read it.
    Ok(expression.env("INSTA_UPDATE", "no"))
}

/// This tool as the step `programs` built it.
fn xtask(args: &[&str]) -> Result<Expression> {
    let metadata = MetadataCommand::new().no_deps().exec()?;
    let program = metadata.target_directory.join("debug/xtask");
    Ok(cmd(program.as_std_path(), args))
}

fn cargo(args: &[&str]) -> Expression {
    cmd(toolchain::cargo(), args).env("CARGO_TERM_COLOR", "never")
}

#[cfg(test)]
mod tests {
    use super::Counts;

    fn check(output: &str, n_passed: usize, n_failed: usize, n_skipped: usize) {
        assert_eq!(
            Counts::read(output),
            Counts {
                n_passed,
                n_failed,
                n_skipped
            },
            "{output}"
        );
    }

    #[test]
    fn cargo_test_summaries_add_up() {
        let good = "test result: ok. 5 passed; 0 failed; 2 ignored; 0 measured; 3 filtered out; finished in 0.01s";
        let bad = "test result: FAILED. 1 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s";
        check(&format!("running 7 tests\n{good}\nnoise\n{bad}"), 6, 4, 2);
    }

    #[test]
    fn nextest_summaries_are_understood() {
        check(
            "     Summary [   0.012s] 7 tests run: 7 passed (1 slow), 2 skipped",
            7,
            0,
            2,
        );
        check(
            "     Summary [   9.100s] 3/9 tests run: 1 passed, 1 failed, 1 timed out, 0 skipped",
            1,
            2,
            0,
        );
    }

    #[test]
    fn other_lines_do_not_count() {
        check("12 passed\nerror: 3 failed", 0, 0, 0);
    }
}
