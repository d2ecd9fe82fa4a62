use std::net::Ipv4Addr;

use futures_util::StreamExt as _;
use shared::report::TestReport;
use shared::subject::SubjectId;
use shared::variant::VariantId;
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::*;

const ONE_AT_A_TIME: Bounds = Bounds {
    slots: 1,
    waiting: 1000,
};

fn request(name: &str) -> Task {
    Task::Tests(JobRequest {
        dataset: DatasetId::starter(),
        subject: SubjectId(name.to_owned()),
        code: None,
        engine: None,
        protocol: shared::report::Protocol::Corrected,
        gpus: 0,
    })
}

fn subject_of(task: Task) -> Result<String, String> {
    match task {
        Task::Tests(request) => Ok(request.subject.0),
        Task::References { references_of, .. } => Err(format!("{references_of} was not asked for")),
    }
}

fn passed(name: String) -> JobEvent {
    JobEvent::Done(Box::new(TestReport::new(VariantId(name))))
}

fn client(n: u8) -> IpAddr {
    Ipv4Addr::new(10, 0, 0, n).into()
}

/// A runner that says what it runs and ends a job for each word it is given.
fn stepwise() -> (Runner, mpsc::UnboundedReceiver<String>, Arc<Notify>) {
    let (say, said) = mpsc::unbounded_channel();
    let go = Arc::new(Notify::new());
    let heard = Arc::clone(&go);
    let runner: Runner = Arc::new(move |task, _| {
        let (say, go) = (say.clone(), Arc::clone(&heard));
        Box::pin(async move {
            let name = subject_of(task)?;
            say.send(name.clone()).map_err(|e| e.to_string())?;
            go.notified().await;
            Ok(passed(name))
        })
    });
    (runner, said, go)
}

#[tokio::test]
async fn clients_take_turns() {
    let folder = TempDir::new().unwrap();
    let (runner, mut said, go) = stepwise();
    let jobs = Jobs::open(folder.path().to_owned(), ONE_AT_A_TIME, runner);
    let first = jobs.submit(client(1), request("a1")).unwrap();
    assert_eq!(said.recv().await.unwrap(), "a1");
    for name in ["a2", "a3", "a4"] {
        jobs.submit(client(1), request(name)).unwrap();
    }
    let other = jobs.submit(client(2), request("b1")).unwrap();
    assert_eq!((first.n_ahead, other.n_ahead), (0, 1));
    for expected in ["a2", "b1", "a3", "a4"] {
        go.notify_one();
        assert_eq!(said.recv().await.unwrap(), expected);
    }
}

#[tokio::test]
async fn a_listener_hears_all_from_the_beginning() {
    let folder = TempDir::new().unwrap();
    let (runner, mut said, go) = stepwise();
    let jobs = Jobs::open(folder.path().to_owned(), ONE_AT_A_TIME, runner);
    let first = jobs.submit(client(1), request("a")).unwrap();
    said.recv().await.unwrap();
    let second = jobs.submit(client(1), request("b")).unwrap();
    let waiting = jobs.listen(&second.id).unwrap();
    let mut waiting = Box::pin(waiting);
    assert_eq!(waiting.next().await, Some(JobEvent::Queued { n_ahead: 0 }));
    go.notify_one();
    assert_eq!(waiting.next().await, Some(JobEvent::Started));
    go.notify_one();
    assert_eq!(waiting.next().await.map(|it| it.name()), Some("done"));
    assert_eq!(waiting.next().await, None);
    let late: Vec<&str> = jobs
        .listen(&first.id)
        .unwrap()
        .map(|event| event.name())
        .collect()
        .await;
    assert_eq!(late, ["started", "done"]);
    assert!(jobs.listen(&JobId("none".to_owned())).is_none());
}

#[tokio::test]
async fn what_is_given_up_ends_and_its_place_is_free() {
    let folder = TempDir::new().unwrap();
    let (runner, mut said, go) = stepwise();
    let jobs = Jobs::open(folder.path().to_owned(), ONE_AT_A_TIME, runner);
    let running = jobs.submit(client(1), request("a")).unwrap();
    said.recv().await.unwrap();
    let waiting = jobs.submit(client(1), request("b")).unwrap();
    jobs.submit(client(1), request("c")).unwrap();
    assert!(jobs.cancel(&waiting.id) && jobs.cancel(&running.id));
    assert_eq!(said.recv().await.unwrap(), "c");
    go.notify_one();
    for id in [&running.id, &waiting.id] {
        let told: Vec<JobEvent> = jobs.listen(id).unwrap().collect().await;
        assert_eq!(told.last(), Some(&JobEvent::Cancelled));
    }
}

#[tokio::test]
async fn a_restart_loses_none_of_a_thousand() {
    let folder = TempDir::new().unwrap();
    let (runner, mut said, _go) = stepwise();
    let jobs = Jobs::open(folder.path().to_owned(), ONE_AT_A_TIME, runner);
    let mut taken = Vec::new();
    for n in 0..1000 {
        taken.push(jobs.submit(client(1), request(&n.to_string())).unwrap().id);
    }
    said.recv().await.unwrap();
    assert!(jobs.cancel(&taken[500]));
    drop(jobs);

    let done: Runner = Arc::new(|task, _| Box::pin(async { Ok(passed(subject_of(task)?)) }));
    let again = Jobs::open(folder.path().to_owned(), ONE_AT_A_TIME, done);
    for (n, id) in taken.iter().enumerate() {
        let Some(told) = again.listen(id) else {
            // Ended and forgotten, or given up before.
            assert!(
                n == 500 || !folder.path().join(format!("{id}.json")).exists(),
                "{n} is lost"
            );
            continue;
        };
        let last = told.collect::<Vec<_>>().await.pop();
        let Some(JobEvent::Done(report)) = last else {
            panic!("{n}: {last:?}");
        };
        assert_eq!(report.variant.0, n.to_string());
    }
}

#[tokio::test]
async fn a_full_queue_says_when_to_come_again() {
    let folder = TempDir::new().unwrap();
    let (runner, mut said, _go) = stepwise();
    let bounds = Bounds {
        waiting: 2,
        ..ONE_AT_A_TIME
    };
    let jobs = Jobs::open(folder.path().to_owned(), bounds, runner);
    let submit = |name| jobs.submit(client(1), request(name));
    submit("a").unwrap();
    said.recv().await.unwrap();
    submit("b").unwrap();
    submit("c").unwrap();
    let Err(Refusal::Full(pause)) = submit("d") else {
        panic!("four were taken");
    };
    assert!(pause >= Duration::from_secs(1));
}

#[test]
fn tasks_of_both_kinds_come_back_from_the_disk() {
    let folder = TempDir::new().unwrap();
    let (spool, _) = Spool::open(folder.path().to_owned());
    let references_of = DatasetId::starter();
    let how = CheckRequest::default();
    for task in [request("a"), Task::References { references_of, how }] {
        let id = spool::new_id().unwrap();
        let kept = Kept {
            id,
            client: client(1),
            request: task,
        };
        spool.keep(&kept).unwrap();
    }
    let (_, kept) = Spool::open(folder.path().to_owned());
    let is_check = |it: &&Kept| matches!(it.request, Task::References { .. });
    assert_eq!(kept.len(), 2);
    assert_eq!(kept.iter().filter(is_check).count(), 1);
}
