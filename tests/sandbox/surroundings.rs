//! What the guests of a job find: what a former one wrote, and the surroundings that the report says.

use shared::harness::TestClass;
use shared::report::{Clock, Host, Surroundings, TestOutcome, Verdict};
use tests::hostile::{PATIENT, TIGHT, attack};

use crate::engines::{Tested, open};
use crate::support::run;

const HANGS_THEN_READS: &str = "import unittest
class A(unittest.TestCase):
    def test_a(self):
        open('left', 'w').close()
        while True:
            pass
class B(unittest.TestCase):
    def test_b(self):
        open('left').close()
";

pub(crate) async fn files_outlive_a_hang(tested: &Tested) {
    let Some(opened) = open(tested).await else {
        return;
    };
    let class = |name: &str, test: &str| TestClass {
        name: name.to_owned(),
        tests: vec![format!("{name}.{test}")],
        limit_ms: TIGHT.class_ms,
        relation: None,
    };
    let mut job = attack("hang", "", TIGHT);
    HANGS_THEN_READS.clone_into(&mut job.tests);
    job.classes = vec![class("A", "test_a"), class("B", "test_b")];
    let report = run(opened.engine.as_ref(), &job).await;
    let outcomes: Vec<_> = report.tests.iter().map(|run| &run.outcome).collect();
    assert_eq!(outcomes, [&TestOutcome::TimedOut, &TestOutcome::Passed]);
}

/// Answers with what differs from the surroundings that are put in its place.
const LOOKS_AROUND: &str = "def attack():
    import socket, time, datetime
    fixed, host = SURROUNDINGS
    wrong = []
    then = datetime.datetime(2023, 10, 10, 12)
    if fixed != (abs(datetime.datetime.utcnow() - then) < datetime.timedelta(minutes=1)):
        wrong.append(datetime.datetime.utcnow())
    if host and socket.gethostbyaddr(host[0])[0] != host[1]:
        wrong.append(socket.gethostbyaddr(host[0]))
    before = time.monotonic()
    time.sleep(0.05)
    if not 0.05 <= time.monotonic() - before < 20:
        wrong.append('sleep')
    return wrong or 'fine'
";

pub(crate) async fn surroundings_are_as_the_report_says(tested: &Tested) {
    let Some(opened) = open(tested).await else {
        return;
    };
    let host = Host {
        address: "0.0.0.0".to_owned(),
        name: "LAPTOP".to_owned(),
    };
    for clock in [Clock::Fixed, Clock::Real] {
        let mut job = attack("around", "", PATIENT);
        job.surroundings = Surroundings {
            clock,
            hosts: vec![host.clone()],
            ..Surroundings::default()
        };
        let about = opened.engine.about().stamp(&job).surroundings;
        let fixed = if about.clock == Clock::Fixed {
            "True"
        } else {
            "False"
        };
        let known = about.hosts.first();
        let known = known.map_or("None".to_owned(), |it| {
            format!("({:?}, {:?})", it.address, it.name)
        });
        let found = format!("({fixed}, {known})");
        job.module = LOOKS_AROUND.replace("SURROUNDINGS", &found);
        let report = run(opened.engine.as_ref(), &job).await;
        assert_eq!(report.verdict(), Verdict::Pass, "{clock:?} {report:?}");
    }
}

/// With the same seed every run hashes alike, with another one that the report says otherwise.
pub(crate) async fn hashes_follow_their_seed(tested: &Tested) {
    let Some(opened) = open(tested).await else {
        return;
    };
    let (mut said, mut seeds) = (Vec::new(), Vec::new());
    for hash_seed in [0, 0, 1] {
        let program = "def attack():\n    return hash('ctxlab')\n";
        let mut job = attack("hash", program, PATIENT);
        job.surroundings.hash_seed = hash_seed;
        let report = run(opened.engine.as_ref(), &job).await;
        let stamp = report.engine.as_ref().expect("a stamp");
        seeds.push(stamp.surroundings.hash_seed);
        let raised = report.tests[0].raised.clone();
        said.push(raised.expect("a number is not 'fine'").actual);
    }
    assert_eq!(said[0], said[1]);
    assert_eq!(
        said[0] == said[2],
        seeds[0] == seeds[2],
        "{said:?} {seeds:?}"
    );
}
