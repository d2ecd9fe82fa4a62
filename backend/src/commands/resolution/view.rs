//! What `ctxlab resolution` says, as JSON and to read.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;
use shared::case::{BugSite, CaseId, SiteStatus};
use shared::diff::MatcherId;
use shared::identify::{
    Adaptation, BadLine, LENSES, Lens, Rate, ResolutionRate, SiteResolution, resolution_rate,
    wilson,
};
use shared::perturb::Stamp;
use shared::run::{ModelId, Sample, SampleId};

use super::{Asked, Model, Tally};
use crate::commands::table::table;

/// Of how many samples a disagreement is printed, where people read them.
const N_SHOWN: usize = 5;

/// A sample as a JSON line.
#[derive(Serialize)]
pub(super) struct SampleLine {
    schema: u8,
    sample: SampleId,
    case: CaseId,
    model: ModelId,
    sites_by: MatcherId,
    has_method: bool,
    sites: Vec<SiteView>,
    stamp: Stamp,
}

impl SampleLine {
    pub(super) fn of(
        sample: &Sample,
        case: &Asked<'_>,
        adaptation: &Adaptation,
        stamp: &Stamp,
    ) -> Self {
        let sites = case.sites.iter().zip(&adaptation.sites);
        Self {
            schema: 1,
            sample: sample.id.clone(),
            case: case.id.clone(),
            model: sample.model.clone(),
            sites_by: case.matcher,
            has_method: adaptation.method.is_some(),
            sites: sites
                .map(|(site, found)| SiteView::of(site, found, adaptation))
                .collect(),
            stamp: stamp.clone(),
        }
    }
}

/// A bug site of an adaptation through all lenses.
#[derive(Serialize)]
struct SiteView {
    site: u32,
    correct: String,
    wrong: Option<String>,
    lenses: Vec<LensView>,
}

#[derive(Serialize)]
struct LensView {
    lens: &'static str,
    resolved: bool,
    /// A matcher's.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<SiteStatus>,
    /// The partner's text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The whole as one JSON document.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    schema: u8,
    stamp: &'a Stamp,
    sites_by: Vec<MatcherId>,
    n_cases: usize,
    n_sites: usize,
    unchanged: Vec<RateView>,
    models: Vec<ModelView<'a>>,
    bad_lines: &'a [BadLine],
}

#[derive(Serialize)]
struct ModelView<'a> {
    model: &'a ModelId,
    n_samples: usize,
    n_without_method: usize,
    n_cases: usize,
    cases_without_sample: Vec<&'a CaseId>,
    rates: Vec<RateView>,
    disagreements: Vec<DisagreementView<'a>>,
}

/// A rate with its lens, its n and how sure it is.
#[derive(Serialize)]
struct RateView {
    lens: &'static str,
    n_resolved: u32,
    n_sites: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<f64>,
    /// Wilson's, 95 %.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct DisagreementView<'a> {
    case: &'a CaseId,
    sample: &'a SampleId,
    #[serde(flatten)]
    site: SiteView,
}

impl<'a> Document<'a> {
    pub(super) fn of(tally: &'a Tally<'_>, stamp: &'a Stamp, bad_lines: &'a [BadLine]) -> Self {
        let mut sites_by: Vec<MatcherId> = tally.cases.iter().map(|case| case.matcher).collect();
        sites_by.sort_unstable();
        sites_by.dedup();
        Self {
            schema: 1,
            stamp,
            sites_by,
            n_cases: tally.cases.len(),
            n_sites: tally.cases.iter().map(|case| case.sites.len()).sum(),
            unchanged: rates(&resolution_rate(&tally.unchanged)),
            models: (tally.models.iter())
                .map(|model| ModelView::of(tally, model))
                .collect(),
            bad_lines,
        }
    }
}

impl<'a> ModelView<'a> {
    fn of(tally: &'a Tally<'_>, model: &'a Model) -> Self {
        let rate = resolution_rate(&model.adaptations);
        let disagreements = rate.disagreements.iter().map(|d| {
            let adaptation = &model.adaptations[d.adaptation as usize];
            let (sample, case) = &model.of[d.adaptation as usize];
            let (case, at) = (&tally.cases[*case], d.site as usize);
            DisagreementView {
                case: &case.id,
                sample,
                site: SiteView::of(&case.sites[at], &adaptation.sites[at], adaptation),
            }
        });
        let asked: BTreeSet<usize> = model.of.iter().map(|(_, case)| *case).collect();
        let cases = tally.cases.iter().enumerate();
        let without = cases.filter(|(number, _)| !asked.contains(number));
        let cases_without_sample: Vec<&CaseId> = without.map(|(_, case)| &case.id).collect();
        let without_method = model.adaptations.iter().filter(|a| a.method.is_none());
        Self {
            model: &model.id,
            n_samples: model.adaptations.len(),
            n_without_method: without_method.count(),
            n_cases: asked.len(),
            cases_without_sample,
            rates: rates(&rate),
            disagreements: disagreements.collect(),
        }
    }
}

