//! Which rows a filter keeps, over texts that are prepared once.

use std::cmp::Reverse;

use memchr::memmem::Finder;
use shared::dataset::Dataset;
use shared::perturb::RULES;

use crate::worker::protocol::{Filter, NO_LIBRARY, QueryResult, SizeClass, SortKey};

/// The rows of a benchmark as filters see them.
pub(crate) struct Rows {
    all: Vec<Row>,
    classes: Vec<String>,
    libraries: Vec<String>,
}

struct Row {
    /// Id, requirement and code in lower case.
    text: String,
    /// Indexes into `classes` and `libraries`.
    class: usize,
    libraries: Vec<usize>,
    size: SizeClass,
    n_lines: usize,
    has_showcase: bool,
    /// Place in the order of names.
    by_name: usize,
}

/// What a row must satisfy, one bit a facet, so that "all but this one" is a mask.
mod facet {
    pub(super) const TEXT: u8 = 1;
    pub(super) const CLASS: u8 = 1 << 1;
    pub(super) const LIBRARY: u8 = 1 << 2;
    pub(super) const RULE: u8 = 1 << 3;
    pub(super) const SIZE: u8 = 1 << 4;
    pub(super) const SHOWCASE: u8 = 1 << 5;
    pub(super) const ALL: u8 = (1 << 6) - 1;
}

impl SizeClass {
    pub(crate) const ALL: [Self; 4] = [Self::Short, Self::Medium, Self::Long, Self::VeryLong];

    /// The class of a number of lines.
    pub(crate) fn of(n_lines: usize) -> Self {
        match n_lines {
            0..=5 => Self::Short,
            6..=15 => Self::Medium,
            16..=30 => Self::Long,
            _ => Self::VeryLong,
        }
    }
}

impl Rows {
    pub(crate) fn of(dataset: &Dataset) -> Self {
        let mut libraries: Vec<String> = dataset
            .subjects
            .iter()
            .flat_map(|subject| subject.libraries.iter().cloned())
            .collect();
        libraries.push(NO_LIBRARY.to_owned());
        libraries.sort();
        libraries.dedup();
        let number = |library: &str| {
            libraries
                .binary_search_by(|known| known.as_str().cmp(library))
                .unwrap_or_default()
        };
        let mut rows: Vec<Row> = dataset
            .subjects
            .iter()
            .map(|subject| {
                let n_lines = subject.source.trim_end().lines().count();
                let own = subject
                    .libraries
                    .iter()
                    .map(|library| number(library))
                    .collect::<Vec<_>>();
                Row {
                    text: format!(
                        "{}\n{}\n{}",
                        subject.id, subject.requirement, subject.source
                    )
                    .to_lowercase(),
                    class: subject.class as usize,
                    libraries: if own.is_empty() {
                        vec![number(NO_LIBRARY)]
                    } else {
                        own
                    },
                    size: SizeClass::of(n_lines),
                    n_lines,
                    has_showcase: !subject.showcases.is_empty(),
                    by_name: 0,
                }
            })
            .collect();
        let mut names: Vec<usize> = (0..rows.len()).collect();
        names.sort_by_cached_key(|&row| dataset.subjects[row].id.as_str().to_lowercase());
        for (place, row) in names.into_iter().enumerate() {
            rows[row].by_name = place;
        }
        let classes = dataset
            .classes
            .iter()
            .map(|class| class.name.clone())
            .collect();
        Self {
            all: rows,
            classes,
            libraries,
        }
    }

