//! A file of variants, a line at a time: the command line and the page decide alike, and write the same bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Decision, Examined, Funnel, FunnelRow, IdentifyOptions, ImportPolicy, MaskedNode, Reference,
    Seen, decide, examine,
};
use crate::case::{OutsideEdit, SiteStatus};
use crate::dataset::Dataset;
use crate::perturb::{Method, Perturbation, RuleId, Stamp};
use crate::report::TestReport;
use crate::subject::{MethodContext, Subject, SubjectId};
use crate::variant::{SCHEMA, Variant, VariantId};

/// How many subjects are kept in mind: the variants of one need not stand together.
const MOST_KNOWN: usize = 1_000;

/// What goes through a file of variants.
pub struct Batch<'a> {
    dataset: &'a Dataset,
    options: IdentifyOptions,
    stamp: Stamp,
    /// By id.
    subjects: Vec<(&'a Subject, &'a MethodContext)>,
    /// What was read of each.
    known: Vec<Option<Known<'a>>>,
    n_known: usize,
    /// Each with whether its variant came.
    reports: Vec<(TestReport, bool)>,
    /// The place of a variant's report.
    report_of: BTreeMap<String, usize>,
    /// The line of a variant.
    line_of: BTreeMap<String, usize>,
    seen: Seen,
    funnel: Funnel,
}

/// A variant, and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identified {
    /// As its line has it.
    pub variant: Variant,
    /// What it is without its tests.
    pub examined: Examined,
    /// What it is.
    pub decision: Decision,
}

/// A line that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BadLine {
    /// The file's name, as it was given.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The reason, and what to do.
    pub error: String,
}

/// A subject that was read.
struct Known<'a> {
    reference: Reference<'a>,
    method: Method<'a>,
    perturbed: Vec<Perturbed>,
}

/// A rule's instances in a subject.
struct Perturbed {
    rule: RuleId,
    options: BTreeMap<String, String>,
    instances: Vec<Perturbation>,
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
    imports: ImportPolicy,
    imported: &'a [String],
    collisions: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    leaks: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed_from: Option<&'a str>,
}

#[derive(Serialize)]
struct FunnelLine<'a> {
    funnel: &'a [FunnelRow],
}

impl<'a> Batch<'a> {
    /// Nothing has gone through yet.
    pub fn new(dataset: &'a Dataset, options: IdentifyOptions) -> Self {
        let mut subjects: Vec<_> = dataset.with_contexts().collect();
        // Stable: of two with one id the first is found.
        subjects.sort_by_key(|(subject, _)| &subject.id);
        Self {
            options,
            stamp: Stamp::new(Some((dataset.id.clone(), dataset.sha256.clone()))),
            known: subjects.iter().map(|_| None).collect(),
            subjects,
            n_known: 0,
            reports: Vec::new(),
            report_of: BTreeMap::new(),
            line_of: BTreeMap::new(),
            seen: Seen::default(),
            funnel: Funnel::default(),
            dataset,
        }
    }

    /// Takes a line of test reports.
    ///
    /// # Errors
    /// Why it cannot be used, and what to do.
    pub fn report(&mut self, line: &str) -> Result<(), String> {
        let report = TestReport::from_json_line(line).map_err(|e| e.to_string())?;
        let variant = &report.variant;
        if self.report_of.contains_key(variant.as_str()) {
            return Err(format!(
                "there is a report on {variant} before; keep one of them"
            ));
        }
        let place = self.reports.len();
        self.report_of.insert(variant.0.clone(), place);
        self.reports.push((report, false));
        Ok(())
    }

    /// Takes line `number` (from 1) of the variants, and says what it is.
    ///
    /// # Errors
    /// Why it cannot be used, and what to do.
    pub fn variant(&mut self, line: &str, number: usize) -> Result<Identified, String> {
        let variant = Variant::from_json_line(line, number).map_err(|e| e.to_string())?;
        let place = self.read(&variant.subject)?;
        let Some(known) = &mut self.known[place] else {
            unreachable!("it was just read");
        };
        let perturbed = known.perturb(&variant)?;
        let perturbation = &known.perturbed[perturbed].instances[variant.instance as usize];
        if let Some(before) = self.line_of.insert(variant.id.0.clone(), number) {
            let id = &variant.id;
            return Err(format!(
                "the id {id} is line {before}'s; give each variant its own"
            ));
        }
        let reference = &known.reference;
        let examined = examine(reference, perturbation, &variant, self.options);
        let report = self.report_of.get(variant.id.as_str()).map(|&at| {
            let (report, came) = &mut self.reports[at];
            *came = true;
            &*report
        });
        let decision = decide(
            reference,
            &variant,
            &examined,
            report,
            &mut self.seen,
            &self.stamp,
        );
        self.funnel.add(&variant.origin, variant.rule, &decision);
        Ok(Identified {
            variant,
            examined,
            decision,
        })
    }

    /// What is left after each stage.
    pub fn funnel(&self) -> &Funnel {
        &self.funnel
    }

    /// The variants that have a report and did not come.
    pub fn unused_reports(&self) -> impl Iterator<Item = &VariantId> {
        let unused = self.reports.iter().filter(|(_, came)| !came);
        unused.map(|(report, _)| &report.variant)
    }

