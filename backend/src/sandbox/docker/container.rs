//! A container: what it may do, and that nothing is left of it.

use std::collections::HashMap;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bollard::Docker;
use bollard::container::{AttachContainerResults, LogOutput};
use bollard::errors::Error;
use bollard::models::{
    ContainerCreateBody, ContainerSummary, ContainerSummaryStateEnum, DeviceRequest, HostConfig,
    HostConfigLogConfig, ResourcesUlimits,
};
use bollard::query_parameters::{
    AttachContainerOptionsBuilder, CreateContainerOptionsBuilder, ListContainersOptionsBuilder,
    RemoveContainerOptionsBuilder,
};
use futures_util::stream::Stream;
use shared::harness::{HARNESS, TestJob};
use shared::report::Host;
use tokio::io::AsyncWrite;
use tokio::runtime::Handle;

use super::image::image;

/// The first process of a container.
const SERVER: &str = include_str!("server.py");
/// What a program with a fixed clock lacks, before the harness.
const SHIMS: &str = include_str!("../sleep.py");
/// Where guests see their files.
pub(super) const FOLDER: &str = "/tmp/work";
/// No container is there longer.
const LIFETIME: Duration = Duration::from_hours(6);
/// A container that has no guest ends itself after this time, also where its engine was killed.
const IDLE: Duration = Duration::from_mins(10);
/// A container that was started ahead is taken within this time.
const FRESH: Duration = Duration::from_mins(8);
/// Whoever makes a container has started it by then.
const STARTING: Duration = Duration::from_mins(2);
/// The user that is nobody.
const USER: &str = "65534:65534";
/// How many processes and threads there may be.
const MOST_PROCESSES: i64 = 64;
const MOST_OPEN_FILES: i64 = 256;
/// On containers of this program: the second since 1970 when they are to be gone.
const LABEL: &str = "ctxlab.until";

/// What a container was made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Made {
    memory_mib: u32,
    disk_mib: u32,
    files: u32,
    hosts: Vec<Host>,
    /// Which of its host's graphics processors it has.
    gpus: Vec<u32>,
}

impl Made {
    pub(super) fn of(job: &TestJob, gpus: &[u32]) -> Self {
        Self {
            memory_mib: job.limits.memory_mib,
            disk_mib: job.limits.disk_mib,
            files: job.limits.files,
            hosts: job.surroundings.hosts.clone(),
            gpus: gpus.to_vec(),
        }
    }
}

/// A running container whose first process waits for guests. Dropping it removes it.
pub(super) struct Container {
    pub(super) output: Pin<Box<dyn Stream<Item = Result<LogOutput, Error>> + Send>>,
    pub(super) input: Pin<Box<dyn AsyncWrite + Send>>,
    pub(super) made: Made,
    started: Instant,
    /// Removes it last: it ends by itself when its input does, also where this program was killed.
    _guard: Guard,
}

impl Container {
    /// Makes and starts one.
    pub(super) async fn start(docker: &Docker, made: Made) -> Result<Self, Error> {
        let options = CreateContainerOptionsBuilder::default().build();
        let id = docker
            .create_container(Some(options), body(&made))
            .await?
            .id;
        let guard = Guard {
            docker: docker.clone(),
            id,
        };
        let options = AttachContainerOptionsBuilder::default()
            .stdin(true)
            .stdout(true)
            .stderr(true)
            .stream(true)
            .build();
        let AttachContainerResults { output, input } =
            docker.attach_container(&guard.id, Some(options)).await?;
        docker.start_container(&guard.id, None).await?;
        Ok(Self {
            output,
            input,
            made,
            started: Instant::now(),
            _guard: guard,
        })
    }

    /// Whether it will be there for a guest.
    pub(super) fn is_fresh(&self) -> bool {
        self.started.elapsed() < FRESH
    }
}

/// Removes a container when it is dropped.
struct Guard {
    docker: Docker,
    id: String,
}

impl Drop for Guard {
    fn drop(&mut self) {
        let (docker, id) = (self.docker.clone(), std::mem::take(&mut self.id));
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move { remove(&docker, &id).await });
        }
    }
}

async fn remove(docker: &Docker, id: &str) {
    let options = RemoveContainerOptionsBuilder::default().force(true).build();
    match docker.remove_container(id, Some(options)).await {
        // It has gone by itself, or is about to.
        Ok(())
        | Err(Error::DockerResponseServerError {
            status_code: 404 | 409,
            ..
        }) => {}
        Err(why) => tracing::warn!("cannot remove the container {id}: {why}"),
    }
}

