//! Step 4 of CtxBugGen (section 3.4): which variants are a CtxBug each; and how many bug sites an
//! adaptation resolves (section 4.4).
//!
//! ```text
//! reply ── extract, restore names, lay out ──> method ── splice ──> module, for the tests
//!                                                │ diff against the reference
//!                                                v
//!          Examined { sites: what became of each, outside: what else differs }
//!                                                │ + TestReport, earlier variants
//!                                                v
//!                            Decision: Case, Candidate (no report yet), or NotCase and why
//! ```
//!
//! The paper's rule: a variant is a CtxBug if it fails its tests and one of the masked nodes has
//! another text or is gone; empty and repeated ones are dropped. [`OutsidePolicy::Reject`] also drops
//! what differs elsewhere.

mod lines;

mod extract;
mod imports;
mod origin;
mod splice;

mod program;

mod outside;
mod standing;
mod status;

mod batch;
mod funnel;

mod again;
mod resolution;
mod wilson;

pub use self::again::CaseError;
pub use self::batch::{BadLine, Batch, Identified, find, text_of_line};
pub use self::extract::{Extraction, Form, Wanted, extract, extract_class};
pub use self::funnel::{Funnel, FunnelRow, STAGES};
pub use self::imports::ImportPolicy;
pub use self::origin::Origin;
pub use self::resolution::{
    Adaptation, Disagreement, LENSES, Lens, Rate, ResolutionRate, SiteResolution, resolution_rate,
};
pub use self::standing::Standing;
pub use self::wilson::wilson;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::origin::Rewriting;
use self::outside::Tokens;
use self::program::{Normalized, Program, Sight, View};
use self::splice::{Layout, Place};
use crate::case::{BugSite, Case, CaseId, OutsideEdit, SiteStatus};
use crate::diff::{DiffNodeId, DiffOptions, MatcherId, diff};
use crate::obfuscate::restore;
use crate::perturb::{Perturbation, Stamp};
use crate::report::TestReport;
use crate::subject::{ClassItem, MethodContext, Subject};
use crate::text::{LineIndex, Span, apply_edits};
use crate::variant::{SCHEMA, Variant, VariantId};

/// What is done with a variant that differs outside the masked places.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutsidePolicy {
    /// It may be a case: the paper's rule. What differs is told.
    #[default]
    Accept,
    /// It is no case.
    Reject,
}

impl OutsidePolicy {
    /// The name used in files.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

/// The free choices of identification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct IdentifyOptions {
    /// Who matches the nodes.
    pub matcher: MatcherId,
    /// What else may differ.
    pub outside: OutsidePolicy,
    /// What is done with the reply's imports.
    #[serde(default)]
    pub imports: ImportPolicy,
}

/// A subject that was read once, to compare any number of variants with.
pub struct Reference<'a> {
    class: &'a ClassItem,
    subject: &'a Subject,
    siblings: Vec<&'a str>,
    program: Program,
    tokens: Tokens,
    view: View,
    normalized: Normalized,
    layout: Layout,
    place: Option<Place>,
}

/// A masked node, and what became of it in a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MaskedNode {
    /// Which of the perturbation's sites, from 0.
    pub site: u32,
    /// What became of it.
    pub status: SiteStatus,
    /// Where it stands in the method's own text: the site, or the smallest node around it.
    pub reference: Span,
    /// Where its partner stands in the variant's method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<Span>,
}

/// A variant, looked at without its tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Examined {
    /// How the method stood in the reply; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extraction: Option<Extraction>,
    /// The method, with its own names, laid out as the subject's own text; empty where there is none.
    pub method: String,
    /// The class's module with this method in it, and with what was [imported](Self::imported): what
    /// the tests are to run. Every other byte is the benchmark's. Absent where the reply has no method, or the class has none of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// Names that an obfuscated one was put back to although the reply read them already; sorted.
    pub collisions: Vec<String>,
    /// Obfuscated names that the reply wrote itself, from memory; in order, one an occurrence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaks: Vec<String>,
    /// Who matched the nodes.
    pub matcher: MatcherId,
    /// What was done with the reply's imports.
    pub imports: ImportPolicy,
    /// One a site, in order; empty where the reply has no method.
    pub sites: Vec<MaskedNode>,
    /// What differs elsewhere, in order.
    pub outside: Vec<OutsideEdit>,
    /// Imports that were put into the module's head, in order.
    pub imported: Vec<String>,
    /// SHA-256 of the normalized method, hexadecimal: equal for variants that are written in another
    /// way only. Empty where there is no method.
    pub fingerprint: String,
    /// Why it can be no case whatever the tests say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_case: Option<NotCase>,
}

