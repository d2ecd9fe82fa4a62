//! How long a text is for a model, without any model's tables.
//!
//! Tokenizers of today's models cut text into runs and take frequent runs whole. The estimate counts those
//! runs: a token for every six letters begun, for every three digits begun, for every two marks begun, and
//! for each line break with the blanks behind it; a single blank goes with what follows it. A character
//! outside of ASCII is a token. It says how long a prompt is and what it may cost, and no more.

/// About how many tokens a text is.
pub fn estimate(text: &str) -> usize {
    let mut n = 0;
    let mut rest = text.chars().peekable();
    while let Some(first) = rest.next() {
        let class = Class::of(first);
        let mut n_run = 1;
        while rest.next_if(|&c| Class::of(c) == class).is_some() {
            n_run += 1;
        }
        n += match class {
            Class::Letters => usize::div_ceil(n_run, 6),
            Class::Digits => usize::div_ceil(n_run, 3),
            Class::Marks => usize::div_ceil(n_run, 2),
            Class::Blanks => usize::from(first == '\n' || n_run > 1),
            Class::Foreign => n_run,
        };
    }
    n
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letters,
    Digits,
    Marks,
    Blanks,
    Foreign,
}

impl Class {
    fn of(c: char) -> Self {
        if c.is_ascii_alphabetic() {
            Self::Letters
        } else if c.is_ascii_digit() {
            Self::Digits
        } else if c.is_ascii_whitespace() {
            Self::Blanks
        } else if c.is_ascii() {
            Self::Marks
        } else {
            Self::Foreign
        }
    }
}
