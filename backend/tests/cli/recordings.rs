//! `ctxlab recordings`: bundles go out, come in, and say what is wrong with them.

use std::fs;

use super::support::Ctxlab;

/// A recording, as one line.
const LINE: &str = include_str!("../../../tests/fixtures/llm/recording.jsonl");

#[test]
fn a_bundle_goes_in_and_comes_out_the_same() {
    let ctxlab = Ctxlab::new();
    let none = ctxlab.run(&["recordings", "list"]).good();
    assert!(none.contains("nothing is recorded"), "{none}");
    let bundle = ctxlab.file("in.jsonl", LINE);
    let said = ctxlab.run(&["recordings", "import", &bundle]).good();
    assert_eq!(
        said,
        "1 recordings imported, 0 were there already, 0 lines refused\n"
    );
    let list = ctxlab.run(&["recordings", "list", "--json"]).good();
    assert!(
        list.contains("\"model\": \"small\"") && list.contains("\"n_recorded\": 1"),
        "{list}"
    );
    assert_eq!(ctxlab.run(&["recordings", "export", "-"]).good(), LINE);
    assert_eq!(
        ctxlab
            .run(&["recordings", "export", "-", "--model", "other"])
            .good(),
        ""
    );

    ctxlab.run(&["recordings", "export", "out.jsonl.gz"]).good();
    assert!(
        fs::read(ctxlab.path("out.jsonl.gz"))
            .unwrap()
            .starts_with(&[0x1f, 0x8b])
    );
    let again = ctxlab.run(&["recordings", "import", "out.jsonl.gz"]).good();
    assert!(
        again.contains("0 recordings imported, 1 were there already"),
        "{again}"
    );
    let input = LINE.replace("hi", "ho");
    let said = ctxlab.run_with_input(&["recordings", "import", "-"], &input);
    assert!(
        said.err.contains("line 1:") && said.err.contains("has the key"),
        "{}",
        said.err
    );
    assert_eq!(said.code, Some(1));
}
