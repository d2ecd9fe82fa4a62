//! The `frontend` crate to a Wasm module, with an installed std or one compiled from its source.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::{Effort, TARGET_DIR};
use crate::toolchain::{self, WASM_TARGET, WasmStd};

const PROFILE: &str = "web-release";
/// Leptos then compiles its building blocks once and not for each combination of types: a smaller module, sooner.
const FLAGS: &str = "--cfg erase_components";
/// What only a std compiled from source allows: its own code chosen for size, and panics that say what happened but
/// not in which file of the building machine; nothing that a user reads is written with `{:?}`.
const STD_FEATURES: &str = "build-std-features=optimize_for_size";
const SOURCE_FLAGS: &str = "-Zlocation-detail=none -Zfmt-debug=none";

/// Everything that compiles the page.
pub(super) struct Toolchain {
    std: WasmStd,
    clang: PathBuf,
    ar: PathBuf,
}

impl Toolchain {
    pub(super) fn find(effort: Effort) -> Result<Self> {
        let std = match effort {
            Effort::Quick => WasmStd::find(),
            Effort::Release => WasmStd::find_small(),
        };
        Ok(Self {
            std: std.context("no standard library for Wasm: run `cargo xtask doctor`")?,
            clang: toolchain::clang()
                .context("no C compiler for Wasm: run `cargo xtask doctor`")?,
            ar: toolchain::llvm_ar().context("no llvm-ar: run `cargo xtask doctor`")?,
        })
    }

    /// Whether the page will be as small as it can be.
    pub(super) fn is_for_size(&self) -> bool {
        matches!(self.std, WasmStd::FromSource { .. })
    }

    /// Compiles the page; gives the module's path.
    pub(super) fn compile(&self) -> Result<PathBuf> {
        let mut args = vec!["rustc", "--quiet", "--package", "frontend", "--lib"];
        args.extend([
            "--target",
            WASM_TARGET,
            "--target-dir",
            TARGET_DIR,
            "--profile",
            PROFILE,
        ]);
        if let WasmStd::FromSource { .. } = self.std {
            args.extend(["-Z", "build-std=std,panic_abort", "-Z", STD_FEATURES]);
        }
        // Where the module can be cut is told by the linker's relocations.
        args.extend(["--crate-type", "cdylib", "--", "-Clink-arg=--emit-relocs"]);
        let flags = match self.std {
            WasmStd::FromSource { .. } => format!("{FLAGS} {SOURCE_FLAGS}"),
            WasmStd::Installed => FLAGS.to_owned(),
        };
        let mut build = duct::cmd(toolchain::cargo(), args)
            // Flags meant for the native build, such as a faster linker, break this one.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags)
            .env("CC_wasm32_unknown_unknown", &self.clang)
            .env("AR_wasm32_unknown_unknown", &self.ar)
            .env(
                "CFLAGS_wasm32_unknown_unknown",
                format!("-I{}", c_headers()?.display()),
            );
        if let WasmStd::FromSource { rustc, linker } = &self.std {
            // Building std is an unstable option, which only this variable opens on a stable compiler.
            // Cargo's own library path would give this other compiler the wrong libraries.
            build = build
                .env("RUSTC", rustc)
                .env("RUSTC_BOOTSTRAP", "1")
                .env_remove("LD_LIBRARY_PATH");
            if let Some(linker) = linker {
                build = build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
            }
        }
        // Cargo has shown why.
        let done = build.unchecked().run()?;
        ensure!(
            done.status.success(),
            "the frontend does not compile for Wasm"
        );
        Ok(Path::new(TARGET_DIR)
            .join(WASM_TARGET)
            .join(PROFILE)
            .join("frontend.wasm"))
    }
}

/// The C headers that tree-sitter's language crate ships for grammars on bare Wasm.
fn c_headers() -> Result<PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .exec()
        .context("cannot read the workspace")?;
    let package = metadata
        .packages
        .iter()
        .find(|package| package.name == "tree-sitter-language");
    let manifest = &package
        .context("tree-sitter-language is not in the workspace")?
        .manifest_path;
    Ok(manifest.with_file_name("wasm").join("include").into())
}
