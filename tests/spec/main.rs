//! The specification: acceptance values, fixtures, laws. Pure: reads files, starts nothing.

mod acceptance;
mod counts;
mod fixtures;
mod laws;
