//! What building and testing needs beyond Rust: found, said, and installed where that is allowed.

mod install;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use duct::cmd;

use self::install::{apt_install, fetch_axe, fetch_openai, rustup};

/// The environment in which tests find OpenAI's Python client.
pub(crate) const OPENAI_PATH: &str = "target/tools/openai";

/// Where the accessibility tests find axe-core.
pub(crate) const AXE_PATH: &str = "target/tools/axe.min.js";

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
/// Newest first; what is older than the last cannot be relied on.
const LLVM_VERSIONS: [u8; 10] = [23, 22, 21, 20, 19, 18, 17, 16, 15, 14];
/// What makes the page smaller, and what a build can do without.
const WASM_OPT: &str = "wasm-opt";
const STD_SOURCE: &str = "Rust std's source";
const OLDEST_PYTHON: (u32, u32) = (3, 11);

/// A thing that one may want to do, and that needs tools.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Job {
    /// Build the page.
    Web,
    /// Make the module small.
    Optimize,
    /// Run the starter benchmark's tests.
    Cases,
    /// Talk to the server as other programs do.
    Clients,
    /// Run hostile programs in sandboxes.
    Sandbox,
    /// Drive a browser.
    Journeys,
}

impl Job {
    pub(crate) const SITE: [Self; 1] = [Self::Web];
    pub(crate) const RELEASE_SITE: [Self; 2] = [Self::Web, Self::Optimize];
    pub(crate) const ALL: [Self; 6] = [
        Self::Web,
        Self::Optimize,
        Self::Cases,
        Self::Clients,
        Self::Sandbox,
        Self::Journeys,
    ];

    fn label(self) -> &'static str {
        match self {
            Self::Web => "page",
            Self::Optimize => "small page",
            Self::Cases => "starter benchmark",
            Self::Clients => "other programs",
            Self::Sandbox => "sandbox tests",
            Self::Journeys => "browser tests",
        }
    }

    fn needs(self) -> Vec<Need> {
        match self {
            Self::Web => web_needs(),
            Self::Optimize => vec![
                Need {
                    name: WASM_OPT,
                    why: "makes the module smaller",
                    found: program(&["wasm-opt"]).map(|path| version(&path)),
                    fix: Fix::Apt(&[&["binaryen"]]),
                },
                Need {
                    name: STD_SOURCE,
                    why: "lets std be compiled for size: 5 % less to load",
                    found: WasmStd::from_source().map(|std| std.describe()),
                    fix: Fix::StdSource,
                },
            ],
            Self::Cases => vec![Need {
                name: "Python 3.11 or newer",
                why: "runs the starter benchmark's tests",
                found: python().map(|path| version(&path)),
                fix: Fix::Apt(&[&["python3"]]),
            }],
            Self::Clients => vec![
                Need {
                    name: "Python environments",
                    why: "keep what tests install apart from this machine's Python",
                    found: module("ensurepip").then(|| "present".to_owned()),
                    fix: Fix::Apt(&[&["python3-venv"]]),
                },
                Need {
                    name: "OpenAI's Python client",
                    why: "asks models through the server as other programs do",
                    found: openai(),
                    fix: Fix::OpenAi,
                },
            ],
            Self::Sandbox => sandbox_needs(),
            Self::Journeys => vec![
                Need {
                    name: "Chromium",
                    why: "the browser that the tests drive",
                    found: program(&["chromium", "chromium-browser", "google-chrome"])
                        .map(|path| version(&path)),
                    fix: Fix::Apt(&[&["chromium", "chromium-browser"]]),
                },
                Need {
                    name: "ChromeDriver",
                    why: "drives the browser",
                    found: program(&["chromedriver"]).map(|path| version(&path)),
                    fix: Fix::Apt(&[&["chromium-driver", "chromium-chromedriver"]]),
                },
                Need {
                    name: "npm",
                    why: "fetches the interpreter that runs tests in the page",
                    found: program(&["npm"]).map(|path| version(&path)),
                    fix: Fix::Apt(&[&["npm"]]),
                },
                Need {
                    name: "axe-core",
                    why: "checks the pages' accessibility",
                    found: axe(),
                    fix: Fix::Axe,
                },
            ],
        }
    }
}

