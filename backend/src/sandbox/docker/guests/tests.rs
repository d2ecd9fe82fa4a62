use tokio::io::AsyncReadExt as _;

use super::*;

/// What of some chunks is the guest's, and the ending that follows.
async fn forwarded(chunks: &[&str]) -> (String, Option<String>) {
    let (to, mut from) = duplex(PIPE);
    let mut stream = Forward::new("word", to);
    for chunk in chunks {
        stream.take(chunk.as_bytes()).await;
    }
    let ending = stream.ending.take();
    drop(stream);
    let mut passed = String::new();
    from.read_to_string(&mut passed).await.unwrap();
    (passed, ending.map(|it| String::from_utf8(it).unwrap()))
}

#[tokio::test]
async fn the_ending_is_found_however_it_is_cut() {
    let whole = "a line\nwor\n\nwowoword{\"code\": 0}\n";
    for at in 0..whole.len() {
        let (first, rest) = whole.split_at(at);
        let (passed, ending) = forwarded(&[first, rest]).await;
        assert_eq!(passed, "a line\nwor\n\nwowo", "cut at {at}");
        assert_eq!(ending.as_deref(), Some("{\"code\": 0}"), "cut at {at}");
    }
}

#[tokio::test]
async fn what_only_begins_like_it_goes_on() {
    let (passed, ending) = forwarded(&["\nwor", "k\n", "\nwo"]).await;
    assert_eq!((passed.as_str(), ending), ("\nwork\n\n", None));
}

#[tokio::test]
async fn a_line_of_the_harness_is_not_held_back() {
    let (to, mut from) = duplex(PIPE);
    let mut stream = Forward::new("word", to);
    let line = b"\nN{\"at\": \"test\"}\n";
    stream.take(line).await;
    let mut seen = vec![0; line.len()];
    from.read_exact(&mut seen).await.unwrap();
    assert_eq!(seen, line);
}

#[test]
fn an_ending_says_how() {
    let exit = |text: &str| serde_json::from_str::<Ending>(text).unwrap().exit();
    assert_eq!(
        exit(r#"{"out_of_memory": false, "code": 3}"#),
        Exit::Code(3)
    );
    assert_eq!(
        exit(r#"{"out_of_memory": true, "signal": 9}"#),
        Exit::OutOfMemory
    );
    assert!(matches!(
        exit(r#"{"out_of_memory": false, "signal": 11}"#),
        Exit::Fault(why) if why.contains("signal 11")
    ));
}
