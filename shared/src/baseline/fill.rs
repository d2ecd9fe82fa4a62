//! A masked method filled from left to right: a filled place is known in those after it.

use super::miner::{MinedPlace, Miner};
use super::names::{Mention, Name, Names};
use super::neighborhood::{
    Level, MAX_PARAMETERS, Neighborhood, Place, is_operator, overlaps, used_parameters,
};
use super::template::{Recent, Template};
use super::types::clashes;
use crate::perturb::{Perturbation, PerturbedSite};
use crate::syntax::{self, Kind, NodeId, Tree};
use crate::text::{Span, TextEdit, apply_edits};

/// A filled method.
pub(super) struct Filling {
    pub(super) text: String,
    /// One a site.
    pub(super) places: Vec<MinedPlace>,
}

/// How often a method is filled anew because a filling turned out not to fit.
const MAX_ROUNDS: usize = 40;

/// A method with more places is not filled.
const MAX_SITES: usize = 500;

/// What was chosen for a place.
struct Chosen<'m> {
    template: &'m Template,
    place: MinedPlace,
}

/// A method with hidden places.
struct Scene<'s> {
    names: &'s Names<'s>,
    places: Vec<Place>,
    /// Where they are.
    hidden: Vec<Span>,
    neighborhoods: Vec<Neighborhood>,
    /// What can still be read.
    mentions: Vec<Mention<'s>>,
    /// Names from around the method that can still be read; sorted.
    free: Vec<&'s str>,
}

/// Fills the places of a perturbation with what stands most often in such places of the other
/// classes; `None` where there is none that fits.
pub(super) fn fill<'s>(
    miner: &'s Miner,
    names: &'s Names<'s>,
    perturbation: &Perturbation,
    without: Option<u32>,
) -> Option<Filling> {
    if !names.method.errors().is_empty() || perturbation.sites.len() > MAX_SITES {
        return None;
    }
    let scene = Scene::of(names, &perturbation.sites)?;
    // How many fitting ones are passed over, for each place.
    let mut n_skipped = vec![0; scene.places.len()];
    for _ in 0..MAX_ROUNDS {
        let chosen = scene.choose(miner, without, &n_skipped)?;
        let edits = scene
            .hidden
            .iter()
            .zip(&chosen)
            .map(|(&span, chosen)| TextEdit {
                span,
                text: chosen.place.text.clone(),
            });
        let text = apply_edits(names.tree().source(), &edits.collect::<Vec<_>>());
        if let Some(at) = scene.misfit(&text, &chosen) {
            n_skipped[at] += 1;
        } else {
            let places = chosen.into_iter().map(|chosen| chosen.place).collect();
            return Some(Filling { text, places });
        }
    }
    None
}

