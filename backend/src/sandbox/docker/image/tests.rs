use super::*;

#[test]
fn every_library_is_pinned() {
    let n = REQUIREMENTS.lines().filter(|line| !line.is_empty()).count();
    assert_eq!(libraries().len(), n);
    assert!(libraries().contains(&"numpy 1.26.4".to_owned()));
}

#[test]
fn an_image_says_its_python() {
    let image = |env: Option<Vec<String>>| ImageInspect {
        config: Some(bollard::models::ImageConfig {
            env,
            ..Default::default()
        }),
        ..ImageInspect::default()
    };
    let env = vec!["PATH=/bin".to_owned(), "PYTHON_VERSION=3.11.9".to_owned()];
    assert_eq!(python_of(&image(Some(env))), "3.11.9");
    assert_eq!(python_of(&image(None)), "3.11");
}
