//! The image's files without a registry: Debian's packages, unpacked, and wheels from the package index.
//!
//! Nothing is configured in it: it only runs Python.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::{NLTK_DATA, NLTK_WHEELS, REQUIREMENTS};

/// The release whose Python is 3.11.
const RELEASE: &str = "bookworm";
const PACKAGES: &str = "python3,libfaketime,wordnet-base,wordnet-sense-index";
const LIBRARIES: &str = "usr/local/lib/python3.11/dist-packages";
/// What the kinds of wheels are called, for machines like this one.
const PLATFORMS: [&str; 3] = ["manylinux_2_28", "manylinux_2_17", "manylinux2014"];
/// What Python does not read.
const USELESS: [&str; 9] = [
    "boot",
    "debootstrap",
    "usr/share/doc",
    "usr/share/i18n",
    "usr/share/locale",
    "usr/share/man",
    // NLTK has its own copy.
    "usr/share/wordnet",
    "var/cache/apt",
    "var/lib/apt",
];
const USERS: &str = "root:x:0:0:root:/root:/usr/sbin/nologin\n\
    nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
const GROUPS: &str = "root:x:0:\nnogroup:x:65534:\n";

/// A step of the making, and what it is called.
type Step = (&'static str, fn(&Root) -> Result<()>);

/// What is done, in order.
pub(super) const STEPS: [Step; 6] = [
    ("fetching and unpacking Debian's packages", unpack),
    ("fetching the libraries (about 120 MiB)", add_libraries),
    ("fetching the data of NLTK (17 MiB)", add_nltk_data),
    ("removing what Python does not read", strip),
    ("compiling them", compile),
    ("packing the image", pack),
];

/// The files in the making.
#[derive(Clone)]
pub(super) struct Root {
    folder: PathBuf,
}

impl Root {
    pub(super) fn at(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    fn files(&self) -> PathBuf {
        self.folder.join("root")
    }

    pub(super) fn archive(&self) -> PathBuf {
        self.folder.join("image.tar")
    }

    /// As Debian's package says it: `3.11.2`.
    pub(super) fn python_version(&self) -> Result<String> {
        let told = run(
            Command::new("chroot")
                .arg(self.files())
                .args(["/usr/bin/python3", "-c"])
                .arg("import platform; print(platform.python_version())"),
            "chroot",
        )?;
        Ok(told.trim().to_owned())
    }
}

fn unpack(root: &Root) -> Result<()> {
    let files = root.files();
    run(
        Command::new("debootstrap")
            .args(["--foreign", "--variant=minbase"])
            .arg(format!("--include={PACKAGES}"))
            .arg(RELEASE)
            .arg(&files),
        "debootstrap",
    )?;
    let archives = files.join("var/cache/apt/archives");
    for entry in fs::read_dir(&archives)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "deb") {
            run(
                Command::new("dpkg-deb").arg("-x").arg(&path).arg(&files),
                "dpkg",
            )?;
        }
    }
    fs::write(files.join("etc/passwd"), USERS)?;
    fs::write(files.join("etc/group"), GROUPS)?;
    Ok(())
}

fn add_libraries(root: &Root) -> Result<()> {
    let listed = root.folder.join("requirements.txt");
    fs::write(&listed, REQUIREMENTS)?;
    let into = root.files().join(LIBRARIES);
    let mut pip = Command::new("python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
    ])
    .args(["--disable-pip-version-check", "--root-user-action=ignore"])
    .args(["--only-binary=:all:", "--implementation=cp"])
    .args([
        "--python-version=3.11",
        "--abi=cp311",
        "--abi=abi3",
        "--abi=none",
    ]);
    for platform in PLATFORMS {
        pip.arg(format!("--platform={platform}_{}", std::env::consts::ARCH));
    }
    run(
        pip.arg("--target")
            .arg(&into)
            .arg("--requirement")
            .arg(&listed),
        "python3 with pip",
    )?;
    Ok(())
}

fn add_nltk_data(root: &Root) -> Result<()> {
    let (listed, program) = (
        root.folder.join("nltk_data.txt"),
        root.folder.join("nltk_data.py"),
    );
    fs::write(&listed, NLTK_WHEELS)?;
    fs::write(&program, NLTK_DATA)?;
    let wheels = root.folder.join("wheels");
    run(
        Command::new("python3")
            .args(["-m", "pip", "download", "--quiet", "--no-deps"])
            .args(["--disable-pip-version-check", "--only-binary=:all:"])
            .arg("--dest")
            .arg(&wheels)
            .arg("--requirement")
            .arg(&listed),
        "python3 with pip",
    )?;
    run(
        Command::new("python3")
            .arg(program)
            .args([root.files(), wheels])
            .arg(root.files().join("usr/share/nltk_data")),
        "python3",
    )?;
    Ok(())
}

fn strip(root: &Root) -> Result<()> {
    for useless in USELESS {
        let path = root.files().join(useless);
        if path.exists() {
            fs::remove_dir_all(path)?;
        }
    }
    remove_tests(&root.files().join(LIBRARIES))
}

/// Removes the libraries' own tests.
fn remove_tests(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let (name, path) = (entry.file_name(), entry.path());
        if name == "tests" {
            fs::remove_dir_all(path)?;
        } else {
            remove_tests(&path)?;
        }
    }
    Ok(())
}

/// A container cannot keep what it compiles.
fn compile(root: &Root) -> Result<()> {
    run(
        Command::new("chroot")
            .arg(root.files())
            .args(["/usr/bin/python3", "-m", "compileall", "-q", "-j", "0"])
            .args(["/usr/lib/python3.11", &format!("/{LIBRARIES}")]),
        "chroot",
    )?;
    Ok(())
}

fn pack(root: &Root) -> Result<()> {
    let mut archive = tar::Builder::new(fs::File::create(root.archive())?);
    archive.follow_symlinks(false);
    let files = root.files();
    for entry in fs::read_dir(&files)? {
        let name = entry?.file_name();
        // Containers have their own.
        if name == "dev" || name == "proc" || name == "sys" {
            continue;
        }
        let path = files.join(&name);
        if path.symlink_metadata()?.is_dir() {
            archive.append_dir_all(&name, path)?;
        } else {
            archive.append_path_with_name(path, &name)?;
        }
    }
    archive.into_inner()?;
    Ok(())
}

/// Runs a program to its end and gives what it wrote.
fn run(command: &mut Command, package: &str) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let told = command.env("LC_ALL", "C").output();
    let told = told.with_context(|| {
        format!("cannot run {name}; install {package}, or let the engine reach a registry")
    })?;
    let (said, complained) = (
        String::from_utf8_lossy(&told.stdout),
        String::from_utf8_lossy(&told.stderr),
    );
    if !told.status.success() {
        let lines: Vec<&str> = said.lines().chain(complained.lines()).collect();
        let last = lines[lines.len().saturating_sub(5)..].join("\n");
        bail!(
            "{name} failed: {last}; it needs the rights of root and Debian's packages, or let the engine reach a registry"
        );
    }
    Ok(said.into_owned())
}