impl<'s> Scene<'s> {
    fn of(names: &'s Names<'s>, sites: &[PerturbedSite]) -> Option<Self> {
        let hidden: Vec<Span> = sites.iter().map(|site| site.span).collect();
        let places = sites.iter().map(|site| place_of(names, site));
        let places: Vec<Place> = places.collect::<Option<_>>()?;
        let neighborhoods = places.iter();
        let neighborhoods = neighborhoods.map(|place| Neighborhood::of(names, place, &hidden));
        let is_read = |mention: &&Mention<'s>| {
            !overlaps(&hidden, Span::new(mention.start, mention.start + 1))
        };
        let mentions: Vec<Mention<'s>> = names.mentions.iter().filter(is_read).copied().collect();
        let mut free: Vec<&str> = mentions
            .iter()
            .filter_map(|mention| match mention.name {
                Name::Free(name) => Some(name),
                _ => None,
            })
            .collect();
        free.sort_unstable();
        Some(Self {
            names,
            neighborhoods: neighborhoods.collect(),
            places,
            hidden,
            mentions,
            free,
        })
    }

    /// One filling a place.
    fn choose(
        &self,
        miner: &'s Miner,
        without: Option<u32>,
        n_skipped: &[usize],
    ) -> Option<Vec<Chosen<'s>>> {
        let mut mentions = self.mentions.clone();
        let mut chosen = Vec::with_capacity(self.places.len());
        for (at, &n_skipped) in n_skipped.iter().enumerate() {
            let place = self.hidden[at];
            let (of_it, mentioned) = self.choose_one(miner, without, at, &mentions, n_skipped)?;
            let next = mentions.partition_point(|mention| mention.at < place.start);
            let mentioned = mentioned.into_iter().map(|name| Mention {
                at: place.start,
                start: place.start,
                name,
            });
            mentions.splice(next..next, mentioned);
            chosen.push(of_it);
        }
        Some(chosen)
    }

    fn choose_one(
        &self,
        miner: &'s Miner,
        without: Option<u32>,
        at: usize,
        mentions: &[Mention<'s>],
        mut n_skipped: usize,
    ) -> Option<(Chosen<'s>, Vec<Name<'s>>)> {
        let recent = Recent::at(self.names, mentions, self.hidden[at]);
        let is_free = |name: &str| self.free.binary_search(&name).is_ok();
        let mut is_tried = vec![false; miner.n_templates()];
        for level in Level::ALL {
            let Some(key) = self.neighborhoods[at].key(level) else {
                continue;
            };
            for found in miner.found(&key, without) {
                if std::mem::replace(&mut is_tried[found.template], true) {
                    continue;
                }
                let template = miner.template(found.template);
                let made = match &self.places[at] {
                    Place::Parameters(_, used) => template
                        .make_parameters(self.names, used, &is_free)
                        .map(|text| (text, Vec::new())),
                    _ => template
                        .make(self.names, &recent, &is_free)
                        .map(|made| (made.text, made.mentions)),
                };
                let Some((text, mentioned)) = made else {
                    continue;
                };
                if n_skipped > 0 {
                    n_skipped -= 1;
                    continue;
                }
                let place = MinedPlace {
                    text,
                    level,
                    n_seen: found.n_seen,
                    n_classes: found.n_classes,
                };
                return Some((Chosen { template, place }, mentioned));
            }
        }
        None
    }

    /// The first place that does not hold what was put there: it does not parse, is read as something
    /// else, or cannot be evaluated.
    fn misfit(&self, text: &str, chosen: &[Chosen<'_>]) -> Option<usize> {
        let parsed = syntax::parse_python(text);
        let mut filled = Vec::with_capacity(chosen.len());
        let (mut shift, mut end) = (0u32, 0u32);
        for (span, chosen) in self.hidden.iter().zip(chosen) {
            // What is kept before the place, and what was put there.
            let start = shift + (span.start - end);
            let n = u32::try_from(chosen.place.text.len()).unwrap_or(u32::MAX);
            filled.push(Span::new(start, start + n));
            (shift, end) = (start + n, span.end);
        }
        let at_or_before = |at: u32| {
            let after = filled.partition_point(|span| span.start <= at);
            after.saturating_sub(1)
        };
        if let Some(error) = parsed.errors.first() {
            return Some(at_or_before(error.span.start));
        }
        let is_read = |at: usize| self.is_read_as(&parsed.tree, filled[at], at, &chosen[at]);
        if let Some(at) = (0..chosen.len()).find(|&at| !is_read(at)) {
            return Some(at);
        }
        let clashes = clashes(&parsed.tree).into_iter();
        let mut spans = clashes.map(|id| parsed.tree.span(id));
        spans.find_map(|clash| filled.iter().rposition(|&span| clash.contains(span)))
    }

    /// Whether a place of the filled method is the node that was put there, in the role of the one
    /// that was hidden.
    fn is_read_as(&self, tree: &Tree, span: Span, at: usize, chosen: &Chosen<'_>) -> bool {
        let own = self.names.tree();
        let hidden = match &self.places[at] {
            Place::Node(id) | Place::Operator(id) => *id,
            Place::Parameters(..) => return has_parameters(tree, span),
        };
        let role = |tree: &Tree, id: NodeId| {
            let parent = tree.parent(id).map(|parent| tree.node(parent).name);
            (parent, tree.node(id).field)
        };
        nodes_at(tree, span).any(|id| {
            tree.node(id).name == chosen.template.kind && role(tree, id) == role(own, hidden)
        })
    }
}

/// Whether the method takes what stands at a place as parameters, none without a default after one with it.
fn has_parameters(tree: &Tree, span: Span) -> bool {
    let list = tree.ids().find(|&id| tree.kind(id) == Kind::Parameters);
    let Some(list) = list.filter(|&list| tree.span(list).contains(span)) else {
        return false;
    };
    let mut any_default = false;
    for id in tree.named_children(list) {
        match tree.kind(id) {
            Kind::DefaultParameter | Kind::TypedDefaultParameter => any_default = true,
            Kind::Identifier if any_default => return false,
            Kind::Identifier | Kind::TypedParameter | Kind::PositionalSeparator => {}
            // After `*` any order will do.
            _ => return true,
        }
    }
    true
}

/// The nodes of just these bytes, the outermost first.
fn nodes_at(tree: &Tree, span: Span) -> impl Iterator<Item = NodeId> + '_ {
    // Nodes are in source order.
    let (mut first, mut end) = (0, u32::try_from(tree.n_nodes()).unwrap_or(u32::MAX));
    while first < end {
        let middle = first + (end - first) / 2;
        if tree.span(NodeId(middle)).start < span.start {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    let from_here = tree.ids().skip(first as usize);
    let begin_here = from_here.take_while(move |&id| tree.span(id).start == span.start);
    begin_here.filter(move |&id| tree.span(id).end == span.end)
}

/// What a site of a perturbation is.
fn place_of(names: &Names<'_>, site: &PerturbedSite) -> Option<Place> {
    let tree = names.tree();
    let definition = names.method.definition()?;
    let list = tree.field(definition, "parameters")?;
    let run: Vec<NodeId> = tree
        .named_children(list)
        .filter(|&id| site.span.contains(tree.span(id)))
        .collect();
    if !run.is_empty() && tree.span(list).contains(site.span) {
        let used = used_parameters(names, site.span);
        return (run.len() <= MAX_PARAMETERS).then_some(Place::Parameters(run, used));
    }
    let mut nodes = nodes_at(tree, site.span);
    nodes.find_map(|id| match tree.kind(id) {
        Kind::Token => is_operator(tree, id).then_some(Place::Operator(id)),
        _ => (tree.node(id).name == site.kind).then_some(Place::Node(id)),
    })
}