    /// The rows that `filter` keeps; `counts` are the rules' instances, where known.
    pub(crate) fn query(&self, filter: &Filter, counts: Option<&[[u16; 10]]>) -> QueryResult {
        let text = filter.text.to_lowercase();
        let words: Vec<Finder<'_>> = text.split_whitespace().map(Finder::new).collect();
        let chosen = |names: &[String], wanted: &[String]| -> Vec<bool> {
            names
                .iter()
                .map(|name| wanted.is_empty() || wanted.contains(name))
                .collect()
        };
        let classes = chosen(&self.classes, &filter.classes);
        let libraries = chosen(&self.libraries, &filter.libraries);
        let rules: Vec<usize> = (0..RULES.len())
            .filter(|&rule| {
                filter
                    .rules
                    .iter()
                    .any(|slug| slug == RULES[rule].id.slug())
            })
            .collect();
        let applies = |row: usize, rule: usize| counts.is_some_and(|counts| counts[row][rule] > 0);

        let mut kept: Vec<usize> = Vec::new();
        let mut tally = Tally::new(self);
        for (index, row) in self.all.iter().enumerate() {
            let mut pass = 0;
            let mut set = |bit: u8, passes: bool| pass |= if passes { bit } else { 0 };
            set(
                facet::TEXT,
                words
                    .iter()
                    .all(|word| word.find(row.text.as_bytes()).is_some()),
            );
            set(
                facet::CLASS,
                classes.get(row.class).copied().unwrap_or(true),
            );
            set(
                facet::LIBRARY,
                row.libraries.iter().any(|&library| libraries[library]),
            );
            // Before the counts are known a rule excludes nothing: the list is too long rather than wrong.
            let any_rule = rules.is_empty()
                || counts.is_none()
                || rules.iter().any(|&rule| applies(index, rule));
            set(facet::RULE, any_rule);
            set(
                facet::SIZE,
                filter.sizes.is_empty() || filter.sizes.contains(&row.size),
            );
            set(facet::SHOWCASE, !filter.showcases_only || row.has_showcase);
            if pass == facet::ALL {
                kept.push(index);
            }
            tally.add(row, pass, |rule| applies(index, rule));
        }
        self.sort(&mut kept, filter.sort, counts);
        let rows = kept
            .into_iter()
            .filter_map(|row| u32::try_from(row).ok())
            .collect();
        QueryResult {
            rows,
            rules_known: counts.is_some(),
            ..tally.named(self)
        }
    }

    fn sort(&self, kept: &mut [usize], by: SortKey, counts: Option<&[[u16; 10]]>) {
        match by {
            SortKey::File => {}
            SortKey::Name => kept.sort_by_key(|&row| self.all[row].by_name),
            SortKey::LinesDown => kept.sort_by_key(|&row| Reverse(self.all[row].n_lines)),
            SortKey::InstancesDown => {
                let total = |row: usize| {
                    counts.map_or(0, |counts| counts[row].iter().map(|&n| u32::from(n)).sum())
                };
                kept.sort_by_key(|&row| Reverse(total(row)));
            }
        }
    }
}

/// Rows per facet value beside the other facets.
struct Tally {
    classes: Vec<usize>,
    libraries: Vec<usize>,
    rules: [usize; 10],
    sizes: [usize; 4],
    n_showcases: usize,
}

impl Tally {
    fn new(of: &Rows) -> Self {
        Self {
            classes: vec![0; of.classes.len()],
            libraries: vec![0; of.libraries.len()],
            rules: [0; 10],
            sizes: [0; 4],
            n_showcases: 0,
        }
    }

    fn add(&mut self, row: &Row, pass: u8, applies: impl Fn(usize) -> bool) {
        let beside = |own: u8| pass | own == facet::ALL;
        if beside(facet::CLASS)
            && let Some(n) = self.classes.get_mut(row.class)
        {
            *n += 1;
        }
        if beside(facet::LIBRARY) {
            for &library in &row.libraries {
                self.libraries[library] += 1;
            }
        }
        if beside(facet::RULE) {
            for (rule, n) in self.rules.iter_mut().enumerate() {
                *n += usize::from(applies(rule));
            }
        }
        if beside(facet::SIZE) {
            self.sizes[row.size as usize] += 1;
        }
        if beside(facet::SHOWCASE) && row.has_showcase {
            self.n_showcases += 1;
        }
    }

    fn named(self, of: &Rows) -> QueryResult {
        fn by_name(mut counts: Vec<(String, usize)>) -> Vec<(String, usize)> {
            counts.sort();
            counts
        }

        fn named(names: &[String], counts: &[usize]) -> Vec<(String, usize)> {
            names
                .iter()
                .zip(counts)
                .filter(|&(_, &n)| n > 0)
                .map(|(name, &n)| (name.clone(), n))
                .collect()
        }
        QueryResult {
            classes: by_name(named(&of.classes, &self.classes)),
            libraries: named(&of.libraries, &self.libraries),
            rules: self.rules,
            sizes: self.sizes,
            n_showcases: self.n_showcases,
            ..QueryResult::default()
        }
    }
}

#[cfg(test)]
mod tests;
