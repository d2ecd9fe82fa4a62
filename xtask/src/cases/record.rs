//! One class of the benchmark, in the shape of a `ClassEval` record.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Serialize;
use shared::subject::Showcase;
use shared::syntax::outline::{self, Imports, Module};
use shared::syntax::scope::Scopes;
use shared::syntax::{Kind, NodeId, Tree, parse_python};
use shared::text::Span;

#[derive(Serialize)]
pub(super) struct ClassRecord {
    task_id: String,
    skeleton: String,
    test: String,
    solution_code: String,
    import_statement: Vec<String>,
    class_description: String,
    class_name: String,
    test_classes: Vec<String>,
    class_constructor: String,
    fields: Vec<String>,
    methods_info: Vec<MethodRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    showcases: Vec<Showcase>,
}

#[derive(Serialize)]
struct MethodRecord {
    method_name: String,
    method_description: String,
    test_class: String,
    test_code: String,
    solution_code: String,
    dependencies: Dependencies,
}

/// As `ClassEval` writes them, capital letter included.
#[derive(Serialize)]
#[expect(clippy::struct_field_names, reason = "the names in the file")]
struct Dependencies {
    #[serde(rename = "Standalone")]
    standalone: bool,
    lib_dependencies: Vec<String>,
    field_dependencies: Vec<String>,
    method_dependencies: Vec<String>,
}

impl ClassRecord {
    /// Reads a class and its tests; takes its showcases out of `showcases`.
    pub(super) fn assemble(
        number: usize,
        stem: &str,
        source: &str,
        test: &str,
        showcases: &mut Vec<Showcase>,
    ) -> Result<Self> {
        let tree = parse(source).context("the class")?;
        let class_name = camel(stem);
        let class =
            outline::class(&tree, &class_name).with_context(|| format!("no class {class_name}"))?;
        let module = Module::of(&tree, &class_name);
        let solution_code = without_docstrings(&tree);
        let solution = parse(&solution_code).context("the class without its docstrings")?;
        let solution_class = outline::class(&solution, &class_name).context("the class is gone")?;
        let tests = Tests::read(&class_name, stem, test)?;

        let mut methods_info = Vec::new();
        let mut test_classes: BTreeSet<_> = tests
            .classes
            .iter()
            .map(|class| class.name.clone())
            .collect();
        for (method, definition) in methods(&tree, class) {
            let test_class = format!("{class_name}Test{}", camel(&method));
            if !test_classes.remove(&test_class) {
                ensure!(
                    method.starts_with('_'),
                    "method {method} has no test class {test_class}"
                );
                continue;
            }
            let own = outline::method_of(&solution, solution_class, &method)
                .context("a method is gone")?;
            methods_info.push(MethodRecord {
                method_description: description(&tree, definition)
                    .with_context(|| format!("method {method} has no docstring"))?,
                test_code: tests.code(&test_class),
                test_class,
                solution_code: solution.text(own).to_owned(),
                dependencies: dependencies(&solution, own, &class_name, &module),
                method_name: method,
            });
        }
        // What remains tests methods together; a name that fits nothing is a slip.
        let strays: Vec<_> = test_classes
            .into_iter()
            .filter(|name| *name != format!("{class_name}Test"))
            .collect();
        ensure!(
            strays.is_empty(),
            "tests of no method: {}",
            strays.join(", ")
        );
        let tested: BTreeSet<_> = methods_info
            .iter()
            .map(|method| method.method_name.as_str())
            .collect();
        let own = |showcase: &mut Showcase| {
            showcase.subject.as_str().split('.').next() == Some(&*class_name)
        };
        Ok(Self {
            task_id: format!("Starter_{number}"),
            skeleton: skeleton(&tree, class, &tested),
            test: tests.source,
            import_statement: module.imports,
            class_description: class_docstring(&tree, class)
                .context("the class has no docstring")?,
            test_classes: tests.classes.into_iter().map(|class| class.name).collect(),
            class_constructor: constructor(&solution, solution_class),
            fields: module
                .fields
                .iter()
                .map(|field| format!("self.{field}"))
                .collect(),
            methods_info,
            showcases: showcases.extract_if(.., own).collect(),
            class_name,
            solution_code,
        })
    }
}

