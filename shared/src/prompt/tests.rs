use super::{
    Message, Names, Prompt, PromptError, Reused, Role, STRATEGIES, StrategyId, Target, Task,
    estimate_tokens, prompt,
};
use crate::dataset::{self, Dataset};
use crate::perturb::{Method, RuleId, RuleOptions};

fn benchmark(requirement: &str) -> Dataset {
    let file = serde_json::json!([{
        "class_name": "Box",
        "solution_code": "class Box:\n    def put(self, thing):\n        self.things.append(thing)\n",
        "methods_info": [{
            "method_name": "put",
            "method_description": requirement,
            "solution_code": "def put(self, thing):\n        self.things.append(thing)",
        }],
    }]);
    dataset::read("box", file.to_string().as_bytes()).unwrap()
}

fn with(requirement: &str, check: impl FnOnce(Target<'_>)) {
    let dataset = benchmark(requirement);
    let (subject, context) = dataset.with_contexts().next().unwrap();
    let class = dataset.class_of(subject);
    check(Target {
        class,
        subject,
        context,
    });
}

#[test]
fn strategies_stand_at_their_ids() {
    for (at, strategy) in STRATEGIES.iter().enumerate() {
        assert_eq!(strategy.id as usize, at);
        assert_eq!(strategy.slug.parse(), Ok(strategy.id));
        let json = serde_json::to_string(&strategy.id).unwrap();
        assert_eq!(json, format!("\"{}\"", strategy.slug));
    }
    assert!("none".parse::<StrategyId>().unwrap_err().contains("infill"));
}

#[test]
fn a_strategy_takes_its_own_tasks_only() {
    with("Put a thing in.", |target| {
        for (strategy, task) in [
            (StrategyId::Infill, Task::Write),
            (StrategyId::Plain, Task::Adapt(Reused::Reference)),
            (StrategyId::Adapt, Task::Write),
        ] {
            let none = prompt(strategy, target, task, Names::Hidden);
            assert!(matches!(none, Err(PromptError::OtherTask(..))), "{none:?}");
        }
        let outcome = Method::analyze(&target.subject.source, target.context)
            .apply(RuleId::Parameters, &RuleOptions::default());
        let task = Task::Fill(&outcome.perturbations[0]);
        let filled = prompt(StrategyId::Infill, target, task, Names::Shown).unwrap();
        assert!(filled.text().contains("def put(self, <INFILL>):"));
    });
}

#[test]
fn a_hash_tells_what_a_model_can() {
    with("Put a thing in.", |target| {
        let ask =
            |reused, names| prompt(StrategyId::Adapt, target, Task::Adapt(reused), names).unwrap();
        let (hidden, shown) = (
            ask(Reused::Reference, Names::Hidden),
            ask(Reused::Reference, Names::Shown),
        );
        assert_ne!(hidden.hash(), shown.hash());
        // The same code under another condition is the same question.
        let same = ask(Reused::IsolatedBug(&target.subject.source), Names::Shown);
        assert_eq!((same.hash(), same == shown), (shown.hash(), false));
        assert_eq!(hidden.hash().len(), 64);
        let empty = Prompt {
            messages: vec![Message {
                role: Role::User,
                text: String::new(),
            }],
            ..shown
        };
        let json = serde_json::to_value(&empty).unwrap();
        assert_eq!(
            json["messages"],
            serde_json::json!([{"role": "user", "content": ""}])
        );
        assert_eq!(
            empty.hash(),
            dataset::sha256_hex(br#"[{"role":"user","content":""}]"#)
        );
    });
}

#[test]
fn no_text_closes_its_fence() {
    with("Put ```` in:\n```\nand out", |target| {
        let asked = prompt(StrategyId::Plain, target, Task::Write, Names::Shown).unwrap();
        let text = asked.text();
        assert!(
            text.contains("`````\nPut ```` in:\n```\nand out\n`````\n"),
            "{text}"
        );
    });
}

#[test]
fn the_class_is_shown_without_the_method() {
    with("Put a thing in.", |target| {
        let asked = prompt(StrategyId::Plain, target, Task::Write, Names::Hidden).unwrap();
        assert!(
            asked.text().contains("class Class_0:\n    pass\n"),
            "{}",
            asked.text()
        );
        assert_eq!(asked.names.get("Class_0").map(String::as_str), Some("Box"));
    });
}

#[test]
fn tokens_are_counted_by_runs() {
    for (text, n) in [
        ("", 0),
        ("word", 1),
        ("implementation", 3),
        ("a word", 2),
        ("1234", 2),
        ("f(x):\n    return 1", 7),
        ("äö", 2),
        ("==== ", 2),
    ] {
        assert_eq!(estimate_tokens(text), n, "{text:?}");
    }
}
