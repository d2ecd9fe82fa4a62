//! The server's routes in process, over a real data folder, and the commands over the same functions.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod classeval;
mod datasets;
mod diff;
mod envelope;
mod identify;
mod jobs;
mod llm;
mod resolution;
mod site;
mod support;