struct Need {
    name: &'static str,
    why: &'static str,
    /// The version, where it is present.
    found: Option<String>,
    fix: Fix,
}

/// How a missing thing is got.
#[derive(Clone, Copy)]
enum Fix {
    /// Debian packages; of each group the first that the machine's sources offer.
    Apt(&'static [&'static [&'static str]]),
    /// The target's own std where rustup can fetch it, else the std's source and a compiler for it.
    WasmStd,
    /// The std's source, where rustup can fetch it.
    StdSource,
    /// The accessibility checker, from npm or pip.
    Axe,
    /// OpenAI's Python client, from pip.
    OpenAi,
}

/// Where the standard library for Wasm comes from.
pub(crate) enum WasmStd {
    /// It is installed beside the compiler.
    Installed,
    /// It is compiled from its source, which this compiler carries.
    FromSource {
        rustc: PathBuf,
        linker: Option<PathBuf>,
    },
}

impl WasmStd {
    /// The quickest way to build.
    pub(crate) fn find() -> Option<Self> {
        Self::installed().or_else(Self::from_source)
    }

    /// The way to the smallest page.
    pub(crate) fn find_small() -> Option<Self> {
        Self::from_source().or_else(Self::installed)
    }

    fn installed() -> Option<Self> {
        let libraries = cmd!("rustc", "--print", "target-libdir", "--target", WASM_TARGET)
            .stderr_null()
            .read();
        libraries
            .is_ok_and(|folder| Path::new(&folder).is_dir())
            .then_some(Self::Installed)
    }

    fn from_source() -> Option<Self> {
        let rustc = which::which_all("rustc")
            .ok()?
            .find(|rustc| has_std_source(rustc))?;
        let linker = linker();
        // A compiler that brings its own linker needs no other.
        (linker.is_some() || sysroot(&rustc).is_some_and(|root| has_own_linker(&root)))
            .then_some(Self::FromSource { rustc, linker })
    }

    fn describe(&self) -> String {
        match self {
            Self::Installed => "installed target".to_owned(),
            Self::FromSource { rustc, linker } => {
                let linker = linker
                    .as_deref()
                    .map_or_else(|| "its own linker".to_owned(), version);
                format!("std from source, {}, {linker}", version(rustc))
            }
        }
    }
}

/// Cargo, as the one that runs us.
pub(crate) fn cargo() -> PathBuf {
    let own = std::env::var_os("CARGO").map(PathBuf::from);
    own.or_else(|| program(&["cargo"])).unwrap_or_default()
}

/// A Python new enough for the starter benchmark.
pub(crate) fn python() -> Option<PathBuf> {
    let newer = (11..30).rev().map(|minor| format!("python3.{minor}"));
    std::iter::once("python3".to_owned())
        .chain(newer)
        .find_map(|name| {
            let path = which::which(name).ok()?;
            let said = cmd!(&path, "-c", "import sys; print(*sys.version_info[:2])")
                .stderr_null()
                .read()
                .ok()?;
            let (major, minor) = said.split_once(' ')?;
            ((major.parse().ok()?, minor.parse().ok()?) >= OLDEST_PYTHON).then_some(path)
        })
}

fn pip() -> Option<String> {
    let said = cmd!("python3", "-m", "pip", "--version").stderr_null();
    let said = said.read().ok()?;
    said.split_whitespace().nth(1).map(str::to_owned)
}

/// Whether Python has a module.
fn module(name: &str) -> bool {
    let said = cmd!("python3", "-c", format!("import {name}")).stderr_null();
    said.unchecked().run().is_ok_and(|it| it.status.success())
}

/// The version of OpenAI's client that was fetched before.
fn openai() -> Option<String> {
    let python = Path::new(OPENAI_PATH).join("bin/python");
    let said = cmd!(python, "-c", "import openai; print(openai.__version__)").stderr_null();
    said.read().ok()
}

/// Where libfaketime lies.
fn faketime() -> Option<String> {
    let folders = ["/usr/lib64", "/usr/lib", "/usr/local/lib"].map(PathBuf::from);
    let arch = PathBuf::from(format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH));
    let mut files = [arch]
        .into_iter()
        .chain(folders)
        .map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    let file = files.find(|file| file.is_file())?;
    Some(file.display().to_string())
}

/// The Wasm optimizer, if there is one.
#[cfg(feature = "web")]
pub(crate) fn wasm_opt() -> Option<PathBuf> {
    program(&["wasm-opt"])
}

/// Prints what is there and what is not, and fails if the page cannot be built.
pub(crate) fn doctor() -> Result<()> {
    let mut n_missing = 0;
    for job in Job::ALL {
        for need in job.needs() {
            let state = if let Some(version) = &need.found {
                format!("present  {version}")
            } else {
                n_missing += 1;
                format!("missing  ({})", need.why)
            };
            println!("{:<18} {:<22} {state}", job.label(), need.name);
        }
    }
    let say = |std: Option<WasmStd>| std.map_or("none yet".to_owned(), |std| std.describe());
    println!("\nA build of the page would use: {}", say(WasmStd::find()));
    println!(
        "A release build would use:     {}",
        say(WasmStd::find_small())
    );
    ensure!(
        Job::Web.needs().iter().all(|need| need.found.is_some()),
        "the page cannot be built yet: `cargo xtask serve` installs what it needs, or says how"
    );
    if n_missing > 0 {
        println!(
            "`cargo xtask serve` can work; `cargo xtask test` installs the rest, or says how."
        );
    } else {
        println!("Nothing is missing.");
    }
    Ok(())
}

/// Installs what the jobs lack, having said what and why; ends the program where that is not allowed.
pub(crate) fn ensure(jobs: &[Job]) -> Result<()> {
    let missing = |jobs: &[Job]| -> Vec<Need> {
        jobs.iter()
            .flat_map(|job| job.needs())
            .filter(|need| need.found.is_none())
            .collect()
    };
    let needs = missing(jobs);
    if needs.is_empty() {
        return Ok(());
    }
    println!("Missing on this machine:");
    for need in &needs {
        println!("  {:<22} {}", need.name, need.why);
    }
    let mut packages = Vec::new();
    for need in &needs {
        match need.fix {
            Fix::Apt(groups) => packages.extend_from_slice(groups),
            Fix::WasmStd if !rustup(&["target", "add", WASM_TARGET]) => {
                packages.extend_from_slice(&[
                    &["rustc-web"],
                    &["rust-web-src"],
                    &["lld-19", "lld"],
                ]);
            }
            Fix::Axe if program(&["npm"]).is_none() && program(&["pip3", "pip"]).is_none() => {
                packages.extend_from_slice(&[&["npm"]]);
            }
            Fix::StdSource => {
                rustup(&["component", "add", "rust-src"]);
            }
            Fix::WasmStd | Fix::Axe | Fix::OpenAi => {}
        }
    }
    if !packages.is_empty() {
        apt_install(&packages)?;
    }
    if needs.iter().any(|need| matches!(need.fix, Fix::Axe)) {
        fetch_axe()?;
    }
    if needs.iter().any(|need| matches!(need.fix, Fix::OpenAi)) {
        fetch_openai()?;
    }
    // The build gives notice and goes on without what only makes the page smaller.
    let still: Vec<_> = missing(jobs)
        .iter()
        .map(|need| need.name)
        .filter(|name| ![WASM_OPT, STD_SOURCE].contains(name))
        .collect();
    ensure!(
        still.is_empty(),
        "still missing after the installation: {}",
        still.join(", ")
    );
    Ok(())
}

fn sandbox_needs() -> Vec<Need> {
    let mut needs = vec![Need {
        name: "pip",
        why: "fetches the interpreter that runs tests in a sandbox",
        found: pip(),
        fix: Fix::Apt(&[&["python3-pip"]]),
    }];
    if cfg!(target_os = "linux") {
        needs.extend([
            Need {
                name: "bubblewrap",
                why: "makes sandboxes for this machine's Python",
                found: program(&["bwrap"]).map(|path| version(&path)),
                fix: Fix::Apt(&[&["bubblewrap"]]),
            },
            Need {
                name: "libfaketime",
                why: "fixes the clock of programs in such a sandbox",
                found: faketime(),
                fix: Fix::Apt(&[&["libfaketime"]]),
            },
            Need {
                name: "Docker engine",
                why: "runs tests in containers",
                found: administrator("dockerd").map(|path| version(&path)),
                fix: Fix::Apt(&[&["docker.io"]]),
            },
            Need {
                name: "debootstrap",
                why: "makes the containers' image where no registry can be reached",
                found: administrator("debootstrap").map(|path| version(&path)),
                fix: Fix::Apt(&[&["debootstrap"]]),
            },
        ]);
    }
    needs
}

fn web_needs() -> Vec<Need> {
    vec![
        Need {
            name: "C compiler",
            why: "builds the Python grammar for the server",
            found: program(&["cc", "gcc", "clang"]).map(|path| version(&path)),
            fix: Fix::Apt(&[&["build-essential"]]),
        },
        Need {
            name: "C compiler for Wasm",
            why: "builds the Python grammar for the page",
            found: clang().map(|path| version(&path)),
            fix: Fix::Apt(&[&["clang-19", "clang"]]),
        },
        Need {
            name: "llvm-ar",
            why: "collects the grammar's object files for the page",
            found: llvm_ar().map(|path| version(&path)),
            fix: Fix::Apt(&[&["llvm-19", "llvm"]]),
        },
        Need {
            name: "Rust std for Wasm",
            why: "the page is Rust compiled to Wasm",
            found: WasmStd::find().map(|std| std.describe()),
            fix: Fix::WasmStd,
        },
    ]
}

/// A program that may lie where only root looks.
fn administrator(name: &str) -> Option<PathBuf> {
    program(&[name, &format!("/usr/sbin/{name}")])
}

/// The first of several programs that is on the search path.
fn program(names: &[&str]) -> Option<PathBuf> {
    names.iter().find_map(|name| which::which(name).ok())
}

/// A tool of LLVM whose name ends in its version, the newest first.
fn versioned(name: &str) -> Option<PathBuf> {
    LLVM_VERSIONS
        .iter()
        .find_map(|version| which::which(format!("{name}-{version}")).ok())
}

/// A clang that can compile for Wasm, which not every build of it can.
pub(crate) fn clang() -> Option<PathBuf> {
    [versioned("clang"), program(&["clang"])]
        .into_iter()
        .flatten()
        .find(|clang| {
            cmd!(clang, "--print-targets")
                .stderr_null()
                .read()
                .is_ok_and(|said| said.contains("wasm32"))
        })
}

/// An archiver that understands Wasm object files.
pub(crate) fn llvm_ar() -> Option<PathBuf> {
    versioned("llvm-ar").or_else(|| program(&["llvm-ar"]))
}

fn linker() -> Option<PathBuf> {
    versioned("wasm-ld").or_else(|| program(&["wasm-ld"]))
}

fn sysroot(rustc: &Path) -> Option<PathBuf> {
    Some(
        cmd!(rustc, "--print", "sysroot")
            .stderr_null()
            .read()
            .ok()?
            .into(),
    )
}

fn has_std_source(rustc: &Path) -> bool {
    sysroot(rustc).is_some_and(|root| {
        root.join("lib/rustlib/src/rust/library/std/Cargo.toml")
            .is_file()
    })
}

fn has_own_linker(sysroot: &Path) -> bool {
    let Ok(targets) = fs::read_dir(sysroot.join("lib/rustlib")) else {
        return false;
    };
    targets
        .flatten()
        .any(|target| target.path().join("bin/rust-lld").is_file())
}

/// The first line of what a program says about its version.
fn version(path: &Path) -> String {
    let said = cmd!(path, "--version")
        .stderr_null()
        .unchecked()
        .read()
        .unwrap_or_default();
    said.lines()
        .next()
        .unwrap_or("version unknown")
        .trim()
        .to_owned()
}

/// The version of the accessibility checker that was fetched before.
fn axe() -> Option<String> {
    let text = fs::read_to_string(AXE_PATH).ok()?;
    let version = text.lines().next()?.strip_prefix("/*! axe ")?;
    Some(version.to_owned())
}
