//! What files of variants and reports look like, made of the notes of a benchmark's authors.

use serde_json::{Value, json};
use shared::dataset::Dataset;
use shared::perturb::{Method, RuleId, RuleOptions};

use super::protocol::Example;
use crate::state::workbench::showcase;

/// Of each note three fillings of its place: the plausible one, which fails the test that the note names; the right
/// one; and none.
pub(in crate::worker::compare) fn example(dataset: &Dataset) -> Example {
    let options = RuleOptions::default();
    let mut example = Example::default();
    let mut n = 0;
    for (subject, context) in dataset.with_contexts() {
        let source = &subject.source;
        let method = Method::analyze(source, context);
        for note in &subject.showcases {
            let Ok(rule) = note.rule.parse::<RuleId>() else {
                continue;
            };
            let outcome = [method.apply(rule, &options)];
            let Some(place) = showcase::place(note, &outcome) else {
                continue;
            };
            let perturbation = &outcome[0].perturbations[place.instance as usize];
            let (plausible, _) = showcase::filled(source, place.site.span, &note.plausible);
            n += 1;
            for (filling, text) in [
                ("plausible", plausible),
                ("right", source.clone()),
                ("open", perturbation.masked(source)),
            ] {
                let line = json!({
                    "schema": 1, "id": format!("note-{n}-{filling}"), "subject": subject.id, "rule": rule,
                    "instance": place.instance, "origin": "bundled", "text": text,
                });
                push(&mut example.variants, &line);
            }
            let test = json!({"name": note.broken_test, "outcome": "failed"});
            let line =
                json!({"schema": 1, "variant": format!("note-{n}-plausible"), "tests": [test]});
            push(&mut example.reports, &line);
        }
    }
    example
}

fn push(lines: &mut String, line: &Value) {
    lines.push_str(&line.to_string());
    lines.push('\n');
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared::dataset;
    use shared::identify::{Batch, IdentifyOptions};

    use super::example;

    #[test]
    fn a_note_gives_a_case_the_reference_and_an_open_place() {
        let own = "def size(self):\n        return self.n + 1";
        let file = json!([{
            "class_name": "Box",
            "solution_code": format!("class Box:\n    n = 0\n\n    {own}\n"),
            "methods_info": [{"method_name": "size", "solution_code": own}],
        }]);
        let mut dataset = dataset::read("hand", file.to_string().as_bytes()).unwrap();
        dataset.subjects[0].showcases = serde_json::from_value(json!([{
            "subject": "Box.size", "rule": "operators", "hidden": "+", "plausible": "-", "title": "", "note": "",
            "decides": "", "broken_test": "T.test",
        }]))
        .unwrap();
        let example = example(&dataset);
        let mut batch = Batch::new(&dataset, IdentifyOptions::default());
        for line in example.reports.lines() {
            batch.report(line).unwrap();
        }
        let mut words = Vec::new();
        for (line, number) in example.variants.lines().zip(1..) {
            let found = batch.variant(line, number).unwrap();
            words.push(found.decision.slug());
        }
        assert_eq!(words, ["case", "identical", "unfilled"]);
    }
}
