//! `ctxlab identify`: which variants of a benchmark's perturbations are a CtxBug.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use shared::identify::{
    BadLine, Batch, Decision, Funnel, FunnelRow, Identified, IdentifyOptions, ImportPolicy,
    OutsidePolicy, STAGES, text_of_line,
};

use super::table::table;
use crate::benchmarks::Benchmarks;
use crate::cli::{IdentifyArgs, IdentifyFormat};

pub(super) fn run(args: &IdentifyArgs, benchmarks: &Benchmarks, out: &mut dyn Write) -> Result<()> {
    let dataset = benchmarks.open(&args.dataset)?;
    let options = IdentifyOptions {
        matcher: args.matcher,
        outside: if args.strict {
            OutsidePolicy::Reject
        } else {
            OutsidePolicy::Accept
        },
        imports: if args.with_imports {
            ImportPolicy::Splice
        } else {
            ImportPolicy::Ignore
        },
    };
    let mut batch = Batch::new(&dataset, options);
    let mut printer = Printer {
        format: args.format,
        out,
    };
    if let Some(path) = &args.reports {
        for_each_line(path, |number, line| {
            match line.and_then(|line| batch.report(line)) {
                Ok(()) => Ok(()),
                Err(error) => printer.bad_line(path, number, error),
            }
        })?;
    }
    let mut cases = args.cases.as_deref().map(create).transpose()?;
    for_each_line(&args.variants, |number, line| {
        match line.and_then(|line| batch.variant(line, number)) {
            Ok(identified) => {
                if let (Some(cases), Decision::Case(case)) = (&mut cases, &identified.decision) {
                    cases.write_all(case.json_line().as_bytes())?;
                }
                printer.identified(&identified)
            }
            Err(error) => printer.bad_line(&args.variants, number, error),
        }
    })?;
    if let Some(mut cases) = cases {
        cases.flush().context("cannot write the cases")?;
    }
    printer.funnel(batch.funnel(), options)?;
    let mut unused = batch.unused_reports();
    if let Some(first) = unused.next() {
        let n = unused.count() + 1;
        eprintln!("note: {n} reports are on no variant of the file, the first on {first}");
    }
    Ok(())
}

struct Printer<'a> {
    format: IdentifyFormat,
    out: &'a mut dyn Write,
}

impl Printer<'_> {
    fn identified(&mut self, identified: &Identified) -> Result<()> {
        let line = match self.format {
            IdentifyFormat::Jsonl => identified.json_line(),
            IdentifyFormat::Text => {
                let variant = &identified.variant;
                format!(
                    "{:13} {}  {}  {} {}  {}: {}\n",
                    identified.decision.slug(),
                    variant.id,
                    variant.subject,
                    variant.rule,
                    variant.instance,
                    variant.origin.generator(),
                    identified.why()
                )
            }
        };
        self.write(&line)
    }

    fn bad_line(&mut self, path: &Path, line: usize, error: String) -> Result<()> {
        let file = path.display().to_string();
        let bad = BadLine { file, line, error };
        let line = match self.format {
            IdentifyFormat::Jsonl => bad.json_line(),
            IdentifyFormat::Text => format!("{bad}\n"),
        };
        self.write(&line)
    }

    fn funnel(&mut self, funnel: &Funnel, options: IdentifyOptions) -> Result<()> {
        let text = match self.format {
            IdentifyFormat::Jsonl => funnel.json_line(),
            IdentifyFormat::Text => {
                let imports = match options.imports {
                    ImportPolicy::Ignore => "",
                    ImportPolicy::Splice => "; replies' imports in the modules' heads",
                };
                let matcher = options.matcher;
                format!("\n{}(matcher {matcher}{imports})\n", readable(funnel))
            }
        };
        self.write(&text)
    }

    fn write(&mut self, text: &str) -> Result<()> {
        Ok(self.out.write_all(text.as_bytes())?)
    }
}

fn readable(funnel: &Funnel) -> String {
    let head = ["generator", "rule"].into_iter().chain(STAGES);
    let head = head.chain(["untested"]).map(str::to_owned).collect();
    let rows = funnel.with_totals().iter().map(cells).collect();
    table(head, rows, 2..8)
}

fn cells(row: &FunnelRow) -> Vec<String> {
    let rule = row.rule.map_or_else(
        || "all".to_owned(),
        |rule| format!("R{} {rule}", rule.number()),
    );
    let numbers = row.stages().into_iter().chain([row.n_candidates]);
    [row.generator.clone(), rule]
        .into_iter()
        .chain(numbers.map(|n| n.to_string()))
        .collect()
}

fn create(path: &Path) -> Result<BufWriter<File>> {
    let file = File::create(path);
    let file =
        file.map_err(|e| anyhow!("cannot write {}: {e}; check the folder", path.display()))?;
    Ok(BufWriter::new(file))
}

/// Goes through the lines of a file that hold something; a line that is no text has a reason.
pub(super) fn for_each_line(
    path: &Path,
    mut each: impl FnMut(usize, Result<&str, String>) -> Result<()>,
) -> Result<()> {
    let name = path.display();
    let lines: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path);
        let file = file.map_err(|e| anyhow!("cannot read {name}: {e}; check the path"))?;
        Box::new(BufReader::new(file))
    };
    for (line, number) in lines.split(b'\n').zip(1..) {
        let line = line.with_context(|| format!("cannot read line {number} of {name}"))?;
        if let Some(text) = text_of_line(&line) {
            each(number, text)?;
        }
    }
    Ok(())
}
