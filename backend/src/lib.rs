//! The CtxLab server and command line: everything that touches disk and network.
//!
//! In reading order: [`cli`] (what can be asked), [`commands`] (one file a command), [`store`] and
//! [`benchmarks`] (where benchmarks are), [`llm`] (who asks models), `routes` (what the server answers), [`config`].
#![warn(missing_docs)]

mod answer;
pub mod benchmarks;
pub mod cli;
pub mod commands;
pub mod config;
mod envelope;
mod error;
mod evaluate;
pub mod fetch;
pub mod integrity;
mod jobs;
pub mod llm;
mod routes;
pub mod sandbox;
pub mod server;
pub mod site;
pub mod state;
pub mod store;
mod tls;

use axum::Router;

/// The server as a service, in every part as it runs.
pub fn app(state: state::AppState) -> Router {
    routes::router(state)
}
