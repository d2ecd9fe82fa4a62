//! How sure a model was of each token of a reply, as plain data, and the average over places of it.

use serde::{Deserialize, Serialize};

use crate::text::Span;

/// The bytes of a token. A token is a piece of UTF-8 and may end inside a character.
///
/// In JSON a text where the bytes are one, else the list of the bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "TokenText", into = "TokenText")]
pub struct TokenBytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TokenText {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<TokenText> for TokenBytes {
    fn from(text: TokenText) -> Self {
        match text {
            TokenText::Text(text) => Self(text.into_bytes()),
            TokenText::Bytes(bytes) => Self(bytes),
        }
    }
}

impl From<TokenBytes> for TokenText {
    fn from(token: TokenBytes) -> Self {
        String::from_utf8(token.0).map_or_else(|e| Self::Bytes(e.into_bytes()), Self::Text)
    }
}

/// A token of a reply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TokenLogprob {
    /// What it adds to the reply.
    pub token: TokenBytes,
    /// The natural logarithm of its probability; 0 or less.
    pub logprob: f64,
    /// The likeliest tokens in its place, the likeliest first; empty where they were not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub top: Vec<Alternative>,
}

/// What might have stood in a token's place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alternative {
    /// Its bytes.
    pub token: TokenBytes,
    /// The natural logarithm of its probability.
    pub logprob: f64,
}

/// An average token probability and what it is of.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AverageProbability {
    /// The mean of the tokens' probabilities, from 0 to 1, to nine decimals: the last bits of an
    /// exponential differ between machines.
    pub mean: f64,
    /// How many tokens that are.
    pub n_tokens: u32,
}

/// Where each token stands in the reply that they spell; empty where a token adds nothing. `None`
/// where they do not spell it. What they say before the reply (a thought) or after it (a mark of the
/// end) stands outside of it and is left out: such a token's place is empty too.
pub fn places(tokens: &[TokenLogprob], reply: &str) -> Option<Vec<Span>> {
    let spelled: Vec<u8> = tokens
        .iter()
        .flat_map(|token| token.token.0.iter().copied())
        .collect();
    let n_before = if spelled.starts_with(reply.as_bytes()) {
        0
    } else if spelled.ends_with(reply.as_bytes()) {
        spelled.len() - reply.len()
    } else {
        return None;
    };
    let in_reply = |at: usize| {
        let at = at.saturating_sub(n_before).min(reply.len());
        u32::try_from(at).unwrap_or(u32::MAX)
    };
    let mut at = 0;
    let places = tokens.iter().map(|token| {
        let start = at;
        at += token.token.0.len();
        Span::new(in_reply(start), in_reply(at))
    });
    Some(places.collect())
}

/// The average token probability (CtxBugGen, table 7) over sorted places of a reply: the mean of the
/// probabilities of all tokens with a byte in one of them. A token over a border counts whole, and
/// once: a part of it has no probability of its own. `None` where the tokens do not spell the reply,
/// or none of them is there.
pub fn average_probability(
    tokens: &[TokenLogprob],
    reply: &str,
    within: &[Span],
) -> Option<AverageProbability> {
    let places = places(tokens, reply)?;
    let (mut sum, mut n_tokens) = (0.0, 0u32);
    for (token, place) in tokens.iter().zip(places) {
        let first = within.partition_point(|span| span.end <= place.start);
        let is_within = within
            .get(first)
            .is_some_and(|span| span.start < place.end && !span.is_empty());
        if is_within && !place.is_empty() {
            sum += token.logprob.exp().clamp(0.0, 1.0);
            n_tokens += 1;
        }
    }
    let mean = sum / f64::from(n_tokens);
    (n_tokens > 0 && mean.is_finite()).then(|| AverageProbability {
        mean: (mean * 1e9).round() / 1e9,
        n_tokens,
    })
}

#[cfg(test)]
mod tests;
