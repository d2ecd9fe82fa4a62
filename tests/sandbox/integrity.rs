//! References that cannot be trusted are found, and for the right reason.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use backend::integrity::Check;
use backend::sandbox::Sandbox;
use shared::dataset;
use shared::harness::Allowance;
use shared::integrity::{Cause, Finding, Integrity, Standing};
use shared::report::{Limits, Protocol};
use shared::subject::ClassItem;

use crate::engines::{Tested, WASM_LITE, open};

/// A reference and its tests, which hang on what the name says.
fn class(name: &str, source: &str, tests: &[(&str, &str)]) -> ClassItem {
    let written =
        |(class, body): &(&str, &str)| format!("class {class}(unittest.TestCase):\n{body}");
    let classes: Vec<String> = tests.iter().map(written).collect();
    ClassItem {
        name: name.to_owned(),
        source: source.to_owned(),
        test: format!("import unittest\n{}\n", classes.join("\n")),
        test_classes: tests.iter().map(|(class, _)| (*class).to_owned()).collect(),
        ..ClassItem::default()
    }
}

fn bound_to_something() -> Vec<ClassItem> {
    let test = |body: &str| format!("    def test_it(self):\n        {body}");
    vec![
        class(
            "Clean",
            "def one(): return 1",
            &[("T", &test("self.assertEqual(one(), 1)"))],
        ),
        class(
            "Clock",
            "import datetime\ndef year(): return datetime.datetime.now().year",
            &[("T", &test("self.assertEqual(year(), 2023)"))],
        ),
        class(
            "Hosts",
            "import socket\ndef name(of):\n    try:\n        return socket.gethostbyaddr(of)[0]\n    except OSError:\n        return None",
            &[(
                "T",
                &test("self.assertEqual(name('0.0.0.0'), 'some-machine')"),
            )],
        ),
        class(
            "Order",
            "seen = []",
            &[
                ("A", &test("seen.append(1)")),
                ("B", &test("self.assertEqual(seen, [1])")),
            ],
        ),
        class(
            "TestOrder",
            "seen = []",
            &[(
                "A",
                "    def test_a(self): seen.append(1)\n    def test_b(self): self.assertEqual(seen, [1])",
            )],
        ),
        class(
            "Luck",
            "import random\ndef throw(): return random.randint(1, 6)",
            // What seed 0 gives.
            &[(
                "T",
                &test("self.assertEqual([throw(), throw(), throw()], [4, 4, 1])"),
            )],
        ),
        class("Module", "import no_such_module", &[("T", &test("pass"))]),
        class(
            "Wrong",
            "def one(): return 2",
            &[("T", &test("self.assertEqual(one(), 1)"))],
        ),
    ]
}

async fn check(engine: Arc<dyn Sandbox>, classes: &[ClassItem]) -> BTreeMap<String, Integrity> {
    let how = (
        Protocol::Corrected,
        Limits::default(),
        Some(Allowance::default()),
    );
    let check = Check::new(engine, how, 2);
    let found = check.all(classes, |_| ()).await;
    let found = found.expect("reports").into_iter();
    found.map(|it| (it.class.clone(), it)).collect()
}

fn causes(it: &Integrity) -> Vec<Cause> {
    let causes = it.findings.iter().filter_map(|finding| match finding {
        Finding::Environment { by, .. } => Some(*by),
        _ => None,
    });
    causes.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_reference_hangs_on_is_found_and_mended() {
    let opened = open(&WASM_LITE).await.expect("pip installed it");
    let found = check(opened.engine.clone(), &bound_to_something()).await;
    let standing = |class: &str| found[class].standing;
    assert_eq!(standing("Clean"), Standing::Clean);
    assert_eq!(standing("Module"), Standing::NeedsModule);
    assert_eq!(standing("Wrong"), Standing::Failing);
    assert_eq!(
        standing("Luck"),
        Standing::Flaky,
        "{:?}",
        found["Luck"].findings
    );
    for (class, cause) in [
        ("Clock", Cause::Clock),
        ("Hosts", Cause::Hosts),
        ("Order", Cause::ClassOrder),
        ("TestOrder", Cause::TestOrder),
    ] {
        let it = &found[class];
        assert_eq!(
            it.standing,
            Standing::EnvironmentBound,
            "{class}: {:?}",
            it.findings
        );
        assert_eq!(causes(it), [cause], "{class}");
        assert!(it.remedy().is_some(), "{class}");
    }
    let hosts = found["Hosts"].remedy().unwrap().hosts;
    assert_eq!(
        (hosts[0].address.as_str(), hosts[0].name.as_str()),
        ("0.0.0.0", "some-machine")
    );
}

/// ClassEval's references that are known to hang on something, and some that are known not to.
const KNOWN: [(&str, Standing, &[Cause]); 8] = [
    ("AreaCalculator", Standing::Clean, &[]),
    ("CalendarUtil", Standing::EnvironmentBound, &[Cause::Clock]),
    (
        "CookiesUtil",
        Standing::EnvironmentBound,
        &[Cause::ClassOrder],
    ),
    ("IpUtil", Standing::EnvironmentBound, &[Cause::Hosts]),
    ("JSONProcessor", Standing::Clean, &[]),
    // Its tests want that two random mines do not meet.
    ("MinesweeperGame", Standing::Flaky, &[Cause::TestOrder]),
    ("PDFHandler", Standing::NeedsModule, &[]),
    // The protocol corrects the name of a test class.
    ("Words2Numbers", Standing::Clean, &[]),
];

#[tokio::test(flavor = "multi_thread")]
async fn known_references_of_classeval_are_told_for_the_right_reason() {
    let what = "ClassEval's references under probes";
    let Some(file) = tests::specification("data/classeval/ClassEval_data.json", what) else {
        return;
    };
    let dataset = dataset::read("ClassEval", &fs::read(file).unwrap()).unwrap();
    let is_known = |class: &&ClassItem| KNOWN.iter().any(|(name, ..)| *name == class.name);
    let classes: Vec<ClassItem> = dataset.classes.iter().filter(is_known).cloned().collect();
    let opened = open(&WASM_LITE).await.expect("pip installed it");
    let found = check(opened.engine.clone(), &classes).await;
    for (class, standing, by) in KNOWN {
        let it = &found[class];
        assert_eq!(
            (it.standing, causes(it).as_slice()),
            (standing, by),
            "{:?}",
            it.findings
        );
    }
    let mistakes = |class: &str| {
        found[class]
            .findings
            .iter()
            .filter(|it| !it.is_blocking())
            .count()
    };
    assert_eq!((mistakes("PDFHandler"), mistakes("Words2Numbers")), (1, 1));
    tests::say(&format!(
        "sandbox: {} references of ClassEval classified as known",
        KNOWN.len()
    ));
}

pub(crate) async fn the_starter_is_clean(tested: &Tested) {
    let path = tests::workspace().join("target/cases/starter.json");
    let bytes = fs::read(&path)
        .unwrap_or_else(|why| panic!("{}: {why}; run `cargo xtask cases`", path.display()));
    let dataset = dataset::read("the starter", &bytes).unwrap();
    let Some(opened) = open(tested).await else {
        return;
    };
    let found = check(opened.engine.clone(), &dataset.classes).await;
    let unclean = found.values().filter(|it| it.standing != Standing::Clean);
    let unclean: Vec<String> = unclean
        .map(|it| format!("{}: {:?}", it.class, it.findings))
        .collect();
    assert!(unclean.is_empty(), "{}", unclean.join("\n"));
    tests::say(&format!(
        "sandbox: {} references of the starter are clean on {}",
        found.len(),
        tested.name
    ));
}
