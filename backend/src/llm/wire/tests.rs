use serde_json::json;
use shared::llm::{ModelId, SamplingOptions};

use super::*;

fn read(body: Value) -> WireReply {
    serde_json::from_value(body).unwrap()
}

#[test]
fn a_request_says_what_was_asked_and_nothing_else() {
    let model = LlmModelConfig::named("m", "vendor/m-1");
    let mut asked = ChatRequest {
        model: ModelId("m".to_owned()),
        messages: vec![Message {
            role: Role::User,
            text: "hi".to_owned(),
        }],
        options: SamplingOptions::default(),
        sample: 3,
    };
    let plain = serde_json::to_value(request(&asked, &model, MaxTokens::MaxTokens, false)).unwrap();
    let hi = json!([{"role": "user", "content": "hi"}]);
    assert_eq!(plain, json!({"model": "vendor/m-1", "messages": hi}));
    asked.options = SamplingOptions {
        temperature: Some(0.2),
        top_p: Some(0.95),
        max_tokens: Some(7),
        seed: Some(-1),
        stop: vec!["\n\n".to_owned()],
        n: Some(2),
        logprobs: Some(0),
    };
    let full = request(&asked, &model, MaxTokens::MaxCompletionTokens, true);
    let full = serde_json::to_string(&full).unwrap();
    // The digits are those that were asked for.
    assert!(
        full.contains(r#""temperature":0.2,"#) && full.contains(r#""top_p":0.95"#),
        "{full}"
    );
    let full: Value = serde_json::from_str(&full).unwrap();
    for (field, value) in [
        ("max_completion_tokens", json!(7)),
        ("seed", json!(-1)),
        ("stop", json!(["\n\n"])),
        ("n", json!(2)),
        ("logprobs", json!(true)),
        ("top_logprobs", json!(0)),
        ("stream", json!(true)),
    ] {
        assert_eq!(full[field], value, "{field}");
    }
    assert_eq!(full["stream_options"]["include_usage"], true);
    assert!(full.get("max_tokens").is_none() && full.get("sample").is_none());
}

#[test]
fn what_providers_leave_out_or_add_is_tolerated() {
    let reply = read(json!({
        "choices": [{
            "message": {"role": "assistant", "content": "x", "reasoning_content": "hm", "tool_calls": null},
            "finish_reason": "insufficient_system_resource",
            "logprobs": {"content": [
                {"token": "x", "logprob": null, "top_logprobs": [{"token": "y", "logprob": -1.5, "bytes": [121]}]},
            ], "refusal": null},
            "matched_stop": 5,
        }],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2, "prompt_cache_hit_tokens": 4,
                  "completion_tokens_details": {"reasoning_tokens": 1, "accepted_prediction_tokens": 0}},
        "created": 1.5,
    }));
    let reply = reply.whole().unwrap();
    let choice = &reply.choices[0];
    assert_eq!((choice.index, choice.text.as_str()), (0, "x"));
    assert_eq!(choice.reasoning.as_deref(), Some("hm"));
    assert_eq!(
        choice.finish.as_deref(),
        Some("insufficient_system_resource")
    );
    let token = &choice.logprobs.as_ref().unwrap()[0];
    assert_eq!((token.logprob, token.top[0].logprob), (UNLIKELY, -1.5));
    let usage = reply.usage.unwrap();
    assert_eq!((usage.cached_tokens, usage.reasoning_tokens), (4, 1));
    assert!(read(json!({"choices": []})).whole().is_none());
    let open = read(json!({"choices": [{"delta": {"content": "y"}}]}))
        .whole()
        .unwrap();
    assert_eq!(open.choices[0].finish.as_deref(), Some(NO_WORD));
}

#[test]
fn the_words_of_an_error_are_found() {
    for body in [
        json!({"error": {"message": "why", "type": "x"}}),
        json!({"error": "why"}),
        json!({"message": "why"}),
        json!({"detail": "why"}),
        json!("why"),
    ] {
        assert_eq!(error_words(&body), Some("why"), "{body}");
    }
    assert_eq!(error_words(&json!({"error": {"code": 3}})), None);
}
