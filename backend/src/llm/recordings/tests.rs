use shared::llm::{Choice, Message, Reply, Role, SamplingOptions};

use super::*;

fn exchange(model: &str, question: &str) -> Exchange {
    let request = ChatRequest {
        model: ModelId(model.to_owned()),
        messages: vec![Message {
            role: Role::User,
            text: question.to_owned(),
        }],
        options: SamplingOptions::default(),
        sample: 0,
    };
    Exchange {
        schema: Exchange::SCHEMA,
        key: request.key(),
        request,
        reply: Reply {
            choices: vec![Choice {
                text: "yes".to_owned(),
                finish: Some("stop".to_owned()),
                ..Choice::default()
            }],
            ..Reply::default()
        },
        provider: "p".to_owned(),
        asked_at: "2026-01-02T03:04:05Z".to_owned(),
        duration_ms: 1,
        cost_nano_usd: Some(2),
    }
}

#[test]
fn a_bundle_goes_from_one_folder_to_another() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (here, there) = (Recordings::of(here.path()), Recordings::of(there.path()));
    assert!(here.models().unwrap().is_empty());
    // No name leaves the folder.
    let all = [
        exchange("../vendor/m:1", "a"),
        exchange("../vendor/m:1", "b"),
        exchange("é", "a"),
    ];
    for it in &all {
        here.keep(it).unwrap();
    }
    let names: Vec<_> = here.models().unwrap();
    let of = |name: &str, n| (ModelId(name.to_owned()), n);
    assert_eq!(names, [of("../vendor/m:1", 2), of("é", 1)]);
    assert_eq!(here.find(&all[1].request).unwrap(), Some(all[1].clone()));

    let mut bundle: String = here
        .all(None)
        .unwrap()
        .map(|it| it.json_line() + "\n")
        .collect();
    assert_eq!(bundle.lines().count(), 3);
    assert_eq!(here.all(Some(&ModelId("é".to_owned()))).unwrap().count(), 1);
    bundle.insert_str(0, "{}\n\n");
    let imported = there.import(bundle.as_bytes()).unwrap();
    assert_eq!((imported.n_new, imported.n_known), (3, 0));
    assert_eq!(imported.refused[0].0, 1);
    let again = there.import(bundle.as_bytes()).unwrap();
    assert_eq!((again.n_new, again.n_known), (0, 3));
    let told: Vec<_> = there.all(None).unwrap().collect();
    assert_eq!(told, here.all(None).unwrap().collect::<Vec<_>>());
}

#[test]
fn a_damaged_file_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let recordings = Recordings::of(folder.path());
    let it = exchange("m", "a");
    recordings.keep(&it).unwrap();
    let path = recordings.path(&it.request.model, &it.key);
    fs::write(&path, &it.json_line()[..40]).unwrap();
    assert_eq!(recordings.find(&it.request).unwrap(), None);
    recordings.keep(&it).unwrap();
    assert!(recordings.find(&it.request).unwrap().is_some());
}
