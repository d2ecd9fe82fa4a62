use super::*;
use crate::logprobs::{TokenBytes, TokenLogprob};

fn request() -> ChatRequest {
    ChatRequest {
        model: ModelId("m".to_owned()),
        messages: vec![Message {
            role: Role::User,
            text: "hi".to_owned(),
        }],
        options: SamplingOptions::default(),
        sample: 0,
    }
}

fn token(token: &str, bytes: Option<&[u8]>) -> TokenLogprob {
    TokenLogprob {
        token: TokenBytes(bytes.unwrap_or(token.as_bytes()).to_vec()),
        logprob: -0.5,
        top: Vec::new(),
    }
}

fn piece(index: u32, text: &str, finish: Option<&str>) -> Piece {
    Piece {
        index,
        text: text.to_owned(),
        finish: finish.map(str::to_owned),
        ..Piece::default()
    }
}

#[test]
fn a_key_is_the_hash_of_these_bytes() {
    let text = br#"{"model":"m","messages":[{"role":"user","content":"hi"}],"options":{}}"#;
    assert_eq!(request().key().0, sha256_hex(text));
    let mut all = request();
    all.options = SamplingOptions {
        temperature: Some(0.0),
        top_p: Some(1.0),
        max_tokens: Some(5),
        seed: Some(-7),
        stop: vec!["\n".to_owned()],
        n: Some(2),
        logprobs: Some(3),
    };
    all.sample = 4;
    let text = br#"{"model":"m","messages":[{"role":"user","content":"hi"}],"options":{"temperature":0.0,"top_p":1.0,"max_tokens":5,"seed":-7,"stop":["\n"],"n":2,"logprobs":3},"sample":4}"#;
    assert_eq!(all.key().0, sha256_hex(text));
}

#[test]
fn what_is_out_of_bounds_names_its_field() {
    let refused = |change: fn(&mut ChatRequest)| {
        let mut request = request();
        change(&mut request);
        request.check().map_err(|e| e.field())
    };
    assert_eq!(refused(|_| ()), Ok(()));
    assert_eq!(refused(|it| it.model.0.clear()), Err("model"));
    assert_eq!(refused(|it| it.messages.clear()), Err("messages"));
    assert_eq!(
        refused(|it| it.options.temperature = Some(2.1)),
        Err("temperature")
    );
    assert_eq!(
        refused(|it| it.options.temperature = Some(f64::NAN)),
        Err("temperature")
    );
    assert_eq!(refused(|it| it.options.top_p = Some(-0.1)), Err("top_p"));
    assert_eq!(
        refused(|it| it.options.max_tokens = Some(0)),
        Err("max_tokens")
    );
    assert_eq!(refused(|it| it.options.n = Some(0)), Err("n"));
    assert_eq!(
        refused(|it| it.options.logprobs = Some(21)),
        Err("top_logprobs")
    );
    assert_eq!(
        refused(|it| it.options.stop = vec![String::new()]),
        Err("stop")
    );
    assert_eq!(
        refused(|it| it.messages[0].text = "x".repeat(MAX_PROMPT_BYTES + 1)),
        Err("messages")
    );
}

#[test]
fn pieces_of_several_choices_come_into_their_places() {
    let mut reply = Reply::default();
    for it in [
        piece(1, "b", None),
        piece(0, "a", None),
        piece(1, "B", Some("stop")),
    ] {
        reply.add(it);
    }
    assert!(!reply.is_whole());
    reply.add(piece(0, "", Some("length")));
    assert!(reply.is_whole());
    let texts: Vec<_> = reply
        .choices
        .iter()
        .map(|it| (it.index, it.text.as_str()))
        .collect();
    assert_eq!(texts, [(0, "a"), (1, "bB")]);
}

#[test]
fn a_reply_told_again_is_the_same() {
    let reply = Reply {
        choices: vec![
            Choice {
                index: 0,
                text: "a é".to_owned(),
                reasoning: Some("hm".to_owned()),
                finish: Some("stop".to_owned()),
                logprobs: Some(vec![
                    token("a ", None),
                    token("\u{fffd}", Some(&[0xc3])),
                    token("\u{fffd}", Some(&[0xa9])),
                ]),
            },
            Choice {
                index: 1,
                text: "cut".to_owned(),
                finish: Some("length".to_owned()),
                // These are not the text's: they go with it all the same.
                logprobs: Some(vec![token("other", None)]),
                ..Choice::default()
            },
        ],
        ..Reply::default()
    };
    let mut again = Reply::default();
    for it in reply.pieces() {
        again.add(it);
    }
    assert_eq!(again, reply);
    let parts: Vec<_> = reply.choices[0]
        .tokens()
        .unwrap()
        .map(|(part, _)| part)
        .collect();
    assert_eq!(parts, ["a ", "", "é"]);
    assert!(reply.choices[1].tokens().is_none());
}

#[test]
fn a_record_under_another_s_key_is_none() {
    let request = request();
    let mut reply = Reply::default();
    reply.add(piece(0, "yes", Some("stop")));
    let mut it = Exchange {
        schema: Exchange::SCHEMA,
        key: request.key(),
        request,
        reply,
        provider: "p".to_owned(),
        asked_at: "2026-01-02T03:04:05Z".to_owned(),
        duration_ms: 1,
        cost_nano_usd: None,
    };
    assert_eq!(Exchange::from_json_line(&it.json_line()).unwrap(), it);
    it.request.messages[0].text.push('!');
    let why = Exchange::from_json_line(&it.json_line())
        .unwrap_err()
        .to_string();
    assert!(why.contains("has the key"), "{why}");
    it.key = it.request.key();
    it.reply.choices[0].finish = None;
    let why = Exchange::from_json_line(&it.json_line())
        .unwrap_err()
        .to_string();
    assert!(why.contains("no end"), "{why}");
}
