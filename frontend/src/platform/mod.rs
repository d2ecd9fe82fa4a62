//! The browser's own facilities; outside this folder and `worker` nothing names `web_sys`.

pub(crate) mod clipboard;
pub(crate) mod clock;
pub(crate) mod deflate;
pub(crate) mod document;
pub(crate) mod download;
pub(crate) mod event_source;
pub(crate) mod files;
pub(crate) mod panic;
pub(crate) mod python;
pub(crate) mod selection;
pub(crate) mod storage;
pub(crate) mod text_field;
