use shared::case::{OutsideEdit, SiteStatus};
use shared::identify::{MaskedNode, Wanted, extract};
use shared::perturb::{Method, RuleId};
use shared::report::{TestOutcome, TestRun};
use shared::subject::MethodContext;

use super::*;

const SOURCE: &str = "def f(self, n):\n    if n > 3:\n        return n + 1\n    return 2\n";

fn masked() -> Masked {
    let mut options = RuleOptions::default();
    options.set("constants.unit", "method").unwrap();
    let context = MethodContext::default();
    let method = Method::analyze(SOURCE, &context);
    let of = method.apply(RuleId::Constants, &options).perturbations;
    Masked {
        source: SOURCE.to_owned(),
        of: of.into_iter().next().unwrap(),
    }
}

/// An answer whose places stand for themselves.
fn answer(standing: Standing, statuses: &[SiteStatus], n_outside: usize) -> ExaminedView {
    let masked = masked();
    let nodes = (0..).zip(statuses).map(|(site, &status)| MaskedNode {
        site,
        status,
        reference: masked.of.sites[site as usize].span,
        variant: (status != SiteStatus::Deleted).then_some(masked.of.sites[site as usize].span),
    });
    let edit = OutsideEdit {
        reference: Span::new(0, 0),
        variant: Span::new(0, 3),
    };
    ExaminedView {
        standing,
        extraction: None,
        method: SOURCE.to_owned(),
        sites: nodes.collect(),
        outside: vec![edit; n_outside],
        diff: None,
    }
}

#[test]
fn fields_fill_the_places_and_the_text_takes_them_over() {
    let masked = masked();
    let mut draft = Draft::default();
    assert_eq!(draft.to_examine(&masked), None);
    assert_eq!(draft.variant(&masked), masked.of.masked(SOURCE));
    draft.fill(1, "10".to_owned());
    draft.fill(2, "  ".to_owned());
    assert_eq!((draft.n_open(3), draft.is_open(1)), (2, false));
    let filled = SOURCE
        .replace("> 3", "> <INFILL>")
        .replace("+ 1", "+ 10")
        .replace("return 2", "return <INFILL>");
    assert_eq!(draft.variant(&masked), filled);
    // What is still open disturbs nothing that is said of the rest.
    let asked = draft.to_examine(&masked);
    assert_eq!(asked, Some(SOURCE.replace("+ 1", "+ 10")));

    draft.way = Way::Write;
    assert_eq!(draft.variant(&masked), filled);
    assert_eq!(draft.to_examine(&masked), asked);
}

#[test]
fn a_part_of_the_method_tells_nothing_that_is_hidden() {
    let masked = masked();
    let check = |part: &str, shown: &str| {
        let at = u32::try_from(SOURCE.find(part).unwrap()).unwrap();
        let end = at + u32::try_from(part.len()).unwrap();
        assert_eq!(masked.part(Span::new(at, end)), shown);
    };
    check("n > ", "n > ");
    check("3", "<INFILL>");
    check(
        "> 3:\n        return n + 1\n",
        "> <INFILL>:\n        return n + <INFILL>\n",
    );
    assert_eq!(masked.part(Span::new(3, 3)), "");
}

#[test]
fn nothing_that_was_typed_is_lost() {
    let masked = masked();
    let mut draft = Draft::default();
    draft.fill(0, "7".to_owned());
    draft.way = Way::Write;
    draft.write("def f(self): pass".to_owned(), &masked);
    assert_eq!(draft.to_examine(&masked).unwrap(), "def f(self): pass");
    assert_eq!(draft.n_open(3), 0);

    draft.way = Way::Fill;
    draft.fill(1, "8".to_owned());
    assert!(draft.variant(&masked).contains("n > 7"));
    draft.way = Way::Write;
    assert_eq!(draft.variant(&masked), "def f(self): pass");
    draft.follow();
    assert!(draft.variant(&masked).contains("n + 8"));

    // Undone by hand, it follows again.
    draft.write("x".to_owned(), &masked);
    draft.write(draft.filled(&masked), &masked);
    assert!(!draft.is_own_text());
    draft.clear();
    assert_eq!(draft.variant(&masked), "");
    draft.way = Way::Fill;
    assert_eq!(draft.filling(0), "7");
    draft.clear();
    assert_eq!(draft.filling(0), "");
}

#[test]
fn a_draft_travels_as_a_text() {
    let masked = masked();
    let mut draft = Draft::empty(Way::Write);
    assert_eq!(draft.code(), None);
    draft.fill(1, "'ü' & 1".to_owned());
    draft.write("…".to_owned(), &masked);
    assert_eq!(Draft::from_code(&draft.code().unwrap()), Some(draft));
    for other in ["", "7", "{\"way\":\"Guess\"}", "{\"fillings\":[1]}"] {
        assert_eq!(Draft::from_code(other), None, "{other}");
    }
    // A link of a later version may hold more.
    assert_eq!(
        Draft::from_code("{\"later\":[0.5]}"),
        Some(Draft::default())
    );
}

