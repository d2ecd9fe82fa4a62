use std::fs;

use tempfile::TempDir;

use super::*;

const CLASSES: &str = include_str!("../../../tests/fixtures/api/two_classes.json");

fn store() -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path().join("data"));
    (folder, store)
}

fn import(store: &Store, name: &str, license: Option<&str>) -> (Change, Manifest) {
    let now = "2026-01-02T03:04:05Z".parse().unwrap();
    store
        .import(name, license.map(str::to_owned), CLASSES.as_bytes(), now)
        .unwrap()
}

fn names(store: &Store, folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(store.root.join(folder))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_store_that_does_not_exist_is_empty_and_stays_so() {
    let (folder, store) = store();
    assert!(store.list().unwrap().manifests.is_empty());
    assert!(!folder.path().join("data").exists());
}

#[test]
fn the_same_again_changes_nothing_and_a_new_licence_only_that() {
    let (_folder, store) = store();
    let (change, first) = import(&store, "two", None);
    assert_eq!(change, Change::Added);
    assert_eq!(
        import(&store, "two", None),
        (Change::Unchanged, first.clone())
    );
    let (change, licensed) = import(&store, "two", Some("MIT"));
    assert_eq!(
        (change, licensed.card.license.as_deref()),
        (Change::Updated, Some("MIT"))
    );
    // Who says nothing of the licence does not take it away.
    assert_eq!(import(&store, "two", None), (Change::Unchanged, licensed));
    assert_eq!(names(&store, "datasets").len(), 1);
}

#[test]
fn equal_content_is_kept_once_and_as_long_as_someone_has_it() {
    let (_folder, store) = store();
    let (_, one) = import(&store, "one", None);
    let (_, two) = import(&store, "two", None);
    assert_ne!(one.card.id, two.card.id);
    assert_eq!(names(&store, "objects").len(), 1);
    store.remove(&one.card.id).unwrap();
    assert_eq!(store.content(&two.card).unwrap(), CLASSES.as_bytes());
    store.remove(&two.card.id).unwrap();
    assert!(names(&store, "objects").is_empty());
    assert!(matches!(
        store.remove(&two.card.id),
        Err(StoreError::NotFound(_))
    ));
}

#[test]
fn opening_clears_what_interrupted_imports_left() {
    let (_folder, store) = store();
    let (_, kept) = import(&store, "kept", None);
    for path in [
        "objects/.unfinished-a",
        "datasets/.unfinished-b",
        "objects/0000.json",
    ] {
        fs::write(store.root.join(path), "half").unwrap();
    }
    let store = Store::open(&store.root);
    assert_eq!(
        names(&store, "objects"),
        [format!("{}.json", kept.card.sha256)]
    );
    assert_eq!(
        names(&store, "datasets"),
        [format!("{}.json", kept.card.id)]
    );
}

#[test]
fn opening_clears_nothing_while_another_process_imports() {
    let (_folder, store) = store();
    import(&store, "kept", None);
    let unfinished = store.root.join("objects/.unfinished-a");
    fs::write(&unfinished, "half").unwrap();
    let lock = Lock::take(&store.root).unwrap();
    Store::open(&store.root);
    assert!(unfinished.exists());
    drop(lock);
    Store::open(&store.root);
    assert!(!unfinished.exists());
}

#[test]
fn no_content_is_cleared_while_a_manifest_cannot_be_read() {
    let (_folder, store) = store();
    let (_, one) = import(&store, "one", None);
    fs::write(store.manifest_path(&one.card.id), "{").unwrap();
    let store = Store::open(&store.root);
    assert_eq!(names(&store, "objects").len(), 1);
    let contents = store.list().unwrap();
    assert_eq!((contents.manifests.len(), contents.damaged.len()), (0, 1));
    // Importing again repairs it.
    assert_eq!(import(&store, "one", None).0, Change::Added);
    assert!(store.list().unwrap().damaged.is_empty());
}

#[test]
fn a_manifest_under_another_name_or_of_another_schema_is_damaged() {
    let (_folder, store) = store();
    let (_, one) = import(&store, "one", None);
    let text = fs::read_to_string(store.manifest_path(&one.card.id)).unwrap();
    fs::write(store.root.join("datasets/other.json"), &text).unwrap();
    fs::write(
        store.root.join("datasets/newer.json"),
        text.replace("\"schema\": 1", "\"schema\": 2"),
    )
    .unwrap();
    let contents = store.list().unwrap();
    assert_eq!(contents.manifests, [one]);
    assert!(
        contents.damaged[0].1.contains("schema 2"),
        "{:?}",
        contents.damaged
    );
    assert!(
        contents.damaged[1].1.contains("another benchmark"),
        "{:?}",
        contents.damaged
    );
}

#[test]
fn importing_again_repairs_lost_content() {
    let (_folder, store) = store();
    let (_, one) = import(&store, "one", None);
    fs::write(store.object_path(&one.card.sha256), "[]").unwrap();
    assert!(matches!(
        store.content(&one.card),
        Err(StoreError::Damaged(..))
    ));
    assert_eq!(import(&store, "one", None).0, Change::Unchanged);
    assert_eq!(store.content(&one.card).unwrap(), CLASSES.as_bytes());
}
