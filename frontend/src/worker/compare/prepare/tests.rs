use serde_json::json;
use shared::dataset::{self, Dataset};
use shared::subject::SubjectId;

use super::prepare_in;
use crate::worker::compare::protocol::{Prepared, ProgramText};
use crate::worker::protocol::{Failure, FailureKind};

const STEP: &str = "def step(self, n):\n        return n + 1";

fn till(test: &str) -> Dataset {
    let file = json!([{
        "class_name": "Till",
        "solution_code": format!("import os\n\nclass Till:\n    {STEP}\n\n    def last(self):\n        return 2\n"),
        "test": test,
        "test_classes": ["TillTest"],
        "methods_info": [{ "method_name": "step", "solution_code": STEP }],
    }]);
    dataset::read("till", file.to_string().as_bytes()).unwrap()
}

const TEST: &str = "class TillTest(unittest.TestCase):\n    def test_one(self):\n        assert Till().step(1) == 2\n";

fn prepared(test: &str, code: Option<&str>) -> Result<Prepared, Failure> {
    let dataset = till(test);
    let asked = ProgramText {
        dataset: dataset.id.clone(),
        subject: SubjectId("Till.step".to_owned()),
        code: code.map(str::to_owned),
    };
    prepare_in(&dataset, &asked)
}

#[test]
fn the_method_is_found_in_its_module() {
    let Prepared { job, method } = prepared(TEST, None).unwrap();
    assert_eq!(method, 4..6);
    assert_eq!(job.classes[0].tests, ["TillTest.test_one"]);
    let longer = "def step(self, n):\n    m = n\n    return m + 2\n";
    let Prepared { job, method } = prepared(TEST, Some(longer)).unwrap();
    assert_eq!(method, 4..7);
    let lines: Vec<&str> = job.module.lines().collect();
    assert_eq!(
        lines[3..6],
        [
            "    def step(self, n):",
            "        m = n",
            "        return m + 2"
        ]
    );
}

#[test]
fn what_cannot_be_run_says_why() {
    let why = prepared(TEST, Some("I would rather not.")).unwrap_err();
    assert_eq!(why.kind, FailureKind::Invalid);
    assert_eq!(why.message, "there is no method step in the text");
    let why = prepared("", None).unwrap_err();
    assert_eq!(why.message, "the benchmark has no tests for Till");
}
