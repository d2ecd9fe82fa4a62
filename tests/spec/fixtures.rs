//! Every rule over its fixtures: what is hidden and why, as a human reads it.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use shared::perturb::{Method, RuleId, RuleOptions};
use shared::subject::MethodContext;
use shared::text::LineIndex;

/// A fixture's folder is the rule's slug; `# context: {…}` in its first line gives the surroundings.
fn report(path: &Path) -> String {
    let source = std::fs::read_to_string(path).unwrap();
    let folder = path.parent().and_then(Path::file_name).unwrap();
    let rule: RuleId = folder.to_str().unwrap().parse().unwrap();
    let context = match source
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("# context: "))
    {
        Some(json) => serde_json::from_str(json).unwrap(),
        None => MethodContext::default(),
    };
    let outcome = Method::analyze(&source, &context).apply(rule, &RuleOptions::default());
    let lines = LineIndex::new(&source);
    let mut out = String::new();
    for perturbation in &outcome.perturbations {
        let label = perturbation.label.as_deref().unwrap_or("-");
        writeln!(
            out,
            "instance {} ({label})\n{}",
            perturbation.instance,
            perturbation.masked(&source)
        )
        .unwrap();
    }
    for considered in &outcome.considered {
        let (line, column) = lines.line_column(&source, considered.span.start);
        let taken = considered
            .instance
            .map_or("left alone".to_owned(), |n| format!("instance {n}"));
        let text = considered.span.of(&source).escape_debug().to_string();
        writeln!(
            out,
            "{line}:{column} {} `{text}`: {taken}, {}",
            considered.kind, considered.reason
        )
        .unwrap();
    }
    out
}

#[test]
fn each_fixture_is_masked_as_its_snapshot_says() {
    insta::glob!("../fixtures/perturb", "*/*.py", |path| {
        check_beside(path, &report(path));
    });
}

/// Compares a text with the snapshot beside a fixture.
pub(crate) fn check_beside(fixture: &Path, text: &str) {
    let name = fixture.file_stem().and_then(OsStr::to_str).unwrap();
    insta::with_settings!({
        snapshot_path => fixture.parent().unwrap(),
        snapshot_suffix => "",
        omit_expression => true,
        prepend_module_to_snapshot => false,
    }, {
        insta::assert_snapshot!(name, text);
    });
}
