//! A variant by the reader: what is written, and what is said of it.

use serde::{Deserialize, Serialize};
use shared::case::SiteStatus;
use shared::dataset::sha256_hex;
use shared::identify::{Extraction, Form};
use shared::perturb::{Perturbation, PerturbedSite, RuleOptions};
use shared::report::TestReport;
use shared::subject::SubjectId;
use shared::text::{Span, TextEdit, apply_edits};
use shared::variant::{SCHEMA, Variant, VariantId, VariantOrigin};

use crate::state::testing::words::short;
use crate::state::words::n_of;
use crate::worker::compare::protocol::{ExaminedView, Standing};

/// How a variant is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) enum Way {
    /// Each place by itself.
    #[default]
    Fill,
    /// The whole text.
    Write,
}

/// What the reader wrote for one perturbation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Draft {
    pub(crate) way: Way,
    /// One a place, in order; one that is empty or not there leaves the placeholder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fillings: Vec<String>,
    /// The whole text, once it was changed by hand; until then it follows the fillings.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// The method that is masked, and its places.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Masked {
    pub(crate) source: String,
    pub(crate) of: Perturbation,
}

impl Masked {
    /// A part of the method, with the placeholders of the places that it touches.
    pub(crate) fn part(&self, part: Span) -> String {
        let (mut text, mut at) = (String::new(), part.start);
        for site in &self.of.sites {
            if part.start < site.span.end && site.span.start < part.end {
                text += Span::new(at, site.span.start.max(at)).of(&self.source);
                text += &site.placeholder;
                at = site.span.end;
            }
        }
        text + Span::new(at, part.end.max(at)).of(&self.source)
    }
}

impl Draft {
    /// Nothing, to be written in this way.
    pub(crate) fn empty(way: Way) -> Self {
        Self {
            way,
            ..Self::default()
        }
    }

    /// Reads what [`Draft::code`] wrote; `None` for anything else.
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        serde_json::from_str(code).ok()
    }

    /// The draft as a text; `None` where nothing is written.
    pub(crate) fn code(&self) -> Option<String> {
        let is_empty = self.text.is_none() && self.fillings.iter().all(String::is_empty);
        (!is_empty).then(|| serde_json::to_string(self).unwrap_or_default())
    }

    /// What stands in a place; empty where the placeholder does.
    pub(crate) fn filling(&self, site: usize) -> &str {
        self.fillings.get(site).map_or("", String::as_str)
    }

    pub(crate) fn fill(&mut self, site: usize, text: String) {
        if self.fillings.len() <= site {
            self.fillings.resize(site + 1, String::new());
        }
        self.fillings[site] = text;
    }

    pub(crate) fn is_open(&self, site: usize) -> bool {
        self.filling(site).trim().is_empty()
    }

    /// The method with the fillings in the places, and with placeholders in those that are open.
    pub(crate) fn filled(&self, masked: &Masked) -> String {
        self.with_open(masked, |site| &site.placeholder)
    }

    fn with_open(&self, masked: &Masked, open: fn(&PerturbedSite) -> &str) -> String {
        let edit = |(n, site): (usize, &PerturbedSite)| TextEdit {
            span: site.span,
            text: if self.is_open(n) {
                open(site).to_owned()
            } else {
                self.filling(n).to_owned()
            },
        };
        let edits: Vec<TextEdit> = masked.of.sites.iter().enumerate().map(edit).collect();
        apply_edits(&masked.source, &edits)
    }

    /// Takes the whole text as it was written.
    pub(crate) fn write(&mut self, text: String, masked: &Masked) {
        self.text = (text != self.filled(masked)).then_some(text);
    }

    /// Whether the whole text is the reader's own and does not follow the fillings.
    pub(crate) fn is_own_text(&self) -> bool {
        self.text.is_some()
    }

    /// Lets the whole text follow the fillings again.
    pub(crate) fn follow(&mut self) {
        self.text = None;
    }

    /// Empties what is shown.
    pub(crate) fn clear(&mut self) {
        match self.way {
            Way::Fill => self.fillings.clear(),
            Way::Write => self.text = Some(String::new()),
        }
    }

    fn own_text(&self) -> Option<&str> {
        self.text.as_deref().filter(|_| self.way == Way::Write)
    }

    /// The variant as it stands.
    pub(crate) fn variant(&self, masked: &Masked) -> String {
        self.own_text()
            .map_or_else(|| self.filled(masked), str::to_owned)
    }

    /// What is looked at: in an open place stands the reference's text, lest it disturb what is said of
    /// the others. `None` where nothing is written.
    pub(crate) fn to_examine(&self, masked: &Masked) -> Option<String> {
        if let Some(text) = self.own_text() {
            return Some(text.to_owned());
        }
        let n = masked.of.sites.len();
        (self.n_open(n) < n).then(|| self.with_open(masked, |site| &site.hidden))
    }

    /// How many of the places are still to fill.
    pub(crate) fn n_open(&self, n_sites: usize) -> usize {
        if self.own_text().is_some() {
            return 0;
        }
        (0..n_sites).filter(|&site| self.is_open(site)).count()
    }

    /// What is to say of a place; `None` where the text has no such method.
    pub(crate) fn state(
        &self,
        site: usize,
        masked: &Masked,
        view: Option<&ExaminedView>,
    ) -> Option<SiteState> {
        if self.own_text().is_none() && self.is_open(site) {
            return Some(SiteState::Open);
        }
        let view = view?;
        let found = view.sites.get(site)?;
        let is_left = matches!(view.standing, Standing::Unfilled(_));
        let now = found.variant.map(|place| place.of(&view.method));
        // A placeholder is seldom Python: what it disturbs is not told apart from it.
        let is_open = |site: &PerturbedSite| now.is_none_or(|it| it.contains(&site.placeholder));
        if is_left && masked.of.sites.get(site).is_some_and(is_open) {
            return Some(SiteState::Open);
        }
        Some(match found.status {
            SiteStatus::Resolved => SiteState::Same,
            SiteStatus::Changed => SiteState::Changed,
            SiteStatus::Deleted => SiteState::Deleted,
        })
    }
}