    /// The place of a subject, which is read if it was not.
    fn read(&mut self, id: &SubjectId) -> Result<usize, String> {
        let place = self.subjects.partition_point(|(s, _)| s.id < *id);
        let found = self.subjects.get(place).filter(|(s, _)| s.id == *id);
        let &(subject, context) = found.ok_or_else(|| no_method(id))?;
        if self.known[place].is_none() {
            if self.n_known == MOST_KNOWN {
                self.known.fill_with(|| None);
                self.n_known = 0;
            }
            self.n_known += 1;
            self.known[place] = Some(Known {
                reference: Reference::of(self.dataset.class_of(subject), subject, context),
                method: Method::analyze(&subject.source, context),
                perturbed: Vec::new(),
            });
        }
        Ok(place)
    }
}

impl Known<'_> {
    /// The place of what a variant's rule makes of its subject; its instance is there.
    fn perturb(&mut self, variant: &Variant) -> Result<usize, String> {
        let is_it = |it: &Perturbed| it.rule == variant.rule && it.options == variant.options;
        let known = self.perturbed.iter().position(is_it);
        let place = known.unwrap_or(self.perturbed.len());
        if known.is_none() {
            let options = variant.rule_options().map_err(|e| e.to_string())?;
            self.perturbed.push(Perturbed {
                rule: variant.rule,
                options: variant.options.clone(),
                instances: self.method.apply(variant.rule, &options).perturbations,
            });
        }
        let n = self.perturbed[place].instances.len();
        if variant.instance as usize >= n {
            return Err(no_instance(variant, n));
        }
        Ok(place)
    }
}

/// What a variant is of: its subject, and its perturbation, made anew.
///
/// # Errors
/// Why there is none, and what to do.
pub fn find<'a>(
    dataset: &'a Dataset,
    variant: &Variant,
) -> Result<((&'a Subject, &'a MethodContext), Perturbation), String> {
    let mut subjects = dataset.with_contexts();
    let subject = subjects.find(|(subject, _)| subject.id == variant.subject);
    let subject = subject.ok_or_else(|| no_method(&variant.subject))?;
    let options = variant.rule_options().map_err(|e| e.to_string())?;
    let method = Method::analyze(&subject.0.source, subject.1);
    let mut found = method.apply(variant.rule, &options).perturbations;
    if variant.instance as usize >= found.len() {
        return Err(no_instance(variant, found.len()));
    }
    Ok((subject, found.swap_remove(variant.instance as usize)))
}

fn no_method(id: &SubjectId) -> String {
    format!("no method {id} in this benchmark; `ctxlab perturb --dataset` prints all that are")
}

fn no_instance(variant: &Variant, n: usize) -> String {
    format!(
        "{} has {n} instances of {}, counted from 0, and not number {}; \
         check `instance` and `options`",
        variant.subject, variant.rule, variant.instance
    )
}

impl Identified {
    /// Why it is what it is.
    pub fn why(&self) -> String {
        let sites = &self.examined.sites;
        let resolved = sites.iter().filter(|s| s.status == SiteStatus::Resolved);
        let n_differing = sites.len() - resolved.count();
        let differs = format!("{n_differing} of {} places differ", sites.len());
        let elsewhere = match self.examined.outside.len() {
            0 => String::new(),
            n => format!(", {n} edits elsewhere"),
        };
        let imported = match self.examined.imported.len() {
            0 => String::new(),
            _ => format!(", with {}", self.examined.imported.join("; ")),
        };
        match &self.decision {
            Decision::Case(case) => {
                let broken = case.broken_tests.join(", ");
                let id = &case.id;
                format!("{differs}{elsewhere}{imported}; breaks {broken}; {id}")
            }
            Decision::Candidate => format!("{differs}{elsewhere}{imported}; not tested"),
            Decision::NotCase(why) => why.to_string(),
        }
    }

    /// The decision as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        let (variant, examined) = (&self.variant, &self.examined);
        let extraction = examined.extraction.as_ref();
        json_line(&DecisionLine {
            schema: SCHEMA,
            variant: &variant.id,
            subject: &variant.subject,
            rule: variant.rule,
            instance: variant.instance,
            generator: variant.origin.generator(),
            decision: self.decision.slug(),
            why: self.why(),
            matcher: examined.matcher.slug(),
            sites: &examined.sites,
            outside: &examined.outside,
            imports: examined.imports,
            imported: &examined.imported,
            collisions: &examined.collisions,
            leaks: &examined.leaks,
            renamed_from: extraction.and_then(|e| e.renamed_from.as_deref()),
        })
    }
}

impl std::fmt::Display for BadLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, line, error } = self;
        write!(f, "bad line      {line} of {file}: {error}")
    }
}

impl BadLine {
    /// As a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        json_line(self)
    }
}

impl Funnel {
    /// All rows as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        json_line(&FunnelLine { funnel: &self.rows })
    }
}

/// A line of a file as text, or why it is none; `None` where it is blank.
pub fn text_of_line(line: &[u8]) -> Option<Result<&str, String>> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok(line) => (!line.trim().is_empty()).then_some(Ok(line)),
        Err(e) => Some(Err(format!("no UTF-8 text ({e}); save the file as UTF-8"))),
    }
}

fn json_line(line: &impl Serialize) -> String {
    let mut line = serde_json::to_string(line).unwrap_or_default();
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
