//! What the page knows, apart from how it looks.

pub(crate) mod catalog;
pub(crate) mod counts;
pub(crate) mod diff;
pub(crate) mod fetched;
pub(crate) mod filter_url;
pub(crate) mod head;
pub(crate) mod help;
pub(crate) mod importing;
pub(crate) mod jobs;
pub(crate) mod opened;
pub(crate) mod palette;
pub(crate) mod references;
pub(crate) mod settings;
pub(crate) mod shortcuts;
pub(crate) mod subject_list;
pub(crate) mod testing;
pub(crate) mod variant_filter;
pub(crate) mod virtual_rows;
pub(crate) mod words;
pub(crate) mod workbench;
