//! Which words of a requirement are names to hide: in its signature and examples told as in code, in its
//! prose word by word.
//!
//! Most names are plain English (`data`, `order`), so prose is careful: only the method's own parameters are
//! taken for names wherever they stand. Expected output is data, and a word in quotes may be.

use super::mentions::{self, ClassNames, Mention, Text, is_kept};
use super::names::Category;
use super::restore::words;
use crate::syntax::outline;
use crate::syntax::scope::{Binding, Role, Scopes};
use crate::syntax::{Kind, NodeId, Tree, parse_python};
use crate::text::Span;

/// Parameters of these names are English words in prose: nobody could tell them apart.
const FUNCTION_WORDS: [&str; 48] = [
    "a", "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "before", "between",
    "but", "by", "can", "do", "each", "for", "from", "has", "have", "i", "if", "in", "into", "is",
    "it", "its", "no", "not", "of", "off", "on", "or", "other", "over", "so", "than", "that",
    "the", "then", "this", "to", "until", "up", "when", "with",
];

/// The names to hide in a requirement, in order; `source` is the method's own text.
pub(super) fn mentions(requirement: &str, source: &str, class: &ClassNames<'_>) -> Vec<Mention> {
    let known = Known::of(source, class);
    let parts = Parts::of(requirement);
    let mut found = known.in_signature(requirement, parts.signature);
    found.extend(known.in_examples(requirement, &parts.examples));
    for prose in parts.prose {
        found.extend(known.in_prose(requirement, prose));
    }
    found.sort_by_key(|mention| mention.span.start);
    found
}

/// What the lines of a requirement are. What is none of these is expected output.
struct Parts {
    signature: Span,
    /// The code of each example line, without its prompt.
    examples: Vec<Span>,
    prose: Vec<Span>,
}

impl Parts {
    fn of(requirement: &str) -> Self {
        let signature = signature(requirement);
        let mut this = Self {
            signature,
            examples: Vec::new(),
            prose: Vec::new(),
        };
        let mut in_example = false;
        let mut start = signature.end;
        let rest = requirement.get(start as usize..).unwrap_or_default();
        for line in rest.split_inclusive('\n') {
            let end = start + index(line.len());
            let text = line.trim();
            let prompt = text.starts_with(">>>") || (in_example && text.starts_with("..."));
            if prompt {
                let indentation = line.len() - line.trim_start().len();
                let code = &line[indentation + 3..];
                let blank = usize::from(code.starts_with(' '));
                let code_start = start + index(indentation + 3 + blank);
                let code_end = start + index(line.trim_end().len());
                this.examples
                    .push(Span::new(code_start.min(code_end), code_end));
                in_example = true;
            } else if in_example && !ends_output(text) {
                // Expected output.
            } else {
                in_example = false;
                this.prose.push(Span::new(start, end));
            }
            start = end;
        }
        this
    }
}

fn ends_output(line: &str) -> bool {
    let fields = [":param", ":return", ":raise", ":type", ":rtype"];
    line.is_empty()
        || line.starts_with("\"\"\"")
        || line.starts_with("'''")
        || fields.iter().any(|field| line.starts_with(field))
}

/// From the start of the text to the colon that ends its `def` line; empty where it has none.
fn signature(requirement: &str) -> Span {
    let mut depth = 0usize;
    let mut is_open = false;
    let mut start = 0;
    for line in requirement.split_inclusive('\n') {
        let text = line.trim_start();
        if !is_open {
            if text.starts_with("def ") || text.starts_with("async def ") {
                is_open = true;
            } else if !text.starts_with('@') && !text.trim().is_empty() {
                break;
            }
        }
        for (at, c) in line.char_indices().filter(|_| is_open) {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                ':' if depth == 0 => return Span::new(0, index(start + at + 1)),
                _ => {}
            }
        }
        start += line.len();
    }
    Span::new(0, 0)
}

/// What a method's own text says of the words about it.
struct Known<'a> {
    class: &'a ClassNames<'a>,
    /// The method's name.
    method: String,
    /// Its parameters, without the receiver.
    parameters: Vec<String>,
    /// What else it binds.
    locals: Vec<(String, Category)>,
    /// Its string constants.
    strings: Vec<String>,
}

