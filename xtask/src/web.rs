//! `cargo xtask web`: from the `frontend` crate and `static/` to `target/site`, which the server serves as it is.

mod compile;
mod module;
mod order;
mod site;
mod split;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use sha2::{Digest as _, Sha256};

use crate::step::step;
use crate::toolchain;

/// Where the page is put together.
const SITE: &str = "target/site";
/// The two compilers must not invalidate each other's work, so Wasm has a target folder of its own.
const TARGET_DIR: &str = "target/web";
/// What a first visit may cost, compressed: on a classroom's shared 2 Mbit/s line this is about two seconds.
const LIMIT_BYTES: u64 = 450 * 1024;

/// How much time to spend on making the page small.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// For a look while writing: seconds.
    Quick,
    /// For users: the smallest files, held against the budget.
    Release,
}

impl Effort {
    fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Release => "release",
        }
    }
}

/// The module and its JavaScript, as wasm-bindgen made them.
struct Package {
    folder: PathBuf,
}

impl Package {
    const NAME: &str = "frontend";

    fn js(&self) -> PathBuf {
        self.folder.join(Self::NAME).with_extension("js")
    }

    fn wasm(&self) -> PathBuf {
        self.folder.join(format!("{}_bg.wasm", Self::NAME))
    }

    /// What is loaded when it is needed.
    fn parts(&self) -> Result<Vec<PathBuf>> {
        let mut parts = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if split::is_part(&entry.file_name().to_string_lossy()) {
                parts.push(entry.path());
            }
        }
        parts.sort();
        Ok(parts)
    }
}

/// Builds the page.
pub(crate) fn build(effort: Effort) -> Result<()> {
    let jobs: &[_] = match effort {
        Effort::Quick => &toolchain::Job::SITE,
        Effort::Release => &toolchain::Job::RELEASE_SITE,
    };
    let _alone = alone()?;
    let toolchain = step("find the toolchain", || {
        toolchain::ensure(jobs)?;
        compile::Toolchain::find(effort)
    })?;
    let module = step("compile to Wasm", || toolchain.compile())?;
    let package = package(&module, effort)?;
    let mut site = step("assemble the site", || site::Site::assemble(&package))?;
    step("compress", || site.compress(effort))?;
    let first_visit = step("write the site", || site.write(effort))?;
    println!(
        "First visit: {:.1} KB compressed; the limit is {:.1} KB; {SITE}/build.json lists every file",
        kilobytes(first_visit),
        kilobytes(LIMIT_BYTES)
    );
    // The limit is for what users get; a quick build compresses less.
    if effort == Effort::Release && !toolchain.is_for_size() {
        println!(
            "notice: without the source of Rust's std the page is larger than it could be (`rustup component add rust-src`)"
        );
    } else if effort == Effort::Release {
        ensure!(
            first_visit <= LIMIT_BYTES,
            "the page is too big: find what grew in {SITE}/build.json"
        );
    }
    Ok(())
}

/// Waits until no other build of the page runs; the lock lasts as long as the file is open.
fn alone() -> Result<File> {
    fs::create_dir_all(TARGET_DIR)?;
    let file = File::create(Path::new(TARGET_DIR).join("xtask.lock"))?;
    if file.try_lock().is_err() {
        println!("Waiting for another build of the page");
        file.lock()?;
    }
    Ok(file)
}

/// To be raised when the way from the compiler's module to the package changes, so that no older package is taken.
const PACKAGE_VERSION: &[u8] = b"3";

/// Binds and optimizes a module, or finds what an earlier run made of the same bytes.
fn package(module: &Path, effort: Effort) -> Result<Package> {
    let id = hash(
        &[
            &fs::read(module)?,
            effort.name().as_bytes(),
            module::options().join(" ").as_bytes(),
            PACKAGE_VERSION,
        ]
        .concat(),
    );
    let packages = Path::new(TARGET_DIR).join("package");
    let made = Package {
        folder: packages.join(&id),
    };
    if made.folder.is_dir() {
        println!("{:<28}  unchanged", "bind to JavaScript");
        return Ok(made);
    }
    if packages.is_dir() {
        fs::remove_dir_all(&packages)?;
    }
    // An earlier run that was stopped left its pieces, if any, in what was just removed.
    let unfinished = Package {
        folder: packages.join("unfinished"),
    };
    step("bind to JavaScript", || module::bind(module, &unfinished))?;
    if effort == Effort::Release {
        step("optimize the module", || {
            for wasm in unfinished.parts()?.iter().chain([&unfinished.wasm()]) {
                module::optimize(wasm)?;
                fs::write(wasm, order::alike_together(&fs::read(wasm)?)?)?;
            }
            Ok(())
        })?;
    }
    fs::rename(&unfinished.folder, &made.folder)?;
    Ok(made)
}

/// The first 16 hexadecimal digits of the SHA-256: enough to tell every build of a file from every other.
fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let first = digest.first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(first))
}

#[expect(clippy::cast_precision_loss, reason = "sizes for a human to read")]
fn kilobytes(bytes: u64) -> f64 {
    bytes as f64 / 1024.0
}