/// Why a variant is no CtxBug: the first reason in the order of the funnel.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
#[non_exhaustive]
pub enum NotCase {
    /// Nothing was written, or a method without statements.
    #[error("empty")]
    Empty,
    /// There is text and no such method in it.
    #[error("no method {method} in the reply")]
    NoMethod {
        /// Its name.
        method: String,
    },
    /// A placeholder still stands there.
    #[error("{placeholder} was left in line {line}")]
    Unfilled {
        /// Which.
        placeholder: String,
        /// The line of the method, from 1.
        line: usize,
    },
    /// It is no Python.
    #[error("syntax error in line {line}: {message}")]
    SyntaxError {
        /// The line of the method, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Every masked node is as in the reference.
    #[error("identical at all places ({n_sites})")]
    Identical {
        /// How many places there are.
        n_sites: usize,
    },
    /// Something differs outside the masked places, and [`OutsidePolicy::Reject`] is in force.
    #[error("differs outside the masked places ({n_edits} edits)")]
    OutsideEdits {
        /// How many.
        n_edits: usize,
    },
    /// The class with it cannot be loaded.
    #[error("does not load: {message}")]
    DoesNotLoad {
        /// What Python said.
        message: String,
    },
    /// It is right in its context.
    #[error("passes its tests ({n_tests})")]
    PassesTests {
        /// How many.
        n_tests: usize,
    },
    /// An earlier variant of the same subject is the same program.
    #[error("the same program as {of}")]
    Duplicate {
        /// The earlier one.
        of: VariantId,
        /// Whether this one was tested, and failed.
        tested: bool,
    },
}

impl NotCase {
    /// The name used in files and tables.
    pub const fn slug(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::NoMethod { .. } => "no_method",
            Self::Unfilled { .. } => "unfilled",
            Self::SyntaxError { .. } => "syntax_error",
            Self::Identical { .. } => "identical",
            Self::OutsideEdits { .. } => "outside_edits",
            Self::DoesNotLoad { .. } => "does_not_load",
            Self::PassesTests { .. } => "passes_tests",
            Self::Duplicate { .. } => "duplicate",
        }
    }
}

/// What a variant is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub enum Decision {
    /// A CtxBug.
    Case(Box<Case>),
    /// It may be one: there is no test report yet.
    Candidate,
    /// None.
    NotCase(NotCase),
}

impl Decision {
    /// The name used in files and tables: `case`, `candidate`, or the reason's.
    pub const fn slug(&self) -> &'static str {
        match self {
            Self::Case(_) => "case",
            Self::Candidate => "candidate",
            Self::NotCase(why) => why.slug(),
        }
    }
}

/// The programs that were seen, to find those that come again.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Subject and fingerprint, to the variant's id.
    cases: BTreeMap<String, String>,
    candidates: BTreeMap<String, String>,
}

impl<'a> Reference<'a> {
    /// Reads a subject of a class.
    pub fn of(class: &'a ClassItem, subject: &'a Subject, context: &'a MethodContext) -> Self {
        let program = Program::of(&subject.source);
        let place = Place::find(&class.source, &class.name, &subject.method, &subject.source);
        // Most benchmarks cut methods out of classes with all but their first line where they were.
        let in_class = place.as_ref().map(|place| place.layout.clone());
        let own = Layout::of(&subject.source, "");
        let layout = in_class
            .filter(|layout| layout.body == own.body && layout.crlf == own.crlf)
            .unwrap_or(own);
        let siblings = context.methods.iter().map(String::as_str);
        Self {
            siblings: siblings.filter(|name| *name != subject.method).collect(),
            tokens: Tokens::of(&program.tree),
            view: View::of(&program.tree, Sight::Written),
            normalized: Normalized::of(&program.tree),
            class,
            subject,
            program,
            layout,
            place,
        }
    }