impl<'a> Known<'a> {
    fn of(source: &str, class: &'a ClassNames<'a>) -> Self {
        let tree = parse_python(source).tree;
        let scopes = Scopes::of(&tree);
        let method = outline::method(&tree);
        let list = method.and_then(|method| tree.field(method, "parameters"));
        let mut this = Self {
            class,
            method: method
                .map(|method| outline::name(&tree, method).to_owned())
                .unwrap_or_default(),
            parameters: Vec::new(),
            locals: Vec::new(),
            strings: Vec::new(),
        };
        for id in tree.ids() {
            match tree.kind(id) {
                Kind::StringContent => this.strings.push(tree.text(id).to_owned()),
                Kind::Identifier => {
                    let name = tree.text(id);
                    let role = scopes.role(id);
                    let is_own = list.is_some_and(|list| tree.is_within(id, list));
                    if is_kept(name) || scopes.lookup(id).is_none() {
                        continue;
                    }
                    match role {
                        Some(Role::Bind(Binding::Parameter)) if is_own => {
                            this.parameters.push(name.to_owned());
                        }
                        Some(Role::Bind(Binding::Import)) | None => {}
                        Some(Role::Bind(Binding::Function)) => {
                            this.locals.push((name.to_owned(), Category::Func));
                        }
                        Some(Role::Bind(Binding::Class)) => {
                            this.locals.push((name.to_owned(), Category::Class));
                        }
                        Some(Role::Bind(_)) => this.locals.push((name.to_owned(), Category::Var)),
                        Some(_) => {}
                    }
                }
                _ => {}
            }
        }
        this.strings.sort_unstable();
        this.parameters.sort_unstable();
        // Stable: of several bindings the first says what a name is.
        this.locals.sort_by(|(a, _), (b, _)| a.cmp(b));
        this
    }

    fn is_parameter(&self, word: &str) -> bool {
        is_among(&self.parameters, word)
    }

    fn is_string(&self, word: &str) -> bool {
        is_among(&self.strings, word)
    }

    /// The category of the class's member, or of the method itself.
    fn member(&self, word: &str) -> Option<Category> {
        let own = (word == self.method && !is_kept(word)).then_some(Category::Func);
        self.class.member(word).or(own)
    }

    /// The category of a word that is known to be written as code.
    fn name(&self, word: &str) -> Option<Category> {
        let local = || {
            let at = self
                .locals
                .partition_point(|(name, _)| name.as_str() < word);
            let found = self.locals.get(at).filter(|(name, _)| name == word);
            found.map(|&(_, category)| category)
        };
        self.member(word)
            .or_else(|| self.class.global(word))
            .or_else(local)
    }

    fn in_signature(&self, requirement: &str, signature: Span) -> Vec<Mention> {
        let text = signature.of(requirement);
        // With a body it is whole, and told as the method itself.
        let tree = parse_python(&format!("{text} ...")).tree;
        let mut found = mentions::of(&tree, self.class, Text::Method);
        // A parameter that the code does not have is a slip of the benchmark's, and stays as it is.
        found.retain(|mention| {
            let name = mention.span.of(text);
            mention.category != Category::Var
                || self.is_parameter(name)
                || self.class.member(name).is_some()
        });
        found
    }

    fn in_examples(&self, requirement: &str, lines: &[Span]) -> Vec<Mention> {
        let mut code = String::new();
        // Where each line of the code begins, in the code.
        let mut starts = Vec::with_capacity(lines.len());
        for line in lines {
            starts.push(index(code.len()));
            code.push_str(line.of(requirement));
            code.push('\n');
        }
        let tree = parse_python(&code).tree;
        let example = Example::of(self, &tree);
        let identifiers = tree.ids().filter(|&id| tree.kind(id) == Kind::Identifier);
        let mentions = identifiers.filter_map(|id| {
            let category = example.category(id)?;
            let span = tree.span(id);
            let line = starts
                .partition_point(|&start| start <= span.start)
                .checked_sub(1)?;
            let shift = |at: u32| lines[line].start + (at - starts[line]);
            let span = Span::new(shift(span.start), shift(span.end));
            Some(Mention { span, category })
        });
        mentions.collect()
    }

