//! What stands in which places of a benchmark's methods, counted.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fill::fill;
use super::names::{Name, Names};
use super::neighborhood::{
    Level, MAX_PARAMETERS, Neighborhood, Place, is_operator, used_parameters,
};
use super::template::{Recent, Template, run_span};
use crate::dataset::Dataset;
use crate::perturb::{Method, Perturbation, RuleOptions};
use crate::subject::{MethodContext, Subject};
use crate::syntax::scope::Role;
use crate::syntax::{Kind, NodeId, Tree};
use crate::variant::{BaselineId, SCHEMA, Variant, VariantId, VariantOrigin};

/// The generator `baseline:mined`: fills each masked place with what stands most often in such a
/// place of the benchmark's other classes.
///
/// - *Such a place* is one with the same neighborhood, as narrow as there is one with something that
///   fits ([`Level`]).
/// - *What stands there* is code whose names are parts: the receiver; the parameter, local or loop
///   variable that was mentioned last, last but one, and so on; the member that was mentioned last. A
///   member that was not mentioned before keeps its name.
/// - *It fits* when its parts have names at the place, its other names are builtins or can be read in
///   the masked method, the method parses with it, the place is read as it in the same role, and no
///   literal or builtin there has a type that cannot be. What the names of the class are it does not
///   know: a variant knows its method only.
/// - Of equally frequent ones the first in the order of their texts is taken.
///
/// The kind of what is hidden is known to it, which a model does not see.
pub struct Miner {
    /// In the order of their keys.
    templates: Vec<Template>,
    /// Sorted.
    keys: Vec<Key>,
    rows: Vec<Row>,
}

/// A neighborhood at a level, and where its rows are.
struct Key {
    text: String,
    rows: std::ops::Range<usize>,
}

/// How often a template stands in a class at the places of one key.
struct Row {
    template: usize,
    class: u32,
    n: u32,
}

/// A template at the places of one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) template: usize,
    pub(super) n_seen: u32,
    pub(super) n_classes: u32,
}

/// What a place was filled with, and how usual that is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MinedPlace {
    /// The filling.
    pub text: String,
    /// What the place has in common with those that were counted.
    pub level: Level,
    /// In how many places of other classes it stands.
    pub n_seen: u32,
    /// In how many other classes.
    pub n_classes: u32,
}

/// A variant of `baseline:mined`, and where it has its fillings from.
///
/// As a JSON line: a variant's with one more field, `mined`, so that it is read as a variant too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mined {
    /// The variant.
    #[serde(flatten)]
    pub variant: Variant,
    /// One a site, in order.
    #[serde(rename = "mined")]
    pub places: Vec<MinedPlace>,
}

