//! All computing, beside the page's thread: requests go in, replies come out.

pub(crate) mod protocol;

pub(crate) mod client;

mod entry;

pub(crate) mod diff;
mod library;
mod open;
mod pace;
mod query;
mod remote;
mod store;
mod upload;

pub(crate) use self::entry::start;