/// Removes what earlier programs left on a host.
pub(super) async fn sweep(docker: &Docker) -> Result<(), Error> {
    let filters = HashMap::from([("label".to_owned(), vec![LABEL.to_owned()])]);
    let options = ListContainersOptionsBuilder::default()
        .all(true)
        .filters(&filters)
        .build();
    for found in docker.list_containers(Some(options)).await? {
        if let Some(id) = found.id.as_ref().filter(|_| is_orphan(&found, now())) {
            tracing::info!("removing the container {id}, which was left here");
            remove(docker, id).await;
        }
    }
    Ok(())
}

/// Whether nobody can want a container any more.
fn is_orphan(found: &ContainerSummary, now: i64) -> bool {
    let until = found.labels.as_ref().and_then(|labels| labels.get(LABEL));
    let until: i64 = until.and_then(|text| text.parse().ok()).unwrap_or(0);
    match found.state {
        Some(ContainerSummaryStateEnum::RUNNING | ContainerSummaryStateEnum::PAUSED) => until < now,
        Some(ContainerSummaryStateEnum::CREATED) => {
            let made = until - seconds(LIFETIME);
            made + seconds(STARTING) < now
        }
        _ => true,
    }
}

fn now() -> i64 {
    seconds(
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default(),
    )
}

fn seconds(time: Duration) -> i64 {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX)
}

fn body(made: &Made) -> ContainerCreateBody {
    let strings = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    ContainerCreateBody {
        image: Some(image()),
        entrypoint: Some(strings(&["python3", "-B", "-c", SERVER])),
        cmd: Some(vec![
            format!("{SHIMS}{HARNESS}"),
            FOLDER.to_owned(),
            IDLE.as_secs().to_string(),
        ]),
        env: Some(strings(&[
            "LD_PRELOAD=/usr/$LIB/faketime/libfaketime.so.1",
            "FAKETIME=+0",
            "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1",
            "OPENBLAS_NUM_THREADS=1",
            "PYTHONHASHSEED=0",
        ])),
        user: Some(USER.to_owned()),
        working_dir: Some("/tmp".to_owned()),
        hostname: Some("ctxlab".to_owned()),
        labels: Some(HashMap::from([(
            LABEL.to_owned(),
            (now() + seconds(LIFETIME)).to_string(),
        )])),
        attach_stdin: Some(true),
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        open_stdin: Some(true),
        stdin_once: Some(true),
        host_config: Some(host_config(made)),
        ..ContainerCreateBody::default()
    }
}

fn host_config(made: &Made) -> HostConfig {
    let memory = i64::from(made.memory_mib) << 20;
    let disk = i64::from(made.disk_mib) << 20;
    let ulimit = |name: &str, most: i64| ResourcesUlimits {
        name: Some(name.to_owned()),
        soft: Some(most),
        hard: Some(most),
    };
    // Its folder and the folder around it are files, too.
    let inodes = u64::from(made.files) + 2;
    let tmpfs = format!("rw,noexec,nosuid,nodev,mode=1777,size={disk},nr_inodes={inodes}");
    let gpus = DeviceRequest {
        device_ids: Some(made.gpus.iter().map(u32::to_string).collect()),
        capabilities: Some(vec![vec!["gpu".to_owned()]]),
        ..DeviceRequest::default()
    };
    HostConfig {
        network_mode: Some("none".to_owned()),
        ipc_mode: Some("none".to_owned()),
        readonly_rootfs: Some(true),
        tmpfs: Some(HashMap::from([("/tmp".to_owned(), tmpfs)])),
        memory: Some(memory),
        memory_swap: Some(memory),
        nano_cpus: Some(1_000_000_000),
        pids_limit: Some(MOST_PROCESSES),
        cap_drop: Some(vec!["ALL".to_owned()]),
        security_opt: Some(vec!["no-new-privileges".to_owned()]),
        ulimits: Some(vec![
            ulimit("core", 0),
            // Its folder is full before.
            ulimit("fsize", 2 * disk),
            ulimit("nofile", MOST_OPEN_FILES),
        ]),
        // Output goes to whoever is attached, and is kept nowhere.
        log_config: Some(HostConfigLogConfig {
            typ: Some("none".to_owned()),
            config: None,
        }),
        extra_hosts: Some(
            made.hosts
                .iter()
                .map(|host| format!("{}:{}", host.name, host.address))
                .collect(),
        ),
        device_requests: (!made.gpus.is_empty()).then(|| vec![gpus]),
        auto_remove: Some(true),
        ..HostConfig::default()
    }
}

#[cfg(test)]
mod tests;