/// A test file.
struct Tests {
    /// Without the line that imports the class: the tests run in the class's own module.
    source: String,
    classes: Vec<Definition>,
    /// Other functions, classes and constants, which the tests may use.
    helpers: Vec<Definition>,
}

struct Definition {
    name: String,
    code: String,
}

impl Tests {
    fn read(class_name: &str, stem: &str, text: &str) -> Result<Self> {
        let import = format!("from {stem} import {class_name}\n");
        ensure!(
            text.contains(&import),
            "the tests do not say `{}`",
            import.trim()
        );
        let source = text.replacen(&import, "", 1);
        let source = source.replacen("import unittest\n\n\n\n", "import unittest\n\n\n", 1);
        // What runs the file by hand runs nothing here.
        let guard = source.find("\n\n\nif __name__ == \"__main__\":");
        let source = guard
            .map_or(source.as_str(), |at| &source[..=at])
            .to_owned();
        let tree = parse(&source).context("the tests")?;
        let mut tests = Self {
            source: String::new(),
            classes: Vec::new(),
            helpers: Vec::new(),
        };
        for id in tree.named_children(tree.root()) {
            let definition = |name: &str| Definition {
                name: name.to_owned(),
                code: tree.text(id).to_owned(),
            };
            match tree.kind(id) {
                Kind::ClassDefinition if tree.text(id).contains("(unittest.TestCase)") => {
                    tests.classes.push(definition(outline::name(&tree, id)));
                }
                Kind::ClassDefinition | Kind::FunctionDefinition => {
                    tests.helpers.push(definition(outline::name(&tree, id)));
                }
                Kind::ImportStatement | Kind::ImportFromStatement | Kind::Comment => {}
                _ => {
                    let (name, _) = tree.text(id).split_once(" = ").with_context(|| {
                        format!(
                            "`{}` is no import, function, class or constant",
                            tree.text(id)
                        )
                    })?;
                    tests.helpers.push(definition(name));
                }
            }
        }
        tests.source = source;
        Ok(tests)
    }

    /// A test class with the helpers that it needs, directly or through others, before it.
    fn code(&self, test_class: &str) -> String {
        let class = self.classes.iter().find(|class| class.name == test_class);
        let mut code = class.map_or_else(String::new, |class| class.code.clone());
        let mut needed = BTreeSet::new();
        loop {
            let uses = |helper: &&Definition| code.contains(&helper.name);
            let Some(helper) = self
                .helpers
                .iter()
                .filter(uses)
                .find(|helper| !needed.contains(&helper.name))
            else {
                return code;
            };
            needed.insert(helper.name.clone());
            code = format!("{}\n\n\n{code}", helper.code);
        }
    }
}

fn parse(source: &str) -> Result<Tree> {
    let parsed = parse_python(source);
    if let Some(error) = parsed.errors.first() {
        let line = source[..error.span.start as usize].matches('\n').count() + 1;
        bail!("line {line} is no valid Python: {}", error.message);
    }
    Ok(parsed.tree)
}

/// `cent_ledger` is `CentLedger`.
fn camel(snake: &str) -> String {
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(chars).collect()
        })
    };
    snake.split('_').map(capital).collect()
}

/// The class's methods in order, without decorators.
fn methods(tree: &Tree, class: NodeId) -> Vec<(String, NodeId)> {
    let Some(body) = tree.field(class, "body") else {
        return Vec::new();
    };
    let definitions = tree
        .named_children(body)
        .filter_map(|id| match tree.kind(id) {
            Kind::FunctionDefinition => Some(id),
            Kind::DecoratedDefinition => tree.field(id, "definition"),
            _ => None,
        });
    definitions
        .map(|id| (outline::name(tree, id).to_owned(), id))
        .collect()
}

/// The docstring statement of a function or class.
fn docstring(tree: &Tree, definition: NodeId) -> Option<NodeId> {
    let first = tree
        .named_children(tree.field(definition, "body")?)
        .next()?;
    let string = tree.named_children(first).next()?;
    let is_string = matches!(tree.kind(string), Kind::String | Kind::ConcatenatedString);
    (is_string && outline::is_docstring(tree, string)).then_some(first)
}

fn class_docstring(tree: &Tree, class: NodeId) -> Option<String> {
    Some(format!("    {}\n", tree.text(docstring(tree, class)?)))
}

