//! Listening, and ending well.

use std::future::Future;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, anyhow};
use axum::Extension;
use axum::extract::ConnectInfo;
use axum::serve::Listener;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tracing::{debug, info, warn};

use crate::state::AppState;

/// How long answers under way may still take after the server was told to stop.
const GRACE: Duration = Duration::from_secs(3);

/// How long a client may take to say what it asks: whoever is slower would hold a connection for
/// nothing.
const HEADERS: Duration = Duration::from_secs(30);

/// Serves until the process is told to stop. The last line it writes to `out` is its address.
pub async fn serve(addr: SocketAddr, app: AppState, out: &mut dyn Write) -> Result<()> {
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|e| refused(addr, &e))?;
    let local = listener.local_addr()?;
    if !local.ip().is_loopback() {
        warn!("listening on {local}: everyone who reaches it can read the benchmarks");
    }
    writeln!(out, "http://{local}")?;
    out.flush()?;
    run(listener, app, HEADERS, stop_signal()?).await;
    Ok(())
}

fn refused(addr: SocketAddr, error: &io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow!(
                "cannot listen on {addr}: another program uses the port; stop it or choose another with --addr"
            )
        }
        io::ErrorKind::PermissionDenied => {
            anyhow!(
                "cannot listen on {addr}: this user may not; choose a port from 1024 with --addr"
            )
        }
        _ => anyhow!("cannot listen on {addr}: {error}; choose another with --addr"),
    }
}

/// As `axum::serve`, which has no time limit for headers.
async fn run(
    mut listener: TcpListener,
    app: AppState,
    headers: Duration,
    stop: impl Future<Output = ()>,
) {
    // What a former server had taken goes on.
    app.jobs();
    let app = crate::app(app);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(headers);
    let connections = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, client) = tokio::select! {
            accepted = Listener::accept(&mut listener) => accepted,
            () = &mut stop => break,
        };
        let service = TowerToHyperService::new(app.clone().layer(Extension(ConnectInfo(client))));
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            if let Err(e) = connection.await {
                debug!("a connection broke: {e}");
            }
        });
    }
    info!("stopping: no new requests");
    drop(listener);
    tokio::select! {
        () = connections.shutdown() => {}
        () = tokio::time::sleep(GRACE) => warn!("stopped with answers under way"),
    }
    info!("stopped");
}

/// Waits for an interrupt or a request to end.
#[cfg(unix)]
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the other systems' form can fail")]
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if let Err(e) = tokio::signal::ctrl_c().await {
            warn!("cannot wait for an interrupt: {e}");
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anyhow::Result;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::oneshot;
    use tokio::time::timeout;

    use super::run;
    use crate::benchmarks::Benchmarks;
    use crate::config::Config;
    use crate::state::AppState;
    use crate::store::Store;

    #[tokio::test]
    async fn who_never_ends_its_headers_is_hung_up_on_and_others_are_answered() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let config = Config::for_tests(folder.path().to_owned(), None)?;
        let benchmarks = Benchmarks {
            store: Store::open(folder.path()),
            site: None,
        };
        let app = AppState::new(&config, benchmarks);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let addr = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let headers = Duration::from_millis(50);
        let server = tokio::spawn(run(listener, app, headers, async {
            stopped.await.unwrap();
        }));
        let ask = async |words: &str| -> Result<String> {
            let mut stream = TcpStream::connect(addr).await?;
            stream.write_all(words.as_bytes()).await?;
            let mut said = String::new();
            // Ends only when the server hangs up.
            timeout(Duration::from_secs(10), stream.read_to_string(&mut said)).await??;
            Ok(said)
        };
        let half = format!("GET /healthz HTTP/1.1\r\nHost: {addr}\r\n");
        assert_eq!(ask(&half).await?, "");
        assert_eq!(ask("").await?, "");
        let said = ask(&format!("{half}Connection: close\r\n\r\n")).await?;
        assert!(said.starts_with("HTTP/1.1 200"), "{said}");
        stop.send(()).unwrap();
        server.await?;
        Ok(())
    }
}
