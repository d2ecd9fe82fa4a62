//! `ctxlab resolution`: how many bug sites of cases the replies of models resolve.

mod view;

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Result, bail};
use serde::Serialize;
use shared::case::{BugSite, Case, CaseId};
use shared::dataset::Dataset;
use shared::diff::MatcherId;
use shared::identify::{Adaptation, BadLine, Reference, find};
use shared::perturb::Stamp;
use shared::run::{ModelId, Sample, SampleId};
use shared::subject::{MethodContext, Subject};
use shared::text::Span;

use self::view::{Document, SampleLine};
use super::identify::for_each_line;
use crate::benchmarks::Benchmarks;
use crate::cli::{ResolutionArgs, ResolutionFormat};

pub(super) fn run(
    args: &ResolutionArgs,
    benchmarks: &Benchmarks,
    out: &mut dyn Write,
) -> Result<()> {
    if [&args.cases, &args.samples]
        .iter()
        .all(|path| path.as_os_str() == "-")
    {
        bail!("only one of --cases and --samples can be standard input; write the other to a file");
    }
    let dataset = benchmarks.open(&args.dataset)?;
    let mut run = Run {
        format: args.format,
        matcher: args.matcher,
        stamp: Stamp::new(Some((dataset.id.clone(), dataset.sha256.clone()))),
        tally: Tally::default(),
        samples: BTreeMap::new(),
        bad_lines: Vec::new(),
        dataset: &dataset,
        out,
    };
    let name = args.cases.display().to_string();
    for_each_line(&args.cases, |number, line| {
        let read = line.and_then(|line| run.case(line));
        read.or_else(|reason| run.bad(&name, number, reason))
    })?;
    let name = args.samples.display().to_string();
    for_each_line(&args.samples, |number, line| {
        match line.and_then(|line| run.sample(line, number)) {
            Ok(Some(line)) => run.json(&line),
            Ok(None) => Ok(()),
            Err(reason) => run.bad(&name, number, reason),
        }
    })?;
    match args.format {
        ResolutionFormat::Jsonl => {
            let summary = serde_json::to_string(&run.document())?;
            writeln!(run.out, "{{\"summary\":{summary}}}")?;
        }
        ResolutionFormat::Text => {
            let text = run.document().to_string();
            write!(run.out, "{text}")?;
        }
        ResolutionFormat::Json => {
            let document = serde_json::to_string_pretty(&run.document())?;
            writeln!(run.out, "{document}")?;
        }
    }
    Ok(())
}

/// What goes through both files.
struct Run<'a> {
    dataset: &'a Dataset,
    format: ResolutionFormat,
    /// Who says which sites a case has; its own where absent.
    matcher: Option<MatcherId>,
    stamp: Stamp,
    tally: Tally<'a>,
    /// Each with its line.
    samples: BTreeMap<SampleId, usize>,
    bad_lines: Vec<BadLine>,
    out: &'a mut dyn Write,
}

/// What is counted.
#[derive(Default)]
struct Tally<'a> {
    cases: Vec<Asked<'a>>,
    numbers: BTreeMap<CaseId, usize>,
    /// The cases' own methods, as if a model had changed nothing.
    unchanged: Vec<Adaptation>,
    /// As they came.
    models: Vec<Model>,
}

/// A case that was found again in its benchmark.
struct Asked<'a> {
    id: CaseId,
    matcher: MatcherId,
    subject: &'a Subject,
    context: &'a MethodContext,
    sites: Vec<BugSite>,
}

impl Asked<'_> {
    fn places(&self) -> Vec<Span> {
        self.sites.iter().map(|site| site.reference).collect()
    }
}

/// All that a model replied.
struct Model {
    id: ModelId,
    /// The sample and the number of its case, beside the adaptation of the same place.
    of: Vec<(SampleId, usize)>,
    adaptations: Vec<Adaptation>,
}

impl Run<'_> {
    /// Takes a case in; the reason and the next step where it cannot be used.
    fn case(&mut self, line: &str) -> Result<(), String> {
        let case = Case::from_json_line(line).map_err(|e| e.to_string())?;
        if self.tally.numbers.contains_key(&case.id) {
            return Err(format!("{} is there before; keep one of them", case.id));
        }
        let ((subject, context), perturbation) = find(self.dataset, &case.as_variant())?;
        let reference = Reference::of(self.dataset.class_of(subject), subject, context);
        let matcher = self.matcher.unwrap_or(case.matcher);
        let sites = reference.bug_sites(&perturbation, &case, matcher);
        let sites = sites.map_err(|e| {
            let id = &case.id;
            format!("{id}: {e}; make the cases of this benchmark with `ctxlab identify --cases`")
        })?;
        let asked = Asked {
            id: case.id,
            matcher,
            subject,
            context,
            sites,
        };
        let as_it_is = reference.resolution(&asked.places(), &case.method, &[].into());
        self.tally.unchanged.push(as_it_is);
        let number = self.tally.cases.len();
        self.tally.numbers.insert(asked.id.clone(), number);
        self.tally.cases.push(asked);
        Ok(())
    }

    /// Looks at a sample and counts it; what is to be printed of it, or the reason and the next step
    /// where it cannot be used.
    fn sample(&mut self, line: &str, line_number: usize) -> Result<Option<SampleLine>, String> {
        let sample = Sample::from_json_line(line, line_number).map_err(|e| e.to_string())?;
        if let Some(before) = self.samples.get(&sample.id) {
            let id = &sample.id;
            return Err(format!(
                "the id {id} is line {before}'s; give each sample its own"
            ));
        }
        let number = self.tally.numbers.get(&sample.case).copied();
        let number = number.ok_or_else(|| {
            let id = &sample.case;
            format!("no usable case {id} in the cases; check `case`, and the reasons above")
        })?;
        self.samples.insert(sample.id.clone(), line_number);
        let case = &self.tally.cases[number];
        let class = self.dataset.class_of(case.subject);
        let reference = Reference::of(class, case.subject, case.context);
        let adaptation = reference.resolution(&case.places(), &sample.text, &sample.names);
        let line = (self.format == ResolutionFormat::Jsonl)
            .then(|| SampleLine::of(&sample, case, &adaptation, &self.stamp));
        let model = self.tally.model(sample.model);
        model.of.push((sample.id, number));
        model.adaptations.push(adaptation);
        Ok(line)
    }

    fn document(&self) -> Document<'_> {
        Document::of(&self.tally, &self.stamp, &self.bad_lines)
    }

    fn bad(&mut self, file: &str, line: usize, error: String) -> Result<()> {
        let bad = BadLine {
            file: file.to_owned(),
            line,
            error,
        };
        match self.format {
            ResolutionFormat::Text => writeln!(self.out, "{bad}")?,
            ResolutionFormat::Jsonl => self.json(&bad)?,
            ResolutionFormat::Json => {}
        }
        self.bad_lines.push(bad);
        Ok(())
    }

    fn json(&mut self, line: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut *self.out, line)?;
        writeln!(self.out)?;
        Ok(())
    }
}

impl Tally<'_> {
    fn model(&mut self, id: ModelId) -> &mut Model {
        let at = self.models.iter().position(|model| model.id == id);
        let at = at.unwrap_or_else(|| {
            self.models.push(Model {
                id,
                of: Vec::new(),
                adaptations: Vec::new(),
            });
            self.models.len() - 1
        });
        &mut self.models[at]
    }
}
