//! The engine `docker` where something is not as it should be: it says what, and judges nothing.

use std::collections::HashMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use backend::config::DockerHost;
use backend::sandbox::docker::{DockerSandbox, Hosts, Unready, python};
use backend::sandbox::{self, Sandbox, SandboxError};
use bollard::Docker;
use bollard::models::{ContainerCreateBody, HostConfig};
use bollard::query_parameters::{
    ListContainersOptionsBuilder, ListImagesOptionsBuilder, RemoveImageOptionsBuilder,
    TagImageOptionsBuilder,
};
use rustix::process::{Signal, kill_process};
use shared::harness::{TestClass, TestJob};
use shared::report::{Clock, Host, Limits, TestOutcome, TestReport, Verdict};
use tests::hostile::{PATIENT, TIGHT, attack};
use tokio::io::copy_bidirectional;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;

use crate::dockerd::{Dockerd, engine};
use crate::engines::{DOCKER, Opened, open};
use crate::support::run;

const FINE: &str = "def attack():\n    return 'fine'\n";

fn hosts(all: &[DockerHost]) -> Arc<Hosts> {
    Arc::new(Hosts::new(all))
}

async fn sandbox(all: &[DockerHost]) -> DockerSandbox {
    DockerSandbox::open(hosts(all), None).await.unwrap()
}

fn api() -> Docker {
    Docker::connect_with_socket(&Dockerd::address(), 60, bollard::API_DEFAULT_VERSION).unwrap()
}

/// This program's containers, whatever became of them.
async fn containers() -> Vec<String> {
    let filters = HashMap::from([("label".to_owned(), vec!["ctxlab.until".to_owned()])]);
    let options = ListContainersOptionsBuilder::default()
        .all(true)
        .filters(&filters)
        .build();
    let docker = api().negotiate_version().await.unwrap();
    let found = docker.list_containers(Some(options)).await.unwrap();
    found.into_iter().filter_map(|it| it.id).collect()
}

/// The engine's image.
async fn image(docker: &Docker) -> String {
    let options = ListImagesOptionsBuilder::default().build();
    let images = docker.list_images(Some(options)).await.unwrap();
    let mut names = images.into_iter().flat_map(|image| image.repo_tags);
    let name = names.find(|name| name.starts_with("ctxlab-python:"));
    name.unwrap()
}

/// A first test that passes, and a second that does this.
fn two_tests(second: &str) -> TestJob {
    let tests = format!(
        "import unittest\n\
        class T(unittest.TestCase):\n    \
            def test_a(self):\n        pass\n    \
            def test_b(self):\n        {second}\n"
    );
    let job = attack("two", FINE, PATIENT);
    TestJob {
        tests,
        classes: vec![TestClass {
            tests: vec!["T.test_a".to_owned(), "T.test_b".to_owned()],
            ..job.classes[0].clone()
        }],
        ..job
    }
}

/// Runs a job, and does something when its first test has ended.
async fn run_and(
    engine: &dyn Sandbox,
    job: &TestJob,
    mut then: impl FnMut() + Send,
) -> Result<TestReport, SandboxError> {
    let mut n = 0;
    sandbox::run(engine, job, |_| {
        n += 1;
        if n == 1 {
            then();
        }
    })
    .await
}

