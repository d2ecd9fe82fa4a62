//! Any two texts by every matcher: no panic, mappings one-to-one and of one type, and the script turns
//! the first tree into the second.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shared::diff::{Budget, DiffOptions, MATCHERS, apply, diff};
use shared::syntax::{abstraction, parse_python};

fuzz_target!(|texts: (&str, &str)| {
    let tree = |text| abstraction::PYTHON.diff_tree(&parse_python(text).tree);
    let (src, dst) = (&tree(texts.0), &tree(texts.1));
    for matcher in &MATCHERS {
        let budget = Budget { max_steps: 100_000_000, ..Budget::default() };
        let found = diff(src, dst, &DiffOptions { matcher: matcher.id, budget });
        let mut is_taken = vec![false; dst.n_nodes()];
        for mapping in found.mappings.iter() {
            assert!(!std::mem::replace(&mut is_taken[mapping.dst.0 as usize], true));
            assert_eq!(src.kind(mapping.src), dst.kind(mapping.dst));
        }
        if found.fallback.is_some() {
            continue;
        }
        for script in [&found.script, &found.simplified(src, dst)] {
            let applied = apply(src, dst, script).expect("every action fits");
            let same_root_label = src.label(src.root()) == dst.label(dst.root());
            assert!(applied.is_isomorphic_to(dst) || !same_root_label);
        }
    }
});