    /// The subject.
    pub fn subject(&self) -> &'a Subject {
        self.subject
    }

    /// What the subject's own method means, as [`Examined::fingerprint`] says it of a variant's.
    pub fn fingerprint(&self) -> String {
        self.normalized.fingerprint(&self.program.tree)
    }

    /// The class's module with the method of a reply in the place of its own; `None` where the reply has no
    /// such method.
    pub fn splice(&self, reply: &str) -> Option<String> {
        self.read(reply, &BTreeMap::new())?.module
    }

    /// The method of a reply in the subject's own layout, and all that is told of how it got there.
    fn read(&self, reply: &str, names: &BTreeMap<String, String>) -> Option<Read> {
        let known_as = |own: &'a str| -> Vec<&str> {
            let obfuscated = names.iter().filter(|(_, name)| *name == own);
            let obfuscated = obfuscated.map(|(obfuscated, _)| obfuscated.as_str());
            [own].into_iter().chain(obfuscated).collect()
        };
        let mut siblings: Vec<&str> = Vec::new();
        for &sibling in &self.siblings {
            siblings.extend(known_as(sibling));
        }
        let wanted = Wanted {
            class: &known_as(&self.class.name),
            method: &known_as(&self.subject.method),
            siblings: &siblings,
        };
        let extraction = extract(reply, &wanted)?;
        let head = &extraction.indentation;
        let mut method = Rewriting::new(&extraction.text, extraction.span.start);
        let restored = restore(&method.text, names);
        method.edit(&restored.edits);
        if extraction.renamed_from.is_some() || !names.is_empty() {
            let name = splice::with_name(&method.text, &self.subject.method);
            method.edit(name.as_slice());
        }
        let decorators = splice::with_decorators(&method.text, head, &self.subject.source);
        method.edit(decorators.as_slice());
        let module = self.place.as_ref().map(|place| {
            let edits = splice::fit(&method.text, head, &place.layout);
            place.splice(&self.class.source, apply_edits(&method.text, &edits))
        });
        method.edit(&splice::fit(&method.text, head, &self.layout));
        Some(Read {
            method: method.text,
            origin: method.origin,
            module,
            collisions: restored.collisions,
            leaks: restored.leaks,
            extraction,
        })
    }

    /// The nodes that these places of the method's text are.
    fn masked_nodes(&self, sites: &[Span]) -> Vec<DiffNodeId> {
        let nodes = sites.iter();
        nodes
            .map(|&site| status::masked_node(&self.program.diff, site))
            .collect()
    }
}

/// A method that was found in a reply.
struct Read {
    extraction: Extraction,
    method: String,
    origin: Origin,
    module: Option<String>,
    collisions: Vec<String>,
    leaks: Vec<String>,
}

/// Looks at a variant of a perturbation: everything that needs no test.
pub fn examine(
    reference: &Reference<'_>,
    perturbation: &Perturbation,
    variant: &Variant,
    options: IdentifyOptions,
) -> Examined {
    let mut examined = Examined {
        extraction: None,
        method: String::new(),
        module: None,
        collisions: Vec::new(),
        leaks: Vec::new(),
        matcher: options.matcher,
        imports: options.imports,
        sites: Vec::new(),
        outside: Vec::new(),
        imported: Vec::new(),
        fingerprint: String::new(),
        not_case: None,
    };
    let Some(read) = reference.read(&variant.text, &variant.names) else {
        examined.not_case = Some(if variant.text.trim().is_empty() {
            NotCase::Empty
        } else {
            let method = reference.subject.method.clone();
            NotCase::NoMethod { method }
        });
        return examined;
    };
    let program = Program::of(&read.method);
    let sites: Vec<Span> = perturbation.sites.iter().map(|site| site.span).collect();
    let diff_options = DiffOptions {
        matcher: options.matcher,
        ..DiffOptions::default()
    };
    let diff = diff(&reference.program.diff, &program.diff, &diff_options);
    let nodes = reference.masked_nodes(&sites);
    for (site, &node) in (0..).zip(&nodes) {
        let (status, partner) = status::status(&reference.program, &program, &diff, node);
        examined.sites.push(MaskedNode {
            site,
            status,
            reference: reference.program.diff.span(node),
            variant: partner,
        });
    }
    let tokens = Tokens::of(&program.tree);
    examined.outside = outside::outside_edits(&reference.tokens, &tokens, &sites);
    examined.fingerprint = Normalized::of(&program.tree).fingerprint(&program.tree);
    examined.not_case = not_case(reference, &program, perturbation, &examined, options);
    examined.module = read.module;
    if options.imports == ImportPolicy::Splice {
        let imports = read.extraction.imports.iter();
        let imports = imports.map(|import| restore(import, &variant.names).text);
        let module = &reference.class.source;
        if let (Some(text), Some(head)) = (
            &mut examined.module,
            imports::missing(module, &imports.collect::<Vec<_>>()),
        ) {
            // The head stands before the method, so its place is the same in both modules.
            *text = apply_edits(text, &[head.edit]);
            examined.imported = head.statements;
        }
    }
    examined.extraction = Some(read.extraction);
    examined.method = read.method;
    examined.collisions = read.collisions;
    examined.leaks = read.leaks;
    examined
}

