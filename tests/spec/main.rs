//! The specification: acceptance values, fixtures, laws. Pure: reads files, starts nothing.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod acceptance;
mod counts;
mod fixtures;
mod help;
mod laws;
