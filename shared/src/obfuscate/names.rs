//! The map of names: category and original to alias, and back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a name is the name of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// A parameter, a local or a field. A field and a parameter of one name have one alias.
    Var,
    /// A function, a method or a name of the module.
    Func,
    /// The class, or one that the method defines.
    Class,
}

impl Category {
    /// All categories.
    pub const ALL: [Self; 3] = [Self::Var, Self::Func, Self::Class];

    /// What its aliases begin with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Var => "var_",
            Self::Func => "func_",
            Self::Class => "Class_",
        }
    }

    /// The category of a word of an alias's form (`var_0`); `None` for any other word.
    pub fn of_alias(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| {
            let number = word.strip_prefix(category.prefix());
            number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
        })
    }
}

/// A name and its alias.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Name {
    /// What it is the name of.
    pub category: Category,
    /// The name.
    pub original: String,
    /// What stands in its place.
    pub alias: String,
}

impl Name {
    fn key(&self) -> (Category, &str) {
        (self.category, &self.original)
    }
}

/// Names and their aliases, each alias once. As data: a list of [`Name`]s, sorted by category and name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Name>", into = "Vec<Name>")]
pub struct NameMap {
    /// Sorted by [`Name::key`].
    names: Vec<Name>,
    /// The next number of each category.
    next: [u32; 3],
}

impl From<Vec<Name>> for NameMap {
    /// Of two names of one key, or with one alias, the first counts.
    fn from(names: Vec<Name>) -> Self {
        let mut seen: Vec<String> = Vec::with_capacity(names.len());
        let mut this = Self::default();
        for name in names {
            let number = name.alias.strip_prefix(name.category.prefix());
            let number = number.and_then(|n| n.parse::<u32>().ok());
            if let Some(number) = number {
                let next = &mut this.next[name.category as usize];
                *next = (*next).max(number.saturating_add(1));
            }
            if let (Err(alias_at), Err(at)) = (
                seen.binary_search(&name.alias),
                this.place(name.category, &name.original),
            ) {
                seen.insert(alias_at, name.alias.clone());
                this.names.insert(at, name);
            }
        }
        this
    }
}

impl From<NameMap> for Vec<Name> {
    fn from(map: NameMap) -> Self {
        map.names
    }
}

impl NameMap {
    /// All names, sorted by category and name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Name> {
        self.names.iter()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The alias of a name, if it has one.
    pub fn alias_of(&self, category: Category, original: &str) -> Option<&str> {
        let at = self.place(category, original).ok()?;
        Some(&self.names[at].alias)
    }

    /// Alias to original: the form that lines of variants and samples have.
    pub fn originals(&self) -> BTreeMap<String, String> {
        let names = self.names.iter();
        names
            .map(|name| (name.alias.clone(), name.original.clone()))
            .collect()
    }

    /// The alias of a name, a new one where it has none; never one of `taken`, which is sorted.
    pub(super) fn alias(&mut self, category: Category, original: &str, taken: &[String]) -> &str {
        let at = match self.place(category, original) {
            Ok(at) => at,
            Err(at) => {
                let alias = self.fresh(category, taken);
                let original = original.to_owned();
                let name = Name {
                    category,
                    original,
                    alias,
                };
                self.names.insert(at, name);
                at
            }
        };
        &self.names[at].alias
    }

    fn fresh(&mut self, category: Category, taken: &[String]) -> String {
        let next = &mut self.next[category as usize];
        loop {
            let alias = format!("{}{next}", category.prefix());
            *next += 1;
            if taken.binary_search(&alias).is_err() {
                return alias;
            }
        }
    }

    fn place(&self, category: Category, original: &str) -> Result<usize, usize> {
        self.names
            .binary_search_by(|name| name.key().cmp(&(category, original)))
    }
}