/// To read.
impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cases, sites) = (count(self.n_cases, "case"), count(self.n_sites, "bug site"));
        let by: Vec<&str> = self.sites_by.iter().map(|matcher| matcher.slug()).collect();
        write!(f, "{cases} with {sites}")?;
        match by.as_slice() {
            [] => writeln!(f)?,
            by => writeln!(f, " (by {})", by.join(", "))?,
        }
        if self.n_cases > 0 {
            let what = "what a reply gets that repairs nothing";
            write!(f, "\nunchanged: {what}\n{}", rates_table(&self.unchanged))?;
        }
        if self.models.is_empty() {
            writeln!(f, "\nno sample of these cases")?;
        }
        self.models.iter().try_for_each(|model| model.fmt(f))
    }
}

impl fmt::Display for ModelView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            model,
            n_samples,
            n_cases,
            n_without_method,
            cases_without_sample: without,
            ..
        } = self;
        let samples = count(*n_samples, "sample");
        writeln!(f, "\n{model}: {samples} of {}", count(*n_cases, "case"))?;
        if *n_without_method > 0 {
            let samples = count(*n_without_method, "sample");
            writeln!(f, "{samples} without the method: all sites unresolved")?;
        }
        if let Some(first) = without.first() {
            let cases = count(without.len(), "case");
            writeln!(
                f,
                "{cases} without a sample, not counted; the first is {first}"
            )?;
        }
        write!(f, "{}", rates_table(&self.rates))?;
        let n = self.disagreements.len();
        if n == 0 {
            return writeln!(f, "the lenses agree about all sites");
        }
        writeln!(f, "the lenses disagree about {}", count(n, "site"))?;
        // One of a sample: more of it would say the same again.
        let first = self.disagreements.chunk_by(|a, b| a.sample == b.sample);
        let shown: Vec<_> = first.filter_map(|all| all.first()).take(N_SHOWN).collect();
        for d in &shown {
            let (case, sample, site) = (d.case, d.sample, &d.site);
            let right = code(&site.correct);
            writeln!(
                f,
                "  {case} site {}, sample {sample}: right {right}",
                site.site
            )?;
            let said: Vec<String> = site.lenses.iter().map(LensView::said).collect();
            for (at, what) in said.iter().enumerate() {
                if !said[..at].contains(what) {
                    let same = site
                        .lenses
                        .iter()
                        .zip(&said)
                        .filter(|(_, said)| *said == what);
                    let lenses: Vec<&str> = same.map(|(lens, _)| lens.lens).collect();
                    writeln!(f, "    {}: {what}", lenses.join(", "))?;
                }
            }
        }
        if n > shown.len() {
            writeln!(f, "  and {} more: --format json has all", n - shown.len())?;
        }
        Ok(())
    }
}

impl LensView {
    /// To read.
    fn said(&self) -> String {
        let status = match self.status {
            Some(status) => status.slug(),
            None if self.resolved => "resolved",
            None => "not resolved",
        };
        let text = self.text.as_deref().map(code);
        text.map_or_else(|| status.to_owned(), |text| format!("{status} {text}"))
    }
}

impl SiteView {
    fn of(site: &BugSite, resolution: &SiteResolution, adaptation: &Adaptation) -> Self {
        let lenses = LENSES.iter().map(|&lens| {
            let (status, partner) = match lens {
                Lens::Matcher(matcher) => (
                    Some(resolution.statuses[matcher as usize]),
                    resolution.partners[matcher as usize],
                ),
                Lens::Path | Lens::Normalized => (None, None),
            };
            let text = partner.zip(adaptation.method.as_ref());
            LensView {
                lens: lens.slug(),
                resolved: resolution.is_resolved(lens),
                status,
                text: text.map(|(partner, method)| partner.of(method).to_owned()),
            }
        });
        Self {
            site: site.site,
            correct: site.correct.clone(),
            wrong: site.wrong.clone(),
            lenses: lenses.collect(),
        }
    }
}

fn rates(rate: &ResolutionRate) -> Vec<RateView> {
    let view = |rate: &Rate| RateView {
        lens: rate.lens.slug(),
        n_resolved: rate.n_resolved,
        n_sites: rate.n_sites,
        rate: (rate.n_sites > 0).then(|| f64::from(rate.n_resolved) / f64::from(rate.n_sites)),
        interval: wilson(rate.n_resolved, rate.n_sites).map(|(low, high)| [low, high]),
    };
    rate.rates.iter().map(view).collect()
}

fn rates_table(rates: &[RateView]) -> String {
    let head = ["lens", "resolved", "rate", "95 % interval"];
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let rows = rates.iter().map(|rate| {
        let interval = rate
            .interval
            .map(|[low, high]| format!("{} to {}", percent(low), percent(high)));
        vec![
            rate.lens.to_owned(),
            format!("{} of {}", rate.n_resolved, rate.n_sites),
            rate.rate.map(percent).unwrap_or_default(),
            interval.unwrap_or_default(),
        ]
    });
    table(head.map(str::to_owned).into(), rows.collect(), 1..4)
}

fn count(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

/// A text in one line.
fn code(text: &str) -> String {
    const MAX: usize = 60;
    let line = text.replace('\n', "⏎");
    match line.char_indices().nth(MAX) {
        Some((at, _)) => format!("`{}`…", &line[..at]),
        None => format!("`{line}`"),
    }
}
