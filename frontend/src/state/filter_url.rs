//! The Subjects page's filter as the query of its address, so that a link restores the list.

use crate::worker::protocol::{Filter, SizeClass, SortKey};

const TEXT: &str = "q";
const CLASS: &str = "class";
const LIBRARY: &str = "library";
const RULE: &str = "rule";
const SIZE: &str = "size";
const SHOWCASE: &str = "showcase";
const SORT: &str = "sort";

const SORTS: [(SortKey, &str); 4] = [
    (SortKey::File, "file"),
    (SortKey::Name, "name"),
    (SortKey::LinesDown, "lines"),
    (SortKey::InstancesDown, "instances"),
];

/// The query's pairs, in a fixed order; a facet with several values repeats its key.
pub(crate) fn to_pairs(filter: &Filter) -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    if !filter.text.is_empty() {
        pairs.push((TEXT, filter.text.clone()));
    }
    let mut all =
        |key, values: &[String]| pairs.extend(values.iter().map(|value| (key, value.clone())));
    all(CLASS, &filter.classes);
    all(LIBRARY, &filter.libraries);
    all(RULE, &filter.rules);
    pairs.extend(
        filter
            .sizes
            .iter()
            .map(|size| (SIZE, size.slug().to_owned())),
    );
    if filter.showcases_only {
        pairs.push((SHOWCASE, "1".to_owned()));
    }
    if filter.sort != SortKey::default() {
        pairs.push((SORT, sort_slug(filter.sort).to_owned()));
    }
    pairs
}

/// The filter of a query; what it does not know is left out.
pub(crate) fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Filter {
    let mut filter = Filter::default();
    for (key, value) in pairs {
        match key {
            TEXT => value.clone_into(&mut filter.text),
            CLASS => filter.classes.push(value.to_owned()),
            LIBRARY => filter.libraries.push(value.to_owned()),
            RULE => filter.rules.push(value.to_owned()),
            SIZE => filter
                .sizes
                .extend(SizeClass::ALL.into_iter().find(|size| size.slug() == value)),
            SHOWCASE => filter.showcases_only = value == "1",
            SORT => filter.sort = sort_of(value),
            _ => {}
        }
    }
    filter
}

/// The sort key's name in addresses and menus.
pub(crate) fn sort_slug(sort: SortKey) -> &'static str {
    SORTS
        .iter()
        .find(|(key, _)| *key == sort)
        .map_or("", |(_, slug)| slug)
}

/// The sort key of a name; the file's order for an unknown one.
pub(crate) fn sort_of(slug: &str) -> SortKey {
    SORTS
        .iter()
        .find(|(_, known)| *known == slug)
        .map_or_else(SortKey::default, |(key, _)| *key)
}

impl SizeClass {
    /// The name in addresses.
    pub(crate) fn slug(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Medium => "medium",
            Self::Long => "long",
            Self::VeryLong => "very-long",
        }
    }

    /// For a reader.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Short => "1 to 5 lines",
            Self::Medium => "6 to 15 lines",
            Self::Long => "16 to 30 lines",
            Self::VeryLong => "over 30 lines",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_restores_the_filter() {
        let filter = Filter {
            text: "off by one & more".to_owned(),
            classes: vec!["A".to_owned(), "B".to_owned()],
            libraries: vec!["re".to_owned()],
            rules: vec!["operators".to_owned()],
            sizes: vec![SizeClass::Short, SizeClass::VeryLong],
            showcases_only: true,
            sort: SortKey::LinesDown,
        };
        let pairs = to_pairs(&filter);
        assert_eq!(
            from_pairs(pairs.iter().map(|(key, value)| (*key, value.as_str()))),
            filter
        );
    }

    #[test]
    fn the_default_filter_has_no_query() {
        assert!(to_pairs(&Filter::default()).is_empty());
        assert_eq!(
            from_pairs([("size", "huge"), ("sort", "?"), ("x", "y")]),
            Filter::default()
        );
    }
}
