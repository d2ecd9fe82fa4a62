//! Listening, and ending well.

use std::future::Future;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tracing::{info, warn};

use crate::state::AppState;

/// How long answers under way may still take after the server was told to stop.
const GRACE: Duration = Duration::from_secs(3);

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
    run(listener, app, stop_signal()?).await
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

async fn run(
    listener: TcpListener,
    app: AppState,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<()> {
    let (stopping, stopped) = oneshot::channel();
    let stop = async move {
        stop.await;
        info!("stopping: no new requests");
        if stopping.send(()).is_err() {
            warn!("the server has stopped already");
        }
    };
    let server = axum::serve(listener, crate::app(app)).with_graceful_shutdown(stop);
    let out_of_time = async {
        if stopped.await.is_ok() {
            tokio::time::sleep(GRACE).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        ended = server => ended.context("the server stopped")?,
        () = out_of_time => warn!("stopped with answers under way"),
    }
    info!("stopped");
    Ok(())
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
