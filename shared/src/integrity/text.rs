//! Findings in words.

use std::fmt;

use super::{Cause, Finding, Remedy};

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTests {
                test_class,
                corrected,
            } => {
                let then = if *corrected { "; it is left out" } else { "" };
                write!(f, "the test class {test_class:?} holds no test{then}")
            }
            Self::Misnamed {
                test_class,
                name,
                corrected,
            } => {
                let then = if *corrected {
                    "; that name is used"
                } else {
                    ""
                };
                write!(f, "the test class {test_class:?} is called {name:?}{then}")
            }
            Self::NeedsModule { module } => write!(f, "there is no module {module}"),
            Self::DoesNotLoad { message } => write!(f, "it does not load: {message}"),
            Self::Slow {
                test_class,
                ms,
                limit_ms,
            } => write!(
                f,
                "{test_class} takes {ms} ms, and {limit_ms} ms are the most"
            ),
            Self::Environment {
                by,
                tests,
                message,
                remedy,
            } => {
                write!(f, "follows {by}: {}", Tests(tests, message))?;
                match remedy {
                    Some(remedy) => write!(f, "; passes with {remedy}"),
                    None => Ok(()),
                }
            }
            Self::Flaky {
                seeds,
                tests,
                message,
            } => {
                let seeds: Vec<String> = seeds.iter().map(u32::to_string).collect();
                let seeds = seeds.join(", ");
                write!(f, "fails with seed {seeds}: {}", Tests(tests, message))
            }
            Self::Fails { tests, message } => write!(f, "{}", Tests(tests, message)),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Clock => "the clock",
            Self::Hosts => "host names",
            Self::ClassOrder => "the order of test classes",
            Self::TestOrder => "the order of tests",
            Self::Load => "the load of the machine",
            Self::Several => "several things at once",
        })
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FixedClock => f.write_str("the frozen clock"),
            Self::RealClock => f.write_str("the machine's clock"),
            Self::UsualOrder => f.write_str("the benchmark's order"),
            Self::Hosts(hosts) if hosts.is_empty() => f.write_str("no host names"),
            Self::Hosts(hosts) => {
                let hosts = hosts.iter();
                let lines = hosts.map(|host| format!("{} {}", host.address, host.name));
                write!(
                    f,
                    "the hosts line {:?}",
                    lines.collect::<Vec<_>>().join(", ")
                )
            }
        }
    }
}

/// Tests by the first of them, and what it said.
struct Tests<'a>(&'a [String], &'a str);

impl fmt::Display for Tests<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(tests, message) = self;
        match tests.split_first() {
            None => f.write_str(message),
            Some((first, rest)) => {
                f.write_str(first)?;
                if !rest.is_empty() {
                    write!(f, " and {} more", rest.len())?;
                }
                write!(f, ": {message}")
            }
        }
    }
}
