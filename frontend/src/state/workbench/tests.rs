use std::ops::Range;

use leptos::prelude::Owner;
use shared::perturb::RuleId;
use shared::syntax::highlight::{Token, TokenClass};
use shared::text::Span;

use super::keystroke::{self, Key, byte_offset, utf16_offset};
use super::link::{Display, Panel, Side, Step, TooLong, ViewState, Written};
use super::requirement::{Block, read};
use super::segments::{Mark, MarkKind, Shift, segments};

fn view_of(query: &str) -> ViewState {
    ViewState::from_query(query.split('&').filter_map(|pair| pair.split_once('=')))
}

#[test]
fn a_link_restores_everything() {
    let query = "rule=operators&i=2&site=3&view=unified&rules=returns,operators&tab=context&panel=why&why=left&reveal=1\
                 &showcase=2&step=filled&o.returns.count=valued";
    let view = view_of(query);
    assert_eq!(view.rule, Some(RuleId::Operators));
    assert_eq!(
        (view.instance, view.site, view.display),
        (2, 2, Display::Unified)
    );
    assert_eq!(view.unified, [RuleId::Returns, RuleId::Operators]);
    assert_eq!(
        (view.side, view.panel, view.reveal_all),
        (Side::Context, Panel::Why, true)
    );
    assert_eq!((view.showcase, view.step), (1, Step::Filled));
    assert_eq!(view.options.get("returns.count"), "valued");
    assert_eq!(view.to_string(), query);
}

#[test]
fn the_default_view_needs_no_query_and_nonsense_is_left_out() {
    assert_eq!(ViewState::default().to_string(), "");
    let view =
        view_of("rule=none&i=-1&site=0&view=x&rules=,y&tab=&o.no.such=1&o.returns.count=odd&utm=1");
    assert_eq!(view, ViewState::default());
}

#[test]
fn another_subject_keeps_rule_and_options_only() {
    let view = view_of("rule=returns&i=1&site=2&view=showcase&reveal=1&step=explained&tab=tests");
    assert_eq!(
        view.for_another_subject().to_string(),
        "rule=returns&tab=tests"
    );
}

