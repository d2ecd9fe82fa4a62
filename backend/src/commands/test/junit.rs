//! A report as XML that continuous integration reads (`JUnit`): a suite a test class.

use std::io::Write;

use anyhow::Result;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};
use shared::report::{TestOutcome, TestReport, TestRun};

use crate::commands::xml::attribute;

type Xml<'a> = Writer<&'a mut dyn Write>;

pub(super) fn print(report: &TestReport, out: &mut dyn Write) -> Result<()> {
    let mut writer = Writer::new_with_indent(out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let runs: Vec<&TestRun> = report.tests.iter().collect();
    let counts = counts(&runs, report);
    writer
        .create_element("testsuites")
        .with_attributes(named("name", report.variant.as_str(), &counts))
        .write_inner_content(|writer| {
            let mut suites = runs.chunk_by(|a, b| test_class(a) == test_class(b));
            suites.try_for_each(|runs| suite(writer, runs, report))
        })?;
    writeln!(writer.get_mut())?;
    Ok(())
}

fn suite(writer: &mut Xml<'_>, runs: &[&TestRun], report: &TestReport) -> std::io::Result<()> {
    writer
        .create_element("testsuite")
        .with_attributes(named("name", test_class(runs[0]), &counts(runs, report)))
        .write_inner_content(|writer| {
            if let Some(relation) = runs[0].relation {
                writer
                    .create_element("properties")
                    .write_inner_content(|writer| {
                        let fields = [("name", "relation"), ("value", relation.label())];
                        let property = writer.create_element("property");
                        property
                            .with_attributes(fields.map(attribute))
                            .write_empty()?;
                        Ok(())
                    })?;
            }
            runs.iter().try_for_each(|run| case(writer, run, report))
        })?;
    Ok(())
}

fn case(writer: &mut Xml<'_>, run: &TestRun, report: &TestReport) -> std::io::Result<()> {
    let (class, name) = run.name.split_once('.').unwrap_or(("", &run.name));
    let time = seconds(run.ms.unwrap_or(0));
    let fields = [("classname", class), ("name", name), ("time", &time)];
    let element = writer.create_element("testcase");
    let element = element.with_attributes(fields.map(attribute));
    let not_run = report.load_error.as_deref().unwrap_or("it did not run");
    let (kind, message) = match &run.outcome {
        TestOutcome::Passed => {
            element.write_empty()?;
            return Ok(());
        }
        TestOutcome::Failed { message } => ("failure", message.as_str()),
        TestOutcome::Errored { message } | TestOutcome::Killed { message } => {
            ("error", message.as_str())
        }
        TestOutcome::TimedOut => ("error", "it ran out of time"),
        TestOutcome::NotRun => ("error", not_run),
    };
    let raised = run.raised.as_ref();
    let raised = raised.map_or("", |raised| raised.kind.as_str());
    element.write_inner_content(|writer| {
        let fields = [("message", message), ("type", raised)];
        let broken = writer.create_element(kind);
        broken
            .with_attributes(fields.map(attribute))
            .write_empty()?;
        Ok(())
    })?;
    Ok(())
}

fn test_class(run: &TestRun) -> &str {
    run.name.split('.').next().unwrap_or_default()
}

/// `tests`, `failures`, `errors` and `time` of a suite.
fn counts(runs: &[&TestRun], report: &TestReport) -> [(&'static str, String); 4] {
    let is_failure = |run: &&&TestRun| matches!(run.outcome, TestOutcome::Failed { .. });
    let is_passed = |run: &&&TestRun| run.outcome == TestOutcome::Passed;
    let n_failed = runs.iter().filter(is_failure).count();
    let n_passed = runs.iter().filter(is_passed).count();
    let timings = report.timings.iter();
    let own = timings.filter(|it| runs.iter().any(|run| test_class(run) == it.test_class));
    [
        ("tests", runs.len().to_string()),
        ("failures", n_failed.to_string()),
        ("errors", (runs.len() - n_failed - n_passed).to_string()),
        ("time", seconds(own.map(|it| it.ms).sum())),
    ]
}

fn named<'a>(
    key: &'a str,
    value: &'a str,
    counts: &'a [(&'static str, String)],
) -> impl Iterator<Item = quick_xml::events::attributes::Attribute<'a>> {
    let counts = counts.iter().map(|(key, value)| (*key, value.as_str()));
    [(key, value)].into_iter().chain(counts).map(attribute)
}

fn seconds(ms: u32) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

#[cfg(test)]
mod tests {
    use shared::relation::Relation;
    use shared::report::{TestOutcome, TestReport, TestRun};
    use shared::variant::VariantId;

    use super::print;

    #[test]
    fn suites_hold_cases_and_say_what_broke() {
        let mut report = TestReport::new(VariantId("A.m".to_owned()));
        let failed = TestOutcome::Failed {
            message: "1 < 2\n\0 \"no\"".to_owned(),
        };
        report.tests = vec![
            TestRun {
                ms: Some(1234),
                relation: Some(Relation::Own),
                ..TestRun::new("T.test_a", TestOutcome::Passed)
            },
            TestRun::new("T.test_b", failed),
            TestRun::new("U.test_c", TestOutcome::NotRun),
        ];
        let mut out = Vec::new();
        print(&report, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        // Spelled out: other programs read these names.
        let wanted = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"A.m\" tests=\"3\" failures=\"1\" errors=\"1\" time=\"0.000\">
  <testsuite name=\"T\" tests=\"2\" failures=\"1\" errors=\"0\" time=\"0.000\">
    <properties>
      <property name=\"relation\" value=\"its own tests\"/>
    </properties>
    <testcase classname=\"T\" name=\"test_a\" time=\"1.234\"/>
    <testcase classname=\"T\" name=\"test_b\" time=\"0.000\">
      <failure message=\"1 &lt; 2&#10;\u{fffd} &quot;no&quot;\" type=\"\"/>
    </testcase>
  </testsuite>
  <testsuite name=\"U\" tests=\"1\" failures=\"0\" errors=\"1\" time=\"0.000\">
    <testcase classname=\"U\" name=\"test_c\" time=\"0.000\">
      <error message=\"it did not run\" type=\"\"/>
    </testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(text, wanted);
    }
}
