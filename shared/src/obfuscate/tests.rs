use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Category, Name, NameMap, Obfuscator, restore, restore_text};
use crate::subject::{ClassItem, Dependencies, MethodContext, Subject, SubjectId};
use crate::syntax::outline::Module;
use crate::syntax::parse_python;
use crate::text::{Span, TextEdit};

const MODULE: &str = r#"import re
import datetime as dt
from decimal import Decimal

LIMIT = 3


def plain(total):
    return total


class Account:
    RATE = 2

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.__pin = 1
        self.cursor = None

    def pay(self, amount, other):
        total = self.balance - amount
        other.balance += self.RATE * Account.RATE
        display = f"{total:>{amount}} total"
        other.take(amount, note=display)
        return sorted([total for total in self.items], key=lambda amount: amount)

    def take(self, value, note=None):
        self.balance += value  # balance
        return re.match(note, "balance")

    def match(self, text):
        return re.match(text, self.__pin)

    def display(self, connection):
        self.cursor = connection.cursor()
        sum = plain(LIMIT)
        return sum, connection.display(), dt.datetime.now()
"#;

fn class(source: &str) -> ClassItem {
    ClassItem {
        task_id: String::new(),
        name: "Account".to_owned(),
        description: String::new(),
        constructor: String::new(),
        fields: Vec::new(),
        imports: Vec::new(),
        skeleton: String::new(),
        source: source.to_owned(),
        test: String::new(),
        test_classes: Vec::new(),
    }
}

fn context(class: &ClassItem) -> MethodContext {
    let module = Module::of(&parse_python(&class.source).tree, &class.name);
    MethodContext {
        class_name: class.name.clone(),
        imports: module.imports,
        methods: module.methods.into_iter().map(|(name, _)| name).collect(),
        fields: module.fields,
        globals: module.globals,
        is_static: false,
    }
}

fn subject(source: &str, requirement: &str) -> Subject {
    Subject {
        id: SubjectId("Account.pay".to_owned()),
        class: 0,
        method: "pay".to_owned(),
        requirement: requirement.to_owned(),
        source: source.to_owned(),
        test_class: String::new(),
        tests: String::new(),
        dependencies: Dependencies::default(),
        libraries: Vec::new(),
        showcases: Vec::new(),
    }
}

/// A method of the class with a map of its own, hidden, and its way back.
fn hidden(method: &str) -> String {
    let class = class(MODULE);
    let context = context(&class);
    let subject = subject(method, "");
    let mut hider = Obfuscator::of_method(&class, &subject, &context);
    let text = hider.method(method);
    let back = restore(&text, &hider.names().originals());
    assert_eq!(back.text, method);
    assert!(back.renamed.is_empty());
    text
}

/// A requirement of `method`, hidden with the method's own map, and its way back.
fn described(method: &str, requirement: &str) -> String {
    let class = class(MODULE);
    let context = context(&class);
    let subject = subject(method, requirement);
    let mut hider = Obfuscator::of_method(&class, &subject, &context);
    let text = hider.requirement(&subject);
    assert_eq!(restore_text(&text, &hider.names().originals()), requirement);
    text
}

#[test]
fn names_are_hidden_by_scope() {
    let method = "def pay(self, amount, other):\n    total = self.balance - amount\n    \
                  other.balance += self.RATE * Account.RATE\n    display = f\"{total:>{amount}} total\"\n    \
                  other.take(amount, note=display)\n    self.items\n    \
                  return sorted([total for total in self.items], key=lambda amount: amount)\n";
    let expected = "def func_0(self, var_0, var_1):\n    var_2 = self.var_3 - var_0\n    \
                    var_1.var_3 += self.var_4 * Class_0.var_4\n    var_5 = f\"{var_2:>{var_0}} total\"\n    \
                    var_1.func_1(var_0, var_6=var_5)\n    self.items\n    \
                    return sorted([var_2 for var_2 in self.items], key=lambda var_0: var_0)\n";
    assert_eq!(hidden(method), expected);
}

#[test]
fn fields_and_parameters_share_an_alias_and_methods_do_not() {
    assert_eq!(
        hidden("def __init__(self, balance):\n    self.balance = balance\n"),
        "def __init__(self, var_0):\n    self.var_0 = var_0\n"
    );
    assert_eq!(
        hidden("def display(self):\n    display = self.display()\n    return display\n"),
        "def func_0(self):\n    var_0 = self.func_0()\n    return var_0\n"
    );
}

