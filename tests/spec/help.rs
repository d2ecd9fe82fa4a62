//! The help pages name what the code has, and their examples are what it says.

use std::collections::BTreeMap;

use serde_json::json;
use shared::dataset;
use shared::diff::MATCHERS;
use shared::identify::{
    Adaptation, LENSES, Lens, NotCase, Reference, STAGES, SiteResolution, resolution_rate, wilson,
};
use shared::perturb::{Method, RULES, RuleId, RuleOptions};
use shared::text::Span;
use shared::variant::VariantId;

#[test]
fn every_rules_help_names_its_options_and_their_values() {
    for rule in &RULES {
        let page = help(rule.id.slug());
        assert!(page.starts_with(&format!("# {}\n\nRule {} ·", rule.title, rule.id.number())));
        for option in rule.options {
            let name = format!("`{}`", option.full_name(rule.id));
            let row = page.lines().find(|line| line.contains(&name));
            let row = row.unwrap_or_else(|| panic!("{}'s help does not name {name}", rule.id));
            let yes_no = option
                .choices
                .iter()
                .all(|choice| matches!(choice.value, "yes" | "no"));
            for choice in option.choices.iter().filter(|_| !option.many && !yes_no) {
                assert!(
                    row.contains(&format!("`{}`", choice.value)),
                    "{name}: {}",
                    choice.value
                );
            }
        }
    }
}

/// The example of the page about resolution rate: its programs, and what it says of each answer.
#[test]
fn the_example_of_resolution_rate_is_what_the_code_says() {
    let page = help("resolution");
    let programs: Vec<&str> = page
        .split("```python\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    let [own, bug, answers @ ..] = programs.as_slice() else {
        panic!("the page has no example")
    };
    assert_eq!(answers.len(), 2);
    let in_class = own.trim_end().replace('\n', "\n    ");
    let file = json!([{
        "class_name": "Till",
        "solution_code": format!("class Till:\n    {in_class}\n"),
        "methods_info": [{"method_name": "add", "solution_code": in_class}],
    }]);
    let dataset = dataset::read("till", file.to_string().as_bytes()).unwrap();
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let reference = Reference::of(dataset.class_of(subject), subject, context);
    let method = Method::analyze(&subject.source, context);
    let outcome = method.apply(RuleId::Operators, &RuleOptions::default());
    let sites: Vec<Span> = outcome.perturbations[0]
        .sites
        .iter()
        .map(|site| site.span)
        .collect();
    let look = |text: &str| reference.resolution(&sites, text, &BTreeMap::new());
    let unchanged = look(bug).sites;
    assert!(
        LENSES
            .iter()
            .all(|&lens| unchanged.iter().all(|site| !site.is_resolved(lens)))
    );
    let answers: Vec<Adaptation> = answers.iter().map(|answer| look(answer)).collect();
    let mut rows = Vec::new();
    for answer in &answers {
        for lens in LENSES {
            let cells = answer.sites.iter().map(|site| said(answer, site, lens));
            let cells: Vec<String> = cells.collect();
            rows.push(format!("| `{}` | {} |", lens.slug(), cells.join(" | ")));
        }
    }
    for rate in resolution_rate(&answers).rates {
        let (low, high) = wilson(rate.n_resolved, rate.n_sites).unwrap();
        let (slug, n, of) = (rate.lens.slug(), rate.n_resolved, rate.n_sites);
        let share = f64::from(n) / f64::from(of) * 100.0;
        let (low, high) = (low * 100.0, high * 100.0);
        rows.push(format!(
            "| `{slug}` | {n} of {of} | {share:.1} % | {low:.1} % to {high:.1} % |"
        ));
    }
    let in_page: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    assert_eq!(in_page, rows, "the tables should be\n{}", rows.join("\n"));
}

fn said(answer: &Adaptation, site: &SiteResolution, lens: Lens) -> String {
    let Lens::Matcher(matcher) = lens else {
        return if site.is_resolved(lens) {
            "resolved"
        } else {
            "not resolved"
        }
        .to_owned();
    };
    let status = site.statuses[matcher as usize].slug();
    let partner = site.partners[matcher as usize].zip(answer.method.as_ref());
    let text = partner.map(|(partner, method)| format!(" `{}`", partner.of(method)));
    format!("{status}{}", text.unwrap_or_default())
}

#[test]
fn every_matcher_and_every_kind_of_edit_is_explained() {
    let page = help("diff");
    for matcher in &MATCHERS {
        assert!(
            page.contains(&format!("\n| `{}` | ", matcher.id)),
            "{}",
            matcher.id
        );
    }
    for kind in ["insert", "update", "move", "delete"] {
        assert!(page.contains(&format!("` | {kind} | ")), "{kind}");
    }
    for page in ["diff", "ctxbug"] {
        assert!(help(page).contains("(/help/resolution)"), "{page}");
    }
}

fn help(slug: &str) -> String {
    std::fs::read_to_string(tests::workspace().join(format!("static/help/{slug}.md"))).unwrap()
}

#[test]
fn the_help_on_identification_names_every_stage_and_reason() {
    let page = help("identify");
    for stage in STAGES {
        assert!(page.contains(&format!("\n| {stage} | ")), "{stage}");
    }
    let (text, n) = (String::new, 0);
    for reason in [
        NotCase::Empty,
        NotCase::NoMethod { method: text() },
        NotCase::Unfilled {
            placeholder: text(),
            line: n,
        },
        NotCase::SyntaxError {
            line: n,
            message: text(),
        },
        NotCase::Identical { n_sites: n },
        NotCase::OutsideEdits { n_edits: n },
        NotCase::DoesNotLoad { message: text() },
        NotCase::PassesTests { n_tests: n },
        NotCase::Duplicate {
            of: VariantId(text()),
            tested: false,
        },
    ] {
        let row = format!("\n| `{}` | ", reason.slug());
        assert!(page.contains(&row), "{}", reason.slug());
    }
}
