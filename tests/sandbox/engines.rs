//! The engines that are tested, and what is expected of each. A new one is a constant here and a line in
//! `main.rs`.

use std::sync::{Arc, OnceLock};

use backend::config::{Config, Overrides};
use backend::sandbox::wasm::{Pack, install};
use backend::sandbox::{Engines, Sandbox};
use tokio::sync::{Mutex, MutexGuard};

use crate::dockerd::{self, Dockerd};

/// An engine, and what is expected of it.
pub(crate) struct Tested {
    /// Its name.
    pub name: &'static str,
    /// The column of ClassEval's known verdicts that was measured with its like.
    pub known_as: &'static str,
    /// The classes where it differs from that, and why.
    pub explained: &'static [(&'static str, &'static str)],
    /// The column of the known verdicts of GPT-4-Turbo's classes.
    pub predictions_known_as: &'static str,
    /// The test classes where it differs from that, and why.
    pub explained_predictions: &'static [(&'static str, &'static str)],
    /// What has to be done before it can be opened.
    prepare: fn(&Config),
}

impl Tested {
    /// Why a test class of a model may have another verdict here than elsewhere.
    pub(crate) fn why_otherwise(&self, class: &str, test_class: &str) -> Option<&'static str> {
        let mut of_references = self.explained.iter();
        let mut of_models = self.explained_predictions.iter();
        let found = of_references.find(|(it, _)| *it == class);
        let found = found.or_else(|| of_models.find(|(it, _)| *it == test_class));
        found.map(|(_, why)| *why)
    }
}

pub(crate) const WASM_LITE: Tested = Tested {
    name: "wasm-lite",
    known_as: "wasi_lite",
    explained: &[
        (
            "EightPuzzle",
            "its own solution needs 76 s of this interpreter, and 20 s are its limit",
        ),
        WORDS,
    ],
    predictions_known_as: "wasi_lite",
    explained_predictions: &[("DataStatistics4TestCorrelationCoefficient", LAST_DIGIT)],
    prepare: |config| {
        let pack = Pack::named("wasm-lite").expect("a pack");
        install(pack, &config.engines.value, None, &mut |step| {
            tests::say(step);
        })
        .expect("pip and the package index");
    },
};

pub(crate) const DOCKER: Tested = Tested {
    name: "docker",
    known_as: "native",
    explained: &[WORDS, IP_UTIL],
    predictions_known_as: "verdict",
    explained_predictions: &[
        CALENDAR,
        (
            "InterpolationTestInterpolate1d",
            "NumPy 1.26 says something else than the newest, for one test of seven",
        ),
        ("PDFHandlerTestMergePdfs", TEAR_DOWN),
        ("PDFHandlerTestMain", TEAR_DOWN),
    ],
    prepare: |config| {
        if let Err(why) = dockerd::ready(config) {
            tests::skipped(&format!("the engine of these tests: {why}"));
        }
    },
};

pub(crate) const WASM_FULL: Tested = Tested {
    name: "wasm-full",
    known_as: "wasi",
    explained: &[
        (
            "EightPuzzle",
            "its own solution needs 15 s of this interpreter: 20 s are too few on a loaded machine",
        ),
        WORDS,
        LEMMATIZATION,
    ],
    predictions_known_as: "wasi",
    explained_predictions: &[
        ("DataStatistics4TestCorrelationCoefficient", LAST_DIGIT),
        ("LemmatizationTestLemmatizeSentence", LEMMATIZATION.1),
        ("LemmatizationTestGetPosTag", LEMMATIZATION.1),
        ("LemmatizationTestRemovePunctuation", LEMMATIZATION.1),
        ("LemmatizationTestMain", LEMMATIZATION.1),
        ("PDFHandlerTestMergePdfs", TEAR_DOWN),
        ("PDFHandlerTestMain", TEAR_DOWN),
    ],
    // Compiling it takes too long: it is tested where it was installed.
    prepare: |_| (),
};

pub(crate) const PROCESS: Tested = Tested {
    name: "process",
    known_as: "native",
    explained: &[WORDS, LEMMATIZATION, IP_UTIL],
    predictions_known_as: "verdict",
    explained_predictions: &[CALENDAR],
    prepare: |_| (),
};

const IP_UTIL: (&str, &str) = (
    "IpUtil",
    "its tests want a host that the usual surroundings do not have",
);

const CALENDAR: (&str, &str) = (
    "CalendarTestGetUpcomingEvents",
    "its clock is fixed in 2023",
);

const LAST_DIGIT: &str = "it wants all digits of a float: from 3.12 on `sum` is exact, and this C library's `pow` differs";

const TEAR_DOWN: &str =
    "what is known of it counts the error of a test's tear-down as a second one";

const LEMMATIZATION: (&str, &str) = (
    "Lemmatization",
    "it needs data of NLTK's, which comes from the network",
);

/// All engines differ here from what was measured.
const WORDS: (&str, &str) = (
    "Words2Numbers",
    "the corrected protocol looks its last test class up without the leading space",
);

/// The engine for one test, alone on the machine; where it cannot work here, says why and gives `None`.
pub(crate) async fn open(tested: &Tested) -> Option<Opened> {
    let alone = TURN.lock().await;
    let machine = MACHINE.get_or_init(Machine::new);
    (tested.prepare)(&machine.config);
    let states = machine.engines.states().await;
    let state = states.into_iter().find(|it| it.engine == tested.name);
    if let Some(why) = state.expect("an engine of that name").missing {
        tests::skipped(&format!("the engine {}: {why}", tested.name));
        return None;
    }
    let engine = machine.engines.get(Some(tested.name)).await.unwrap();
    Some(Opened {
        engine,
        _alone: alone,
    })
}

/// An engine that no other test uses meanwhile: programs are measured by the clock.
pub(crate) struct Opened {
    pub engine: Arc<dyn Sandbox>,
    _alone: MutexGuard<'static, ()>,
}

static TURN: Mutex<()> = Mutex::const_new(());
static MACHINE: OnceLock<Machine> = OnceLock::new();

struct Machine {
    config: Config,
    engines: Engines,
}

impl Machine {
    fn new() -> Self {
        let target = tests::workspace().join("target");
        // What jobs leave there is not other programs'.
        let temporary = target.join("sandbox-tests");
        std::fs::create_dir_all(&temporary).unwrap();
        tempfile::env::override_temp_dir(&temporary).unwrap();
        let overrides = Overrides {
            data: Some(temporary.join("data")),
            ..Overrides::default()
        };
        // Interpreters are kept from run to run.
        let kept = target.join("engines");
        let kept = kept.to_str().expect("a path in UTF-8");
        let config = Config::from_lookup(overrides, |name| {
            let set = std::env::var(name).ok();
            Ok(set.or_else(|| match name {
                "CTXLAB_ENGINES_DIR" => Some(kept.to_owned()),
                "CTXLAB_DOCKER_HOSTS" => Some(Dockerd::address()),
                _ => None,
            }))
        });
        let config = config.unwrap();
        let engines = Engines::new(&config);
        Self { config, engines }
    }
}