    fn in_prose(&self, requirement: &str, prose: Span) -> Vec<Mention> {
        let line = prose.of(requirement);
        let is_field = line.trim_start().starts_with(":param");
        let name_end = is_field
            .then(|| line.find(":param").map(|at| at + 6))
            .flatten()
            .and_then(|from| Some(from + line[from..].find(':')?));
        let mut found = Vec::new();
        // Backticks come in pairs; the last one that opens none is a character.
        let mut ticks = line.match_indices('`').map(|(at, _)| at).peekable();
        let n_ticks = line.matches('`').count();
        let mut n_before = 0;
        for word in words(line) {
            let text = word.of(line);
            while ticks.next_if(|&at| at < word.start as usize).is_some() {
                n_before += 1;
            }
            let is_code = n_before % 2 == 1 && n_before < n_ticks;
            let around = Around::of(line, word, is_code);
            let in_name = name_end.is_some_and(|end| (word.end as usize) <= end);
            let category = if is_kept(text) {
                None
            } else if in_name {
                self.is_parameter(text).then_some(Category::Var)
            } else {
                self.in_words(text, &around)
            };
            if let Some(category) = category {
                let span = Span::new(prose.start + word.start, prose.start + word.end);
                found.push(Mention { span, category });
            }
        }
        found
    }

    /// What a word of prose is the name of, by how it is written.
    fn in_words(&self, word: &str, around: &Around<'_>) -> Option<Category> {
        if let Some(object) = around.object {
            let is_own = matches!(object, "self" | "cls") || self.class.is_class(object);
            return is_own.then(|| self.member(word)).flatten();
        }
        let is_english = FUNCTION_WORDS.contains(&word.to_lowercase().as_str());
        if self.is_parameter(word) && !around.is_contraction {
            let is_name = !is_english || around.is_code;
            return is_name.then_some(Category::Var);
        }
        let called = || self.name(word).filter(|&it| it != Category::Var);
        if around.is_call && called().is_some() {
            return called();
        }
        let is_name =
            around.is_code || looks_like_code(word) || (around.is_quoted && !self.is_string(word));
        is_name.then(|| self.name(word)).flatten()
    }
}

/// How a word of prose is written.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a way of writing, and several may hold"
)]
struct Around<'a> {
    /// What it is asked of, where a point stands before it: `self` of `self.x`.
    object: Option<&'a str>,
    is_call: bool,
    /// In backticks.
    is_code: bool,
    is_quoted: bool,
    /// The `t` of `don't`.
    is_contraction: bool,
}

impl<'a> Around<'a> {
    fn of(line: &'a str, word: Span, is_code: bool) -> Self {
        let (before, after) = (&line[..word.start as usize], &line[word.end as usize..]);
        let object = before.strip_suffix('.').and_then(|before| {
            let start = before
                .rfind(|c: char| !c.is_alphanumeric() && c != '_')
                .map_or(0, |at| {
                    at + before[at..].chars().next().map_or(1, char::len_utf8)
                });
            Some(&before[start..]).filter(|object| !object.is_empty())
        });
        let apostrophe = before.strip_suffix(['\'', '’']);
        Self {
            object,
            is_call: after.starts_with('(') && !after.starts_with("(s)"),
            is_code,
            is_quoted: is_quoted(before, after),
            is_contraction: apostrophe.is_some_and(|rest| rest.ends_with(char::is_alphanumeric)),
        }
    }
}

fn is_quoted(before: &str, after: &str) -> bool {
    let pairs = [('\'', '\''), ('"', '"'), ('‘', '’'), ('“', '”')];
    pairs.iter().any(|&(open, close)| {
        // Three quotes are the docstring's.
        let outside = before.strip_suffix(open);
        outside.is_some_and(|outside| !outside.ends_with(open)) && after.starts_with(close)
    })
}

/// Whether a word has what English words have not: `_`, a digit, a capital inside.
fn looks_like_code(word: &str) -> bool {
    let mut inner = word.chars().skip(1);
    word.contains('_') || word.contains(|c: char| c.is_numeric()) || inner.any(char::is_uppercase)
}

/// The example lines of a requirement, as one program.
struct Example<'a> {
    known: &'a Known<'a>,
    tree: &'a Tree,
    scopes: Scopes,
    /// Names that stand for an object of the class; sorted.
    instances: Vec<&'a str>,
    /// Names that an import of the example binds.
    imported: Vec<&'a str>,
}

