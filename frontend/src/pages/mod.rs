//! One page a file: it reads its address, asks the worker, and shows what comes.

pub(crate) mod benchmarks;
pub(crate) mod diff;
pub(crate) mod help;
pub(crate) mod identify;
pub(crate) mod lazy;
pub(crate) mod not_found;
mod of_benchmark;
pub(crate) mod perturb_all;
pub(crate) mod references;
pub(crate) mod settings;
pub(crate) mod subjects;
pub(crate) mod workbench;
