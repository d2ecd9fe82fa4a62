//! An interpreter's files, and how its program becomes machine code on this machine.

use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use shared::dataset::sha256_hex;
use wasmtime::{Config, Engine, Module};

use super::packs::PACKS;
use crate::sandbox::SandboxError;
use crate::store::files::write_whole;

/// An interpreter that can be installed.
#[derive(Debug)]
pub struct Pack {
    /// Its name: `wasm-lite`.
    pub slug: &'static str,
    /// What it is, as reports say it.
    pub python: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// The Python package that carries it, by its exact version.
    pub package: &'static str,
    /// Its program in that package.
    pub(super) program: Member,
    /// The function of the program that runs Python.
    pub(super) entry: &'static str,
    /// Whether it takes the seed of its hashes at its start; else it came with one.
    pub(super) seeds_hashes: bool,
    /// The archive of its standard library in that package, where the program does not hold it.
    pub(super) library: Option<Member>,
    /// What is added to it.
    pub(super) wheels: &'static [Wheel],
    /// What beside Python's own library is there, with versions.
    pub libraries: &'static [&'static str],
    /// How much is fetched, in MiB.
    pub n_mib: u32,
    /// What compiling it takes.
    pub compiling: &'static str,
}

/// A file in a package.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) path: &'static str,
    /// Hexadecimal.
    pub(super) sha256: &'static str,
}

/// A package of pure Python.
#[derive(Debug)]
pub(super) struct Wheel {
    /// By its exact version.
    pub(super) package: &'static str,
    /// Of its file, hexadecimal.
    pub(super) sha256: &'static str,
    /// The files that are taken; none: all.
    pub(super) only: &'static [&'static str],
    /// Files in the place of its own, and their texts.
    pub(super) instead: &'static [(&'static str, &'static str)],
}

impl Wheel {
    pub(super) const fn whole(package: &'static str, sha256: &'static str) -> Self {
        Self {
            package,
            sha256,
            only: &[],
            instead: &[],
        }
    }
}

impl Pack {
    /// The pack of that name.
    pub fn named(slug: &str) -> Option<&'static Self> {
        PACKS.iter().find(|pack| pack.slug == slug)
    }

    /// Whether it is installed, and compiled as this program compiles it.
    pub fn is_installed(&self, cache: &Path) -> bool {
        let code = engine().map(|engine| self.machine_code(&engine, cache));
        self.is_there(cache) && code.is_ok_and(|code| code.is_file())
    }

    /// Whether its files are there.
    pub(super) fn is_there(&self, cache: &Path) -> bool {
        self.program(cache).is_file() && (!self.has_files() || self.files(cache).is_dir())
    }

    /// What to do where it is not.
    pub fn how_to_install(&self) -> String {
        format!(
            "`ctxlab engine install {}` fetches {} MiB and compiles them ({})",
            self.slug, self.n_mib, self.compiling
        )
    }

    /// What it does not keep of a job's surroundings, in words.
    pub fn gaps(&self) -> Vec<String> {
        let seed = "the seed of hashes is its own, the same in every run";
        let seed = (!self.seeds_hashes).then(|| seed.to_owned());
        std::iter::once("host names: none can be looked up".to_owned())
            .chain(seed)
            .collect()
    }

    /// Whether guests see files of it.
    pub(super) fn has_files(&self) -> bool {
        self.library.is_some() || !self.wheels.is_empty()
    }

    /// The folder of what guests see of it: `lib` and `site`.
    pub(super) fn files(&self, cache: &Path) -> PathBuf {
        let library = self.library.iter().map(|library| library.sha256);
        let wheels = self.wheels.iter().map(|wheel| wheel.sha256);
        let instead = self.wheels.iter().flat_map(|wheel| wheel.instead);
        let texts = instead.map(|(_, text)| *text);
        let all: String = library.chain(wheels).chain(texts).collect();
        let key = &sha256_hex(all.as_bytes())[..16];
        cache.join(format!("{}-{key}", self.slug))
    }

    pub(super) fn failed(&self, why: &wasmtime::Error) -> SandboxError {
        SandboxError::Failed {
            engine: self.slug,
            why: format!("{why:#}"),
        }
    }

    pub(super) fn program(&self, cache: &Path) -> PathBuf {
        cache.join(format!("{}-{}.wasm", self.slug, &self.program.sha256[..16]))
    }

    /// Machine code is for one program, one version and configuration of the compiler, one kind of machine.
    pub(super) fn machine_code(&self, engine: &Engine, cache: &Path) -> PathBuf {
        let mut hash = std::hash::DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hash);
        let (arch, key) = (std::env::consts::ARCH, hash.finish());
        let sha256 = &self.program.sha256[..16];
        cache.join(format!("{}-{sha256}-{arch}-{key:016x}.cwasm", self.slug))
    }

    /// The compiled program; compiles it where that has not been done here.
    pub(super) fn load(&self, engine: &Engine, cache: &Path) -> Result<Module, SandboxError> {
        let code = self.machine_code(engine, cache);
        if code.is_file()
            && let Ok(module) = load_own(engine, &code)
        {
            return Ok(module);
        }
        let path = self.program(cache);
        let Ok(program) = fs::read(&path) else {
            return Err(SandboxError::NotInstalled { engine: self.slug });
        };
        if sha256_hex(&program) != self.program.sha256 {
            return Err(SandboxError::Damaged {
                engine: self.slug,
                path,
                why: "its SHA-256 is not the program's".to_owned(),
            });
        }
        let module = Module::new(engine, &program).map_err(|e| self.failed(&e))?;
        let bytes = module.serialize().map_err(|e| self.failed(&e))?;
        // Without the file it is compiled again next time.
        if let Err(why) = write_whole(&code, &bytes) {
            tracing::warn!("cannot keep {}: {why:#}", code.display());
        }
        Ok(module)
    }
}

/// How programs are compiled. Whatever changes here is compiled again.
pub(super) fn engine() -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config.epoch_interruption(true);
    config.max_wasm_stack(8 * 1024 * 1024);
    config.async_stack_size(10 * 1024 * 1024);
    config.wasm_exceptions(true);
    Engine::new(&config)
}

#[expect(
    unsafe_code,
    reason = "machine code is loaded as it is: it was written by this program into a folder that only its user may write"
)]
fn load_own(engine: &Engine, code: &Path) -> wasmtime::Result<Module> {
    // SAFETY: see above; the name holds the compiler's version and configuration.
    unsafe { Module::deserialize_file(engine, code) }
}
