//! `cargo xtask web`: from the `frontend` crate and `static/` to `target/site`, which the server serves as it is.

mod compile;
mod site;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use duct::cmd;
use sha2::{Digest as _, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::step::step;
use crate::toolchain;

/// Where the page is put together.
const SITE: &str = "target/site";
/// The two compilers must not invalidate each other's work, so Wasm has a target folder of its own.
const TARGET_DIR: &str = "target/web";
/// What a first visit may cost, compressed: on a classroom's shared 2 Mbit/s line this is about two seconds.
const BUDGET_BYTES: u64 = 450 * 1024;
/// What the module may use; an old `wasm-opt` accepts only what is named. Every current browser has all of it.
const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

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
    fn js(&self) -> PathBuf {
        self.folder.join("frontend.js")
    }

    fn wasm(&self) -> PathBuf {
        self.folder.join("frontend_bg.wasm")
    }
}

/// Builds the page.
pub(crate) fn build(effort: Effort) -> Result<()> {
    let jobs: &[_] = match effort {
        Effort::Quick => &toolchain::Job::SITE,
        Effort::Release => &toolchain::Job::RELEASE_SITE,
    };
    let toolchain = step("find the toolchain", || {
        toolchain::ensure(jobs)?;
        compile::Toolchain::find()
    })?;
    let module = step("compile to Wasm", || toolchain.compile())?;
    let package = package(&module, effort)?;
    let mut site = step("assemble the site", || site::Site::assemble(&package))?;
    step("compress", || site.compress(effort))?;
    let first_visit = step("write the site", || site.write(effort))?;
    println!(
        "First visit: {:.1} KB compressed, {:.1} KB allowed; {SITE}/build.json lists every file",
        kilobytes(first_visit),
        kilobytes(BUDGET_BYTES)
    );
    // The budget is for what users get; a quick build compresses less.
    ensure!(
        effort == Effort::Quick || first_visit <= BUDGET_BYTES,
        "the page is too big: find what grew in {SITE}/build.json"
    );
    Ok(())
}

/// Binds and optimizes a module, or finds what an earlier run made of the same bytes.
fn package(module: &Path, effort: Effort) -> Result<Package> {
    let id = hash(&[&fs::read(module)?, effort.name().as_bytes(), WASM_FEATURES.join(" ").as_bytes()].concat());
    let packages = Path::new(TARGET_DIR).join("package");
    let made = Package { folder: packages.join(&id) };
    if made.folder.is_dir() {
        println!("{:<28}  unchanged", "bind to JavaScript");
        return Ok(made);
    }
    if packages.is_dir() {
        fs::remove_dir_all(&packages)?;
    }
    let unfinished = Package { folder: packages.join("unfinished") };
    step("bind to JavaScript", || bind(module, &unfinished))?;
    if effort == Effort::Release {
        step("optimize the module", || optimize(&unfinished))?;
    }
    fs::rename(&unfinished.folder, &made.folder)?;
    Ok(made)
}

fn bind(module: &Path, package: &Package) -> Result<()> {
    let mut output = Bindgen::new()
        .input_path(module)
        .out_name("frontend")
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate_output()
        .context("wasm-bindgen refused the module")?;
    let strays: Vec<_> =
        output.wasm().imports.iter().filter(|import| import.module == "env").map(|import| &*import.name).collect();
    if !strays.is_empty() {
        bail!(
            "the module calls functions that no browser has: {}; they come from C code or a crate that expects a C \
             library, and belong into shared/src/syntax/wasm_libc.rs or out of the page",
            strays.join(", ")
        );
    }
    output.emit(&package.folder)
}

/// Runs `wasm-opt`. Without it, or with one too old for the module, the page works all the same.
fn optimize(package: &Package) -> Result<()> {
    let Some(tool) = toolchain::wasm_opt() else {
        println!("notice: no wasm-opt (Debian package binaryen), the module stays larger than it could be");
        return Ok(());
    };
    let small = package.folder.join("small.wasm");
    let run = cmd!(tool, "-Os", package.wasm(), "-o", &small)
        .stderr_capture()
        .unchecked()
        .before_spawn(|command| {
            command.args(WASM_FEATURES);
            Ok(())
        })
        .run()?;
    if run.status.success() {
        fs::rename(small, package.wasm())?;
    } else {
        let said = String::from_utf8_lossy(&run.stderr);
        println!("notice: wasm-opt cannot read the module, it stays as it is: {}", said.lines().next().unwrap_or("?"));
    }
    Ok(())
}

/// The first 16 hexadecimal digits of the SHA-256: enough to tell every build of a file from every other.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[expect(clippy::cast_precision_loss, reason = "sizes for a human to read")]
fn kilobytes(bytes: u64) -> f64 {
    bytes as f64 / 1024.0
}
