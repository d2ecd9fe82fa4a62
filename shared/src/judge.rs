//! What an answer to a case is worth: what its tests say, what became of each bug site, and how the
//! model handled the bug (CtxBugGen, sections 4.4 and 5.3).
//!
//! ```text
//! Case + Sample ── Reference::resolution, standing ──> a status and a handling per bug site
//! TestReport ──────────────────────────────────────> Verdict
//!                                          both ──> Action ──> Judgement ── scores ──> a row a model
//! ```
//!
//! Nothing is run here: without a report there is no judgement ([`NotJudged`]).

mod action;

mod scores;

pub use self::action::{Action, SiteHandling};
pub use self::scores::{ActionCount, OverlookedProbability, Score, ScoreRow, TaskScore, scores};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::action::{Answer, action, handling};
use crate::case::{Case, CaseId, Condition, SiteStatus};
use crate::diff::MatcherId;
use crate::identify::{Adaptation, Lens, Reference, SiteResolution};
use crate::logprobs::{AverageProbability, average_probability};
use crate::perturb::{RuleId, Stamp};
use crate::report::{EngineStamp, TestReport, Verdict};
use crate::run::{ModelId, Sample, SampleId};
use crate::text::Span;
use crate::variant::{LineError, SCHEMA, VariantId, check_schema};

/// What became of a bug site in an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JudgedSite {
    /// Which of the perturbation's sites, from 0.
    pub site: u32,
    /// What became of it under [`Judgement::matcher`].
    pub status: SiteStatus,
    /// How the model handled it.
    pub handling: SiteHandling,
    /// It through all lenses.
    pub resolution: SiteResolution,
    /// Where in the answer's method what stands there is; absent where nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Span>,
    /// Of an overlooked site the average probability of the tokens that repeat the bug (CtxBugGen,
    /// table 7); absent where nothing stands there, or the reply's tokens are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<AverageProbability>,
}

/// What a person says instead.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Correction {
    /// How the model handled the bug.
    pub action: Action,
    /// Who says so.
    pub by: String,
    /// Why; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// An answer to a case, judged.
///
/// As a JSON line (schema 1): these fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// The format's version.
    pub schema: u8,
    /// The answer.
    pub sample: SampleId,
    /// What was asked.
    pub case: CaseId,
    /// Who was asked.
    pub model: ModelId,
    /// How it was put.
    pub condition: Condition,
    /// Which rule hid the case's places.
    pub rule: RuleId,
    /// What the tests say as a whole.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The tests that did not pass.
    pub broken_tests: Vec<String>,
    /// Who matched the nodes: the matcher that found the case's sites.
    pub matcher: MatcherId,
    /// One a bug site, in order.
    pub sites: Vec<JudgedSite>,
    /// Tokens of the reused code's body outside the bug sites that the answer has too, in order.
    pub n_kept: u32,
    /// How many there are.
    pub n_outside: u32,
    /// How the model handled the bug, computed.
    pub action: Action,
    /// What a person says instead; it holds for all figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
    /// What ran the tests; absent where there was nothing to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineStamp>,
    /// Where it comes from.
    pub stamp: Stamp,
}

/// Why an answer cannot be judged. It belongs in no denominator, and is to be told beside it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NotJudged {
    /// It answers something else.
    #[error("sample {sample} answers case {there}, and not {here}")]
    OtherCase {
        /// The answer.
        sample: SampleId,
        /// What it answers.
        there: CaseId,
        /// What was to be judged.
        here: CaseId,
    },
    /// There is a method, and nothing is known of its tests.
    #[error("there is no test report of sample {0}; run its tests first")]
    NoReport(SampleId),
    /// The report is of something else.
    #[error("the test report is of {there}, and not of sample {here}")]
    OtherReport {
        /// What it is of.
        there: VariantId,
        /// What was to be judged.
        here: SampleId,
    },
}

/// A case as it was put to a model.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The case; its sites are taken as they are ([`Reference::bug_sites`] finds them anew).
    pub case: &'a Case,
    /// The code that the model was given to reuse: under [`Condition::CtxBug`] [`Case::method`].
    pub reused: &'a str,
}

impl<'a> Asked<'a> {
    /// Put as it is: the model was given the wrong method.
    pub fn as_ctxbug(case: &'a Case) -> Self {
        let reused = &case.method;
        Self { case, reused }
    }
}

