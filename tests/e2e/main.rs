//! Journeys through the built page in a real browser, one a file, and what the page may cost.

mod accessibility;
mod browse;
mod browser_engine;
mod budgets;
mod console;
mod diff;
mod gumtree;
mod identify;
mod import;
mod keyboard;
mod native_wasm;
mod offline;
mod pages;
mod permalink;
mod perturb_all;
mod references;
mod run_tests;
mod sizes;
mod support;
mod variant;
mod workbench;
