//! What is to be run: a class's module with its tests.

use serde::{Deserialize, Serialize};

use super::test_module::TestModule;
use crate::relation::{Related, Relation};
use crate::report::{Limits, Protocol, Surroundings, TestReport};
use crate::subject::ClassItem;
use crate::variant::VariantId;

/// A module and the test classes that it has to pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestJob {
    /// Whose verdict it is.
    pub variant: VariantId,
    /// The class's module.
    pub module: String,
    /// The test module.
    pub tests: String,
    /// In the benchmark's order: one may need what another left in the folder.
    pub classes: Vec<TestClass>,
    /// Which tests have to pass.
    pub protocol: Protocol,
    /// What it may use.
    pub limits: Limits,
    /// What it finds around it.
    pub surroundings: Surroundings,
}

/// A test class and its tests.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestClass {
    /// As the harness looks it up.
    pub name: String,
    /// `TestClass.test_name`, as they stand in the source, inherited ones too: only these can pass.
    pub tests: Vec<String>,
    /// How long it may take, in milliseconds.
    pub limit_ms: u32,
    /// What it has to do with the method that was changed, where one was.
    pub relation: Option<Relation>,
}

/// How much time a test class gets, by what it takes of the reference; never more than
/// [`Limits::class_ms`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// This many times the reference's own time,
    pub factor: u32,
    /// and no less than this, in milliseconds.
    pub floor_ms: u32,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            factor: 10,
            floor_ms: 3000,
        }
    }
}

impl TestJob {
    /// All tests of a class, against a module in the place of its own, in the usual surroundings.
    pub fn of(
        class: &ClassItem,
        variant: VariantId,
        module: String,
        protocol: Protocol,
        limits: Limits,
    ) -> Self {
        let found = TestModule::of(&class.test);
        let test_class = |name: &String| {
            let looked_up = match protocol {
                Protocol::Published => name.as_str(),
                Protocol::Corrected => name.trim(),
            };
            let tests = found.tests(looked_up).into_iter();
            TestClass {
                tests: tests.map(|test| format!("{looked_up}.{test}")).collect(),
                name: looked_up.to_owned(),
                limit_ms: limits.class_ms,
                relation: None,
            }
        };
        let mut classes: Vec<TestClass> = class.test_classes.iter().map(test_class).collect();
        if protocol == Protocol::Corrected {
            classes.retain(|class| !class.tests.is_empty());
        }
        Self {
            variant,
            module,
            tests: class.test.clone(),
            classes,
            protocol,
            limits,
            surroundings: Surroundings::default(),
        }
    }

    /// The same job in these surroundings.
    #[must_use]
    pub fn within(mut self, surroundings: Surroundings) -> Self {
        let is_reversed = |it: &Surroundings| it.order.reverses_classes();
        if is_reversed(&surroundings) != is_reversed(&self.surroundings) {
            self.classes.reverse();
        }
        self.surroundings = surroundings;
        self
    }

    /// Tells each test class what it has to do with the method that was changed.
    #[must_use]
    pub fn related(mut self, related: &Related<'_>) -> Self {
        for class in &mut self.classes {
            class.relation = Some(related.relation(&class.name));
        }
        self
    }

    /// Gives each test class its time by what the reference's took. One that the reference does not pass,
    /// or that nobody measured, keeps the most time.
    pub fn allow(&mut self, reference: &TestReport, allowance: Allowance) {
        let most = self.limits.class_ms;
        for class in &mut self.classes {
            let is_broken = |test: &String| reference.broken().any(|run| run.name == *test);
            let mut timings = reference.timings.iter();
            let own = timings.find(|timing| timing.test_class == class.name);
            class.limit_ms = match own {
                Some(own) if !class.tests.iter().any(is_broken) => {
                    let wanted = own.ms.saturating_mul(allowance.factor);
                    wanted.max(allowance.floor_ms).min(most)
                }
                _ => most,
            };
        }
    }
}
