use super::*;

fn load(pairs: &[(&'static str, &str)]) -> Result<Config> {
    Config::from_lookup(
        Overrides {
            data: Some("data".into()),
            ..Overrides::default()
        },
        |name| {
            Ok(pairs
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned()))
        },
    )
}

#[test]
fn the_environment_sets_what_no_flag_sets() {
    let config = load(&[
        ("CTXLAB_ADDR", "[::1]:80"),
        ("CTXLAB_DATA_DIR", "elsewhere"),
        ("CTXLAB_CACHE_MIB", ""),
    ])
    .unwrap();
    assert_eq!(config.addr.value.to_string(), "[::1]:80");
    assert_eq!(config.addr.origin, Origin::Variable("CTXLAB_ADDR"));
    assert_eq!(
        (config.data.value, config.data.origin),
        ("data".into(), Origin::Flag)
    );
    assert_eq!(
        (config.cache_mib.value, config.cache_mib.origin),
        (512, Origin::Default)
    );
}

#[test]
fn a_wrong_value_names_its_variable_and_its_bounds() {
    for (name, value, bounds) in [
        ("CTXLAB_ADDR", "localhost", "127.0.0.1:7878"),
        ("CTXLAB_REQUEST_TIMEOUT_S", "0", "1 to 600"),
        ("CTXLAB_DOWNLOAD_TIMEOUT_S", "3601", "1 to 3600"),
        ("CTXLAB_CACHE_MIB", "-1", "1 to 65536"),
        ("CTXLAB_LOG", "shout=loud", "error, warn, info"),
        ("CTXLAB_SITE_DIR", "no-such-folder", "cargo xtask web"),
        ("CTXLAB_PROVIDERS", "no-such.toml", "cannot read"),
        ("CTXLAB_LLM_MODE", "guess", "replay, record or live"),
        ("CTXLAB_LLM_RATE", "0", "1 to 100000"),
    ] {
        let message = format!("{:#}", load(&[(name, value)]).unwrap_err());
        assert!(
            message.contains(name) && message.contains(value) && message.contains(bounds),
            "{message}"
        );
    }
}

#[test]
fn the_example_file_names_every_variable() {
    let example = include_str!("../../../.env.example");
    let read = std::cell::RefCell::new(Vec::new());
    Config::from_lookup(Overrides::default(), |name| {
        read.borrow_mut().push(name.to_owned());
        Ok(None)
    })
    .unwrap();
    for name in read.into_inner() {
        assert!(example.contains(&format!("{name}=")), "{name}");
    }
}

#[test]
fn a_token_is_told_by_nothing() {
    let why = load(&[("CTXLAB_TOKEN", "too-short")]).unwrap_err();
    let why = format!("{why:#}");
    assert!(
        why.contains("CTXLAB_TOKEN needs 16") && !why.contains("too-short"),
        "{why}"
    );
    let config = load(&[("CTXLAB_TOKEN", "0123456789abcdef")]).unwrap();
    let said = format!("{:?} {config:?}", config.lines());
    assert!(
        said.contains("***") && !said.contains("0123456789abcdef"),
        "{said}"
    );
}

#[test]
fn docker_hosts_are_addresses_or_a_file() {
    let parse = |text: &str| docker::parse(text).map_err(|why| format!("{why:#}"));
    assert_eq!(parse("none"), Ok(Vec::new()));
    let two = parse("unix:///run/podman.sock, ssh://me@server").unwrap();
    let addresses: Vec<&str> = two.iter().map(|host| host.address.as_str()).collect();
    assert_eq!(addresses, ["unix:///run/podman.sock", "ssh://me@server"]);
    let why = parse("tcp://10.0.0.7:2376").unwrap_err();
    assert!(why.contains("needs TLS"), "{why}");
    assert!(parse("tcp://127.0.0.1:2375").is_ok());
    let why = parse("http://x").unwrap_err();
    assert!(why.contains("expected unix://, tcp:// or ssh://"), "{why}");
    let why = parse("/no/such.json").unwrap_err();
    assert!(why.contains("cannot read /no/such.json"), "{why}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hosts.json");
    let text = r#"[{"address": "tcp://10.0.0.7:2376", "tls": "/certs", "slots": 8, "gpus": 2, "labels": ["big"]}]"#;
    std::fs::write(&path, text).unwrap();
    let host = &parse(path.to_str().unwrap()).unwrap()[0];
    assert_eq!((host.slots, host.gpus), (Some(8), 2));
    assert!(host.labels.contains("big"));
    std::fs::write(&path, text.replace("gpus", "gpu")).unwrap();
    let why = parse(path.to_str().unwrap()).unwrap_err();
    assert!(why.contains("unknown field `gpu`"), "{why}");
}