#[test]
fn the_verdict_counts_places() {
    use SiteStatus::{Changed, Deleted, Resolved};
    let masked = masked();
    let mut draft = Draft::default();
    let check = |draft: &Draft, view: Option<&ExaminedView>, slug: &str, text: &str| {
        let verdict = verdict(draft, &masked, view, None);
        assert_eq!((verdict.slug, &*verdict.text), (slug, text));
    };
    check(&draft, None, "open", "3 places to fill");

    draft.fill(0, "4".to_owned());
    let one = answer(Standing::Candidate, &[Changed, Resolved, Resolved], 0);
    check(
        &draft,
        Some(&one),
        "open",
        "The filled place differs; 2 places to fill",
    );
    let broken = answer(
        Standing::NotCase("syntax error in line 2: an expression is missing".to_owned()),
        &[Deleted, Resolved, Resolved],
        0,
    );
    let said = "Syntax error in line 2: an expression is missing; 2 places to fill";
    check(&draft, Some(&broken), "refused", said);

    draft.fill(1, "1".to_owned());
    let said = "1 of 2 filled places differs; 1 place to fill";
    check(&draft, Some(&one), "open", said);
    let none = answer(Standing::Identical, &[Resolved; 3], 0);
    let said = "All 2 filled places are as the reference; 1 place to fill";
    check(&draft, Some(&none), "open", said);

    draft.fill(2, "2".to_owned());
    check(
        &draft,
        Some(&none),
        "same",
        "Identical at all 3 places: no CtxBug",
    );
    let two = answer(Standing::Candidate, &[Changed, Deleted, Resolved], 1);
    let said = "2 of 3 places differ, besides 1 edit elsewhere; tests: not run yet";
    check(&draft, Some(&two), "candidate", said);

    draft.way = Way::Write;
    draft.write("x".to_owned(), &masked);
    check(&draft, None, "open", "Reading the text");
    let left = answer(
        Standing::Unfilled("<INFILL> was left in line 4".to_owned()),
        &[Changed, Resolved, Deleted],
        0,
    );
    check(
        &draft,
        Some(&left),
        "refused",
        "<INFILL> was left in line 4",
    );
    let states = [0, 1, 2].map(|site| draft.state(site, &masked, Some(&left)));
    let states = states.map(|state| state.map_or("", SiteState::words));
    assert_eq!(states, ["changed", "as the reference", "to fill"]);
    let no_method = answer(
        Standing::NotCase("no method f in the reply".to_owned()),
        &[],
        0,
    );
    assert_eq!(draft.state(0, &masked, Some(&no_method)), None);
}

#[test]
fn what_was_found_is_said_where_it_is_not_all() {
    let wanted = Wanted {
        class: &["C"],
        method: &["f"],
        siblings: &["g"],
    };
    let check = |text: &str, said: Option<&str>| {
        let found = extract(text, &wanted).unwrap();
        let imports = ["import math".to_owned()];
        assert_eq!(how_found(text, &found, &imports).as_deref(), said, "{text}");
    };
    check("def f(self):\n    return 1\n", None);
    check(
        "Here:\n```\nclass C:\n    def f(self):\n        return 1\n```\n",
        Some("The method was found in a fenced block, in its class."),
    );
    check(
        "import math\nimport os\n\nclass D:\n    def f(self):\n        return 1\n",
        Some(
            "The method was found in the text, in a class of another name. \
             Imports are no part of it and stay out: import os.",
        ),
    );
    check(
        "def better_f(self):\n    return 1\n",
        Some("There it is called better_f; here it has its own name."),
    );
}

#[test]
fn a_line_is_read_back() {
    let masked = masked();
    let mut options = RuleOptions::default();
    options.set("constants.unit", "method").unwrap();
    let subject = SubjectId("C.f".to_owned());
    let line = line(
        &subject,
        &masked.of,
        &options,
        "def f(self): pass".to_owned(),
    );
    let read = Variant::from_json_line(&line, 1).unwrap();
    assert_eq!(read.rule_options().unwrap(), options);
    assert_eq!(read.origin, VariantOrigin::Human);
    assert_eq!((read.subject, read.rule), (subject, RuleId::Constants));
    assert!(read.id.as_str().starts_with("C.f-R3-1-"), "{}", read.id);
}

#[test]
fn its_tests_decide_what_a_variant_is() {
    use SiteStatus::{Changed, Resolved};
    let masked = masked();
    let mut draft = Draft::default();
    for site in 0..3 {
        draft.fill(site, "9".to_owned());
    }
    let view = answer(Standing::Candidate, &[Changed, Resolved, Resolved], 0);
    let mut report = TestReport::new(VariantId("v".to_owned()));
    for name in ["T.test_a", "T.test_b", "T.test_c"] {
        report.tests.push(TestRun::new(name, TestOutcome::Passed));
    }
    let check = |report: &TestReport, slug: &str, text: &str| {
        let verdict = verdict(&draft, &masked, Some(&view), Some(report));
        assert_eq!((verdict.slug, &*verdict.text), (slug, text));
    };
    let passes = "No CtxBug: 1 of 3 places differs, and it passes all 3 tests";
    check(&report, "same", passes);
    report.tests[1].outcome = TestOutcome::TimedOut;
    let one = "CtxBug: 1 of 3 places differs, and 1 of 3 tests fails: test_b";
    check(&report, "case", one);
    report.tests[2].outcome = TestOutcome::NotRun;
    let two = "CtxBug: 1 of 3 places differs, and 2 of 3 tests fail: test_b, test_c";
    check(&report, "case", two);
    report.tests[0].outcome = TestOutcome::TimedOut;
    let all = "CtxBug: 1 of 3 places differs, and 3 of 3 tests fail: test_a, test_b, …";
    check(&report, "case", all);
    report.load_error = Some("NameError: x".to_owned());
    let no = "1 of 3 places differs; the class with it cannot be loaded: NameError: x";
    check(&report, "refused", no);
}