#[test]
fn what_is_written_travels_in_the_hash() {
    let edit = Written {
        edit: Some("def f(self):\n    return 'ü'\n".to_owned()),
        variant: None,
    };
    let both = Written {
        variant: Some(r#"{"fillings":["a & b"]}"#.to_owned()),
        ..edit.clone()
    };
    for written in [edit, both, Written::default()] {
        let hash = written.hash().unwrap().unwrap_or_default();
        assert_eq!(Written::from_hash(&format!("#{hash}")), written);
    }
    for other in ["#site-1", "#c1=%%%", "#v1=%%%&c1=_w"] {
        assert_eq!(Written::from_hash(other), Written::default());
    }
    let long = Written {
        edit: Some("x".repeat(9000)),
        variant: None,
    };
    assert_eq!(long.hash(), Err(TooLong));
}

#[test]
fn segments_cover_the_text_and_carry_every_mark() {
    let source = "a = bb + c";
    let token = |start, end| Token {
        span: Span::new(start, end),
        class: TokenClass::Operator,
    };
    let mark = |start, end, kind| Mark {
        span: Span::new(start, end),
        kind,
    };
    let marks = [mark(4, 10, MarkKind::Site), mark(5, 7, MarkKind::Focus)];
    let runs = segments(
        source,
        &[token(2, 3), token(7, 8)],
        &marks,
        Span::new(0, 10),
    );
    let texts: Vec<&str> = runs.iter().map(|run| run.span.of(source)).collect();
    assert_eq!(texts, ["a ", "=", " ", "b", "b ", "+", " c"]);
    assert_eq!(runs[4].marks, [MarkKind::Site, MarkKind::Focus]);
    assert_eq!(runs[1].class(), "tok-operator");
    assert_eq!(segments("", &[], &[], Span::new(0, 0)), []);
}

#[test]
fn places_follow_an_edit() {
    let shift = Shift::between("a = 1 + 2", "a = 100 + 2");
    assert_eq!(shift.of(Span::new(0, 1)), Some(Span::new(0, 1)));
    assert_eq!(shift.of(Span::new(8, 9)), Some(Span::new(10, 11)));
    assert_eq!(shift.of(Span::new(4, 7)), None);
    let same = Shift::between("x", "x");
    assert_eq!(same.of(Span::new(0, 1)), Some(Span::new(0, 1)));
    assert_eq!(Shift::between("aaa", "a").of(Span::new(2, 3)), None);
}

/// `|` is the caret or an end of the selection.
fn check_key(key: Key, before: &str, after: &str) {
    let (text, selection) = parse(before);
    let shown = match keystroke::change(key, &text, selection.clone()) {
        Some(change) => {
            let mut text = text;
            text.replace_range(change.replace, &change.with);
            show(&text, &change.select)
        }
        None => "browser".to_owned(),
    };
    assert_eq!(shown, after, "{key:?} in {before:?}");
}

fn parse(marked: &str) -> (String, Range<usize>) {
    let parts: Vec<&str> = marked.split('|').collect();
    let start = parts[0].len();
    let end = if parts.len() == 3 {
        start + parts[1].len()
    } else {
        start
    };
    (parts.concat(), start..end)
}

fn show(text: &str, selection: &Range<usize>) -> String {
    let (before, rest) = text.split_at(selection.start);
    let (selected, after) = rest.split_at(selection.end - selection.start);
    if selected.is_empty() {
        format!("{before}|{after}")
    } else {
        format!("{before}|{selected}|{after}")
    }
}

#[test]
fn tab_goes_to_the_next_level_or_indents_lines() {
    check_key(Key::Tab, "ab|c", "ab  |c");
    check_key(Key::Tab, "|x", "    |x");
    check_key(Key::Tab, "a|b|c", "a   |c");
    check_key(Key::Tab, "|a\n\nb\n|c", "|    a\n\n    b|\nc");
}

#[test]
fn back_tab_outdents_lines() {
    check_key(Key::BackTab, "      x|y", "  x|y");
    check_key(Key::BackTab, "|    a\n  b|", "|a\nb|");
    check_key(Key::BackTab, "x|", "x|");
    check_key(Key::BackTab, "\tx|", "x|");
}

#[test]
fn enter_keeps_and_adds_indentation() {
    check_key(Key::Enter, "    a = 1|", "    a = 1\n    |");
    check_key(Key::Enter, "  if a:  # why|", "  if a:  # why\n      |");
    check_key(Key::Enter, "f(|)", "f(\n    |\n)");
    check_key(Key::Enter, "f(a,|", "f(a,\n    |");
    check_key(Key::Enter, "x = '#('|", "x = '#('\n|");
    check_key(Key::Enter, "        return x|", "        return x\n    |");
    check_key(Key::Enter, "    returned = x|", "    returned = x\n    |");
}

#[test]
fn backspace_removes_a_level_of_leading_blanks() {
    check_key(Key::Backspace, "        |x", "    |x");
    check_key(Key::Backspace, "      |x", "    |x");
    check_key(Key::Backspace, "  |", "|");
    check_key(Key::Backspace, "    a|", "browser");
    check_key(Key::Backspace, "|    a", "browser");
    check_key(Key::Backspace, "  |  |a", "browser");
}

#[test]
fn offsets_count_as_browsers_do() {
    let text = "ä𝄞x";
    for (byte, utf16) in [(0, 0), (2, 1), (6, 3), (7, 4)] {
        assert_eq!(
            (byte_offset(text, utf16), utf16_offset(text, byte)),
            (byte, utf16)
        );
    }
    assert_eq!(byte_offset(text, 99), 7);
}

#[test]
fn a_requirement_has_a_signature_text_fields_and_examples() {
    let text = "def add(self, n):\n        \"\"\"\n        Adds a number\n        to the sum.\n        \
                :param n: int, the number\n            to add\n        :return: int\n        >>> a.add(1)\n        1\n        \"\"\"";
    let requirement = read(text);
    assert_eq!(requirement.signature, "def add(self, n):");
    let field = |name: &str, text: &str| Block::Field(name.to_owned(), text.to_owned());
    assert_eq!(
        requirement.blocks,
        [
            Block::Text("Adds a number to the sum.".to_owned()),
            field("param n", "int, the number to add"),
            field("return", "int"),
            Block::Example(">>> a.add(1)\n1".to_owned()),
        ]
    );
}

#[test]
fn a_requirement_without_signature_or_quotes_is_a_paragraph() {
    assert_eq!(
        read("Just words.").blocks,
        [Block::Text("Just words.".to_owned())]
    );
    let curly = read("def f():\n    \u{201c}\u{201c}\u{201d}One line.\u{201c}\u{201c}\u{201d}");
    assert_eq!(
        (curly.signature.as_str(), curly.blocks),
        ("def f():", vec![Block::Text("One line.".to_owned())])
    );
    assert_eq!(read("").blocks, []);
}

mod bench {
    use super::*;
    use crate::state::workbench::class_source::{
        body_lines, deciding_line, siblings, target_lines, veiled,
    };
    use crate::state::workbench::showcase::{filled, place};
    use crate::state::workbench::{Analysis, Workbench};
    use crate::worker::protocol::PerturbView;
    use shared::api::{DatasetCard, SubjectBody};
    use shared::dataset;
    use shared::perturb::{Method, RULES, RuleOptions};
    use shared::subject::{Showcase, SubjectId};
    use shared::syntax::highlight;
    use std::sync::Arc;

    const FILE: &str = r#"[{"task_id": "T_0", "class_name": "Till",
        "solution_code": "class Till:\n    def __init__(self):\n        self.sum = 0\n\n    def add(self, n):\n        self.sum = self.sum + n\n        return self.sum\n\n    def undo(self, n):\n        self.sum = self.sum - n\n",
        "skeleton": "class Till:\n    def add(self, n):\n        \"\"\"\n        Adds a number.\n        :param n: int\n        \"\"\"\n\n    def undo(self, n):\n        \"\"\"Takes back.\"\"\"\n",
        "methods_info": [
            {"method_name": "add", "solution_code": "def add(self, n):\n        self.sum = self.sum + n\n        return self.sum"},
            {"method_name": "undo", "solution_code": "def undo(self, n):\n        self.sum = self.sum - n"}]}]"#;

    fn open() -> (SubjectBody, DatasetCard) {
        let dataset = dataset::read("till", FILE.as_bytes()).unwrap();
        let subject = dataset.subject(&SubjectId("Till.add".to_owned())).unwrap();
        (dataset.body(subject), DatasetCard::from(&dataset))
    }

    fn analysis(body: &SubjectBody, source: &str) -> Arc<Analysis> {
        let method = Method::analyze(source, &body.context);
        let options = RuleOptions::default();
        let view = PerturbView {
            tokens: highlight::tokens(method.tree()),
            errors: method.errors().to_vec(),
            outcomes: RULES
                .iter()
                .map(|rule| method.apply(rule.id, &options))
                .collect(),
        };
        Arc::new(Analysis {
            source: source.to_owned(),
            view,
        })
    }

    fn with_bench(check: impl FnOnce(Workbench)) {
        let owner = Owner::new();
        owner.with(|| {
            let (body, card) = open();
            let analysis = analysis(&body, &body.subject.source);
            let bench = Workbench::new(body, &card, ViewState::default(), None);
            bench.analysis.set(Some(analysis));
            check(bench);
        });
    }

    #[test]
    fn the_method_and_its_siblings_stand_in_the_class() {
        let (body, _) = open();
        assert_eq!(target_lines(&body), Some(4..7));
        let source = &body.class.source;
        let hidden = body_lines(source, &(4..7));
        let closed = veiled(source, &hidden);
        assert_eq!(closed.len(), source.len());
        for (at, (shown, line)) in closed.lines().zip(source.lines()).enumerate() {
            if hidden.contains(&at) {
                assert_eq!((shown.trim(), shown.len()), ("", line.len()));
            } else {
                assert_eq!(shown, line);
            }
        }
        let found = siblings(&body);
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.name.as_str(), it.line, it.summary.as_str()))
            .collect();
        assert_eq!(found, [("__init__", 1, ""), ("undo", 8, "Takes back.")]);
        assert_eq!(deciding_line(&body, " self.sum = 0"), Some(2));
        assert_eq!(deciding_line(&body, "no such line"), None);
    }

    #[test]
    fn the_first_rule_that_hides_something_is_chosen() {
        with_bench(|bench| {
            assert_eq!(bench.rule.get(), RuleId::Parameters);
            assert_eq!(bench.say_site(), "site 1 of 1, parameters, hidden");
            bench.choose_rule(RuleId::ThirdParty);
            assert_eq!((bench.places.get(), bench.step_site(1)), (vec![], None));
        });
    }

    #[test]
    fn steps_wrap_and_reveals_are_told() {
        with_bench(|bench| {
            bench.choose_rule(RuleId::ContextNames);
            assert_eq!(bench.places.with(Vec::len), 3);
            assert_eq!(
                (bench.step_site(-1), bench.step_site(1)),
                (Some(2), Some(0))
            );
            bench.toggle_reveal(0);
            assert!(bench.say_site().ends_with("self.sum"));
            bench.toggle_reveal_all();
            bench.toggle_reveal(1);
            assert_eq!(
                [0, 1, 2].map(|site| bench.is_revealed(site)),
                [true, false, true]
            );
        });
    }

    #[test]
    fn the_unified_view_keeps_at_least_one_rule() {
        with_bench(|bench| {
            bench.choose_display(Display::Unified);
            bench.choose_rule(RuleId::Operators);
            assert_eq!(bench.unified.get(), [RuleId::Parameters, RuleId::Operators]);
            assert!(bench.masked().unwrap().contains("self.sum <INFILL> n"));
            bench.choose_rule(RuleId::Operators);
            bench.choose_rule(RuleId::Parameters);
            assert_eq!(bench.unified.get(), [RuleId::Parameters]);
        });
    }

    #[test]
    fn a_link_to_a_note_that_is_not_there_shows_the_masked_method() {
        with_bench(|bench| {
            bench.view.set(view_of("view=showcase"));
            assert_eq!(bench.display.get(), Display::Masked);
        });
    }

    #[test]
    fn an_edit_is_seen_and_undone() {
        with_bench(|bench| {
            bench.source.update(|source| source.push('\n'));
            assert!(bench.is_edited.get());
            bench.reset();
            assert!(!bench.is_edited.get());
        });
    }

    #[test]
    fn a_note_finds_its_place_by_text_and_occurrence() {
        let (body, _) = open();
        let source = &body.subject.source;
        let note = |hidden: &str, occurrence| Showcase {
            subject: body.subject.id.clone(),
            rule: "context_names".to_owned(),
            hidden: hidden.to_owned(),
            occurrence,
            plausible: "self.total".to_owned(),
            title: String::new(),
            note: String::new(),
            decides: String::new(),
            broken_test: String::new(),
        };
        let outcomes = &analysis(&body, source).view.outcomes;
        let found = place(&note("self.sum", 2), outcomes).unwrap();
        let (text, at) = filled(source, found.site.span, "self.total");
        assert!(text.ends_with("return self.total"));
        assert_eq!(at.of(&text), "self.total");
        assert_eq!(place(&note("self.sum", 3), outcomes), None);
    }
}