#[test]
fn the_receiver_decides() {
    // `match`, `cursor` and `display` are members of the class, of `re` and of a connection.
    for (method, expected) in [
        (
            "def match(self, text):\n    return re.match(text, self.__pin)\n",
            "def func_0(self, var_0):\n    return re.match(var_0, self.var_1)\n",
        ),
        (
            "def display(self):\n    c = connect()\n    self.cursor = c.cursor()\n",
            "def func_0(self):\n    var_0 = connect()\n    self.var_1 = var_0.cursor()\n",
        ),
        (
            "def m(self):\n    import random as match\n    return match.display(balance=1), dt.datetime\n",
            "def func_0(self):\n    import random as match\n    return match.display(balance=1), dt.datetime\n",
        ),
        (
            "def m(self):\n    self.take(1, note=2)\n    print(note=3)\n    Account(owner=1, balance=2)\n",
            "def func_0(self):\n    self.func_1(1, var_0=2)\n    print(note=3)\n    Class_0(var_1=1, var_2=2)\n",
        ),
    ] {
        assert_eq!(hidden(method), expected);
    }
}

#[test]
fn what_python_and_strings_say_stays() {
    for method in [
        "def __getitem__(self, _):\n    return self.__dict__\n",
        "def __eq__(self, cls):\n    '''balance'''\n    # balance\n    return \"balance\", Decimal(1)\n",
    ] {
        let expected = method.replace("(self, _)", "(self, var_0)");
        assert_eq!(hidden(method), expected);
    }
}

#[test]
fn a_builtin_that_is_shadowed_is_hidden_where_it_is_a_local_only() {
    assert_eq!(
        hidden("def m(self, map):\n    sum = map\n    return [max(sum), (lambda max: max)(1)]\n"),
        "def func_0(self, var_0):\n    var_1 = var_0\n    return [max(var_1), (lambda var_2: var_2)(1)]\n"
    );
}

#[test]
fn nested_functions_and_classes_have_their_own_receivers() {
    assert_eq!(
        hidden(
            "def m(self):\n    def inner(self, a):\n        return self.balance\n    class Part:\n        \
             balance = 1\n        def take(self):\n            return self.balance\n    inner(self, a=1)\n    \
             return Part().balance\n"
        ),
        "def func_0(self):\n    def func_1(self, var_0):\n        return self.var_1\n    class Class_0:\n        \
         balance = 1\n        def take(self):\n            return self.balance\n    func_1(self, var_0=1)\n    \
         return Class_0().balance\n"
    );
}

#[test]
fn a_module_is_hidden_as_a_whole_and_comes_back() {
    let class = class(MODULE);
    let context = context(&class);
    let mut hider = Obfuscator::of_class(&class, &context, &[]);
    let text = hider.module(MODULE);
    let back = restore(&text, &hider.names().originals());
    assert_eq!(back.text, MODULE);
    assert_eq!((back.collisions, back.leaks), Default::default());
    for kept in [
        "import datetime as dt",
        "re.match(",
        "\"balance\"",
        "# balance",
        ".items]",
        "dt.datetime.now()",
    ] {
        assert!(text.contains(kept), "{kept} in {text}");
    }
    for gone in [
        "Account", "LIMIT", "plain", "__pin", "RATE", "def take", "owner",
    ] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    // One map a class: a method of it has the same aliases.
    let method = "def take(self, value, note=None):\n        self.balance += value  # balance\n        \
                  return re.match(note, \"balance\")\n";
    assert!(text.contains(hider.method(method).trim_end()), "{text}");
}

#[test]
fn templates_are_made_in_one_pass() {
    let class = class(MODULE);
    let context = context(&class);
    let method = "def pay(self, amount):\n    total = self.balance - amount\n    return total\n";
    let subject = subject(method, "");
    let mut hider = Obfuscator::of_method(&class, &subject, &context);
    let place = |hidden: &str, text: &str| {
        let start = u32::try_from(method.find(hidden).unwrap()).unwrap();
        let end = start + u32::try_from(hidden.len()).unwrap();
        let text = text.to_owned();
        TextEdit {
            span: Span::new(start, end),
            text,
        }
    };
    let places = [
        place("self.balance - amount", "<INFILL>"),
        place("return total", "<RETURN>"),
    ];
    let text = hider.template(method, &places);
    assert_eq!(
        text,
        "def func_0(self, var_0):\n    var_1 = <INFILL>\n    <RETURN>\n"
    );
    // The mask does not shift the numbers.
    assert_eq!(
        hider.names().alias_of(Category::Var, "balance"),
        Some("var_2")
    );
    let marks: Vec<TextEdit> = [("total =", "<START>"), (" = self", "<END>")]
        .map(|(before, mark)| {
            let start = place(before, "").span.start;
            let text = mark.to_owned();
            TextEdit {
                span: Span::new(start, start),
                text,
            }
        })
        .into();
    assert!(
        hider
            .template(method, &marks)
            .contains("<START>var_1<END> = self.var_2")
    );
}

