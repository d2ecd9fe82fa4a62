//! Keeps a provider's key out of what the provider says: a server may answer with what it was sent.

use shared::llm::{Piece, Reply};
use shared::logprobs::{TokenBytes, TokenLogprob};

use super::secret::{MASK, Secret};
use super::wire::Aside;

/// How much of a provider's own words is passed on.
const MAX_MESSAGE_CHARS: usize = 300;

/// Watches one reply. A piece's end that could be a key's beginning is held back until more is known.
pub(super) struct Redactor {
    key: Option<Secret>,
    held: Vec<Held>,
}

#[derive(Default)]
struct Held {
    index: u32,
    text: String,
    reasoning: String,
    /// Its tokens no longer make up its text.
    is_changed: bool,
}

impl Redactor {
    pub(super) fn new(key: Option<Secret>) -> Self {
        let held = Vec::new();
        Self { key, held }
    }

    /// What may be told of a piece now.
    pub(super) fn piece(&mut self, mut piece: Piece) -> Piece {
        let Some(key) = self.key.as_ref().map(Secret::expose) else {
            return piece;
        };
        let at = self.held.iter().position(|it| it.index == piece.index);
        let at = at.unwrap_or_else(|| {
            let index = piece.index;
            self.held.push(Held {
                index,
                ..Held::default()
            });
            self.held.len() - 1
        });
        let held = &mut self.held[at];
        let is_last = piece.finish.is_some();
        let changed = [
            pass(&mut held.text, &mut piece.text, key, is_last),
            pass(&mut held.reasoning, &mut piece.reasoning, key, is_last),
        ];
        held.is_changed |= changed[0] || piece.logprobs.iter().any(|it| tells(it, key));
        if held.is_changed {
            piece.logprobs.clear();
        }
        piece.finish = piece.finish.map(|word| word.replace(key, MASK));
        piece
    }

    /// What may be told beside the pieces, when all of them are told.
    pub(super) fn aside(&self, mut aside: Aside) -> Aside {
        if let Some(key) = self.key.as_ref().map(Secret::expose) {
            for word in [&mut aside.model, &mut aside.fingerprint] {
                *word = word.take().map(|it| it.replace(key, MASK));
            }
        }
        let changed = self.held.iter().filter(|it| it.is_changed);
        aside.changed = changed.map(|it| it.index).collect();
        aside
    }
}

/// The same for a reply that came as a whole.
pub(super) fn whole(reply: Reply, key: Option<Secret>) -> Reply {
    let mut redactor = Redactor::new(key);
    let mut told = Reply::default();
    for choice in reply.choices {
        told.add(redactor.piece(Piece {
            index: choice.index,
            text: choice.text,
            reasoning: choice.reasoning.unwrap_or_default(),
            logprobs: choice.logprobs.unwrap_or_default(),
            finish: choice.finish,
        }));
    }
    let aside = Aside {
        model: Some(reply.model),
        fingerprint: reply.fingerprint,
        usage: reply.usage,
        changed: Vec::new(),
    };
    redactor.aside(aside).complete(&mut told);
    told
}

/// A provider's own words, short, on one line, and without the key or a part of it.
pub(super) fn message(said: &str, key: Option<&Secret>) -> String {
    if key.is_some_and(|key| key.is_told_by(said)) {
        return "its message is withheld, since it holds a part of the key".to_owned();
    }
    let plain = said.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut words: String = plain.take(MAX_MESSAGE_CHARS).collect();
    if said.chars().nth(MAX_MESSAGE_CHARS).is_some() {
        words.push('…');
    }
    words
}

/// Moves what may be told out of `held` and the new text into the new text; whether the key was in it.
fn pass(held: &mut String, new: &mut String, key: &str, is_last: bool) -> bool {
    let mut text = std::mem::take(held) + new;
    let found = text.contains(key);
    if found {
        text = text.replace(key, MASK);
    }
    if !is_last {
        let longest = key.len().min(text.len() + 1) - 1;
        let begun = (1..=longest).rev().find(|&n| text.ends_with(&key[..n]));
        if let Some(n) = begun {
            *held = text.split_off(text.len() - n);
        }
    }
    *new = text;
    found
}

fn tells(token: &TokenLogprob, key: &str) -> bool {
    let holds = |it: &TokenBytes| memchr::memmem::find(&it.0, key.as_bytes()).is_some();
    holds(&token.token) || token.top.iter().any(|it| holds(&it.token))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(pieces: &[&str]) -> (Vec<String>, Reply) {
        let key = Secret::new("sk-abcdef-123").unwrap();
        let mut redactor = Redactor::new(Some(key));
        let mut reply = Reply::default();
        let mut texts = Vec::new();
        for (i, text) in pieces.iter().enumerate() {
            let piece = redactor.piece(Piece {
                text: (*text).to_owned(),
                logprobs: vec![TokenLogprob {
                    token: TokenBytes((*text).into()),
                    logprob: 0.0,
                    top: Vec::new(),
                }],
                finish: (i + 1 == pieces.len()).then(|| "stop".to_owned()),
                ..Piece::default()
            });
            texts.push(piece.text.clone());
            reply.add(piece);
        }
        redactor.aside(Aside::default()).complete(&mut reply);
        (texts, reply)
    }

    #[test]
    fn a_key_is_found_over_the_ends_of_pieces() {
        let (texts, reply) = told(&["it is s", "k-abcd", "ef-123", "!"]);
        assert_eq!(texts, ["it is ", "", "***", "!"]);
        assert_eq!(reply.choices[0].logprobs, None);
        let (texts, reply) = told(&["as", "k-ing for sk-ab", "c"]);
        assert_eq!(texts, ["a", "sk-ing for ", "sk-abc"]);
        assert_eq!(reply.choices[0].text, "ask-ing for sk-abc");
        assert_eq!(reply.choices[0].logprobs.as_ref().map(Vec::len), Some(3));
    }

    #[test]
    fn a_message_with_a_part_of_the_key_is_withheld() {
        let key = Secret::new("sk-abcdef-123").unwrap();
        assert!(message("bad key -abcdef-", Some(&key)).contains("withheld"));
        assert_eq!(message("too\nlong", Some(&key)), "too long");
        let long = message(&"x".repeat(301), Some(&key));
        assert_eq!(long.chars().count(), MAX_MESSAGE_CHARS + 1);
    }

    #[test]
    fn a_secret_prints_as_a_mask() {
        let key = Secret::new(" sk-abcdef-123\n").unwrap();
        assert_eq!(format!("{key} {key:?}"), "*** ***");
        assert!(key.is("sk-abcdef-123") && !key.is("sk-abcdef-12"));
        assert!(Secret::new("a b").is_none() && Secret::new(" ").is_none());
    }
}