impl<'a> Example<'a> {
    fn of(known: &'a Known<'a>, tree: &'a Tree) -> Self {
        let mut this = Self {
            known,
            tree,
            scopes: Scopes::of(tree),
            instances: Vec::new(),
            imported: Vec::new(),
        };
        let (mut made, mut assigned, mut asked) = (Vec::new(), Vec::new(), Vec::new());
        for id in tree.ids().filter(|&id| this.scopes.is_name(id)) {
            let name = tree.text(id);
            match this.scopes.role(id) {
                Some(Role::Bind(Binding::Import)) => this.imported.push(name),
                Some(Role::Bind(_)) if this.is_made_here(id) => made.push(name),
                Some(Role::Bind(_)) => assigned.push(name),
                _ if this.asks_for_member(id) => asked.push(name),
                _ => {}
            }
        }
        assigned.sort_unstable();
        this.imported.sort_unstable();
        // An object that is never made is one of the class if it is asked for a member of it.
        asked.retain(|name| {
            assigned.binary_search(name).is_err()
                && this.imported.binary_search(name).is_err()
                && known.class.global(name).is_none()
                && !known.class.is_import(name)
        });
        made.extend(asked);
        made.retain(|name| !is_kept(name));
        made.sort_unstable();
        this.instances = made;
        this
    }

    fn category(&self, id: NodeId) -> Option<Category> {
        let name = self.tree.text(id);
        let (known, parent) = (self.known, self.tree.parent(id)?);
        if is_kept(name) || self.imported.binary_search(&name).is_ok() {
            return None;
        }
        if self.scopes.is_name(id) {
            let is_callee = self.tree.kind(parent) == Kind::Call
                && self.tree.node(id).field == Some("function");
            return if self.instances.binary_search(&name).is_ok() || known.is_parameter(name) {
                Some(Category::Var)
            } else if is_callee && name == known.method {
                Some(Category::Func)
            } else {
                known.class.global(name)
            };
        }
        match self.tree.kind(parent) {
            Kind::Attribute => {
                let object = self.tree.field(parent, "object")?;
                self.is_own(object).then(|| known.member(name)).flatten()
            }
            Kind::KeywordArgument => {
                let list = self.tree.parent(parent)?;
                let callee = self.tree.field(self.tree.parent(list)?, "function")?;
                let is_own = if let Some(method) = self.tree.field(callee, "attribute") {
                    self.category(method) == Some(Category::Func)
                } else {
                    let callee = self.tree.text(callee);
                    known.class.is_class(callee) || callee == known.method
                };
                is_own.then_some(Category::Var)
            }
            _ => None,
        }
    }

    /// Whether a member that is asked of an object is the class's.
    fn is_own(&self, object: NodeId) -> bool {
        if self.makes_object(object) {
            return true;
        }
        let name = self.tree.text(object);
        self.scopes.is_name(object)
            && (matches!(name, "self" | "cls")
                || self.known.class.is_class(name)
                || self.instances.binary_search(&name).is_ok())
    }

    /// Whether an expression is a call of the class.
    fn makes_object(&self, expression: NodeId) -> bool {
        let callee = self.tree.field(expression, "function");
        self.tree.kind(expression) == Kind::Call
            && callee.is_some_and(|callee| self.known.class.is_class(self.tree.text(callee)))
    }

    /// Whether a name is bound to a new object of the class.
    fn is_made_here(&self, id: NodeId) -> bool {
        let assignment = self
            .tree
            .parent(id)
            .filter(|&parent| self.tree.kind(parent) == Kind::Assignment);
        let value = assignment.and_then(|assignment| self.tree.field(assignment, "right"));
        value.is_some_and(|value| self.makes_object(value))
    }

    /// Whether a name is asked for what is a member of the class.
    fn asks_for_member(&self, id: NodeId) -> bool {
        let attribute = self.tree.parent(id).filter(|&parent| {
            self.tree.kind(parent) == Kind::Attribute && self.tree.node(id).field == Some("object")
        });
        let member = attribute.and_then(|attribute| self.tree.field(attribute, "attribute"));
        member.is_some_and(|member| self.known.member(self.tree.text(member)).is_some())
    }
}

/// Whether a word is in a sorted list.
fn is_among(sorted: &[String], word: &str) -> bool {
    let found = sorted.binary_search_by(|other| other.as_str().cmp(word));
    found.is_ok()
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
