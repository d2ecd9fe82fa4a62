//! `ctxlab perturb`: the ten rules over a benchmark or one text.

use std::fs;
use std::io::{self, Read as _, Write};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use serde_json::{Map, Value};
use shared::perturb::{CountsTable, Method, PerturbationRecord, RULES, RuleId, RuleOptions, Stamp};
use shared::subject::{MethodContext, SubjectId};

use super::table::table;
use crate::benchmarks::Benchmarks;
use crate::cli::{Cli, Format, PerturbArgs};

/// A method to perturb.
struct Task<'a> {
    subject: Option<&'a SubjectId>,
    source: &'a str,
    context: &'a MethodContext,
}

/// What to do with each.
struct Plan {
    rules: Vec<RuleId>,
    options: RuleOptions,
    format: Format,
    stamp: Stamp,
}

pub(super) fn run(args: &PerturbArgs, benchmarks: &Benchmarks, out: &mut dyn Write) -> Result<()> {
    let mut plan = Plan::of(args)?;
    if let Some(path) = &args.source {
        let source = read_source(path)?;
        let context = args
            .context
            .as_deref()
            .map(read_context)
            .transpose()?
            .unwrap_or_default();
        let n = plan.run(
            &[Task {
                subject: None,
                source: &source,
                context: &context,
            }],
            out,
        )?;
        explain(path, &source, &context, n);
        return Ok(());
    }
    let dataset = benchmarks.open(args.dataset.as_deref().unwrap_or_default())?;
    plan.stamp = Stamp::new(Some((dataset.id.clone(), dataset.sha256.clone())));
    let tasks: Vec<Task<'_>> = dataset
        .with_contexts()
        .map(|(subject, context)| Task {
            subject: Some(&subject.id),
            source: &subject.source,
            context,
        })
        .collect();
    plan.run(&tasks, out)?;
    Ok(())
}

impl Plan {
    fn of(args: &PerturbArgs) -> Result<Self> {
        Ok(Self {
            rules: rules(args),
            options: options(args)?,
            format: args.format,
            stamp: Stamp::new(None),
        })
    }

    /// Gives how many perturbations there are.
    fn run(&self, tasks: &[Task<'_>], out: &mut dyn Write) -> Result<usize> {
        let mut n = 0;
        let mut counts = CountsTable::default();
        for task in tasks {
            let class = task.context.class_name.as_str();
            counts.add_method(class);
            let method = Method::analyze(task.source, task.context);
            for &rule in &self.rules {
                let found = method.apply(rule, &self.options).perturbations;
                n += found.len();
                counts.add(class, rule, found.len());
                if self.format == Format::Jsonl {
                    for perturbation in found {
                        let record = PerturbationRecord::new(
                            task.subject,
                            task.source,
                            perturbation,
                            &self.options,
                            &self.stamp,
                        );
                        out.write_all(record.json_line().as_bytes())?;
                    }
                }
            }
        }
        match self.format {
            Format::Jsonl => {}
            Format::Csv => out.write_all(counts.csv(&self.options).as_bytes())?,
            Format::Counts => out.write_all(readable(&counts).as_bytes())?,
        }
        Ok(n)
    }
}

/// The rules asked for, each once, by number.
fn rules(args: &PerturbArgs) -> Vec<RuleId> {
    let wanted = |id: &RuleId| args.rules.is_empty() || args.rules.contains(id);
    RULES.iter().map(|rule| rule.id).filter(wanted).collect()
}

fn options(args: &PerturbArgs) -> Result<RuleOptions> {
    let mut options = RuleOptions::default();
    for text in &args.options {
        let Some((name, value)) = text.split_once('=') else {
            return Err(usage(format!(
                "--option {text} has no `=`; write rule.name=value"
            )));
        };
        let name = match args.rules.as_slice() {
            [rule] if !name.contains('.') => format!("{rule}.{name}"),
            _ => name.to_owned(),
        };
        options
            .set(&name, value)
            .map_err(|e| usage(e.to_string()))?;
    }
    Ok(options)
}

fn usage(message: String) -> anyhow::Error {
    Cli::command()
        .error(ErrorKind::ValueValidation, message)
        .into()
}

fn read_source(path: &Path) -> Result<String> {
    let read = if path.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    read.map_err(|e| {
        anyhow!(
            "cannot read {}: {e}; check the path and that it is UTF-8 text",
            path.display()
        )
    })
}

fn read_context(path: &Path) -> Result<MethodContext> {
    let text = fs::read_to_string(path)
        .map_err(|e| anyhow!("cannot read {}: {e}; check the path", path.display()))?;
    let known = serde_json::to_value(MethodContext::default())?;
    let known: Vec<&str> = known
        .as_object()
        .into_iter()
        .flat_map(|fields| fields.keys().map(String::as_str))
        .collect();
    let parse = || {
        let fields: Map<String, Value> = serde_json::from_str(&text)?;
        if let Some(other) = fields.keys().find(|field| !known.contains(&field.as_str())) {
            bail!("there is no field {other:?}");
        }
        Ok(serde_json::from_value(Value::Object(fields))?)
    };
    parse().with_context(|| {
        format!(
            "{} is no context; expected a JSON object with any of {}",
            path.display(),
            known.join(", ")
        )
    })
}

/// Says on standard error what standard output cannot.
fn explain(path: &Path, source: &str, context: &MethodContext, n: usize) {
    let errors = Method::analyze(source, context).errors().len();
    if errors > 0 {
        eprintln!(
            "note: {} has {errors} places that are no valid Python; what is there may be missed",
            path.display()
        );
    }
    if n == 0 {
        eprintln!(
            "note: no rule hides anything in {}; give one method's own text, from its `def`",
            path.display()
        );
    }
}

fn readable(counts: &CountsTable) -> String {
    let head = ["class".to_owned(), "methods".to_owned()].into_iter();
    let head = head
        .chain(RULES.iter().map(|rule| format!("R{}", rule.id.number())))
        .chain(["total".to_owned()]);
    let totals = counts.totals();
    let rows = counts.rows.iter().chain([&totals]).map(|row| {
        let numbers = [row.n_methods]
            .into_iter()
            .chain(row.n_instances)
            .chain([row.total()]);
        [row.class.clone()]
            .into_iter()
            .chain(numbers.map(|n| n.to_string()))
            .collect()
    });
    let legend: Vec<String> = RULES
        .iter()
        .map(|rule| format!("R{} {}", rule.id.number(), rule.id))
        .collect();
    format!(
        "{}\n{}\n",
        table(head.collect(), rows.collect(), 1..13),
        legend.join(", ")
    )
}
