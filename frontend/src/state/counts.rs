//! The table of instances per class and rule, as the reader sorts it.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use shared::perturb::{CountsRow, CountsTable, RuleId, RuleOptions};

/// A column of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Column {
    #[default]
    Class,
    Methods,
    Rule(RuleId),
    Total,
}

/// Which column orders the rows, and how: names rise, numbers fall first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sort {
    pub(crate) column: Column,
    /// Against the column's usual direction.
    pub(crate) is_reversed: bool,
}

/// What a link to the table restores.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CountsView {
    pub(crate) options: RuleOptions,
    pub(crate) sort: Sort,
    /// Whether the table was computed.
    pub(crate) has_run: bool,
}

impl Column {
    /// The word in links.
    fn slug(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Methods => "methods",
            Self::Rule(rule) => rule.slug(),
            Self::Total => "total",
        }
    }

    fn from_slug(slug: &str) -> Option<Self> {
        match slug {
            "class" => Some(Self::Class),
            "methods" => Some(Self::Methods),
            "total" => Some(Self::Total),
            _ => slug.parse().ok().map(Self::Rule),
        }
    }

    fn n(self, row: &CountsRow) -> usize {
        match self {
            Self::Class => 0,
            Self::Methods => row.n_methods,
            Self::Rule(rule) => row.n_instances[usize::from(rule.number() - 1)],
            Self::Total => row.total(),
        }
    }
}

impl Sort {
    /// The order after a click on a column's head.
    pub(crate) fn after_click(self, column: Column) -> Self {
        Self {
            column,
            is_reversed: self.column == column && !self.is_reversed,
        }
    }

    /// For `aria-sort`.
    pub(crate) fn direction(self, column: Column) -> &'static str {
        if self.column != column {
            return "none";
        }
        if (column == Column::Class) == self.is_reversed {
            "descending"
        } else {
            "ascending"
        }
    }

    /// The table's rows in this order; rows that are equal stand by name.
    pub(crate) fn rows(self, table: &CountsTable) -> Vec<CountsRow> {
        let order = |a: &CountsRow, b: &CountsRow| {
            let by_number = Reverse(self.column.n(a)).cmp(&Reverse(self.column.n(b)));
            if by_number == Ordering::Equal {
                a.class.cmp(&b.class)
            } else {
                by_number
            }
        };
        let mut rows = table.rows.clone();
        rows.sort_by(|a, b| {
            if self.is_reversed {
                order(b, a)
            } else {
                order(a, b)
            }
        });
        rows
    }
}

impl CountsView {
    /// Reads a query's pairs; what is unknown is left at its default.
    pub(crate) fn from_query<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut view = Self::default();
        for (name, value) in pairs {
            match (name, name.strip_prefix("o.")) {
                ("run", _) => view.has_run = value == "1",
                ("sort", _) => {
                    let (slug, is_reversed) = value
                        .strip_prefix('-')
                        .map_or((value, false), |slug| (slug, true));
                    view.sort = Column::from_slug(slug).map_or_else(Sort::default, |column| Sort {
                        column,
                        is_reversed,
                    });
                }
                // A link of another version may name what is gone.
                (_, Some(option)) => drop(view.options.set(option, value)),
                _ => {}
            }
        }
        view
    }
}

/// The query without its `?`; defaults are left out.
impl fmt::Display for CountsView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        if self.has_run {
            parts.push("run=1".to_owned());
        }
        if self.sort != Sort::default() {
            let sign = if self.sort.is_reversed { "-" } else { "" };
            parts.push(format!("sort={sign}{}", self.sort.column.slug()));
        }
        parts.extend(
            self.options
                .changed()
                .map(|(name, value)| format!("o.{name}={value}")),
        );
        f.write_str(&parts.join("&"))
    }
}

/// How dark a cell is: the share of the largest number of its column, in hundredths.
pub(crate) fn heat(n: usize, largest: usize) -> usize {
    (n * 100).checked_div(largest).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> CountsTable {
        let row = |class: &str, n: usize| CountsRow {
            class: class.to_owned(),
            n_methods: 1,
            n_instances: [n, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        };
        CountsTable {
            rows: vec![row("B", 2), row("A", 2), row("C", 5)],
        }
    }

    fn check_order(sort: Sort, order: &str) {
        let rows: Vec<String> = sort
            .rows(&table())
            .into_iter()
            .map(|row| row.class)
            .collect();
        assert_eq!(rows.concat(), order);
    }

    #[test]
    fn names_rise_and_numbers_fall_first() {
        let by_name = Sort::default();
        check_order(by_name, "ABC");
        assert_eq!(by_name.direction(Column::Class), "ascending");
        check_order(by_name.after_click(Column::Class), "CBA");
        let by_number = by_name.after_click(Column::Rule(RuleId::Parameters));
        check_order(by_number, "CAB");
        assert_eq!(
            by_number.direction(Column::Rule(RuleId::Parameters)),
            "descending"
        );
        check_order(
            by_number.after_click(Column::Rule(RuleId::Parameters)),
            "BAC",
        );
        assert_eq!(by_number.direction(Column::Total), "none");
    }

    #[test]
    fn a_link_restores_the_table() {
        let query = "run=1&sort=-operators&o.returns.count=valued";
        let view = CountsView::from_query(query.split('&').filter_map(|pair| pair.split_once('=')));
        assert_eq!(view.to_string(), query);
        assert_eq!(CountsView::default().to_string(), "");
    }

    #[test]
    fn numbers_are_shaded() {
        assert_eq!((heat(1, 4), heat(0, 0)), (25, 0));
    }
}
