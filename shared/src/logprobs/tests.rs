use proptest::prelude::*;

use super::{Alternative, TokenBytes, TokenLogprob, average_probability, places};
use crate::text::Span;

fn token(bytes: &[u8], probability: f64) -> TokenLogprob {
    TokenLogprob {
        token: TokenBytes(bytes.to_vec()),
        logprob: probability.ln(),
        top: Vec::new(),
    }
}

fn tokens() -> Vec<TokenLogprob> {
    let parts: [(&[u8], f64); 5] = [
        (b"return", 0.5),
        (b" a", 0.8),
        (b" +", 0.4),
        (b" \xc3", 0.9),
        (b"\xa9\n", 1.0),
    ];
    parts.map(|(bytes, p)| token(bytes, p)).to_vec()
}

const REPLY: &str = "return a + é\n";

#[track_caller]
fn check(within: Span, expected: Option<(f64, u32)>) {
    let found = average_probability(&tokens(), REPLY, &[within]);
    assert_eq!(found.map(|of| (of.mean, of.n_tokens)), expected);
}

#[test]
fn a_token_over_the_border_counts_whole() {
    // `a`, whose token begins with a blank before it.
    check(Span::new(7, 8), Some((0.8, 1)));
    // `a + é`: both tokens of the letter.
    check(Span::new(7, 13), Some((0.775, 4)));
    check(Span::new(9, 10), Some((0.4, 1)));
}

#[test]
fn nothing_has_no_average() {
    check(Span::new(7, 7), None);
    check(Span::new(40, 50), None);
    assert_eq!(
        average_probability(&tokens(), "other", &[Span::new(0, 2)]),
        None
    );
    assert_eq!(average_probability(&[], "", &[Span::new(0, 1)]), None);
}

#[test]
fn a_token_in_two_places_counts_once() {
    let tokens = [token(b"a+b", 0.5), token(b"+c", 0.25)];
    let within = [Span::new(0, 1), Span::new(2, 3)];
    let found = average_probability(&tokens, "a+b+c", &within).unwrap();
    assert_eq!((found.mean, found.n_tokens), (0.5, 1));
}

#[test]
fn what_is_said_around_the_reply_is_left_out() {
    let mut all = vec![token(b"<think>", 0.1)];
    all.extend(tokens());
    let found = places(&all, REPLY).unwrap();
    assert_eq!(found[..2], [Span::new(0, 0), Span::new(0, 6)]);
    let mut ended = tokens();
    ended.push(token(b"<|end|>", 0.1));
    assert_eq!(places(&ended, REPLY).unwrap()[5], Span::new(14, 14));
    let whole = [Span::new(0, 14)];
    let found = average_probability(&ended, REPLY, &whole).unwrap();
    assert_eq!(found.n_tokens, 5);
}

#[test]
fn lines_stay_readable() {
    let mut first = token(b" a", 1.0);
    first.top.push(Alternative {
        token: TokenBytes(vec![0xc3]),
        logprob: -1.5,
    });
    let line = serde_json::to_string(&first).unwrap();
    assert_eq!(
        line,
        r#"{"token":" a","logprob":0.0,"top":[{"token":[195],"logprob":-1.5}]}"#
    );
    let again: TokenLogprob = serde_json::from_str(&line).unwrap();
    assert_eq!(again, first);
}

proptest! {
    #[test]
    fn any_tokens_of_any_text_have_an_average_between_0_and_1(
        reply in any::<String>(),
        cuts in prop::collection::vec(0usize..40, 0..12),
        logprobs in prop::collection::vec(any::<f64>(), 13),
        start in 0u32..40,
        len in 0u32..40,
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|at| at.min(reply.len())).collect();
        cuts.extend([0, reply.len()]);
        cuts.sort_unstable();
        let tokens: Vec<TokenLogprob> = cuts
            .windows(2)
            .zip(&logprobs)
            .map(|(cut, &logprob)| TokenLogprob {
                token: TokenBytes(reply.as_bytes()[cut[0]..cut[1]].to_vec()),
                logprob,
                top: Vec::new(),
            })
            .collect();
        let found = places(&tokens, &reply).unwrap();
        prop_assert!(found.windows(2).all(|pair| pair[0].end == pair[1].start));
        if let Some(of) = average_probability(&tokens, &reply, &[Span::new(start, start + len)]) {
            prop_assert!((0.0..=1.0).contains(&of.mean) && of.n_tokens > 0);
        }
    }
}
