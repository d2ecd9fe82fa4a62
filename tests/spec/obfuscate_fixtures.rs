//! Classes and descriptions with their names hidden, as a human reads them.

use std::fmt::Write as _;
use std::path::Path;

use shared::obfuscate::{NameMap, Obfuscator, restore_text};

use crate::fixtures::check_beside;

fn report(path: &Path) -> String {
    let dataset = crate::classes::benchmark(path);
    let mut out = String::new();
    for (subject, context) in dataset.with_contexts() {
        let class = dataset.class_of(subject);
        let mut hider = Obfuscator::of_method(class, subject, context);
        let (method, requirement) = (hider.method(&subject.source), hider.requirement(subject));
        let names = hider.names().originals();
        assert_eq!(restore_text(&method, &names), subject.source);
        assert_eq!(restore_text(&requirement, &names), subject.requirement);
        writeln!(
            out,
            "== {}\n{requirement}\n-- its code\n{method}\n-- its names",
            subject.id
        )
        .unwrap();
        list(&mut out, hider.names());
    }
    let (class, (_, context)) = (&dataset.classes[0], dataset.with_contexts().next().unwrap());
    let mut hider = Obfuscator::of_class(class, context, &[]);
    let module = hider.module(&class.source);
    assert_eq!(
        restore_text(&module, &hider.names().originals()),
        class.source
    );
    writeln!(out, "== {} as a whole\n{module}\n-- its names", class.name).unwrap();
    list(&mut out, hider.names());
    out
}

fn list(out: &mut String, names: &NameMap) {
    for name in names.iter() {
        writeln!(out, "{} = {}", name.alias, name.original).unwrap();
    }
}

#[test]
fn each_fixture_is_hidden_as_its_snapshot_says() {
    insta::glob!("../fixtures/obfuscate", "*.py", |path| {
        check_beside(path, &report(path));
    });
}
