//! `ctxlab dataset`.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::support::{Ctxlab, TWO_CLASSES};

fn records() -> Vec<Value> {
    serde_json::from_str(TWO_CLASSES).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// Many copies of a class under names of their own.
fn many(n: usize) -> Vec<u8> {
    let one = serde_json::to_string(&records()[1]).unwrap();
    let all: Vec<String> = (0..n)
        .map(|i| one.replace("Shelf", &format!("Shelf{i}")))
        .collect();
    format!("[{}]", all.join(",")).into_bytes()
}

#[test]
fn every_form_of_a_file_is_the_same_benchmark() {
    let ctxlab = Ctxlab::new();
    let lines: Vec<String> = records().iter().map(Value::to_string).collect();
    let lines = lines.join("\n");
    for (name, bytes) in [
        ("plain.json", TWO_CLASSES.as_bytes().to_vec()),
        ("packed.json.gz", gzip(TWO_CLASSES.as_bytes())),
        ("lines.jsonl", lines.as_bytes().to_vec()),
        ("lines_packed.jsonl.gz", gzip(lines.as_bytes())),
    ] {
        let file = ctxlab.file(name, bytes);
        let report = ctxlab.run(&["dataset", "import", &file]).good();
        for line in ["classes    2\n", "methods    3\n", "tests      3\n"] {
            assert!(report.contains(line), "{name}: no {line:?} in\n{report}");
        }
    }
    let ids = ctxlab.ids();
    let stems: Vec<&str> = ids.iter().map(|id| &id[..id.len() - 9]).collect();
    assert_eq!(stems, ["lines", "lines-packed", "packed", "plain"]);
}

#[test]
fn one_bad_record_of_many_is_told_and_left_out() {
    let ctxlab = Ctxlab::new();
    let mut all = records();
    all.insert(1, json!({ "task_id": "Api_bad", "class_name": "Bad", "solution_code": "class Bad(:", "methods_info": [] }));
    all[0]["skeleton"] = "class Till(:".into();
    let file = ctxlab.file("mixed.json", serde_json::to_vec(&all).unwrap());
    let report = ctxlab.run(&["dataset", "import", &file]).good();
    assert!(report.contains("classes    2\n"), "{report}");
    assert!(
        report.contains("Left out (1):\n  record 2 (Bad): `solution_code`"),
        "{report}"
    );
    assert!(
        report.contains("Kept, with a warning (1):\n  record 1 (Till): `skeleton`"),
        "{report}"
    );
    // It can be read again later.
    let shown = ctxlab.run(&["dataset", "show", "mixed"]).good();
    assert!(shown.contains("record 2 (Bad)"), "{shown}");
}

#[test]
fn what_is_no_benchmark_is_refused_with_name_and_reason() {
    let ctxlab = Ctxlab::new();
    let packed = gzip(TWO_CLASSES.as_bytes());
    for (name, bytes, reason) in [
        ("empty.json", b"".to_vec(), "no records"),
        (
            "half.json",
            TWO_CLASSES.as_bytes()[..900].to_vec(),
            "no JSON array",
        ),
        (
            "half.json.gz",
            packed[..packed.len() / 2].to_vec(),
            "damaged",
        ),
        (
            "words.txt",
            b"these are words".to_vec(),
            "expected ClassEval's schema",
        ),
        ("binary.bin", vec![0xff, 0xfe, 0, 1], "no JSON"),
        (
            "other.json",
            b"[{\"a\": 1}]".to_vec(),
            "none of the 1 records",
        ),
    ] {
        let file = ctxlab.file(name, bytes);
        let error = ctxlab.run(&["dataset", "import", &file]).bad(1);
        assert!(error.contains(name) && error.contains(reason), "{error}");
    }
    let error = ctxlab.run(&["dataset", "import", "nowhere.json"]).bad(1);
    assert!(
        error.contains("nowhere.json") && error.contains("check the path"),
        "{error}"
    );
    assert!(
        ctxlab
            .run(&["dataset", "import", "ftp://example.org/a.json"])
            .bad(1)
            .contains("only http and https")
    );
    assert!(ctxlab.ids().is_empty());
}

#[test]
fn a_benchmark_is_named_by_a_beginning_and_removed() {
    let ctxlab = Ctxlab::new();
    let file = ctxlab.file("two.json", TWO_CLASSES);
    for name in ["Shop one", "Shop two"] {
        ctxlab
            .run(&[
                "dataset",
                "import",
                &file,
                "--name",
                name,
                "--license",
                "MIT",
            ])
            .good();
    }
    let listed = ctxlab.run(&["dataset", "list"]).good();
    assert!(
        listed.lines().count() == 3 && listed.contains("Shop one") && listed.contains("MIT"),
        "{listed}"
    );

    let error = ctxlab.run(&["dataset", "show", "shop"]).bad(1);
    assert!(
        error.contains("shop-one-") && error.contains("shop-two-"),
        "{error}"
    );
    let error = ctxlab.run(&["dataset", "show", "none"]).bad(1);
    assert!(
        error.contains("\"none\"") && error.contains("shop-one-"),
        "{error}"
    );

    let card: Value =
        serde_json::from_str(&ctxlab.run(&["dataset", "show", "shop-t", "--json"]).good()).unwrap();
    assert_eq!(
        (&card["name"], &card["n_subjects"]),
        (&json!("Shop two"), &json!(3))
    );

    assert!(
        ctxlab
            .run(&["dataset", "remove", "shop-o"])
            .good()
            .starts_with("Removed shop-one-")
    );
    assert_eq!(ctxlab.ids(), [card["id"].as_str().unwrap()]);
    assert!(
        ctxlab
            .run(&["dataset", "remove", "shop-o"])
            .bad(1)
            .contains("no benchmark")
    );
}

#[test]
fn importing_twice_says_that_nothing_changed() {
    let ctxlab = Ctxlab::new();
    let file = ctxlab.file("two.json", TWO_CLASSES);
    let change = |words: &[&str]| -> Value {
        let all = [&["dataset", "import", &file, "--json"], words].concat();
        serde_json::from_str::<Value>(&ctxlab.run(&all).good()).unwrap()["change"].clone()
    };
    assert_eq!(change(&[]), "added");
    assert_eq!(change(&[]), "unchanged");
    assert_eq!(change(&["--license", "MIT"]), "updated");
    assert_eq!(ctxlab.ids().len(), 1);
}

#[test]
fn killed_at_any_moment_it_leaves_the_old_state_or_the_new() {
    let ctxlab = Ctxlab::new();
    let old = ctxlab.file("old.json", TWO_CLASSES);
    ctxlab.run(&["dataset", "import", &old]).good();
    let before = ctxlab.ids();
    let big = ctxlab.file("big.json", many(600));
    let mut n_old = 0;
    for moment in 0..24 {
        let mut child = ctxlab
            .command(&["dataset", "import", &big, "--json"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(moment * 25));
        child.kill().unwrap();
        child.wait().unwrap();
        let ids = ctxlab.ids();
        if ids == before {
            n_old += 1;
        } else {
            assert!(ids.len() == 2 && ids[0].starts_with("big-"), "{ids:?}");
            let shown = ctxlab.run(&["dataset", "show", "big"]).good();
            assert!(shown.contains("classes    600\n"), "{shown}");
            ctxlab.run(&["dataset", "remove", "big"]).good();
        }
        let objects = std::fs::read_dir(ctxlab.path("data/objects"))
            .unwrap()
            .count();
        assert_eq!(objects, 1, "something is left after {} ms", moment * 25);
    }
    assert!(n_old > 0, "no import was interrupted");
    ctxlab.run(&["dataset", "import", &big]).good();
    assert_eq!(ctxlab.ids().len(), 2);
}

#[test]
fn a_damaged_manifest_is_told_and_hides_no_other() {
    let ctxlab = Ctxlab::new();
    let file = ctxlab.file("two.json", TWO_CLASSES);
    ctxlab.run(&["dataset", "import", &file]).good();
    ctxlab.file("data/datasets/bad-00000000.json", "{");
    let run = ctxlab.run(&["dataset", "list"]);
    assert!(
        run.err.contains("bad-00000000.json is damaged") || run.err.contains("bad-00000000.json ("),
        "{}",
        run.err
    );
    assert!(run.good().contains("two-"));
}

#[test]
fn a_url_is_fetched_and_its_failures_are_told() {
    let ctxlab = Ctxlab::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = thread::spawn(move || {
        for (status, body) in [("200 OK", TWO_CLASSES), ("404 Not Found", "nothing")] {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 2048];
            let n = stream.read(&mut request).unwrap();
            assert!(n > 0);
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream.write_all(body.as_bytes()).unwrap();
        }
    });
    let report = ctxlab
        .run(&[
            "dataset",
            "import",
            &format!("http://{address}/files/From_Afar.json?raw=1"),
        ])
        .good();
    assert!(report.contains("name       From_Afar\n"), "{report}");
    let error = ctxlab
        .run(&["dataset", "import", &format!("http://{address}/gone.json")])
        .bad(1);
    assert!(
        error.contains("/gone.json") && error.contains("404"),
        "{error}"
    );
    server.join().unwrap();
    let error = ctxlab
        .run(&["dataset", "import", &format!("http://{address}/gone.json")])
        .bad(1);
    assert!(error.contains("check the address"), "{error}");
}
