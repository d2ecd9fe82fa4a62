//! `ctxlab identify`: which variants of a benchmark's perturbations are a CtxBug.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;
use shared::case::{OutsideEdit, SiteStatus};
use shared::dataset::Dataset;
use shared::identify::{
    Decision, Examined, Funnel, FunnelRow, IdentifyOptions, MaskedNode, OutsidePolicy, Reference,
    Seen, decide, examine,
};
use shared::perturb::{Method, Perturbation, RuleId, Stamp};
use shared::subject::{MethodContext, Subject, SubjectId};
use shared::variant::{TestReport, Variant, VariantId};

use super::table::table;
use crate::benchmarks::Benchmarks;
use crate::cli::{IdentifyArgs, IdentifyFormat};

pub(super) fn run(args: &IdentifyArgs, benchmarks: &Benchmarks, out: &mut dyn Write) -> Result<()> {
    let dataset = benchmarks.open(&args.dataset)?;
    let mut run = Run {
        options: IdentifyOptions {
            matcher: args.matcher,
            outside: if args.strict {
                OutsidePolicy::Reject
            } else {
                OutsidePolicy::Accept
            },
        },
        format: args.format,
        stamp: Stamp::new(Some((dataset.id.clone(), dataset.sha256.clone()))),
        reports: BTreeMap::new(),
        lines: BTreeMap::new(),
        seen: Seen::default(),
        funnel: Funnel::default(),
        dataset: &dataset,
        out,
    };
    if let Some(path) = &args.reports {
        run.read_reports(path)?;
    }
    let mut cases = args.cases.as_deref().map(create).transpose()?;
    let name = args.variants.display().to_string();
    for_each_line(&args.variants, |number, line| {
        let decided = line.and_then(|line| run.variant(line, number));
        match decided {
            Ok(decided) => {
                if let (Some(cases), Decision::Case(case)) = (&mut cases, &decided.decision) {
                    cases.write_all(case.json_line().as_bytes())?;
                }
                run.print(&decided)
            }
            Err(reason) => run.print_bad(&name, number, reason),
        }
    })?;
    if let Some(mut cases) = cases {
        cases.flush().context("cannot write the cases")?;
    }
    run.print_funnel()?;
    run.explain_reports();
    Ok(())
}

/// What goes through a file.
struct Run<'a> {
    dataset: &'a Dataset,
    options: IdentifyOptions,
    format: IdentifyFormat,
    stamp: Stamp,
    /// By variant; each with whether its variant came.
    reports: BTreeMap<VariantId, (TestReport, bool)>,
    /// The line of each variant.
    lines: BTreeMap<VariantId, usize>,
    seen: Seen,
    funnel: Funnel,
    out: &'a mut dyn Write,
}

/// A variant and what it is.
struct Decided {
    variant: Variant,
    examined: Examined,
    decision: Decision,
}

/// A decision as a JSON line.
#[derive(Serialize)]
struct DecisionLine<'a> {
    schema: u8,
    variant: &'a VariantId,
    subject: &'a SubjectId,
    rule: RuleId,
    instance: u32,
    generator: &'a str,
    decision: &'static str,
    why: String,
    matcher: &'static str,
    sites: &'a [MaskedNode],
    outside: &'a [OutsideEdit],
    collisions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_from: Option<&'a str>,
}

#[derive(Serialize)]
struct BadLine<'a> {
    file: &'a str,
    line: usize,
    error: String,
}

#[derive(Serialize)]
struct FunnelLine<'a> {
    funnel: &'a [FunnelRow],
}

