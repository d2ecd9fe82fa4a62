//! `/api/datasets`: each route's answer and refusal.

use std::fs;

use axum::http::{Method, StatusCode};
use shared::api::{DatasetCard, ErrorBody, ErrorCode, Listing, SubjectBody, SubjectPage, paths};
use shared::subject::{DatasetId, SubjectId};

use crate::support::{Api, TWO_CLASSES, gunzip};

async fn ids(api: &Api) -> Vec<String> {
    let cards: Listing<DatasetCard> = api.get(paths::DATASETS).await.json();
    cards.items.into_iter().map(|card| card.id.0).collect()
}

#[tokio::test]
async fn the_starter_comes_first_and_imports_appear_at_once() {
    let api = Api::new();
    assert_eq!(ids(&api).await, ["starter"]);
    let id = api.import("A first", TWO_CLASSES);
    assert_eq!(ids(&api).await, ["starter", id.as_str()]);
    assert!(id.as_str().starts_with("a-first-"), "{id}");
}

#[tokio::test]
async fn without_a_site_there_is_no_starter() {
    let api = Api::without_site();
    assert_eq!(ids(&api).await, [""; 0]);
    assert_eq!(
        api.get("/api/datasets/starter").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_damaged_manifest_hides_no_other() {
    let api = Api::without_site();
    let id = api.import("good", TWO_CLASSES);
    fs::write(api.data().join("datasets/bad-00000000.json"), "{").unwrap();
    assert_eq!(ids(&api).await, [id.as_str()]);
    let refused = api.get("/api/datasets/bad-00000000").await;
    assert_eq!(refused.status, StatusCode::INTERNAL_SERVER_ERROR);
    let error: ErrorBody = refused.json();
    assert_eq!(error.code, ErrorCode::Internal);
    assert!(
        !error.message.contains("datasets"),
        "a path of the machine leaks: {}",
        error.message
    );
}

#[tokio::test]
async fn a_card_tells_what_a_benchmark_holds() {
    let api = Api::new();
    let card: DatasetCard = api.get("/api/datasets/starter").await.json();
    assert_eq!((card.n_classes, card.n_subjects, card.n_tests), (2, 3, 3));
    assert_eq!(card.license.as_deref(), Some("MIT OR Apache-2.0"));
    assert_eq!(card.name, "Starter benchmark");
    let id = api.import("mine", TWO_CLASSES);
    let mine: DatasetCard = api.get(&paths::dataset(&id)).await.json();
    assert_eq!((mine.sha256, mine.license), (card.sha256, None));
    assert_eq!(mine.libraries[0].library, "datetime");
}

#[tokio::test]
async fn an_unknown_benchmark_is_refused_with_the_next_step() {
    let api = Api::new();
    for path in [
        "/api/datasets/none",
        "/api/datasets/none/content",
        "/api/datasets/none/subjects",
    ] {
        let refused = api.get(path).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{path}");
        let error: ErrorBody = refused.json();
        assert_eq!(
            (error.code, error.message.as_str()),
            (ErrorCode::NotFound, "no benchmark none")
        );
        assert!(error.hint.unwrap().contains("ctxlab dataset import"));
        assert_eq!(error.request_id, refused.header("x-request-id"));
    }
}

#[tokio::test]
async fn an_id_never_becomes_a_path() {
    let api = Api::without_site();
    fs::write(api.data().with_file_name("secret.json"), "{}").unwrap();
    for id in ["..%2Fsecret", "%2e%2e%2fsecret", "..", "%00", "A"] {
        let refused = api.get(&format!("/api/datasets/{id}")).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{id}");
    }
}

#[tokio::test]
async fn the_content_is_the_file_and_can_be_kept_for_ever() {
    let api = Api::new();
    let id = api.import("mine", TWO_CLASSES);
    let content = api.get(&paths::content(&id)).await;
    assert_eq!(content.text(), TWO_CLASSES);
    assert!(content.header("cache-control").contains("immutable"));
    let known = api
        .get_if_changed(&paths::content(&id), content.header("etag"))
        .await;
    assert_eq!(
        (known.status, known.body.len()),
        (StatusCode::NOT_MODIFIED, 0)
    );

    // The starter's id says nothing of its content.
    let starter = api.get("/api/datasets/starter/content").await;
    assert_eq!(starter.header("cache-control"), "no-cache");
}

#[tokio::test]
async fn damaged_content_is_an_error_not_an_answer() {
    let api = Api::without_site();
    let id = api.import("mine", TWO_CLASSES);
    let card: DatasetCard = api.get(&paths::dataset(&id)).await.json();
    fs::write(
        api.data()
            .join("objects")
            .join(&card.sha256)
            .with_extension("json"),
        "[]",
    )
    .unwrap();
    for path in [paths::content(&id), paths::subjects(&id)] {
        assert_eq!(
            api.get(&path).await.status,
            StatusCode::INTERNAL_SERVER_ERROR,
            "{path}"
        );
    }
}

#[tokio::test]
async fn subjects_come_in_pages() {
    let api = Api::new();
    let path = paths::subjects(&DatasetId::starter());
    let all: SubjectPage = api.get(&path).await.json();
    let names: Vec<&str> = all.items.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(
        (names.as_slice(), all.next),
        (["Till.add", "Till.close", "Shelf.put"].as_slice(), None)
    );
    assert_eq!(
        (all.items[1].n_lines, &all.items[1].libraries[..]),
        (4, ["datetime".to_owned()].as_slice())
    );

    let first: SubjectPage = api.get(&format!("{path}?limit=2")).await.json();
    assert_eq!((&first.items[..], first.next), (&all.items[..2], Some(2)));
    let last: SubjectPage = api.get(&format!("{path}?limit=2&offset=2")).await.json();
    assert_eq!((&last.items[..], last.next), (&all.items[2..], None));
    let none: SubjectPage = api.get(&format!("{path}?offset=99")).await.json();
    assert!(none.items.is_empty());
}

#[tokio::test]
async fn a_wrong_window_is_refused_with_its_bounds() {
    let api = Api::new();
    for query in ["limit=0", "limit=10001", "limit=many", "offset=-1"] {
        let refused = api
            .get(&format!("/api/datasets/starter/subjects?{query}"))
            .await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{query}");
        let error: ErrorBody = refused.json();
        assert_eq!(error.code, ErrorCode::Invalid);
        assert!(error.hint.unwrap().contains("1 to 10000"));
    }
}

#[tokio::test]
async fn a_subject_comes_with_its_class_and_context() {
    let api = Api::new();
    let path = paths::subject(&DatasetId::starter(), &SubjectId("Till.close".to_owned()));
    let body: SubjectBody = api.get(&path).await.json();
    assert_eq!(
        (body.dataset.as_str(), body.class.name.as_str()),
        ("starter", "Till")
    );
    assert!(
        body.subject
            .source
            .starts_with("def close(self, day=None):\n        stamp")
    );
    assert_eq!(body.context.fields, ["cents"]);

    let refused = api.get("/api/datasets/starter/subjects/Till.none").await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    assert_eq!(
        refused.json::<ErrorBody>().message,
        "benchmark starter has no subject Till.none"
    );
}

#[tokio::test]
async fn every_answer_can_be_asked_for_only_if_it_changed() {
    let api = Api::new();
    let starter = "/api/datasets/starter";
    for path in [
        "/api/datasets",
        starter,
        "/api/datasets/starter/subjects",
        "/api/datasets/starter/subjects/Till.add",
    ] {
        let first = api.get(path).await;
        assert_eq!(first.header("cache-control"), "no-cache", "{path}");
        let etag = first.header("etag");
        assert_eq!(
            api.get_if_changed(path, etag).await.status,
            StatusCode::NOT_MODIFIED,
            "{path}"
        );
        let weak = format!("\"other\", W/{etag}");
        assert_eq!(
            api.get_if_changed(path, &weak).await.status,
            StatusCode::NOT_MODIFIED,
            "{path}"
        );
        assert_eq!(
            api.get_if_changed(path, "\"other\"").await.body,
            first.body,
            "{path}"
        );
    }
    let before = api.get("/api/datasets").await;
    api.import("new", TWO_CLASSES);
    assert_eq!(
        api.get_if_changed("/api/datasets", before.header("etag"))
            .await
            .status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn answers_are_compressed_for_who_can_read_it() {
    let api = Api::new();
    let path = "/api/datasets/starter/subjects/Till.add";
    let plain = api.get(path).await;
    assert_eq!(plain.header("content-encoding"), "");
    let gz = api.get_packed(path, "gzip").await;
    assert_eq!(
        (gz.header("content-encoding"), gunzip(&gz.body)),
        ("gzip", plain.body.clone())
    );
    let br = api.get_packed(path, "gzip, br").await;
    assert_eq!(br.header("content-encoding"), "br");
    assert!(br.body.len() < plain.body.len());
    // Other bytes under the same tag would be wrong; the same meaning is right.
    assert_eq!(br.header("etag"), format!("W/{}", plain.header("etag")));
    assert_eq!(
        api.get_if_changed(path, br.header("etag")).await.status,
        StatusCode::NOT_MODIFIED
    );
}

#[tokio::test]
async fn other_methods_and_paths_are_refused_as_json() {
    let api = Api::new();
    let refused = api.ask(Method::POST, "/api/datasets", &[]).await;
    assert_eq!(
        (refused.status, refused.header("allow")),
        (StatusCode::METHOD_NOT_ALLOWED, "GET,HEAD")
    );
    assert_eq!(refused.json::<ErrorBody>().message, "method not allowed");
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/datasets/starter/nothing",
    ] {
        let refused = api.get(path).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(
            refused.json::<ErrorBody>().code,
            ErrorCode::NotFound,
            "{path}"
        );
    }
}