/// From the decorators or the `def` to the end of the docstring.
fn description(tree: &Tree, definition: NodeId) -> Option<String> {
    let outer = tree
        .parent(definition)
        .filter(|&id| tree.kind(id) == Kind::DecoratedDefinition);
    let start = tree.span(outer.unwrap_or(definition)).start;
    let span = Span::new(start, tree.span(docstring(tree, definition)?).end);
    Some(span.of(tree.source()).to_owned())
}

/// The text without the docstrings of its classes and functions, and without the lines they stood on.
fn without_docstrings(tree: &Tree) -> String {
    let definitions = tree.ids().filter(|&id| {
        matches!(
            tree.kind(id),
            Kind::ClassDefinition | Kind::FunctionDefinition
        )
    });
    let edits = definitions.filter_map(|definition| {
        let statement = docstring(tree, definition)?;
        let alone = tree.named_children(tree.field(definition, "body")?).count() == 1;
        let span = tree.span(statement);
        // A body needs a statement.
        Some(if alone {
            (span, "pass")
        } else {
            (whole_lines(tree.source(), span), "")
        })
    });
    replace(tree.source(), edits.collect())
}

/// The class with its texts and without the bodies of the methods that are to be written.
fn skeleton(tree: &Tree, class: NodeId, tested: &BTreeSet<&str>) -> String {
    let edits = methods(tree, class)
        .into_iter()
        .filter_map(|(name, definition)| {
            let end = tree.span(docstring(tree, definition)?).end;
            let body = Span::new(end, tree.span(tree.field(definition, "body")?).end);
            tested.contains(name.as_str()).then_some((body, ""))
        });
    replace(tree.source(), edits.collect())
}

/// The class's head, its own assignments, and `__init__`.
fn constructor(tree: &Tree, class: NodeId) -> String {
    let Some(body) = tree.field(class, "body") else {
        return String::new();
    };
    let head = Span::new(tree.span(class).start, tree.span(body).start).of(tree.source());
    let mut text = format!("{}\n", head.trim_end());
    let mut gap = "";
    for id in tree.named_children(body) {
        if tree.kind(id) == Kind::ExpressionStatement {
            text.extend(["    ", tree.text(id), "\n"]);
            gap = "\n";
        } else if tree.kind(id) == Kind::FunctionDefinition && outline::name(tree, id) == "__init__"
        {
            text.extend([gap, "    ", tree.text(id), "\n"]);
        }
    }
    text
}

fn dependencies(tree: &Tree, method: NodeId, class_name: &str, module: &Module) -> Dependencies {
    let own = parse_python(tree.text(method)).tree;
    let lib_dependencies =
        outline::libraries_used(&own, &Scopes::of(&own), &Imports::of(&module.imports));
    let mut fields = BTreeSet::new();
    let mut methods = BTreeSet::new();
    for id in tree
        .subtree(method)
        .filter(|&id| tree.kind(id) == Kind::Attribute)
    {
        let text = |field| tree.field(id, field).map_or("", |part| tree.text(part));
        let (object, name) = (text("object"), text("attribute"));
        if !["self", "cls", class_name].contains(&object) {
            continue;
        }
        if module.is_static(name).is_some() {
            methods.insert(name.to_owned());
        } else if module.fields.iter().any(|field| field == name) {
            fields.insert(format!("self.{name}"));
        }
    }
    Dependencies {
        standalone: lib_dependencies.is_empty() && fields.is_empty() && methods.is_empty(),
        lib_dependencies,
        field_dependencies: fields.into_iter().collect(),
        method_dependencies: methods.into_iter().collect(),
    }
}

/// A span widened to the lines it touches, the last line break included.
fn whole_lines(source: &str, span: Span) -> Span {
    let before = &source[..span.start as usize];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let after = &source[span.end as usize..];
    let end = span.end as usize + after.find('\n').map_or(after.len(), |at| at + 1);
    Span::new(offset(start), offset(end))
}

fn replace(source: &str, mut edits: Vec<(Span, &str)>) -> String {
    edits.sort();
    let mut text = source.to_owned();
    for (span, with) in edits.into_iter().rev() {
        text.replace_range(span.start as usize..span.end as usize, with);
    }
    text
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
