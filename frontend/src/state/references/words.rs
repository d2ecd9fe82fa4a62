//! References in words: how many are left out, why, and what helps.

use shared::api::EngineState;
use shared::integrity::{Finding, Integrity, Standing};

use super::Checked;
use crate::state::words::{grouped, n_of};

/// All standings that leave a reference out, in the order of their words.
pub(crate) const LEFT_OUT: [Standing; 6] = [
    Standing::Broken,
    Standing::NeedsModule,
    Standing::EnvironmentBound,
    Standing::Flaky,
    Standing::Slow,
    Standing::Failing,
];

/// `82 of 100 references are clean; 18 left out: 12 need a module, 6 are flaky`.
pub(crate) fn summary(checked: &Checked) -> String {
    let (n, n_clean) = (checked.all.len(), checked.n_clean());
    let clean = format!(
        "{} of {} clean",
        grouped(n_clean),
        n_of(n, "reference is", "references are")
    );
    let groups = LEFT_OUT.iter().filter_map(|&standing| {
        let n = checked.n(standing);
        (n > 0).then(|| format!("{} {}", grouped(n), predicate(standing, n)))
    });
    let groups: Vec<String> = groups.collect();
    if groups.is_empty() {
        return format!("{clean}; none is left out");
    }
    format!(
        "{clean}; {} left out: {}",
        grouped(n - n_clean),
        groups.join(", ")
    )
}

fn predicate(standing: Standing, n: usize) -> String {
    let be = if n == 1 { "is" } else { "are" };
    match standing {
        Standing::NeedsModule if n == 1 => "needs a module".to_owned(),
        Standing::NeedsModule => "need a module".to_owned(),
        Standing::Failing if n == 1 => "fails its own tests".to_owned(),
        Standing::Failing => "fail their own tests".to_owned(),
        other => format!("{be} {}", other.label()),
    }
}

/// Why a reference is left out, or what of the benchmark is corrected; a sentence a finding. What helps is
/// said apart.
pub(crate) fn why(it: &Integrity) -> Vec<String> {
    let reason = |mut finding: Finding| {
        if let Finding::Environment { remedy, .. } = &mut finding {
            *remedy = None;
        }
        finding.to_string()
    };
    it.findings.iter().cloned().map(reason).collect()
}

/// What could make it judge, where something could; a list of engines says who has a module.
pub(crate) fn remedy(it: &Integrity, engines: &[EngineState]) -> Option<String> {
    if it.is_clean() {
        return None;
    }
    let missing = it.findings.iter().filter_map(|finding| match finding {
        Finding::NeedsModule { module } => Some(module.as_str()),
        _ => None,
    });
    let missing: Vec<&str> = missing.collect();
    if !missing.is_empty() {
        let has_all = |engine: &&EngineState| missing.iter().all(|module| has(engine, module));
        return Some(match engines.iter().find(has_all) {
            Some(engine) => format!("the engine {} has it", engine.engine),
            None => format!(
                "an engine with {}; this server has none",
                missing.join(", ")
            ),
        });
    }
    if it.remedy().is_some() {
        let remedies = it.blocking().filter_map(|finding| match finding {
            Finding::Environment { remedy, .. } => remedy.as_ref().map(ToString::to_string),
            _ => None,
        });
        let remedies: Vec<String> = remedies.collect();
        return Some(format!("it passes with {}", remedies.join(" and ")));
    }
    match it.standing {
        Standing::Slow => Some("more time: `ctxlab selfcheck --class-seconds`".to_owned()),
        Standing::Broken | Standing::Failing => {
            Some("correct it in the benchmark’s file".to_owned())
        }
        _ => None,
    }
}

/// Whether an engine says that it has a module: `numpy 1.26.4`.
fn has(engine: &EngineState, module: &str) -> bool {
    let named = |library: &String| {
        let name = library.split(' ').next().unwrap_or_default();
        name.eq_ignore_ascii_case(module)
    };
    engine.libraries.iter().any(named)
}

#[cfg(test)]
mod tests {
    use shared::integrity::Standing::{Clean, Flaky, NeedsModule};
    use shared::report::TestReport;
    use shared::variant::{SCHEMA, VariantId};

    use super::*;

    fn one(standing: Standing, findings: Vec<Finding>) -> Integrity {
        Integrity {
            schema: SCHEMA,
            class: "A".to_owned(),
            standing,
            findings,
            probes: Vec::new(),
            report: TestReport::new(VariantId("A".to_owned())),
        }
    }

    #[test]
    fn what_is_left_out_is_counted_by_why() {
        let of = |standings: &[Standing]| Checked {
            lines: String::new(),
            all: standings.iter().map(|&it| one(it, Vec::new())).collect(),
        };
        assert_eq!(
            summary(&of(&[Clean, NeedsModule, Clean, Flaky, NeedsModule])),
            "2 of 5 references are clean; 3 left out: 2 need a module, 1 is flaky"
        );
        assert_eq!(
            summary(&of(&[Clean])),
            "1 of 1 reference is clean; none is left out"
        );
    }

    #[test]
    fn an_engine_that_has_the_module_is_named() {
        let module = "numpy".to_owned();
        let it = one(NeedsModule, vec![Finding::NeedsModule { module }]);
        let engine = |libraries: &[&str]| EngineState {
            engine: "wasm-full".to_owned(),
            title: String::new(),
            python: String::new(),
            libraries: libraries.iter().map(|&it| it.to_owned()).collect(),
            gpus: 0,
            missing: None,
            gaps: Vec::new(),
        };
        assert_eq!(
            remedy(&it, &[engine(&["numpy 1.26.4"])]).as_deref(),
            Some("the engine wasm-full has it")
        );
        assert_eq!(
            remedy(&it, &[engine(&["pandas 2.0"])]).as_deref(),
            Some("an engine with numpy; this server has none")
        );
    }
}
