//! All ten rules over any UTF-8: no panic, and unmasking gives the text back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shared::perturb::{Method, RULES, RuleOptions, unify, unmask};
use shared::subject::MethodContext;
use shared::syntax::highlight;

fuzz_target!(|source: &str| {
    let context = MethodContext {
        imports: vec!["import math, os.path as p".to_owned()],
        methods: vec!["m".to_owned()],
        fields: vec!["x".to_owned()],
        globals: vec!["g".to_owned()],
        ..MethodContext::default()
    };
    let method = Method::analyze(source, &context);
    highlight::tokens(method.tree());
    let mut all = Vec::new();
    for rule in &RULES {
        for perturbation in method.apply(rule.id, &RuleOptions::default()).perturbations {
            assert!(perturbation.sites.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
            assert_eq!(unmask(&perturbation.masked(source), &perturbation.sites), source);
            all.push(perturbation);
        }
    }
    unify(source, &all);
});
