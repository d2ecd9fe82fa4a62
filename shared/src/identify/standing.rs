//! What stands in the places of bug sites, whatever a matcher says: the tokens between those around a
//! site that stayed.

use crate::identify::Reference;
use crate::identify::extract;
use crate::identify::outside::Tokens;
use crate::syntax;
use crate::text::Span;

/// What a method has in the places of bug sites.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// One a site: from the first token that stands there to the last; `None` where none does.
    pub places: Vec<Option<Span>>,
    /// Whether the method does anything: it has a statement besides its docstring, `pass` and `...`.
    pub does_something: bool,
    tokens: Vec<Token>,
    /// Which tokens stand at each site.
    at_sites: Vec<std::ops::Range<usize>>,
}

/// A token: where it is, and its type, depth and text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Token {
    span: Span,
    text: String,
    in_body: bool,
}

/// The most comparisons of tokens; what is longer is compared from both ends only.
const MAX_CELLS: usize = 1 << 22;

impl Reference<'_> {
    /// What stands in a method (laid out as the subject's own text) at bug sites of the subject. The tokens that
    /// are outside of all sites are aligned with the method's, as many as possible; what stands at a site is between
    /// the nearest that are aligned. Sites that overlap, or between which nothing stayed, have the same.
    pub fn standing(&self, sites: &[Span], method: &str) -> Standing {
        let tree = syntax::parse_python(method).tree;
        let does_something = extract::does_something(&tree);
        let tokens = tokens(&Tokens::of(&tree));
        let covered = merged(sites);
        let is_outside = |span: Span| {
            let next = covered.partition_point(|site| site.end <= span.start);
            covered.get(next).is_none_or(|site| site.start >= span.end)
        };
        let own = self.tokens.spans().filter(|&(span, ..)| is_outside(span));
        let own: Vec<(Span, String)> = own
            .map(|(span, kind, label)| (span, format!("{kind} {label}")))
            .collect();
        let texts: Vec<&str> = own.iter().map(|(_, text)| text.as_str()).collect();
        let others: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let aligned = align(&texts, &others);
        let at_sites = sites.iter().map(|site| {
            let n_before = aligned.partition_point(|&(at, _)| own[at].0.end <= site.start);
            let n_up_to = aligned.partition_point(|&(at, _)| own[at].0.start < site.end);
            let before = n_before.checked_sub(1).map(|last| aligned[last].1 + 1);
            let after = aligned.get(n_up_to).map_or(tokens.len(), |&(_, at)| at);
            let start = before.unwrap_or_default();
            start..after.max(start)
        });
        let at_sites: Vec<std::ops::Range<usize>> = at_sites.collect();
        let places = at_sites.iter().map(|range| {
            let standing = &tokens[range.clone()];
            let (first, last) = (standing.first()?, standing.last()?);
            Some(Span::new(first.span.start, last.span.end))
        });
        Standing {
            places: places.collect(),
            does_something,
            at_sites,
            tokens,
        }
    }
}

impl Standing {
    /// Whether at a site stands, token by token, what stands there in another method.
    pub fn is_same_at(&self, site: usize, other: &Self) -> bool {
        match (self.texts_at(site), other.texts_at(site)) {
            (Some(own), Some(others)) => own.eq(others),
            _ => false,
        }
    }

    fn texts_at(&self, site: usize) -> Option<impl Iterator<Item = &str>> {
        let standing = self.tokens.get(self.at_sites.get(site)?.clone())?;
        Some(standing.iter().map(|token| token.text.as_str()))
    }

    /// How many of the tokens that this method's body has outside of the sites another method has too,
    /// in the same order, and how many there are.
    pub fn kept_in(&self, other: &Self) -> (u32, u32) {
        let mut is_at_site = vec![false; self.tokens.len()];
        let mut ranges = self.at_sites.clone();
        ranges.dedup();
        for range in ranges {
            is_at_site[range].fill(true);
        }
        let own = self.tokens.iter().zip(is_at_site);
        let own = own.filter(|(token, is_at_site)| token.in_body && !is_at_site);
        let own: Vec<&str> = own.map(|(token, _)| token.text.as_str()).collect();
        let others = other.tokens.iter().filter(|token| token.in_body);
        let others: Vec<&str> = others.map(|token| token.text.as_str()).collect();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (count(align(&own, &others).len()), count(own.len()))
    }
}

/// Places sorted, those that overlap as one.
fn merged(places: &[Span]) -> Vec<Span> {
    let mut sorted = places.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(sorted.len());
    for place in sorted {
        match merged.last_mut() {
            Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
            _ => merged.push(place),
        }
    }
    merged
}

fn tokens(of: &Tokens) -> Vec<Token> {
    let tokens = of.spans().map(|(span, kind, label)| Token {
        span,
        text: format!("{kind} {label}"),
        in_body: !label.starts_with("0 "),
    });
    tokens.collect()
}

/// A longest common subsequence: pairs of places, in order. Of several the one whose tokens come
/// first in `others`.
fn align(own: &[&str], others: &[&str]) -> Vec<(usize, usize)> {
    let n_shorter = own.len().min(others.len());
    let n_first = own.iter().zip(others).take_while(|(a, b)| a == b).count();
    let last = own.iter().rev().zip(others.iter().rev());
    let n_last = last
        .take_while(|(a, b)| a == b)
        .count()
        .min(n_shorter - n_first);
    let (a, b) = (
        &own[n_first..own.len() - n_last],
        &others[n_first..others.len() - n_last],
    );
    let mut pairs: Vec<(usize, usize)> = (0..n_first).map(|at| (at, at)).collect();
    let width = b.len() + 1;
    if !a.is_empty() && !b.is_empty() && (a.len() + 1).saturating_mul(width) <= MAX_CELLS {
        // The length of the longest one from each pair of places on.
        let mut lengths = vec![0u32; (a.len() + 1) * width];
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                lengths[i * width + j] = if a[i] == b[j] {
                    lengths[(i + 1) * width + j + 1] + 1
                } else {
                    lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
                };
            }
        }
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                pairs.push((n_first + i, n_first + j));
                (i, j) = (i + 1, j + 1);
            } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    pairs.extend(
        (0..n_last)
            .rev()
            .map(|back| (own.len() - 1 - back, others.len() - 1 - back)),
    );
    pairs
}
