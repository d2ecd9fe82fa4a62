//! The specification: acceptance values, fixtures, laws. Reads files; one test asks a real Python.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod acceptance;
mod baseline;
mod classes;
mod counts;
mod fixtures;
mod gumtree;
mod help;
mod identify;
mod identify_fixtures;
mod laws;
mod obfuscate;
mod obfuscate_fixtures;
mod prompt_fixtures;
mod symtable;