#[test]
fn aliases_that_a_text_has_are_not_given() {
    let method = "def m(self, a, b):\n    return a, b, var_1, \"func_0 var_00\"\n";
    assert_eq!(
        hidden(method),
        "def func_1(self, var_0, var_2):\n    return var_0, var_2, var_1, \"func_0 var_00\"\n"
    );
}

#[test]
fn requirements_are_hidden_by_their_rules() {
    let method = "def pay(self, amount, a, n):\n    state = 'send'\n    final_state = 1\n";
    let text = described(
        method,
        "def pay(self, amount, a, n):\n    \"\"\"\n    Pays an amount (a number of n) from the balance, \
         don't change state, final_state or the 'owner'; a 'send' stays.\n    See self.balance, `take`, \
         take(1), re.match and Account, the display.\n    :param amount: int, the amount\n    :param a: a \
         note\n    :param wrong: amount\n    :return: balance\n    >>> account = Account(owner='amount', balance=2)\n    \
         >>> account.pay(amount, 3)  # amount\n    amount\n    >>> server.display()\n    >>> re.match('a', \
         x.take)\n    ... \n    balance amount\n\n    The amount.\n    \"\"\"\n",
    );
    let expected = "def func_0(self, var_0, var_1, var_2):\n    \"\"\"\n    Pays an var_0 (a number of var_2) from the balance, \
         don't change state, var_4 or the 'var_5'; a 'send' stays.\n    See self.var_6, `func_1`, \
         func_1(1), re.match and Account, the display.\n    :param var_0: int, the var_0\n    :param var_1: a \
         note\n    :param wrong: var_0\n    :return: balance\n    >>> var_7 = Class_0(var_5='amount', var_6=2)\n    \
         >>> var_7.func_0(var_0, 3)  # amount\n    amount\n    >>> var_8.func_2()\n    >>> re.match('a', \
         var_9.func_1)\n    ... \n    balance amount\n\n    The var_0.\n    \"\"\"\n";
    assert_eq!(text, expected);
}

#[test]
fn contractions_and_slips_are_no_names() {
    let method = "def pay(self, t, plain_text):\n    return t\n";
    assert_eq!(
        described(
            method,
            "def pay(self, t, plaintext):\n  \"\"\"It can't be t.\n  :param plaintext: str\n  \"\"\""
        ),
        "def func_0(self, var_0, plaintext):\n  \"\"\"It can't be var_0.\n  :param plaintext: str\n  \"\"\""
    );
    // A class's name with a capital inside looks like code, and a requirement may have no signature.
    assert_eq!(described(method, "take(s) the t"), "take(s) the var_0");
    assert_eq!(described(method, ""), "");
}

fn names(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter();
    pairs
        .map(|&(alias, original)| (alias.to_owned(), original.to_owned()))
        .collect()
}

#[test]
fn aliases_come_back_as_whole_words_everywhere() {
    let map = names(&[
        ("var_1", "a"),
        ("var_10", "ten"),
        ("func_0", "pay"),
        ("Class_0", "Account"),
    ]);
    let restored = restore(
        "def func_0(self, var_10):\n    # var_1\n    my_var_1 = var_01 = var_1x = var_2\n    \
         raise ValueError(f\"{var_1!r} var_1 var_10\", 'Class_0.func_0', self.var_1, evar_1)\n",
        &map,
    );
    let expected = "def pay(self, ten):\n    # a\n    my_var_1 = var_01 = var_1x = var_2\n    \
                    raise ValueError(f\"{a!r} a ten\", 'Account.pay', self.a, evar_1)\n";
    assert_eq!(restored.text, expected);
    // Whatever it is: no Python, prose.
    assert_eq!(restore("var_1 ((( 'func_0", &map).text, "a ((( 'pay");
    assert_eq!(restore_text("the var_1, Class_0s", &map), "the a, Class_0s");
}

#[test]
fn aliases_of_another_form_come_back_where_they_are_identifiers() {
    let restored = restore(
        "x = note.v0 # v0\n'v0 x'\n",
        &names(&[("v0", "balance"), ("x", "total")]),
    );
    assert_eq!(restored.text, "total = note.balance # v0\n'v0 x'\n");
}

#[test]
fn a_local_that_would_be_merged_is_renamed_first() {
    let map = names(&[("var_0", "amount"), ("var_3", "total"), ("func_0", "pay")]);
    let restored = restore(
        "def func_0(self, var_0):\n    total = 1\n    total_1 = [total for total in var_0]\n    \
         var_3 = total + total_1[0]\n    return f\"{total} total\", lambda total: total, self.total\n",
        &map,
    );
    let expected = "def pay(self, amount):\n    total_2 = 1\n    total_1 = [total_2 for total_2 in amount]\n    \
                    total = total_2 + total_1[0]\n    return f\"{total_2} total\", lambda total_2: total_2, self.total\n";
    assert_eq!(restored.text, expected);
    assert_eq!(
        restored.renamed,
        [("total".to_owned(), "total_2".to_owned())]
    );
    // A field is no variable, and a method's name is the class's: nothing would be merged.
    for code in [
        "def func_0(self):\n    total = self.var_3\n    return total\n",
        "def func_0(self):\n    pay = 1\n    return pay\n",
    ] {
        assert!(restore(code, &map).renamed.is_empty());
    }
}

