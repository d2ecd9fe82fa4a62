//! What a model replied, whole or piece by piece.

use serde::{Deserialize, Serialize};

use crate::logprobs::TokenLogprob;

/// The log probability of a token that is not among the most probable ones, as the wire has it.
pub const UNLIKELY: f64 = -9999.0;

/// What a model replied.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Reply {
    /// Who replied, as the provider calls it.
    pub model: String,
    /// The replies, by their index.
    pub choices: Vec<Choice>,
    /// What it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The provider's word for the state of its system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// One of the replies that were asked for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Choice {
    /// Which, from 0.
    pub index: u32,
    /// What is said.
    pub text: String,
    /// What was thought before, where the provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Why it ended: `stop`, `length`, `content_filter`, or a word of the provider's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The tokens of the text with their probabilities, where they were asked for and told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Vec<TokenLogprob>>,
}

/// What an exchange took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens that were read.
    pub prompt_tokens: u64,
    /// Tokens that were written, those of reasoning with them.
    pub completion_tokens: u64,
    /// Tokens of `prompt_tokens` that the provider had read before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_tokens: u64,
    /// Tokens of `completion_tokens` that were thought and not said.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u64,
    /// The provider does not say: this is what the texts come to, about.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_estimated: bool,
}

impl Usage {
    /// All of them.
    pub fn total(self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}

/// A piece of a reply that is still being written.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Piece {
    /// Of which choice.
    pub index: u32,
    /// What comes after the text so far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What comes after the reasoning so far.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// The tokens of this piece's text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logprobs: Vec<TokenLogprob>,
    /// Why the choice ended, in its last piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
}

impl Reply {
    /// Puts a piece in its place.
    pub fn add(&mut self, piece: Piece) {
        let at = self
            .choices
            .binary_search_by_key(&piece.index, |it| it.index);
        let at = at.unwrap_or_else(|at| {
            let index = piece.index;
            self.choices.insert(
                at,
                Choice {
                    index,
                    ..Choice::default()
                },
            );
            at
        });
        let choice = &mut self.choices[at];
        choice.text += &piece.text;
        if !piece.reasoning.is_empty() {
            *choice.reasoning.get_or_insert_default() += &piece.reasoning;
        }
        if !piece.logprobs.is_empty() {
            choice
                .logprobs
                .get_or_insert_default()
                .extend(piece.logprobs);
        }
        choice.finish = piece.finish.or(choice.finish.take());
    }

    /// Whether there is a reply and each of them came to its end.
    pub fn is_whole(&self) -> bool {
        !self.choices.is_empty() && self.choices.iter().all(|it| it.finish.is_some())
    }

    /// The pieces that it is made of when it is told again: a token each where tokens are known.
    pub fn pieces(&self) -> Vec<Piece> {
        let of = |choice: &Choice| {
            let index = choice.index;
            let mut pieces = Vec::new();
            if let Some(reasoning) = &choice.reasoning {
                let reasoning = reasoning.clone();
                pieces.push(Piece {
                    index,
                    reasoning,
                    ..Piece::default()
                });
            }
            match choice.tokens() {
                Some(tokens) => pieces.extend(tokens.map(|(text, token)| Piece {
                    index,
                    text: text.to_owned(),
                    logprobs: vec![token.clone()],
                    ..Piece::default()
                })),
                None => pieces.push(Piece {
                    index,
                    text: choice.text.clone(),
                    logprobs: choice.logprobs.clone().unwrap_or_default(),
                    ..Piece::default()
                }),
            }
            let finish = choice.finish.clone();
            pieces.push(Piece {
                index,
                finish,
                ..Piece::default()
            });
            pieces
        };
        self.choices.iter().flat_map(of).collect()
    }
}

impl Choice {
    /// Each token with its part of the text; `None` where they do not make up the text. A token that ends
    /// within a character has what is whole by then.
    pub fn tokens(&self) -> Option<impl Iterator<Item = (&str, &TokenLogprob)>> {
        let tokens = self.logprobs.as_ref()?;
        let mut rest = self.text.as_bytes();
        for token in tokens {
            rest = rest.strip_prefix(token.token.0.as_slice())?;
        }
        let (mut from, mut to) = (0, 0);
        rest.is_empty().then(|| {
            tokens.iter().map(move |token| {
                to += token.token.0.len();
                let end = self.text.floor_char_boundary(to);
                let part = &self.text[from..end];
                from = end;
                (part, token)
            })
        })
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(it: &bool) -> bool {
    !*it
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(n: &u64) -> bool {
    *n == 0
}