/// What is said of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SiteState {
    /// Still a placeholder.
    Open,
    Same,
    Changed,
    Deleted,
}

impl SiteState {
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Open => "…",
            Self::Same => "=",
            Self::Changed => "≠",
            Self::Deleted => "−",
        }
    }

    /// The last part of its class name.
    pub(crate) const fn slug(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Open => "to fill",
            Self::Same => "as the reference",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }
}

/// What is said of the whole variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// The last part of its class name.
    pub(crate) slug: &'static str,
    pub(crate) sign: &'static str,
    pub(crate) text: String,
}

/// What is said of a draft, by the latest answer and by what its tests said.
pub(crate) fn verdict(
    draft: &Draft,
    masked: &Masked,
    view: Option<&ExaminedView>,
    report: Option<&TestReport>,
) -> Verdict {
    let n_sites = masked.of.sites.len();
    let n_open = draft.n_open(n_sites);
    let said = |slug, sign, text: String| Verdict { slug, sign, text };
    let to_fill = format!("{} to fill", n_of(n_open, "place", "places"));
    let Some(view) = view else {
        let text = if n_open > 0 {
            to_fill
        } else {
            "Reading the text".to_owned()
        };
        return said("open", "…", text);
    };
    let states = (0..n_sites).filter_map(|site| draft.state(site, masked, Some(view)));
    let differs = |state: &SiteState| matches!(state, SiteState::Changed | SiteState::Deleted);
    let n_differ = states.filter(differs).count();
    let elsewhere = |joint: &str| match view.outside.len() {
        0 => String::new(),
        n => format!("{joint} {} elsewhere", n_of(n, "edit", "edits")),
    };
    match &view.standing {
        Standing::NotCase(why) | Standing::Unfilled(why) if n_open == 0 => {
            said("refused", "!", capitalized(why))
        }
        Standing::NotCase(why) | Standing::Unfilled(why) => {
            said("refused", "!", format!("{}; {to_fill}", capitalized(why)))
        }
        _ if n_open > 0 => {
            let text = match (n_differ, n_sites - n_open) {
                (0, 1) => "The filled place is as the reference".to_owned(),
                (1, 1) => "The filled place differs".to_owned(),
                (0, n) => format!("All {n} filled places are as the reference"),
                (n, of) => format!("{n} of {of} filled places {}", differ(n)),
            };
            said("open", "…", format!("{text}; {to_fill}"))
        }
        Standing::Identical => {
            let places = match n_sites {
                1 => "its place".to_owned(),
                n => format!("all {n} places"),
            };
            let but = elsewhere(" despite");
            said(
                "same",
                "=",
                format!("Identical at {places}{but}: no CtxBug"),
            )
        }
        Standing::Candidate => {
            let places = match n_sites {
                1 => "Its place".to_owned(),
                n => format!("{n_differ} of {n} places"),
            };
            let (differ, and) = (differ(n_differ), elsewhere(", besides"));
            let differs = format!("{places} {differ}{and}");
            let Some(report) = report else {
                return said("candidate", "≠", format!("{differs}; tests: not run yet"));
            };
            tested(&differs, report)
        }
    }
}

