use serde_json::{Value, json};

use super::super::tests::{FEE, PAY, dataset};
use super::super::{OutsidePolicy, Reference};
use super::*;
use crate::dataset;

fn variant(id: &str, method: &str, text: &str) -> Value {
    json!({
        "schema": 1, "id": id, "subject": format!("Account.{method}"), "rule": "operators", "instance": 0,
        "origin": {"model": "m"}, "text": text,
    })
}

fn report(variant: &str, outcome: &str) -> String {
    let tests = [json!({"name": "T.test", "outcome": outcome})];
    json!({"schema": 1, "variant": variant, "tests": tests}).to_string()
}

/// What is said of each line.
fn decisions(batch: &mut Batch<'_>, lines: &[Value]) -> Vec<String> {
    let decide = |(line, number): (&Value, usize)| match batch.variant(&line.to_string(), number) {
        Ok(found) => found.decision.slug().to_owned(),
        Err(why) => why,
    };
    lines.iter().zip(1..).map(decide).collect()
}

#[test]
fn each_line_is_decided_whatever_stands_before_it() {
    let dataset = dataset();
    let mut batch = Batch::new(&dataset, IdentifyOptions::default());
    assert_eq!(batch.report(&report("b", "failed")), Ok(()));
    assert_eq!(batch.report(&report("gone", "failed")), Ok(()));
    let twice = batch.report(&report("b", "passed")).unwrap_err();
    assert_eq!(twice, "there is a report on b before; keep one of them");
    let wrong = PAY.replace(" - ", " + ");
    let mut far = variant("e", "pay", PAY);
    far["instance"] = json!(9);
    let mut unknown_option = variant("f", "pay", PAY);
    unknown_option["options"] = json!({"taste": "sour"});
    let said = decisions(
        &mut batch,
        &[
            variant("a", "pay", PAY),
            variant("b", "pay", &wrong),
            variant("b", "pay", &wrong),
            variant("c", "fee", &FEE.replace('*', "/")),
            variant("d", "none", PAY),
            far,
            unknown_option,
            variant("g", "pay", &wrong),
            // A line that was refused has not taken its id.
            variant("e", "pay", ""),
        ],
    );
    let words = ["identical", "case", "the id b", "candidate", "no method"];
    let words = words
        .iter()
        .chain(&["Account.pay has", "operators", "duplicate", "empty"]);
    for (said, word) in said.iter().zip(words) {
        assert!(said.contains(word), "{said}, not {word}");
    }
    assert_eq!(said.len(), 9);
    assert_eq!(batch.funnel().total(None).stages(), [5, 4, 3, 1, 1]);
    let unused: Vec<&str> = batch.unused_reports().map(VariantId::as_str).collect();
    assert_eq!(unused, ["gone"]);
}

#[test]
fn the_same_line_says_the_same_after_a_thousand_other_methods() {
    let n = MOST_KNOWN + 10;
    let method = |at: usize| format!("def m(self, a):\n        return a + {at}");
    let class = |at: usize| {
        let name = format!("C{at}");
        let method = method(at);
        json!({
            "class_name": name, "solution_code": format!("class {name}:\n    {method}\n"),
            "methods_info": [{"method_name": "m", "solution_code": method}],
        })
    };
    let file: Value = (0..n).map(class).collect();
    let dataset = dataset::read("many", file.to_string().as_bytes()).unwrap();
    let mut batch = Batch::new(&dataset, IdentifyOptions::default());
    let line = |id: &str, at: usize| {
        let mut line = variant(id, "m", &method(at).replace('+', "-"));
        line["subject"] = json!(format!("C{at}.m"));
        line.to_string()
    };
    let first = batch.variant(&line("first", 3), 1).unwrap();
    for at in 0..n {
        let found = batch.variant(&line(&format!("v{at}"), at), 2).unwrap();
        let word = if at == 3 { "duplicate" } else { "candidate" };
        assert_eq!(found.decision.slug(), word, "{at}");
    }
    assert!(batch.n_known <= MOST_KNOWN);
    let again = batch.variant(&line("again", 3), 3).unwrap();
    assert_eq!(again.examined, first.examined);
}

#[test]
fn lines_hold_what_was_decided_and_how() {
    let dataset = dataset();
    let options = IdentifyOptions {
        outside: OutsidePolicy::Reject,
        ..IdentifyOptions::default()
    };
    let mut batch = Batch::new(&dataset, options);
    let text = PAY.replace(" - ", " + ").replace("\"no\"", "None");
    let found = batch.variant(&variant("a", "pay", &text).to_string(), 1);
    let found = found.unwrap();
    let line: Value = serde_json::from_str(&found.json_line()).unwrap();
    assert_eq!(
        (&line["decision"], &line["matcher"], &line["why"]),
        (
            &json!("outside_edits"),
            &json!("simple"),
            &json!("differs outside the masked places (1 edits)")
        )
    );
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let sites: Vec<MaskedNode> = serde_json::from_value(line["sites"].clone()).unwrap();
    assert_eq!(reference.subject().id, found.variant.subject);
    assert_eq!(sites, found.examined.sites);
    assert_eq!(
        batch.funnel().csv(options),
        "generator,rule,generated,parsed,differing,failing,unique,untested,matcher,outside\n\
         m,operators,1,1,0,0,0,0,simple,reject\n\
         m,all,1,1,0,0,0,0,simple,reject\n\
         ALL,all,1,1,0,0,0,0,simple,reject\n"
    );
    let row: Value = serde_json::from_str(&batch.funnel().json_line()).unwrap();
    assert_eq!(row["funnel"][0]["n_parsed"], 1);
}

#[test]
fn a_line_is_text_or_says_why_not() {
    assert_eq!(text_of_line(b" \r"), None);
    assert_eq!(text_of_line(b"\xef\xbb\xbf{}"), Some(Ok("{}")));
    let why = text_of_line(b"\"\xff\"").unwrap().unwrap_err();
    assert!(why.contains("save the file as UTF-8"), "{why}");
}
