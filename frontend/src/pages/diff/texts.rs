//! The texts that are compared: two or three, and where they come from.

use std::cell::RefCell;

use shared::diff::MatcherId;

use crate::platform::files::UserFile;
use crate::reactive::RwSignal;
use crate::state::diff::sheet::Which;
use crate::state::words;

/// The most that one text may have.
const MAX_BYTES: usize = 250_000;

const EXAMPLE: [&str; 2] = [
    include_str!("example_reference.py"),
    include_str!("example_variant.py"),
];

thread_local! {
    /// What was compared when the page was left, for coming back.
    static LEFT: RefCell<Option<Given>> = const { RefCell::new(None) };
}

/// What is compared, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Given {
    /// The reference, the variant, and the answer where there is one.
    pub(super) texts: Vec<String>,
    pub(super) matcher: MatcherId,
}

impl Given {
    pub(super) fn is_empty(&self) -> bool {
        self.texts.iter().all(String::is_empty)
    }
}

/// The fields of the page.
#[derive(Clone, Copy)]
pub(super) struct Texts {
    all: [RwSignal<String>; 3],
    /// Whether there is a field for a third.
    pub(super) has_third: RwSignal<bool>,
    pub(super) matcher: RwSignal<MatcherId>,
    /// Why a text was not taken.
    pub(super) refusal: RwSignal<Option<String>>,
}

impl Texts {
    /// Those that were there when the page was left.
    pub(super) fn new() -> Self {
        let texts = Self {
            all: Default::default(),
            has_third: RwSignal::new(false),
            matcher: RwSignal::default(),
            refusal: RwSignal::new(None),
        };
        if let Some(left) = LEFT.with_borrow(Clone::clone) {
            texts.matcher.set(left.matcher);
            texts.take_all(left.texts);
        }
        texts
    }

    pub(super) fn of(self, which: Which) -> RwSignal<String> {
        self.all[which as usize]
    }

    /// What is to be compared; follows all fields.
    pub(super) fn given(self) -> Given {
        let mut texts: Vec<String> = self.all.iter().map(RwSignal::get).collect();
        if texts.last().is_some_and(String::is_empty) {
            texts.pop();
        }
        let matcher = self.matcher.get();
        Given { texts, matcher }
    }

    pub(super) fn is_empty(self) -> bool {
        self.all.iter().all(|text| text.with(String::is_empty))
    }

    /// Keeps what is given for coming back.
    pub(super) fn leave(given: Given) {
        LEFT.set(Some(given).filter(|given| !given.is_empty()));
    }

    /// Takes a text, or says why not.
    pub(super) fn take(self, which: Which, text: String) {
        if text.len() > MAX_BYTES {
            self.refuse(too_long("A text", text.len() as u64));
            return;
        }
        self.refusal.set(None);
        if which == Which::Answer && !text.is_empty() {
            self.has_third.set(true);
        }
        self.of(which).set(text);
    }

    /// Takes all texts; what is not among them is emptied.
    pub(super) fn take_all(self, texts: Vec<String>) {
        self.has_third.set(texts.len() > 2);
        let texts = texts.into_iter().chain(std::iter::repeat(String::new()));
        for (which, text) in Which::ALL.into_iter().zip(texts) {
            self.take(which, text);
        }
    }

    pub(super) fn example(self) {
        self.take_all(EXAMPLE.map(str::to_owned).to_vec());
    }

    pub(super) fn swap(self) {
        let [a, b, _] = self.all;
        let (was_a, was_b) = (a.get_untracked(), b.get_untracked());
        a.set(was_b);
        b.set(was_a);
    }

    fn refuse(self, why: String) {
        self.refusal.set(Some(why));
    }

    /// Takes files: one for this field, or one for each.
    pub(super) fn take_files(self, which: Which, files: Vec<UserFile>) {
        let fields = match files.len() {
            0 | 1 => vec![which],
            n if n <= Which::ALL.len() => Which::ALL.to_vec(),
            n => {
                self.refuse(format!(
                    "{n} files are too many: at most three can be compared here. Put them into a file of pairs, \
                     one JSON object with id, a and b a line."
                ));
                return;
            }
        };
        leptos::task::spawn_local(async move {
            for (which, file) in fields.into_iter().zip(files) {
                if file.n_bytes() > MAX_BYTES as u64 {
                    self.refuse(too_long(&file.name(), file.n_bytes()));
                    continue;
                }
                match file.text().await {
                    Some(text) => self.take(which, text),
                    None => self.refuse(format!(
                        "The browser could not read {}; check that it still exists",
                        file.name()
                    )),
                }
            }
        });
    }

    /// The field that a file goes to that is dropped beside all: the first empty one, or else the last.
    pub(super) fn free(self) -> Which {
        let n_fields = if self.has_third.get_untracked() { 3 } else { 2 };
        let fields = &Which::ALL[..n_fields];
        let is_empty = |which: &&Which| self.of(**which).with_untracked(String::is_empty);
        let free = fields.iter().find(is_empty).or(fields.last());
        free.copied().unwrap_or(Which::Variant)
    }
}

fn too_long(what: &str, n_bytes: u64) -> String {
    format!(
        "{what} has {}: at most {} can be compared here. The command line takes any: ctxlab diff.",
        words::size(n_bytes),
        words::size(MAX_BYTES as u64)
    )
}
