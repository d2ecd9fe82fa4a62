//! Any bytes as a benchmark file: a benchmark or an error, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = shared::dataset::read("fuzz", bytes);
});
