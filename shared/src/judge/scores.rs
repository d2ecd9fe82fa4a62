//! Judgements added up: a row a model and condition, as in CtxBugGen's tables 4, 5 and 7 and figure 10.

use serde::{Deserialize, Serialize};

use super::{Action, Judgement, SiteHandling};
use crate::case::Condition;
use crate::identify::{Adaptation, Origin, Rate, resolution_rate, wilson};
use crate::perturb::AdaptationTask;
use crate::report::Verdict;
use crate::run::ModelId;

/// What some answers are worth together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Score {
    /// Answers that were judged.
    pub n: u32,
    /// Cases that they answer: fewer where a model gave several answers. These count alike in Pass@1,
    /// and its interval takes them for independent.
    pub n_cases: u32,
    /// Answers that pass all tests: Pass@1 is `n_passed / n`.
    pub n_passed: u32,
    /// Wilson's interval of Pass@1 at 95 %; absent without answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// Resolution rates over all bug sites, one a lens.
    pub rates: Vec<Rate>,
    /// How the bugs were handled, one an action.
    pub actions: Vec<ActionCount>,
    /// How many of the actions a person has corrected.
    pub n_corrected: u32,
    /// How sure the model was where it overlooked a bug; absent where that is not known of any site.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlooked: Option<OverlookedProbability>,
}

/// How often an action was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ActionCount {
    /// The action.
    pub action: Action,
    /// How many answers.
    pub n: u32,
}

/// The average token probability of overlooked bug sites (CtxBugGen, table 7). Each site counts alike, however
/// many tokens it has; the paper does not say over what it averages.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct OverlookedProbability {
    /// The mean of the sites' averages, to nine decimals.
    pub mean: f64,
    /// Overlooked sites of which it is known.
    pub n_sites: u32,
    /// Overlooked sites of which it is not.
    pub n_unknown: u32,
}

/// A model under a condition.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreRow {
    /// Who answered.
    pub model: ModelId,
    /// How the cases were put.
    pub condition: Condition,
    /// All answers.
    pub all: Score,
    /// The answers to the cases of each adaptation task; tasks without any are left out.
    pub tasks: Vec<TaskScore>,
}

/// The answers to the cases of one adaptation task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskScore {
    /// The task.
    pub task: AdaptationTask,
    /// They together.
    pub score: Score,
}

/// Adds judgements up; rows come in the order of their first judgements.
pub fn scores(judgements: &[Judgement]) -> Vec<ScoreRow> {
    let mut groups: Vec<Vec<&Judgement>> = Vec::new();
    for judgement in judgements {
        let is_of = |group: &&mut Vec<&Judgement>| {
            let of = group.first();
            of.is_some_and(|of| of.model == judgement.model && of.condition == judgement.condition)
        };
        match groups.iter_mut().find(is_of) {
            Some(group) => group.push(judgement),
            None => groups.push(vec![judgement]),
        }
    }
    let rows = groups.iter().filter_map(|group| {
        let first = group.first()?;
        Some(ScoreRow {
            model: first.model.clone(),
            condition: first.condition,
            all: score(group),
            tasks: tasks(group),
        })
    });
    rows.collect()
}

fn tasks(group: &[&Judgement]) -> Vec<TaskScore> {
    let tasks = AdaptationTask::ALL.into_iter().filter_map(|task| {
        let of_it = group.iter().filter(|of| of.rule.rule().task == task);
        let of_it: Vec<&Judgement> = of_it.copied().collect();
        (!of_it.is_empty()).then(|| TaskScore {
            task,
            score: score(&of_it),
        })
    });
    tasks.collect()
}

fn score(judgements: &[&Judgement]) -> Score {
    let count = |is_one: &dyn Fn(&Judgement) -> bool| {
        let found = judgements.iter().filter(|judgement| is_one(judgement));
        u32::try_from(found.count()).unwrap_or(u32::MAX)
    };
    let mut cases: Vec<&str> = judgements.iter().map(|of| of.case.as_str()).collect();
    cases.sort_unstable();
    cases.dedup();
    let adaptations: Vec<Adaptation> = judgements
        .iter()
        .map(|of| Adaptation {
            method: None,
            origin: Origin::default(),
            sites: of.sites.iter().map(|site| site.resolution).collect(),
        })
        .collect();
    let (n, n_passed) = (count(&|_| true), count(&|of| of.verdict == Verdict::Pass));
    Score {
        n,
        n_cases: u32::try_from(cases.len()).unwrap_or(u32::MAX),
        n_passed,
        interval: wilson(n_passed, n),
        rates: resolution_rate(&adaptations).rates,
        actions: Action::ALL
            .into_iter()
            .map(|action| ActionCount {
                action,
                n: count(&|of| of.final_action() == action),
            })
            .collect(),
        n_corrected: count(&|of| of.correction.is_some()),
        overlooked: overlooked(judgements),
    }
}

fn overlooked(judgements: &[&Judgement]) -> Option<OverlookedProbability> {
    let sites = judgements.iter().flat_map(|of| &of.sites);
    let sites = sites.filter(|site| site.handling == SiteHandling::Overlooked);
    let (mut sum, mut n_sites, mut n_unknown) = (0.0, 0u32, 0u32);
    for site in sites {
        match site.probability {
            Some(of) => {
                sum += of.mean;
                n_sites += 1;
            }
            None => n_unknown += 1,
        }
    }
    (n_sites > 0).then(|| OverlookedProbability {
        mean: (sum / f64::from(n_sites) * 1e9).round() / 1e9,
        n_sites,
        n_unknown,
    })
}