/// The engine that all tests share, for this one alone.
async fn docker() -> Option<Opened> {
    open(&DOCKER).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_killed_judges_nothing() {
    let Some(_opened) = docker().await else {
        return;
    };
    let engine_of = sandbox(&[DockerHost::at(&Dockerd::address())]).await;
    let job = two_tests("import time; time.sleep(20)");
    let mut left = Vec::new();
    let report = run_and(&engine_of, &job, || {
        left = engine().as_mut().unwrap().kill();
    })
    .await;
    let why = report.unwrap_err();
    assert!(
        matches!(
            &why,
            SandboxError::NotReady { .. } | SandboxError::Lost { .. }
        ),
        "{why}"
    );
    let said = python(&hosts(&[DockerHost::at(&Dockerd::address())])).await;
    assert!(matches!(said, Err(Unready::NoEngine { .. })), "{said:?}");

    // Each would end at the end of its time; the next engine does not know them.
    for process in left {
        let _gone = kill_process(process, Signal::KILL);
    }
    *engine() = Some(Dockerd::start().unwrap());
    let again = sandbox(&[DockerHost::at(&Dockerd::address())]).await;
    let report = run(&again, &attack("good", FINE, PATIENT)).await;
    assert_eq!(report.verdict(), Verdict::Pass, "{report:?}");
}

/// A way to an engine that can be cut.
struct Way(JoinSet<()>);

impl Way {
    fn open(at: &Path) -> Self {
        let listener = UnixListener::bind(at).unwrap();
        let mut all = JoinSet::new();
        all.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (mut from, _) = listener.accept().await.unwrap();
                let path = Dockerd::address().replace("unix://", "");
                let mut to = UnixStream::connect(path).await.unwrap();
                connections.spawn(async move {
                    drop(copy_bidirectional(&mut from, &mut to).await);
                });
            }
        });
        Self(all)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_dies_gives_its_jobs_to_another() {
    let Some(_opened) = docker().await else {
        return;
    };
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let socket = folder.path().join("way.sock");
    let mut way = Way::open(&socket);
    let first = DockerHost::at(&format!("unix://{}", socket.display()));
    let second = DockerHost::at(&Dockerd::address());
    let engine = sandbox(&[first, second]).await;
    let job = two_tests("import time; time.sleep(1)");
    let report = run_and(&engine, &job, || way.0.abort_all()).await.unwrap();
    assert_eq!(report.verdict(), Verdict::Pass, "{report:?}");
    assert!(way.0.join_next().await.unwrap().is_err(), "the way was cut");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_image_is_said_with_what_to_do() {
    let Some(_opened) = docker().await else {
        return;
    };
    let docker = api().negotiate_version().await.unwrap();
    let known = hosts(&[DockerHost::at(&Dockerd::address())]);
    let name = image(&docker).await;
    let tag = |repo: &str, tag: &str| {
        TagImageOptionsBuilder::default()
            .repo(repo)
            .tag(tag)
            .build()
    };
    docker
        .tag_image(&name, Some(tag("kept", "1")))
        .await
        .unwrap();
    let remove = RemoveImageOptionsBuilder::default().noprune(true).build();
    docker
        .remove_image(&name, Some(remove.clone()), None)
        .await
        .unwrap();
    let said = python(&known).await;
    let (repo, version) = name.split_once(':').unwrap();
    docker
        .tag_image("kept:1", Some(tag(repo, version)))
        .await
        .unwrap();
    docker
        .remove_image("kept:1", Some(remove), None)
        .await
        .unwrap();
    let why = said.unwrap_err();
    assert!(matches!(why, Unready::NoImage { .. }), "{why}");
    assert!(
        why.to_string().contains("ctxlab engine install docker"),
        "{why}"
    );
}

/// A disk without room, where this folder was.
struct FullDisk(PathBuf);

impl FullDisk {
    fn over(folder: PathBuf) -> Self {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=4k,nr_inodes=2", "full"])
            .arg(&folder)
            .status();
        assert!(mounted.unwrap().success(), "{}", folder.display());
        Self(folder)
    }
}

impl Drop for FullDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg("--lazy").arg(&self.0).status();
        assert!(unmounted.unwrap().success(), "{}", self.0.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_is_said_and_judges_nothing() {
    let Some(_opened) = docker().await else {
        return;
    };
    let engine = sandbox(&[DockerHost::at(&Dockerd::address())]).await;
    let job = attack("good", FINE, PATIENT);
    let full = FullDisk::over(Dockerd::containers());
    let why = sandbox::run(&engine, &job, |_| ()).await.unwrap_err();
    drop(full);
    assert!(matches!(why, SandboxError::NotReady { .. }), "{why}");
    assert!(why.to_string().contains("no space left on device"), "{why}");
    assert_eq!(run(&engine, &job).await.verdict(), Verdict::Pass);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_nobody_listens_at_is_said_with_what_to_do() {
    let at = |address: &str| hosts(&[DockerHost::at(address)]);
    let folder = tempfile::tempdir().unwrap();
    let absent = folder.path().join("no.sock");
    for address in [
        format!("unix://{}", absent.display()),
        "tcp://127.0.0.1:9".to_owned(),
    ] {
        let why = python(&at(&address)).await.unwrap_err();
        assert!(matches!(why, Unready::NoEngine { .. }), "{why}");
        assert!(why.to_string().contains("start Docker"), "{why}");
        assert!(why.to_string().contains(&address), "{why}");
    }
    let why = python(&hosts(&[])).await.unwrap_err();
    assert_eq!(why, Unready::NoHost);
}

#[tokio::test]
async fn a_socket_without_permission_is_said_with_what_to_do() {
    let again = "CTXLAB_WITHOUT_RIGHTS";
    if rustix::process::geteuid().is_root() && std::env::var_os(again).is_none() {
        // Root may use any socket: this test once more, without that right.
        let ended = Command::new("setpriv")
            .args(["--bounding-set", "-dac_override,-dac_read_search"])
            .arg(std::env::current_exe().unwrap())
            .arg("--exact")
            .arg("faults::a_socket_without_permission_is_said_with_what_to_do")
            .env(again, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(said.contains("1 passed"), "{said}");
        return;
    }
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let socket = folder.path().join("shut.sock");
    let _listener = UnixListener::bind(&socket).unwrap();
    std::fs::set_permissions(&socket, PermissionsExt::from_mode(0o000)).unwrap();
    let address = format!("unix://{}", socket.display());
    let why = python(&hosts(&[DockerHost::at(&address)]))
        .await
        .unwrap_err();
    assert!(matches!(why, Unready::Denied { .. }), "{why:?}");
    assert!(why.to_string().contains("group docker"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_wants_a_graphics_processor_goes_where_one_is_or_is_refused() {
    let Some(_opened) = docker().await else {
        return;
    };
    let limits = Limits { gpus: 1, ..PATIENT };
    let job = attack("gpu", FINE, limits);
    let without = sandbox(&[DockerHost::at(&Dockerd::address())]).await;
    let why = sandbox::run(&without, &job, |_| ()).await.unwrap_err();
    assert!(matches!(why, SandboxError::NoGpu { .. }), "{why}");

    // It is said to have one and has none: the engine itself refuses the request for a device.
    let claims = DockerHost {
        gpus: 1,
        ..DockerHost::at(&Dockerd::address())
    };
    let claiming = sandbox(&[DockerHost::at(&Dockerd::address()), claims]).await;
    let why = sandbox::run(&claiming, &job, |_| ()).await.unwrap_err();
    assert!(matches!(why, SandboxError::NotReady { .. }), "{why}");
    assert!(why.to_string().contains("gpu"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_test_that_hangs_is_known_and_the_next_class_runs_in_the_same_folder() {
    let Some(opened) = docker().await else {
        return;
    };
    let tests = "import unittest, os\n\
        class A(unittest.TestCase):\n    \
            def test_a(self):\n        open('kept', 'w').close()\n    \
            def test_b(self):\n        \
                while True: pass\n\
        class B(unittest.TestCase):\n    \
            def test_c(self):\n        self.assertTrue(os.path.exists('kept'))\n";
    let job = attack("hangs", FINE, TIGHT);
    let class = |name: &str, tests: &[&str]| TestClass {
        name: name.to_owned(),
        tests: tests.iter().map(|&test| test.to_owned()).collect(),
        ..job.classes[0].clone()
    };
    let job = TestJob {
        tests: tests.to_owned(),
        classes: vec![
            class("A", &["A.test_a", "A.test_b"]),
            class("B", &["B.test_c"]),
        ],
        ..job.clone()
    };
    let report = run(opened.engine.as_ref(), &job).await;
    let outcomes = report.tests.iter().map(|run| &run.outcome);
    let wanted = [
        TestOutcome::Passed,
        TestOutcome::TimedOut,
        TestOutcome::Passed,
    ];
    assert!(outcomes.eq(&wanted), "{report:?}");
    assert!(report.output.is_empty(), "{report:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_is_swept_and_nothing_is_left() {
    let Some(_opened) = docker().await else {
        return;
    };
    let docker = api().negotiate_version().await.unwrap();
    let others = containers().await;
    let orphan = ContainerCreateBody {
        image: Some(image(&docker).await),
        entrypoint: Some(vec!["python3".to_owned()]),
        cmd: Some(vec!["-c".to_owned(), "input()".to_owned()]),
        open_stdin: Some(true),
        labels: Some(HashMap::from([("ctxlab.until".to_owned(), "1".to_owned())])),
        host_config: Some(HostConfig {
            network_mode: Some("none".to_owned()),
            ..HostConfig::default()
        }),
        ..ContainerCreateBody::default()
    };
    let orphan = docker.create_container(None, orphan).await.unwrap().id;
    docker.start_container(&orphan, None).await.unwrap();
    let engine = sandbox(&[DockerHost::at(&Dockerd::address())]).await;
    assert!(!containers().await.contains(&orphan), "it was swept");
    for _ in 0..3 {
        let report = run(&engine, &attack("good", FINE, PATIENT)).await;
        assert_eq!(report.verdict(), Verdict::Pass, "{report:?}");
    }
    drop(engine);
    // Those of the engine that all tests share are not this test's.
    let left = async || {
        let mut left = containers().await;
        left.retain(|id| !others.contains(id));
        left
    };
    let gone = async { while !left().await.is_empty() {} };
    let limit = std::time::Duration::from_secs(30);
    let in_time = tokio::time::timeout(limit, gone).await;
    assert!(in_time.is_ok(), "left: {:?}", left().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_finds_its_surroundings_and_nothing_of_other_jobs() {
    let Some(_opened) = docker().await else {
        return;
    };
    let engine = sandbox(&[DockerHost::at(&Dockerd::address())]).await;
    let looks = "import os, datetime, socket, time\n\
        def attack():\n    \
            time.sleep(0.01)\n    \
            assert os.getuid() == 65534 and os.listdir('/tmp') == ['work'] and os.listdir() == []\n    \
            open('left', 'w').close(); open('/tmp/left', 'w').close()\n    \
            if os.fork() == 0:\n        \
                time.sleep(100)\n    \
            return f'{datetime.datetime.now():%Y-%m-%d %H:%M} {hash(\"a\")} {socket.gethostbyname(\"LAPTOP\")}'\n";
    let seen = async |hash_seed: u32, clock: Clock| {
        let mut job = attack("looks", looks, PATIENT);
        job.surroundings.hash_seed = hash_seed;
        job.surroundings.clock = clock;
        job.surroundings.hosts = vec![Host {
            address: "127.0.0.9".to_owned(),
            name: "LAPTOP".to_owned(),
        }];
        let report = run(&engine, &job).await;
        let raised = report.tests[0].raised.clone();
        raised
            .unwrap()
            .actual
            .unwrap_or_else(|| panic!("{report:?}"))
    };
    let first = seen(0, Clock::Fixed).await;
    assert!(first.starts_with("'2023-10-10 12:00"), "{first}");
    assert!(first.ends_with("127.0.0.9'"), "{first}");
    assert_eq!(first, seen(0, Clock::Fixed).await, "every run is the same");
    let other = seen(7, Clock::Fixed).await;
    assert_ne!(first, other, "another seed gives other hashes");
    assert_eq!(other, seen(7, Clock::Fixed).await);
    let real = seen(0, Clock::Real).await;
    assert!(!real.starts_with("'2023"), "{real}");
}
