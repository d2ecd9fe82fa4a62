use anyhow::Result;

use super::*;

fn told(text: &str) -> Result<LlmConfig, String> {
    let lookup = |name: &str| Ok((name == "LAB_KEY").then(|| "sk-lab".to_owned()));
    file::read(text, &lookup).map_err(|e| format!("{e:#}"))
}

#[test]
fn a_preset_needs_only_its_models() {
    let config = told(
        "[budget]\nday_usd = 5\nrun_tokens = 1000\n[[provider]]\npreset = 'deepseek'\n\
         key_env = 'LAB_KEY'\n[[provider.model]]\nname = 'deepseek-v3'\nid = 'deepseek-chat'\n\
         input_usd = 0.27\noutput_usd = 1.1\n[[provider]]\nname = 'lab'\n\
         base_url = 'http://127.0.0.1:8080/v1'\nidle_s = 0.05\n[[provider.model]]\nname = 'small'",
    )
    .unwrap();
    let [deepseek, lab] = &config.providers[..] else {
        panic!("{config:?}")
    };
    assert_eq!(deepseek.host, "api.deepseek.com");
    assert_eq!((deepseek.concurrency, deepseek.missing()), (32, None));
    let price = deepseek.models[0].price.unwrap();
    assert_eq!(
        (price.input_micro_usd, price.output_micro_usd),
        (270_000, 1_100_000)
    );
    assert!(lab.is_local() && lab.key_env.is_none());
    assert_eq!(lab.timeouts.idle, Duration::from_millis(50));
    assert_eq!(lab.models[0].id, "small");
    assert_eq!(config.day.nano_usd, Some(5_000_000_000));
    assert_eq!((config.run.nano_usd, config.run.tokens), (None, Some(1000)));
    // Whoever prints it sees no key.
    assert!(!format!("{config:?}").contains("sk-lab"));
}

#[test]
fn a_key_that_is_not_set_is_named() {
    let config = told("[[provider]]\npreset = 'openai'").unwrap();
    let missing = config.providers[0].missing().unwrap();
    assert!(missing.contains("OPENAI_API_KEY"), "{missing}");
    let max_tokens = config.providers[0].max_tokens;
    assert_eq!(max_tokens, MaxTokens::MaxCompletionTokens);
}

#[test]
fn what_cannot_be_used_says_why() {
    let lab = "[[provider]]\nname = 'lab'\nbase_url = ";
    let model = "[[provider]]\npreset = 'openai'\n[[provider.model]]\nname = 'm'\n";
    for (text, why) in [
        ("provider = 3", "invalid type"),
        ("[[provider]]\npreset = 'closedai'", "openai, deepseek"),
        ("[[provider]]\nname = 'lab'", "has no base_url"),
        (
            "[[provider]]\nbase_url = 'https://x/v1'",
            "neither preset nor name",
        ),
        (
            "[[provider]]\npreset = 'openai'\nkey = 'sk-1'",
            "unknown field `key`",
        ),
        (&format!("{lab}'ftp://x/v1'"), "https://api.example.com/v1"),
        (&format!("{lab}'https://me:secret@x/v1'"), "without user"),
        (
            &format!("{lab}'http://x/v1'\nkey_env = 'LAB_KEY'"),
            "use https",
        ),
        (
            &format!("{lab}'https://x'\nwhole_s = 0"),
            "whole_s is 0.001",
        ),
        (&format!("{lab}'https://x'\nconcurrency = 0"), "1 to 1024"),
        (
            &format!("{model}input_usd = 1"),
            "both input_usd and output_usd",
        ),
        (
            &format!("{model}input_usd = -1\noutput_usd = 1"),
            "US dollars",
        ),
        (
            "[[provider]]\npreset = 'openai'\n[[provider]]\npreset = 'openai'",
            "two providers are called openai",
        ),
    ] {
        let said = told(text).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn the_help_page_names_every_preset_and_its_example_is_a_file() {
    let page = include_str!("../../../../static/help/models.md");
    for preset in &PRESETS {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{}`", preset.name)));
        let row = row.unwrap_or_else(|| panic!("no row for {}", preset.name));
        assert!(row.contains(&format!("`{}`", preset.key_env)), "{row}");
        let host = preset.base_url.split('/').nth(2).unwrap();
        assert!(row.contains(host), "{row}");
    }
    let example = page
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    assert_eq!(told(example).unwrap().providers.len(), 2);
    // The same for the example of settings, which is commented out.
    let settings = include_str!("../../../../.env.example");
    let lines = settings
        .lines()
        .skip_while(|line| !line.contains("[budget]"));
    let lines = lines.take_while(|line| !line.contains("CTXLAB_PROVIDERS"));
    let example: Vec<&str> = lines.map(|line| line.trim_start_matches('#')).collect();
    let config = told(&example.join("\n")).unwrap();
    assert_eq!(
        (config.providers.len(), config.run.tokens),
        (2, Some(2_000_000))
    );
}
