//! The rules' help pages name what the rules' table has.

use shared::perturb::RULES;

#[test]
fn every_rules_help_names_its_options_and_their_values() {
    for rule in &RULES {
        let path = tests::workspace().join(format!("static/help/{}.md", rule.id));
        let page = std::fs::read_to_string(path).unwrap();
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