fn not_case(
    reference: &Reference<'_>,
    program: &Program,
    perturbation: &Perturbation,
    examined: &Examined,
    options: IdentifyOptions,
) -> Option<NotCase> {
    let method = program.tree.source();
    let line = |at: u32| LineIndex::new(method).line(at);
    let mut sites = perturbation.sites.iter();
    let left = sites.find_map(|site| {
        let at = method.find(&site.placeholder)?;
        Some((site.placeholder.clone(), lines::index(at)))
    });
    if let Some((placeholder, at)) = left {
        let line = line(at);
        return Some(NotCase::Unfilled { placeholder, line });
    }
    if let Some(error) = program.errors.first() {
        return Some(NotCase::SyntaxError {
            line: line(error.span.start),
            message: error.message.clone(),
        });
    }
    if !extract::has_body(&program.tree) && extract::has_body(&reference.program.tree) {
        return Some(NotCase::Empty);
    }
    let is_resolved = |node: &MaskedNode| node.status == SiteStatus::Resolved;
    if examined.sites.iter().all(is_resolved) {
        let n_sites = examined.sites.len();
        return Some(NotCase::Identical { n_sites });
    }
    let n_edits = examined.outside.len();
    (options.outside == OutsidePolicy::Reject && n_edits > 0)
        .then_some(NotCase::OutsideEdits { n_edits })
}

/// Decides what an examined variant is, by its test report and by what was `seen` before it. A report
/// that neither names a test nor says that the class does not load is none.
pub fn decide(
    reference: &Reference<'_>,
    variant: &Variant,
    examined: &Examined,
    report: Option<&TestReport>,
    seen: &mut Seen,
    stamp: &Stamp,
) -> Decision {
    if let Some(why) = &examined.not_case {
        return Decision::NotCase(why.clone());
    }
    if let Some(message) = report.and_then(|report| report.load_error.clone()) {
        return Decision::NotCase(NotCase::DoesNotLoad { message });
    }
    let report = report.filter(|report| !report.tests.is_empty());
    let broken: Option<Vec<String>> =
        report.map(|report| report.broken().map(|run| run.name.clone()).collect());
    if let (Some(report), Some([])) = (report, broken.as_deref()) {
        let n_tests = report.tests.len();
        return Decision::NotCase(NotCase::PassesTests { n_tests });
    }
    let tested = broken.is_some();
    if let Some(of) = seen.before(variant, examined, tested) {
        return Decision::NotCase(NotCase::Duplicate { of, tested });
    }
    match broken {
        Some(broken_tests) => {
            let found = case(reference, variant, examined, stamp);
            Decision::Case(Box::new(Case {
                broken_tests,
                ..found
            }))
        }
        None => Decision::Candidate,
    }
}

impl Seen {
    /// The earlier variant that is the same program; else keeps this one. A tested variant repeats
    /// only a case: an untested one may still turn out to be none.
    fn before(
        &mut self,
        variant: &Variant,
        examined: &Examined,
        is_tested: bool,
    ) -> Option<VariantId> {
        let key = format!("{}\n{}", variant.subject, examined.fingerprint);
        let earlier = self.cases.get(&key);
        let earlier = earlier.or_else(|| self.candidates.get(&key).filter(|_| !is_tested));
        if let Some(id) = earlier {
            return Some(VariantId(id.clone()));
        }
        let kept = if is_tested {
            &mut self.cases
        } else {
            &mut self.candidates
        };
        kept.insert(key, variant.id.0.clone());
        None
    }
}

fn case_id(variant: &Variant, examined: &Examined) -> CaseId {
    let fingerprint = examined.fingerprint.get(..12).unwrap_or_default();
    CaseId(format!("{}-{fingerprint}", variant.subject))
}

/// The masked nodes that differ.
fn bug_sites(reference: &Reference<'_>, examined: &Examined) -> Vec<BugSite> {
    let differing = examined
        .sites
        .iter()
        .filter(|node| node.status != SiteStatus::Resolved);
    let sites = differing.map(|node| BugSite {
        site: node.site,
        status: node.status,
        reference: node.reference,
        variant: node.variant,
        correct: node.reference.of(&reference.subject.source).to_owned(),
        wrong: node
            .variant
            .map(|span| span.of(&examined.method).to_owned()),
    });
    sites.collect()
}

/// The case without its broken tests.
fn case(reference: &Reference<'_>, variant: &Variant, examined: &Examined, stamp: &Stamp) -> Case {
    Case {
        schema: SCHEMA,
        id: case_id(variant, examined),
        subject: variant.subject.clone(),
        rule: variant.rule,
        instance: variant.instance,
        options: variant.options.clone(),
        variant: variant.id.clone(),
        origin: variant.origin.clone(),
        matcher: examined.matcher,
        method: examined.method.clone(),
        sites: bug_sites(reference, examined),
        outside: examined.outside.clone(),
        imported: examined.imported.clone(),
        broken_tests: Vec::new(),
        stamp: stamp.clone(),
    }
}

#[cfg(test)]
mod tests;
