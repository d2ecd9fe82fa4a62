//! What building and testing needs beyond Rust: found, said, and installed where that is allowed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use duct::cmd;

/// The release of axe-core that the accessibility tests load into pages.
const AXE_NPM: &str = "axe-core@4.14.1";
/// A Python wheel that carries axe-core, for machines without npm.
const AXE_PIP: &str = "axe-core-python==0.1.0";
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
    /// Drive a browser.
    Journeys,
}

impl Job {
    pub(crate) const SITE: [Self; 1] = [Self::Web];
    pub(crate) const RELEASE_SITE: [Self; 2] = [Self::Web, Self::Optimize];
    pub(crate) const ALL: [Self; 4] = [Self::Web, Self::Optimize, Self::Cases, Self::Journeys];

    fn label(self) -> &'static str {
        match self {
            Self::Web => "page",
            Self::Optimize => "small page",
            Self::Cases => "starter benchmark",
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
                    why: "lets std be compiled for size: 6 % less to load",
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
            Fix::WasmStd | Fix::Axe => {}
        }
    }
    if !packages.is_empty() {
        apt_install(&packages)?;
    }
    if needs.iter().any(|need| matches!(need.fix, Fix::Axe)) {
        fetch_axe()?;
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

/// Has rustup fetch something, if there is a rustup.
fn rustup(words: &[&str]) -> bool {
    let Some(rustup) = program(&["rustup"]) else {
        return false;
    };
    println!("$ rustup {}", words.join(" "));
    let done = duct::cmd(rustup, words).unchecked().run();
    done.is_ok_and(|output| output.status.success())
}

fn apt_install(groups: &[&[&str]]) -> Result<()> {
    let install = |packages: &[&str]| {
        let fixed = ["apt-get", "install", "-y", "--no-install-recommends"];
        fixed
            .iter()
            .chain(packages)
            .map(|&word| word.to_owned())
            .collect::<Vec<_>>()
    };
    let wanted: Vec<&str> = groups.iter().map(|group| group[0]).collect();
    let Some(rights) = installer_rights() else {
        println!("I may not install packages here. Run this, then try again:");
        println!(
            "  sudo apt-get update && sudo {}",
            install(&wanted).join(" ")
        );
        std::process::exit(1);
    };
    let run = |words: &[String]| -> Result<()> {
        let line: Vec<String> = rights
            .iter()
            .map(|&word| word.to_owned())
            .chain(words.iter().cloned())
            .collect();
        println!("$ {}", line.join(" "));
        duct::cmd(&line[0], &line[1..])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .run()?;
        Ok(())
    };
    if groups.iter().any(|group| offered(group).is_none()) {
        run(&["apt-get".to_owned(), "update".to_owned()])?;
    }
    let packages: Vec<&str> = groups
        .iter()
        .map(|group| offered(group).unwrap_or(group[0]))
        .collect();
    run(&install(&packages)).with_context(|| format!("cannot install {}", packages.join(" ")))
}

/// The first package of a group that the machine's package sources offer.
fn offered<'a>(group: &[&'a str]) -> Option<&'a str> {
    group.iter().copied().find(|package| {
        let said = cmd!("apt-cache", "policy", package)
            .stderr_null()
            .read()
            .unwrap_or_default();
        said.contains("Candidate:") && !said.contains("Candidate: (none)")
    })
}

/// The words before `apt-get` that let us install, or nothing where we may not.
fn installer_rights() -> Option<&'static [&'static str]> {
    program(&["apt-get"])?;
    if cmd!("id", "-u").read().is_ok_and(|id| id == "0") {
        return Some(&[]);
    }
    let sudo = program(&["sudo"])?;
    let allowed = cmd!(sudo, "-n", "true").stderr_null().unchecked().run();
    allowed
        .is_ok_and(|output| output.status.success())
        .then_some(&["sudo", "-n"])
}

fn fetch_axe() -> Result<()> {
    let folder = Path::new("target/tools/axe");
    fs::create_dir_all(folder)?;
    let npm = program(&["npm"]).is_some_and(|npm| {
        println!("$ npm pack {AXE_NPM}");
        cmd!(
            npm,
            "pack",
            "--silent",
            AXE_NPM,
            "--pack-destination",
            folder
        )
        .run()
        .is_ok()
    });
    if npm {
        let archive = only_file(folder, "tgz")?;
        cmd!("tar", "-xzf", archive, "-C", folder, "package/axe.min.js").run()?;
        fs::rename(folder.join("package/axe.min.js"), AXE_PATH)?;
    } else {
        let Some(pip) = program(&["pip3", "pip"]) else {
            bail!("neither npm nor pip could fetch axe-core")
        };
        println!("$ pip install {AXE_PIP}");
        cmd!(
            pip,
            "install",
            "--quiet",
            "--no-deps",
            "--target",
            folder,
            AXE_PIP
        )
        .run()?;
        fs::rename(folder.join("axe_core_python/axe.min.js"), AXE_PATH)?;
    }
    fs::remove_dir_all(folder)?;
    Ok(())
}

fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    let mut files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    files
        .find(|path| path.extension().is_some_and(|it| it == extension))
        .with_context(|| format!("no .{extension} file in {}", folder.display()))
}
