use serde_json::json;
use shared::dataset::{Dataset, read};

use super::*;

/// Two classes: `Clock.now` uses `datetime`, `Clock.tick` and `Stack.push` use no library.
fn benchmark() -> Dataset {
    let method = |name: &str, source: &str| json!({ "method_name": name, "method_description": format!("What {name} is for"), "solution_code": source });
    let now = "def now(self):\n    return datetime.now()";
    let tick = "def tick(self, by):\n    a = by\n    b = a\n    c = b\n    d = c\n    self.time += d\n    return self.time";
    let push = "def push(self, item):\n    self.items.append(item)";
    let class = |name: &str, import: &[&str], methods: &[(&str, &str)]| {
        let body: Vec<String> = methods
            .iter()
            .map(|(_, text)| format!("    {}", text.replace('\n', "\n    ")))
            .collect();
        let source = format!(
            "{}\nclass {name}:\n{}\n",
            import.join("\n"),
            body.join("\n")
        );
        let methods: Vec<_> = methods
            .iter()
            .map(|(name, text)| method(name, text))
            .collect();
        json!({ "class_name": name, "solution_code": source, "methods_info": methods, "import_statement": import })
    };
    let records = json!([
        class(
            "Clock",
            &["from datetime import datetime"],
            &[("now", now), ("tick", tick)]
        ),
        class("Stack", &[], &[("push", push)]),
    ]);
    read("two classes", records.to_string().as_bytes()).unwrap()
}

const COUNTS: [[u16; 10]; 3] = [
    [0, 1, 0, 0, 0, 0, 1, 0, 0, 0],
    [1, 1, 0, 0, 5, 0, 0, 1, 4, 0],
    [1, 0, 0, 0, 0, 0, 0, 1, 0, 0],
];

fn check(filter: &Filter, rows: &[u32]) -> QueryResult {
    let result = Rows::of(&benchmark()).query(filter, Some(&COUNTS));
    assert_eq!(result.rows, rows, "{filter:?}");
    result
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

#[test]
fn every_word_must_occur_in_any_case() {
    check(
        &Filter {
            text: "STACK for".to_owned(),
            ..Filter::default()
        },
        &[2],
    );
    check(
        &Filter {
            text: "self.time".to_owned(),
            ..Filter::default()
        },
        &[1],
    );
    check(
        &Filter {
            text: "nowhere".to_owned(),
            ..Filter::default()
        },
        &[],
    );
}

#[test]
fn values_of_a_facet_are_joined_by_or_and_facets_by_and() {
    check(
        &Filter {
            classes: texts(&["Clock", "Stack"]),
            ..Filter::default()
        },
        &[0, 1, 2],
    );
    check(
        &Filter {
            classes: texts(&["Clock"]),
            libraries: texts(&[NO_LIBRARY]),
            ..Filter::default()
        },
        &[1],
    );
    check(
        &Filter {
            rules: texts(&["parameters", "library_calls"]),
            ..Filter::default()
        },
        &[0, 1, 2],
    );
    check(
        &Filter {
            sizes: vec![SizeClass::Medium],
            ..Filter::default()
        },
        &[1],
    );
    check(
        &Filter {
            showcases_only: true,
            ..Filter::default()
        },
        &[],
    );
}

#[test]
fn a_facet_counts_what_the_others_keep() {
    let filter = Filter {
        classes: texts(&["Stack"]),
        libraries: texts(&[NO_LIBRARY]),
        ..Filter::default()
    };
    let result = check(&filter, &[2]);
    // Beside the class's own choice: both methods without a library.
    assert_eq!(
        result.classes,
        [("Clock".to_owned(), 1), ("Stack".to_owned(), 1)]
    );
    assert_eq!(result.libraries, [(NO_LIBRARY.to_owned(), 1)]);
    assert_eq!(result.rules[0], 1);
    assert_eq!(result.rules[1], 0);
    assert_eq!(result.sizes[SizeClass::Short as usize], 1);
}

#[test]
fn rules_exclude_nothing_before_they_are_counted() {
    let filter = Filter {
        rules: texts(&["operators"]),
        ..Filter::default()
    };
    let result = Rows::of(&benchmark()).query(&filter, None);
    assert_eq!(result.rows, [0, 1, 2]);
    assert!(!result.rules_known);
}

#[test]
fn rows_are_sorted_on_demand() {
    check(
        &Filter {
            sort: SortKey::LinesDown,
            ..Filter::default()
        },
        &[1, 0, 2],
    );
    check(
        &Filter {
            sort: SortKey::InstancesDown,
            ..Filter::default()
        },
        &[1, 0, 2],
    );
    check(
        &Filter {
            sort: SortKey::Name,
            ..Filter::default()
        },
        &[0, 1, 2],
    );
}
