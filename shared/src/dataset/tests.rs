//! Reading benchmark files: every shape of input, and what is said of bad records.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{Dataset, ReadError, Severity, read};

fn record(class: &str) -> Value {
    json!({
        "task_id": format!("T_{class}"),
        "class_name": class,
        "import_statement": ["import math"],
        "solution_code": format!(
            "import math\n\nRATE = 2\n\nclass {class}:\n    def __init__(self):\n        self.n, self.m = 1, 2\n\n    @staticmethod\n    def area(r):\n        return math.pi * r * RATE\n\n    def count(self):\n        return self.n\n"
        ),
        "test": "class T:\n    def test_a(self): pass\n",
        "methods_info": [
            {"method_name": "area", "solution_code": "def area(r):\n        return math.pi * r * RATE"},
            {"method_name": "count", "solution_code": "def count(self):\n        return self.n",
             "dependencies": {"Standalone": false, "field_dependencies": ["self.n"]}},
        ],
    })
}

fn read_json(value: &Value) -> Result<Dataset, ReadError> {
    read("My data!", value.to_string().as_bytes())
}

fn reasons(dataset: &Dataset) -> Vec<(usize, Severity, &str)> {
    dataset
        .reports
        .iter()
        .map(|report| (report.record, report.severity, report.reason.as_str()))
        .collect()
}

#[test]
fn a_class_gives_its_methods_and_their_context() {
    let dataset = read_json(&json!([record("Circle")])).unwrap();
    assert!(
        dataset.id.as_str().starts_with("my-data-"),
        "{}",
        dataset.id
    );
    let ids: Vec<&str> = dataset
        .subjects
        .iter()
        .map(|subject| subject.id.as_str())
        .collect();
    assert_eq!(ids, ["Circle.area", "Circle.count"]);
    let (area, context) = dataset.with_contexts().next().unwrap();
    assert!(context.is_static, "staticness comes from the class");
    assert_eq!(context.globals, ["RATE"]);
    assert_eq!(context.fields, ["m", "n"]);
    assert_eq!(context.methods, ["__init__", "area", "count"]);
    assert_eq!(area.libraries, ["math"]);
    assert_eq!(dataset.n_tests(), 1);
    assert!(dataset.reports.is_empty(), "{:?}", dataset.reports);
}

#[test]
fn arrays_lines_one_object_gzip_and_a_byte_order_mark_are_the_same_benchmark() {
    let array = json!([record("A"), record("B")]).to_string();
    let lines = format!("{}\n\n{}\n", record("A"), record("B"));
    let marked = format!("\u{feff}{array}");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(array.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let of = |bytes: &[u8]| read("d", bytes).unwrap();
    assert_eq!(of(array.as_bytes()).sha256, of(&gzip).sha256);
    for dataset in [
        of(array.as_bytes()),
        of(lines.as_bytes()),
        of(marked.as_bytes()),
        of(&gzip),
    ] {
        assert_eq!(dataset.subjects.len(), 4);
    }
    assert_eq!(read_json(&record("A")).unwrap().classes.len(), 1);
}

#[test]
fn one_bad_record_never_fails_the_file() {
    let mut broken = record("Broken");
    broken["solution_code"] = json!("class Broken(:");
    let mut odd = record("Odd");
    odd["methods_info"][0]["solution_code"] = json!("def other(r):\n    return r");
    odd["skeleton"] = json!("class Odd:\n    \"\"\"never closed");
    odd["methods_info"]
        .as_array_mut()
        .unwrap()
        .push(json!({"method_name": "count", "solution_code": "def count(self): pass"}));
    odd["methods_info"]
        .as_array_mut()
        .unwrap()
        .push(json!({"method_name": "lost", "solution_code": "def lost(self): pass"}));
    let dataset = read_json(&json!([record("A"), 7, broken, record("A"), odd])).unwrap();
    assert_eq!(dataset.classes.len(), 2);
    let found = reasons(&dataset);
    let expect = |at: usize, record, severity, part: &str| {
        assert_eq!((found[at].0, found[at].1), (record, severity));
        assert!(found[at].2.contains(part), "{:?}", found[at]);
    };
    expect(0, 2, Severity::Rejected, "invalid type");
    expect(1, 3, Severity::Rejected, "no valid Python");
    expect(2, 4, Severity::Rejected, "came before");
    expect(3, 5, Severity::Warning, "skeleton");
    expect(4, 5, Severity::Rejected, "defines other instead");
    expect(5, 5, Severity::Rejected, "came before in its class");
    expect(6, 5, Severity::Warning, "is not in");
    assert_eq!(found.len(), 7);
    assert_eq!(
        dataset
            .subjects
            .iter()
            .filter(|subject| subject.class == 1)
            .count(),
        2
    );
}

#[test]
fn a_bad_line_of_many_is_reported_with_its_number() {
    let lines = format!("{}\n{{\"class_name\": \n{}\n", record("A"), record("B"));
    let dataset = read("d", lines.as_bytes()).unwrap();
    assert_eq!(dataset.classes.len(), 2);
    assert_eq!(dataset.reports[0].record, 2);
}

#[test]
fn what_is_no_benchmark_is_refused_with_a_reason() {
    let message = |bytes: &[u8]| {
        read("d", bytes)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    assert!(message(b"").contains("no records"));
    assert!(message(b"  []").contains("no records"));
    assert!(message(b"hello").contains("no JSON"));
    assert!(message(b"[{\"class_name\": ").contains("no JSON"));
    assert!(message(&[0x1f, 0x8b, 8, 0, 1]).contains("damaged"));
    assert!(message(b"[{}]").contains("none of the 1 records"));
    assert!(message(&[0xff, 0xfe, b'[']).contains("no JSON"));
}

#[test]
fn a_source_beyond_the_limit_is_refused_by_size() {
    let mut huge = record("Huge");
    huge["solution_code"] = json!(format!(
        "class Huge:\n    x = '{}'\n",
        "a".repeat(super::MAX_SOURCE_BYTES)
    ));
    let dataset = read_json(&json!([record("A"), huge])).unwrap();
    assert!(dataset.reports[0].reason.contains("256 KiB"));
}
