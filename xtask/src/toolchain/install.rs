//! Getting what is missing: from rustup, Debian's packages, npm or pip.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use duct::cmd;

use super::{AXE_PATH, OPENAI_PATH, program};

/// The release of axe-core that the accessibility tests load into pages.
const AXE_NPM: &str = "axe-core@4.14.1";
/// A Python wheel that carries axe-core, for machines without npm.
const AXE_PIP: &str = "axe-core-python==0.1.0";

/// OpenAI's client for Python, with which the tests ask the server.
const OPENAI_PIP: &str = "openai==3.57.0";

/// Has rustup fetch something, if there is a rustup.
pub(super) fn rustup(words: &[&str]) -> bool {
    let Some(rustup) = program(&["rustup"]) else {
        return false;
    };
    println!("$ rustup {}", words.join(" "));
    let done = duct::cmd(rustup, words).unchecked().run();
    done.is_ok_and(|output| output.status.success())
}

pub(super) fn apt_install(groups: &[&[&str]]) -> Result<()> {
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

pub(super) fn fetch_axe() -> Result<()> {
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

pub(super) fn fetch_openai() -> Result<()> {
    println!("$ python3 -m venv {OPENAI_PATH}; pip install {OPENAI_PIP}");
    cmd!("python3", "-m", "venv", "--clear", OPENAI_PATH).run()?;
    let pip = Path::new(OPENAI_PATH).join("bin/pip");
    cmd!(pip, "install", "--quiet", OPENAI_PIP)
        .run()
        .context("pip could not fetch OpenAI's client")?;
    Ok(())
}

fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    let mut files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
    files
        .find(|path| path.extension().is_some_and(|it| it == extension))
        .with_context(|| format!("no .{extension} file in {}", folder.display()))
}
