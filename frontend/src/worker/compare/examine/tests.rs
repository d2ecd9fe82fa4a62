use serde_json::json;
use shared::case::SiteStatus::{self, Changed, Resolved};
use shared::dataset::{self, Dataset};
use shared::diff::MatcherId;
use shared::perturb::{RuleId, RuleOptions};
use shared::subject::SubjectId;

use super::examine_in;
use crate::worker::compare::protocol::{ExaminedView, Standing, VariantText};
use crate::worker::protocol::FailureKind;

const STEP: &str =
    "def step(self, n):\n        if n > 3:\n            return n + 1\n        return 2";

fn till() -> Dataset {
    let file = json!([{
        "class_name": "Till",
        "solution_code": format!("class Till:\n    {STEP}\n"),
        "methods_info": [{ "method_name": "step", "solution_code": STEP }],
    }]);
    dataset::read("till", file.to_string().as_bytes()).unwrap()
}

fn asked(dataset: &Dataset, text: &str) -> VariantText {
    let mut options = RuleOptions::default();
    options.set("constants.unit", "method").unwrap();
    VariantText {
        dataset: dataset.id.clone(),
        subject: SubjectId("Till.step".to_owned()),
        rule: RuleId::Constants,
        instance: 0,
        options,
        text: text.to_owned(),
        matcher: MatcherId::default(),
    }
}

fn examined(text: &str) -> ExaminedView {
    let dataset = till();
    examine_in(&dataset, asked(&dataset, text)).unwrap()
}

#[test]
fn each_place_has_its_status() {
    let view = examined(
        &STEP
            .replace("> 3", "> 4")
            .replace("return 2", "return 2  # two"),
    );
    assert_eq!(view.standing, Standing::Candidate);
    let statuses: Vec<SiteStatus> = view.sites.iter().map(|site| site.status).collect();
    assert_eq!(statuses, [Changed, Resolved, Resolved]);
    let now = view.sites[0].variant.map(|place| place.of(&view.method));
    assert_eq!(now, Some("4"));
    assert_eq!(
        view.diff.unwrap().edits.len(),
        2,
        "the constant and the comment"
    );
}

#[test]
fn a_reply_is_read_and_laid_out() {
    let reply = "Sure:\n\n```python\nclass Till:\n    def step(self, n):\n        if n > 3:\n            return n + 1\n        return 5\n```\n";
    let view = examined(reply);
    assert_eq!(view.standing, Standing::Candidate);
    assert!(view.extraction.unwrap().fenced);
    assert_eq!(view.method, STEP.replace("return 2", "return 5"));
}

#[test]
fn what_is_no_case_says_why() {
    let check = |text: &str, standing: Standing| {
        assert_eq!(examined(text).standing, standing, "{text:?}");
    };
    check(STEP, Standing::Identical);
    check(" ", Standing::NotCase("empty".to_owned()));
    let unfilled = STEP.replace("return 2", "return <INFILL>");
    let left = "<INFILL> was left in line 4".to_owned();
    check(&unfilled, Standing::Unfilled(left));
    let other = "no method step in the reply".to_owned();
    check("I cannot do that.", Standing::NotCase(other));
    let broken = examined(&STEP.replace("n + 1", "n + ("));
    assert!(
        matches!(broken.standing, Standing::NotCase(why) if why.starts_with("syntax error in line 3"))
    );
}

#[test]
fn what_is_not_there_fails_with_a_next_step() {
    let dataset = till();
    let check = |asked: VariantText, message: &str| {
        let failure = examine_in(&dataset, asked).unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotFound);
        assert!(failure.to_string().contains(message), "{failure}");
    };
    let instance = VariantText {
        instance: 7,
        ..asked(&dataset, STEP)
    };
    check(instance, "constants has no instance 8 in Till.step");
    let subject = VariantText {
        subject: SubjectId("Till.gone".to_owned()),
        ..asked(&dataset, STEP)
    };
    check(subject, "has no method Till.gone");
}