/// Judges an answer by the report of its tests (named by the sample's id). An answer without a method needs none.
pub fn judge(
    reference: &Reference<'_>,
    asked: Asked<'_>,
    sample: &Sample,
    report: Option<&TestReport>,
    stamp: &Stamp,
) -> Result<Judgement, NotJudged> {
    let case = asked.case;
    if sample.case != case.id {
        return Err(NotJudged::OtherCase {
            sample: sample.id.clone(),
            there: sample.case.clone(),
            here: case.id.clone(),
        });
    }
    let places: Vec<Span> = case.sites.iter().map(|site| site.reference).collect();
    let adaptation = reference.resolution(&places, &sample.text, &sample.names);
    let report = match &adaptation.method {
        Some(_) => Some(report_of(sample, report)?),
        None => None,
    };
    let broken = report.map(|report| report.broken().map(|run| run.name.clone()).collect());
    let mut judgement = Judgement {
        schema: SCHEMA,
        sample: sample.id.clone(),
        case: case.id.clone(),
        model: sample.model.clone(),
        condition: sample.condition,
        rule: case.rule,
        verdict: report.map_or(Verdict::Empty, TestReport::verdict),
        broken_tests: broken.unwrap_or_default(),
        matcher: case.matcher,
        sites: Vec::with_capacity(case.sites.len()),
        n_kept: 0,
        n_outside: 0,
        action: Action::Others,
        correction: None,
        engine: report.and_then(|report| report.engine.clone()),
        stamp: stamp.clone(),
    };
    let reused = reference.standing(&places, asked.reused);
    let standing = reference.standing(&places, adaptation.method.as_deref().unwrap_or_default());
    (judgement.n_kept, judgement.n_outside) = reused.kept_in(&standing);
    for (at, (site, &resolution)) in case.sites.iter().zip(&adaptation.sites).enumerate() {
        let is_resolved = resolution.is_resolved(Lens::Matcher(case.matcher));
        let is_repeated = adaptation.method.is_some() && standing.is_same_at(at, &reused);
        let handling = handling(is_resolved, is_repeated);
        let place = standing.places.get(at).copied().flatten();
        let repeated = place.filter(|_| handling == SiteHandling::Overlooked);
        judgement.sites.push(JudgedSite {
            site: site.site,
            status: resolution.statuses[case.matcher as usize],
            handling,
            resolution,
            standing: place,
            probability: repeated.and_then(|place| probability(&adaptation, sample, place)),
        });
    }
    judgement.action = action(&Answer {
        does_something: standing.does_something,
        verdict: &judgement.verdict,
        sites: &judgement.sites,
        n_kept: judgement.n_kept,
        n_outside: judgement.n_outside,
    });
    Ok(judgement)
}

fn report_of<'r>(
    sample: &Sample,
    report: Option<&'r TestReport>,
) -> Result<&'r TestReport, NotJudged> {
    let says_something = |report: &&TestReport| {
        !report.tests.is_empty()
            || report.load_error.is_some()
            || report.load.is_some()
            || report.stopped.is_some()
    };
    let Some(report) = report.filter(says_something) else {
        return Err(NotJudged::NoReport(sample.id.clone()));
    };
    if report.variant.as_str() != sample.id.as_str() {
        return Err(NotJudged::OtherReport {
            there: report.variant.clone(),
            here: sample.id.clone(),
        });
    }
    Ok(report)
}

/// The average probability of the tokens of a place of the answer's method.
fn probability(
    adaptation: &Adaptation,
    sample: &Sample,
    place: Span,
) -> Option<AverageProbability> {
    let in_reply = adaptation.origin.in_reply(place);
    average_probability(&sample.logprobs, &sample.text, &in_reply)
}

impl Judgement {
    /// How the model handled the bug: what a person says of it, else what was computed.
    pub fn final_action(&self) -> Action {
        let correction = self.correction.as_ref();
        correction.map_or(self.action, |correction| correction.action)
    }

    /// Reads a line.
    pub fn from_json_line(line: &str) -> Result<Self, LineError> {
        let judgement: Self = serde_json::from_str(line).map_err(|e| {
            let fields = "the fields of a judgement";
            LineError::Format("judgement", e.to_string(), fields)
        })?;
        check_schema(judgement.schema)?;
        Ok(judgement)
    }

    /// The judgement as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

#[cfg(test)]
mod tests;