impl Run<'_> {
    fn read_reports(&mut self, path: &Path) -> Result<()> {
        let name = path.display().to_string();
        for_each_line(path, |number, line| {
            let report =
                line.and_then(|line| TestReport::from_json_line(line).map_err(|e| e.to_string()));
            match report {
                Ok(report) if self.reports.contains_key(&report.variant) => {
                    let reason = format!(
                        "there is a report on {} before; keep one of them",
                        report.variant
                    );
                    self.print_bad(&name, number, reason)
                }
                Ok(report) => {
                    self.reports.insert(report.variant.clone(), (report, false));
                    Ok(())
                }
                Err(reason) => self.print_bad(&name, number, reason),
            }
        })
    }

    /// Looks at one line; the reason and the next step where it cannot be used.
    fn variant(&mut self, line: &str, number: usize) -> Result<Decided, String> {
        let variant = Variant::from_json_line(line, number).map_err(|e| e.to_string())?;
        let (subject, perturbation) = find(self.dataset, &variant)?;
        if let Some(before) = self.lines.insert(variant.id.clone(), number) {
            let id = &variant.id;
            return Err(format!(
                "the id {id} is line {before}'s; give each variant its own"
            ));
        }
        let (subject, context) = subject;
        let reference = Reference::of(self.dataset.class_of(subject), subject, context);
        let examined = examine(&reference, &perturbation, &variant, self.options);
        let report = self.reports.get_mut(&variant.id).map(|(report, used)| {
            *used = true;
            &*report
        });
        let decision = decide(
            &reference,
            &variant,
            &examined,
            report,
            &mut self.seen,
            &self.stamp,
        );
        self.funnel.add(&variant.origin, variant.rule, &decision);
        Ok(Decided {
            variant,
            examined,
            decision,
        })
    }

    fn print(&mut self, decided: &Decided) -> Result<()> {
        let Decided {
            variant,
            examined,
            decision,
        } = decided;
        let (word, why) = in_words(decision, examined);
        let generator = variant.origin.generator();
        if self.format == IdentifyFormat::Text {
            let (id, subject) = (&variant.id, &variant.subject);
            let (rule, instance) = (variant.rule, variant.instance);
            writeln!(
                self.out,
                "{word:13} {id}  {subject}  {rule} {instance}  {generator}: {why}"
            )?;
            return Ok(());
        }
        let extraction = examined.extraction.as_ref();
        self.json(&DecisionLine {
            schema: 1,
            variant: &variant.id,
            subject: &variant.subject,
            rule: variant.rule,
            instance: variant.instance,
            generator,
            decision: word,
            why,
            matcher: examined.matcher.slug(),
            sites: &examined.sites,
            outside: &examined.outside,
            collisions: &examined.collisions,
            renamed_from: extraction.and_then(|e| e.renamed_from.as_deref()),
        })
    }

    fn print_bad(&mut self, file: &str, line: usize, error: String) -> Result<()> {
        if self.format == IdentifyFormat::Jsonl {
            return self.json(&BadLine { file, line, error });
        }
        writeln!(self.out, "bad line      {line} of {file}: {error}")?;
        Ok(())
    }

    fn json(&mut self, line: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut *self.out, line)?;
        writeln!(self.out)?;
        Ok(())
    }

    fn print_funnel(&mut self) -> Result<()> {
        if self.format == IdentifyFormat::Jsonl {
            let funnel = std::mem::take(&mut self.funnel);
            return self.json(&FunnelLine {
                funnel: &funnel.rows,
            });
        }
        let text = readable(&self.funnel);
        write!(self.out, "\n{text}(matcher {})\n", self.options.matcher)?;
        Ok(())
    }

    /// Says on standard error what standard output cannot.
    fn explain_reports(&self) {
        let mut unused = self.reports.iter().filter(|(_, (_, used))| !used);
        if let Some((first, _)) = unused.next() {
            let n = unused.count() + 1;
            eprintln!("note: {n} reports are on no variant of the file, the first on {first}");
        }
    }
}

/// What a variant is of.
fn find<'a>(
    dataset: &'a Dataset,
    variant: &Variant,
) -> Result<((&'a Subject, &'a MethodContext), Perturbation), String> {
    let mut subjects = dataset.with_contexts();
    let subject = subjects
        .find(|(subject, _)| subject.id == variant.subject)
        .ok_or_else(|| {
            format!(
                "no method {} in this benchmark; `ctxlab perturb --dataset` prints all that are",
                variant.subject
            )
        })?;
    let options = variant.rule_options().map_err(|e| e.to_string())?;
    let method = Method::analyze(&subject.0.source, subject.1);
    let mut found = method.apply(variant.rule, &options).perturbations;
    let n = found.len();
    if variant.instance as usize >= n {
        return Err(format!(
            "{} has {n} instances of {}, counted from 0, and not number {}; \
             check `instance` and `options`",
            variant.subject, variant.rule, variant.instance
        ));
    }
    Ok((subject, found.swap_remove(variant.instance as usize)))
}

/// A word for the first column, and the reason.
fn in_words(decision: &Decision, examined: &Examined) -> (&'static str, String) {
    let is_resolved = |node: &&MaskedNode| node.status == SiteStatus::Resolved;
    let n_differing = examined.sites.len() - examined.sites.iter().filter(is_resolved).count();
    let differs = format!("{n_differing} of {} places differ", examined.sites.len());
    let elsewhere = match examined.outside.len() {
        0 => String::new(),
        n => format!(", {n} edits elsewhere"),
    };
    match decision {
        Decision::Case(case) => {
            let broken = case.broken_tests.join(", ");
            let why = format!("{differs}{elsewhere}; breaks {broken}; {}", case.id);
            ("case", why)
        }
        Decision::Candidate => ("candidate", format!("{differs}{elsewhere}; not tested")),
        Decision::NotCase(why) => (why.slug(), why.to_string()),
    }
}

fn readable(funnel: &Funnel) -> String {
    let head = [
        "generator",
        "rule",
        "generated",
        "parsed",
        "differing",
        "failing",
        "unique",
        "untested",
    ];
    let mut rows = Vec::new();
    for generator in funnel.generators() {
        let own = funnel.rows.iter().filter(|row| row.generator == generator);
        rows.extend(own.map(funnel_row));
        rows.push(funnel_row(&funnel.total(Some(generator))));
    }
    rows.push(funnel_row(&funnel.total(None)));
    table(head.map(str::to_owned).into(), rows, 2..8)
}

fn funnel_row(row: &FunnelRow) -> Vec<String> {
    let rule = row.rule.map_or_else(
        || "all".to_owned(),
        |rule| format!("R{} {rule}", rule.number()),
    );
    let numbers = [
        row.n_generated,
        row.n_parsed,
        row.n_differing,
        row.n_failing,
        row.n_unique,
        row.n_candidates,
    ];
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
fn for_each_line(
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
        let line = std::str::from_utf8(&line)
            .map_err(|e| format!("no UTF-8 text ({e}); save the file as UTF-8"));
        if !line.as_ref().is_ok_and(|line| line.trim().is_empty()) {
            each(number, line)?;
        }
    }
    Ok(())
}
