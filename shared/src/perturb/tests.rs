//! The engine around the rules: options, combined views, exports.

use super::{CountsTable, Method, PerturbationRecord, RULES, RuleId, RuleOptions, Stamp, unify};
use crate::subject::MethodContext;

const SOURCE: &str = "def add(self, n, k=1):\n    total = self.n + n\n    return total * 2\n";

fn perturb(rule: RuleId, options: &RuleOptions) -> Vec<super::Perturbation> {
    Method::analyze(SOURCE, &MethodContext::default())
        .apply(rule, options)
        .perturbations
}

#[test]
fn the_table_is_in_the_papers_order() {
    for (number, rule) in (1u8..).zip(&RULES) {
        assert_eq!(rule.id.number(), number);
        assert!(std::ptr::eq(rule.id.rule(), rule));
        assert_eq!(rule.id.slug().parse(), Ok(rule.id));
        assert_eq!(format!("R{number}").parse(), Ok(rule.id));
    }
    assert!("11".parse::<RuleId>().unwrap_err().contains("no rule 11"));
}

#[test]
fn every_default_is_a_possible_choice() {
    for rule in &RULES {
        for spec in rule.options {
            let mut options = RuleOptions::default();
            let name = spec.full_name(rule.id);
            options.set(&name, spec.default).unwrap();
            assert_eq!(options, RuleOptions::default(), "{name}");
            for choice in spec.choices {
                options.set(&name, choice.value).unwrap();
                assert_eq!(options.get(&name), choice.value);
            }
        }
    }
}

#[test]
fn a_wrong_option_names_what_can_be_chosen() {
    let mut options = RuleOptions::default();
    let unknown = options.set("returns.what", "x").unwrap_err().to_string();
    assert!(unknown.contains("returns.count"), "{unknown}");
    let value = options.set("returns.count", "x").unwrap_err().to_string();
    assert!(value.contains("any or valued or each"), "{value}");
    assert!(options.set("conditions.kinds", "").is_err());
}

#[test]
fn a_set_is_kept_in_the_tables_order() {
    let mut options = RuleOptions::default();
    options.set("conditions.kinds", "while, if").unwrap();
    assert_eq!(options.get("conditions.kinds"), "if,while");
}

#[test]
fn a_combined_view_keeps_the_outermost_place_and_all_its_rules() {
    let mut all = perturb(RuleId::Assignments, &RuleOptions::default());
    all.extend(perturb(RuleId::ContextNames, &RuleOptions::default()));
    all.extend(perturb(RuleId::Constants, &RuleOptions::default()));
    let view = unify(SOURCE, &all);
    assert_eq!(
        view.masked,
        "def add(self, n, k=<INFILL>):\n    total = <INFILL>\n    return total * <INFILL>\n"
    );
    assert_eq!(
        view.sites[1].rules,
        [RuleId::Assignments, RuleId::ContextNames]
    );
}

#[test]
fn a_record_carries_its_whole_option_set_and_stamp() {
    let mut options = RuleOptions::default();
    options.set("operators.unit", "operator").unwrap();
    let perturbation = perturb(RuleId::Operators, &options).remove(1);
    let line = PerturbationRecord::new(None, SOURCE, perturbation, &options, &Stamp::new(None))
        .json_line();
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        line,
        format!(
            "{{\"schema\":1,\"rule\":4,\"slug\":\"operators\",\"instance\":1,\"options\":{{\"kinds\":\"binary,comparison,boolean,not,augmented,unary\",\"unit\":\"operator\"}},\"sites\":[{{\"start\":63,\"end\":64,\"kind\":\"binary_operator\",\"hidden\":\"*\",\"placeholder\":\"<INFILL>\"}}],\"masked\":\"def add(self, n, k=1):\\n    total = self.n + n\\n    return total <INFILL> 2\\n\",\"stamp\":{{\"ctxlab\":\"{version}\"}}}}\n"
        )
    );
}

#[test]
fn counts_name_the_options_that_differ() {
    let mut table = CountsTable::default();
    table.add_method("A");
    table.add("A", RuleId::Returns, 3);
    let mut options = RuleOptions::default();
    assert_eq!(
        table.csv(&options),
        "class,methods,R1,R2,R3,R4,R5,R6,R7,R8,R9,R10,total\nA,1,0,3,0,0,0,0,0,0,0,0,3\nALL,1,0,3,0,0,0,0,0,0,0,0,3\n"
    );
    options.set("returns.count", "each").unwrap();
    assert!(table.csv(&options).ends_with("3,returns.count=each\n"));
}

#[test]
fn a_csv_reader_gives_hostile_class_names_back() {
    let names = [
        "a,b",
        "say \"hi\"",
        "two\nlines",
        "cr\rlf",
        " padded ",
        "=1+1",
        "",
    ];
    let mut table = CountsTable::default();
    for name in names {
        table.add_method(name);
    }
    let text = table.csv(&RuleOptions::default());
    let rows = csv::Reader::from_reader(text.as_bytes())
        .into_records()
        .map(|row| row.unwrap().get(0).unwrap().to_owned())
        .collect::<Vec<_>>();
    assert_eq!(rows, [&names[..], &["ALL"]].concat());
}

#[test]
fn what_the_parser_had_to_supply_is_not_masked() {
    let context = MethodContext::default();
    let method = Method::analyze("def m(self):\n a=;", &context);
    let outcome = method.apply(RuleId::Assignments, &RuleOptions::default());
    assert_eq!(outcome.perturbations, []);
    assert!(
        outcome
            .considered
            .iter()
            .any(|it| it.reason == "nothing stands there"),
        "{:?}",
        outcome.considered
    );
}

#[test]
fn every_node_that_was_left_alone_has_a_reason() {
    let source = "def f(self, w: int = 1):\n    \"\"\"Doc.\"\"\"\n    def g(self):\n        return self.x\n    return g\n";
    let context = MethodContext::default();
    let method = Method::analyze(source, &context);
    let reasons = |rule| -> Vec<String> {
        let considered = method.apply(rule, &RuleOptions::default()).considered;
        considered
            .into_iter()
            .filter(|c| c.instance.is_none())
            .map(|c| c.reason)
            .collect()
    };
    assert_eq!(reasons(RuleId::Constants), ["a docstring"]);
    assert_eq!(reasons(RuleId::Returns), ["returns from a nested function"]);
    assert_eq!(
        reasons(RuleId::ContextNames),
        ["the receiver of another function"]
    );
}
