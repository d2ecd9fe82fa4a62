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
        read.borrow_mut().push(name);
        Ok(None)
    })
    .unwrap();
    for name in read.into_inner() {
        assert!(example.contains(&format!("{name}=")), "{name}");
    }
}