#[test]
fn what_cannot_be_told_apart_is_told() {
    let map = names(&[
        ("var_3", "total"),
        ("Class_0", "Account"),
        ("var_4", "balance"),
    ]);
    let restored = restore(
        "def f(self):\n    var_3 = total\n    Account(1).balance\n    return self.balance, self.balance, Class_0.balance\n",
        &map,
    );
    assert_eq!(restored.collisions, ["total"]);
    assert_eq!(restored.leaks, ["Account", "balance", "balance", "balance"]);
    assert!(restored.text.contains("Account.balance"));
}

#[test]
fn a_map_is_plain_data() {
    let class = class(MODULE);
    let context = context(&class);
    let hider = Obfuscator::of_class(&class, &context, &[]);
    let json = serde_json::to_string(hider.names()).unwrap();
    assert!(
        json.starts_with(r#"[{"category":"var","original":"RATE","alias":"var_"#),
        "{json}"
    );
    let again: NameMap = serde_json::from_str(&json).unwrap();
    assert_eq!(again, *hider.names());
    // Of two with one key or one alias the first counts.
    let name = |original: &str, alias: &str| Name {
        category: Category::Var,
        original: original.to_owned(),
        alias: alias.to_owned(),
    };
    let map = NameMap::from(vec![
        name("b", "var_0"),
        name("b", "var_1"),
        name("a", "var_0"),
    ]);
    assert_eq!(
        map.iter().map(|it| it.alias.as_str()).collect::<Vec<_>>(),
        ["var_0"]
    );
}

/// Programs that bind and read few names in many ways.
fn program() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        Just("a"),
        Just("total"),
        Just("balance"),
        Just("self"),
        Just("take"),
        Just("Account"),
        Just("LIMIT"),
        Just("re"),
        Just("var_1"),
    ]
    .boxed();
    let expression = prop_oneof![
        name.clone().prop_map(str::to_owned),
        name.clone().prop_map(|n| format!("self.{n}")),
        name.clone()
            .prop_map(|n| format!("f'{{{n}!r:>{{{n}}}}} {n}'")),
        (name.clone(), name.clone()).prop_map(|(n, m)| format!("[{n} for {n} in {m}]")),
        (name.clone(), name.clone()).prop_map(|(n, m)| format!("(lambda {n}: {m})")),
        (name.clone(), name.clone()).prop_map(|(n, m)| format!("self.{n}({m}={m})")),
        (name.clone(), name.clone()).prop_map(|(n, m)| format!("{n}.{m}({m}=1)")),
    ]
    .boxed();
    let statement = prop_oneof![
        (name.clone(), expression.clone()).prop_map(|(n, e)| format!("    {n} = {e}\n")),
        expression
            .clone()
            .prop_map(|e| format!("    return {e} # total\n")),
        (name.clone(), expression.clone())
            .prop_map(|(n, e)| format!("    def {n}({n}, b={e}):\n        return {n}\n")),
        (name.clone(), expression.clone()).prop_map(|(n, e)| format!("    for {n} in {e}: pass\n")),
        name.clone().prop_map(|n| format!("    import {n}\n")),
        name.clone().prop_map(|n| format!("    global {n}\n")),
        (name.clone(), name.clone())
            .prop_map(|(n, m)| format!("    class {n}:\n        {m} = {n}\n")),
    ]
    .boxed();
    proptest::collection::vec(statement, 1..8)
        .prop_map(|body| format!("def pay(self, a, balance):\n{}", body.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_methods_come_back(method in program(), also in "\\PC{0,40}") {
        let class = class(MODULE);
        let context = context(&class);
        let subject = subject(&method, &also);
        let mut hider = Obfuscator::of_method(&class, &subject, &context);
        let (text, requirement) = (hider.method(&method), hider.requirement(&subject));
        let names = hider.names().originals();
        prop_assert_eq!(restore(&text, &names).text, method);
        prop_assert_eq!(restore_text(&requirement, &names), also);
    }

    #[test]
    fn any_text_comes_back(method in any::<String>(), code in program()) {
        let class = class(&code);
        let context = context(&class);
        let subject = subject(&method, &code);
        let mut hider = Obfuscator::of_class(&class, &context, &[&method]);
        let texts = [hider.method(&method), hider.module(&code), hider.requirement(&subject)];
        let names = hider.names().originals();
        let back = texts.map(|text| restore_text(&text, &names));
        prop_assert_eq!(back, [method, code.clone(), code]);
    }
}