/// How many failing tests are named; the list has all.
const MOST_NAMED: usize = 2;

/// What the tests decide, as `ctxlab identify` does.
fn tested(differs: &str, report: &TestReport) -> Verdict {
    let said = |slug, sign, text: String| Verdict { slug, sign, text };
    if let Some(why) = &report.load_error {
        return said(
            "refused",
            "!",
            format!("{differs}; the class with it cannot be loaded: {why}"),
        );
    }
    let tests = n_of(report.tests.len(), "test", "tests");
    let broken: Vec<&str> = report.broken().map(|run| short(&run.name)).collect();
    let n = broken.len();
    if n == 0 {
        let text = format!("No CtxBug: {differs}, and it passes all {tests}");
        return said("same", "=", text);
    }
    let fail = if n == 1 { "fails" } else { "fail" };
    let and_more = if n > MOST_NAMED { ", …" } else { "" };
    let named = broken[..n.min(MOST_NAMED)].join(", ");
    let text = format!("CtxBug: {differs}, and {n} of {tests} {fail}: {named}{and_more}");
    said("case", "✗", text)
}

const fn differ(n: usize) -> &'static str {
    if n == 1 { "differs" } else { "differ" }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Where the method was found in a text, in words; `None` where the text is the method. `imports` are
/// the class's own.
pub(crate) fn how_found(text: &str, found: &Extraction, imports: &[String]) -> Option<String> {
    let mut said = Vec::new();
    if found.text.trim() != text.trim() {
        let fence = if found.fenced {
            "in a fenced block"
        } else {
            "in the text"
        };
        let form = match found.form {
            Form::InClass => ", in its class",
            Form::InOtherClass => ", in a class of another name",
            Form::Bare => "",
        };
        said.push(format!("The method was found {fence}{form}."));
    }
    if let Some(name) = &found.renamed_from {
        said.push(format!(
            "There it is called {name}; here it has its own name."
        ));
    }
    let new = found.imports.iter().filter(|it| !imports.contains(it));
    let new: Vec<&str> = new.map(String::as_str).collect();
    if !new.is_empty() {
        let new = new.join("; ");
        said.push(format!("Imports are no part of it and stay out: {new}."));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

/// The variant as a JSON line that `ctxlab identify` reads.
pub(crate) fn line(
    subject: &SubjectId,
    of: &Perturbation,
    options: &RuleOptions,
    text: String,
) -> String {
    let digest = sha256_hex(text.as_bytes());
    let digits = digest.get(..12).unwrap_or_default();
    let id = format!(
        "{subject}-R{}-{}-{digits}",
        of.rule.number(),
        of.instance + 1
    );
    let variant = Variant {
        schema: SCHEMA,
        id: VariantId(id),
        subject: subject.clone(),
        rule: of.rule,
        instance: of.instance,
        options: options.of(of.rule),
        origin: VariantOrigin::Human,
        text,
        names: std::collections::BTreeMap::new(),
    };
    variant.json_line()
}

#[cfg(test)]
mod tests;