impl Mined {
    /// The variant as a line of JSON with its line break.
    pub fn json_line(&self) -> String {
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

impl Miner {
    /// Counts what stands where in all methods of a benchmark.
    pub fn of(dataset: &Dataset) -> Self {
        let mut collected = Collected::default();
        for (subject, context) in dataset.with_contexts() {
            let method = Method::analyze(&subject.source, context);
            collected.method(&Names::of(&method), subject.class);
        }
        collected.counted()
    }

    /// Fills a perturbation of a subject of this benchmark without a look at the subject's own class;
    /// `None` where nothing fits.
    pub fn variant(
        &self,
        subject: &Subject,
        context: &MethodContext,
        perturbation: &Perturbation,
        options: &RuleOptions,
    ) -> Option<Mined> {
        let method = Method::analyze(&subject.source, context);
        let names = Names::of(&method);
        let filling = fill(self, &names, perturbation, Some(subject.class))?;
        let (rule, instance) = (perturbation.rule, perturbation.instance);
        let id = format!(
            "{} {rule} {instance} {}",
            subject.id,
            BaselineId::Mined.name()
        );
        Some(Mined {
            variant: Variant {
                schema: SCHEMA,
                id: VariantId(id),
                subject: subject.id.clone(),
                rule,
                instance,
                options: options.of(rule),
                origin: VariantOrigin::Baseline(BaselineId::Mined),
                text: filling.text,
                names: BTreeMap::new(),
            },
            places: filling.places,
        })
    }

    pub(super) fn n_templates(&self) -> usize {
        self.templates.len()
    }

    pub(super) fn template(&self, number: usize) -> &Template {
        &self.templates[number]
    }

    /// What stands at the places of a key, leaving a class out when asked: the most frequent first,
    /// of equals the first text.
    pub(super) fn found(&self, key: &str, without: Option<u32>) -> Vec<Found> {
        let Ok(at) = self
            .keys
            .binary_search_by(|other| other.text.as_str().cmp(key))
        else {
            return Vec::new();
        };
        let mut all: Vec<Found> = Vec::new();
        let rows = self.rows[self.keys[at].rows.clone()].iter();
        for row in rows.filter(|row| Some(row.class) != without) {
            match all.last_mut() {
                Some(last) if last.template == row.template => {
                    last.n_seen += row.n;
                    last.n_classes += 1;
                }
                _ => all.push(Found {
                    template: row.template,
                    n_seen: row.n,
                    n_classes: 1,
                }),
            }
        }
        // Stable: of equals the first stays first.
        all.sort_by_key(|found| std::cmp::Reverse(found.n_seen));
        all
    }
}

/// What is found, before it is counted.
#[derive(Default)]
struct Collected {
    templates: Vec<Template>,
    /// Of each template's key the number.
    numbers: BTreeMap<String, usize>,
    /// Key, template, class.
    found: Vec<(String, usize, u32)>,
}

impl Collected {
    fn method(&mut self, names: &Names<'_>, class: u32) {
        let tree = names.tree();
        let Some(definition) = names.method.definition() else {
            return;
        };
        let run = own_parameters(names, definition);
        if let Some((run, span)) = run.and_then(|run| run_span(names, &run).map(|of| (run, of))) {
            let used = used_parameters(names, span);
            let template = Template::of_parameters(names, &run, &used);
            self.add(names, class, &Place::Parameters(run, used), template);
        }
        let nodes = tree.subtree(definition);
        for id in nodes.filter(|&id| names.method.is_code(id)) {
            if is_operator(tree, id) {
                let template = Template::of_operator(names, id);
                self.add(names, class, &Place::Operator(id), template);
            } else if is_expression(names, id) || tree.kind(id) == Kind::ReturnStatement {
                let recent = Recent::at(names, &names.mentions, tree.span(id));
                let template = Template::of(names, id, &recent);
                self.add(names, class, &Place::Node(id), template);
            }
        }
    }

    fn add(&mut self, names: &Names<'_>, class: u32, place: &Place, template: Option<Template>) {
        let Some(template) = template else { return };
        let next = self.templates.len();
        let number = *self.numbers.entry(template.key()).or_insert(next);
        if number == next {
            self.templates.push(template);
        }
        let around = Neighborhood::of(names, place, &[]);
        for level in Level::ALL {
            if let Some(key) = around.key(level) {
                self.found.push((key, number, class));
            }
        }
    }

    fn counted(self) -> Miner {
        // Templates are numbered by their keys from here on.
        let mut order = vec![0; self.templates.len()];
        let mut templates = Vec::with_capacity(self.templates.len());
        for (new, &old) in self.numbers.values().enumerate() {
            order[old] = new;
            templates.push(self.templates[old].clone());
        }
        let mut found = self.found;
        for (_, template, _) in &mut found {
            *template = order[*template];
        }
        found.sort_unstable();
        let (mut keys, mut rows): (Vec<Key>, Vec<Row>) = (Vec::new(), Vec::new());
        for (text, template, class) in found {
            let is_new = keys.last().is_none_or(|last| last.text != text);
            if is_new {
                let rows = rows.len()..rows.len();
                keys.push(Key { text, rows });
            }
            match rows.last_mut() {
                Some(row) if !is_new && row.template == template && row.class == class => {
                    row.n += 1;
                }
                _ => rows.push(Row {
                    template,
                    class,
                    n: 1,
                }),
            }
            if let Some(key) = keys.last_mut() {
                key.rows.end = rows.len();
            }
        }
        Miner {
            templates,
            keys,
            rows,
        }
    }
}

/// The parameters besides the receiver; `None` where there are none, or too many.
fn own_parameters(names: &Names<'_>, definition: NodeId) -> Option<Vec<NodeId>> {
    let tree = names.tree();
    let list = tree.field(definition, "parameters")?;
    let receiver = names.method.receiver();
    let is_receiver = |id| receiver.is_some_and(|receiver| tree.is_within(receiver, id));
    let run: Vec<NodeId> = tree
        .named_children(list)
        .filter(|&id| !is_receiver(id))
        .collect();
    (1..=MAX_PARAMETERS).contains(&run.len()).then_some(run)
}

/// Whether a node is something that has a value, and no name of something else.
fn is_expression(names: &Names<'_>, id: NodeId) -> bool {
    let tree: &Tree = names.tree();
    match tree.kind(id) {
        Kind::Identifier => matches!(
            (names.name(id), names.method.scopes().role(id)),
            (Some(Name::Variable(_) | Name::Free(_)), Some(Role::Load))
                | (Some(Name::Variable(_)), Some(Role::Bind(_)))
        ),
        Kind::Attribute
        | Kind::Await
        | Kind::BinaryOperator
        | Kind::BooleanOperator
        | Kind::Call
        | Kind::ComparisonOperator
        | Kind::ConcatenatedString
        | Kind::ConditionalExpression
        | Kind::DictionaryComprehension
        | Kind::ExpressionList
        | Kind::False
        | Kind::Float
        | Kind::GeneratorExpression
        | Kind::Integer
        | Kind::Lambda
        | Kind::ListComprehension
        | Kind::NamedExpression
        | Kind::None
        | Kind::NotOperator
        | Kind::ParenthesizedExpression
        | Kind::SetComprehension
        | Kind::String
        | Kind::Subscript
        | Kind::True
        | Kind::UnaryOperator => true,
        Kind::Other => matches!(
            tree.node(id).name,
            "dictionary" | "list" | "set" | "tuple" | "yield"
        ),
        _ => false,
    }
}
