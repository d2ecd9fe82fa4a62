//! `ctxlab serve`, `ctxlab doctor`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::support::Ctxlab;

/// A server on a port of its own; ended on drop.
pub(super) struct Server {
    child: Child,
    pub(super) address: String,
}

impl Server {
    fn start(ctxlab: &Ctxlab) -> Self {
        Self::run(ctxlab.command(&["serve", "--addr", "127.0.0.1:0"]))
    }

    /// Starts it with a command of one's own.
    pub(super) fn run(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .strip_prefix("http://")
            .and_then(|line| line.strip_suffix('\n'));
        Self {
            child,
            address: address.expect(&line).to_owned(),
        }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.address
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            self.child.kill().unwrap();
            self.child.wait().unwrap();
        }
    }
}

#[test]
fn it_says_where_it_listens_and_answers_there() {
    let ctxlab = Ctxlab::new();
    let server = Server::start(&ctxlab);
    assert!(server.get("/healthz").ends_with("\r\n\r\nok\n"));
    assert!(server.get("/api/datasets").contains("{\"items\":["));
}

#[test]
fn an_import_appears_without_a_restart() {
    let ctxlab = Ctxlab::new();
    let server = Server::start(&ctxlab);
    let file = ctxlab.file("two.json", super::support::TWO_CLASSES);
    ctxlab.run(&["dataset", "import", &file]).good();
    assert!(server.get("/api/datasets").contains("\"id\":\"two-"));
}

#[cfg(unix)]
#[test]
fn told_to_stop_it_ends_well_and_soon() {
    for signal in ["-TERM", "-INT"] {
        let ctxlab = Ctxlab::new();
        let mut server = Server::start(&ctxlab);
        // A connection that is kept open must not hold it up.
        let idle = TcpStream::connect(&server.address).unwrap();
        assert!(server.get("/healthz").contains("200 OK"));
        let started = Instant::now();
        assert!(
            Command::new("kill")
                .args([signal, &server.child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let ended = server.child.wait().unwrap();
        assert_eq!(ended.code(), Some(0), "{signal}");
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "{signal}: {:?}",
            started.elapsed()
        );
        drop(idle);
    }
}

#[test]
fn a_port_in_use_is_told() {
    let ctxlab = Ctxlab::new();
    let server = Server::start(&ctxlab);
    let error = ctxlab.run(&["serve", "--addr", &server.address]).bad(1);
    assert!(
        error.contains(&server.address) && error.contains("another program uses the port"),
        "{error}"
    );
}

#[test]
fn a_wrong_setting_refuses_to_start() {
    let ctxlab = Ctxlab::new();
    let output = ctxlab
        .command(&["serve"])
        .env("CTXLAB_CACHE_MIB", "lots")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        error.contains("CTXLAB_CACHE_MIB") && error.contains("1 to 65536"),
        "{error}"
    );
    assert!(
        ctxlab
            .run(&["serve", "--addr", "here"])
            .bad(2)
            .contains("127.0.0.1:7878")
    );
    assert!(
        ctxlab
            .run(&["serve", "--site", "none"])
            .bad(1)
            .contains("cargo xtask web")
    );
}

#[test]
fn doctor_and_check_say_what_is_in_force_and_who_set_it() {
    let ctxlab = Ctxlab::new();
    let told = ctxlab.run(&["doctor"]).good();
    assert_eq!(ctxlab.run(&["--check"]).good(), told);
    assert!(
        told.contains("CTXLAB_DATA_DIR") && told.contains("127.0.0.1:7878"),
        "{told}"
    );
    assert!(told.contains("imported benchmarks: 0"), "{told}");
}
