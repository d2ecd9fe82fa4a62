//! The files of the site: names that carry a hash, references to them, compressed copies, sizes.
//!
//! Everything below `/pkg/` has its content's hash in its name, so a browser may keep it for ever; nothing else has.
//! A source in `static/` refers to a hashed file by a placeholder: `%PKG_JS%`, `%PKG_WASM%`, `%STYLE%`, `%PART_STYLE%`, `%WORKER_JS%`,
//! `%PYTHON_JS%`, `%APP_JS%`, each of which becomes a path from the root.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use serde_json::{Value, json};
use walkdir::WalkDir;

use super::{Effort, Package, SITE, hash, split};
use crate::cases;

const SOURCES: &str = "static";
/// What a first visit loads, by the end of the name. The starter benchmark and the help pages come later.
const FIRST_VISIT: [&str; 4] = ["html", "js", "css", "wasm"];
/// What is worth compressing; images are compressed already.
const COMPRESSIBLE: [&str; 8] = [
    "html",
    "js",
    "css",
    "wasm",
    "json",
    "svg",
    "txt",
    "webmanifest",
];
/// Sheets of what is loaded later, a folder within the others', and their file.
const PART_STYLES: &str = "compare/";
const PART_STYLE: &str = "compare";
/// The worker that runs Python in the page, when a reader asks for it.
const PYTHON: &str = "python";
/// Scripts whose names carry a hash, and how the others refer to them.
const SCRIPTS: [(&str, &str); 3] = [
    ("WORKER_JS", "worker"),
    ("PYTHON_JS", PYTHON),
    ("APP_JS", "app"),
];
/// Sheets that the others build on, in this order; the rest follows by name.
const FIRST_SHEETS: [&str; 2] = ["tokens.css", "base.css"];

/// The site in memory.
pub(super) struct Site {
    /// By path from the site's root, without a leading slash.
    files: BTreeMap<String, File>,
    /// What each placeholder stands for.
    names: BTreeMap<&'static str, String>,
}

struct File {
    raw: Vec<u8>,
    /// Brotli and gzip, where that is worth while.
    packed: Option<(Vec<u8>, Vec<u8>)>,
}

impl Site {
    pub(super) fn assemble(package: &Package) -> Result<Self> {
        let mut site = Self {
            files: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        site.add_package(package)?;
        let (style, of_part) = styles()?;
        site.add_hashed("STYLE", "style", "css", style);
        site.add_hashed("PART_STYLE", PART_STYLE, "css", of_part);
        for (placeholder, stem) in SCRIPTS {
            let source = Path::new(SOURCES).join(stem).with_extension("js");
            let text = site.fill(
                &fs::read_to_string(&source).with_context(|| format!("no {}", source.display()))?,
            )?;
            site.add_hashed(placeholder, stem, "js", text);
        }
        site.add_sources()?;
        site.add_help()?;
        if let Some(starter) = cases::assemble()? {
            site.add("cases/starter.json", starter);
        }
        Ok(site)
    }

    /// Makes the compressed copies, or takes them from the last build where a file has not changed.
    pub(super) fn compress(&mut self, effort: Effort) -> Result<()> {
        let before = fs::read_to_string(Path::new(SITE).join("build.json")).unwrap_or_default();
        let before: Value = serde_json::from_str(&before).unwrap_or_default();
        let reusable = before["effort"] == effort.name();
        for (path, file) in &mut self.files {
            if !COMPRESSIBLE.contains(&extension(path)) {
                continue;
            }
            let old = |suffix: &str| fs::read(Path::new(SITE).join(format!("{path}{suffix}"))).ok();
            let kept = if reusable && old("").as_ref() == Some(&file.raw) {
                old(".br").zip(old(".gz"))
            } else {
                None
            };
            file.packed = match kept {
                Some(kept) => Some(kept),
                None => Some((brotli(&file.raw, effort)?, gzip(&file.raw, effort)?)),
            };
        }
        Ok(())
    }

    /// Puts the site in the place of the last one; gives the compressed size of a first visit.
    pub(super) fn write(&self, effort: Effort) -> Result<u64> {
        let fresh = format!("{SITE}.new");
        remove_folder(&fresh)?;
        let mut sizes = Vec::new();
        let mut id = String::new();
        let mut first_visit = 0;
        for (path, file) in &self.files {
            let target = Path::new(&fresh).join(path);
            fs::create_dir_all(target.parent().context("a file has a folder")?)?;
            fs::write(&target, &file.raw)?;
            let mut size = json!({ "path": path, "bytes": file.raw.len() });
            if let Some((br, gz)) = &file.packed {
                fs::write(format!("{fresh}/{path}.br"), br)?;
                fs::write(format!("{fresh}/{path}.gz"), gz)?;
                size["br"] = br.len().into();
                size["gz"] = gz.len().into();
                let name = path.strip_prefix("pkg/").unwrap_or_default();
                let is_later = path.starts_with("help/")
                    || name.starts_with(PART_STYLE)
                    || name.starts_with(PYTHON)
                    || split::is_part(name);
                if FIRST_VISIT.contains(&extension(path)) && !is_later {
                    first_visit += u64::try_from(br.len())?;
                }
            }
            sizes.push(size);
            writeln!(id, "{path} {}", hash(&file.raw))?;
        }
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "id": hash(id.as_bytes()),
            "effort": effort.name(),
            "first_visit_br": first_visit,
            "files": sizes,
        });
        fs::write(
            format!("{fresh}/build.json"),
            serde_json::to_vec_pretty(&report)?,
        )?;
        remove_folder(SITE)?;
        fs::rename(fresh, SITE)?;
        Ok(first_visit)
    }

    fn add(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.files.insert(
            path.into(),
            File {
                raw: content.into(),
                packed: None,
            },
        );
    }

    fn add_hashed(
        &mut self,
        placeholder: &'static str,
        stem: &str,
        extension: &str,
        content: impl Into<Vec<u8>>,
    ) {
        let content = content.into();
        let path = format!("pkg/{stem}-{}.{extension}", hash(&content));
        self.names.insert(placeholder, format!("/{path}"));
        self.add(path, content);
    }

    fn add_package(&mut self, package: &Package) -> Result<()> {
        let mut js = fs::read_to_string(package.js())?;
        let snippets = package.folder.join("snippets");
        if snippets.is_dir() {
            // One hash for the folder: the scripts in it may import each other.
            let scripts = read_folder(&snippets)?;
            let all: Vec<u8> = scripts.values().flatten().copied().collect();
            let folder = format!("snippets-{}", hash(&all));
            js = js.replace("./snippets/", &format!("./{folder}/"));
            for (path, content) in scripts {
                self.add(format!("pkg/{folder}/{path}"), content);
            }
        }
        for part in package.parts()? {
            let content = fs::read(&part)?;
            let stem = part.file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}-{}.wasm", hash(&content));
            js = js.replace(&format!("./{stem}.wasm"), &format!("./{name}"));
            self.add(format!("pkg/{name}"), content);
        }
        self.add_hashed("PKG_WASM", "frontend", "wasm", fs::read(package.wasm())?);
        self.add_hashed("PKG_JS", "frontend", "js", js);
        Ok(())
    }

    /// Copies what needs no treatment of its own, and fills the placeholders of the HTML.
    fn add_sources(&mut self) -> Result<()> {
        for (path, content) in read_folder(Path::new(SOURCES))? {
            let elsewhere = ["cases/", "help/", "styles/"]
                .iter()
                .any(|folder| path.starts_with(folder));
            let is_script = SCRIPTS.iter().any(|(_, stem)| path == format!("{stem}.js"));
            if elsewhere || is_script || extension(&path) == "md" {
                continue;
            }
            if extension(&path) == "html" {
                let text =
                    String::from_utf8(content).with_context(|| format!("{path} is not UTF-8"))?;
                let text = self
                    .fill(&text)
                    .with_context(|| format!("in {SOURCES}/{path}"))?;
                check_policy(&text).with_context(|| format!("in {SOURCES}/{path}"))?;
                self.add(path, text);
            } else {
                self.add(path, content);
            }
        }
        ensure!(
            self.files.contains_key("index.html"),
            "no {SOURCES}/index.html"
        );
        Ok(())
    }

    fn add_help(&mut self) -> Result<()> {
        let folder = Path::new(SOURCES).join("help");
        if !folder.is_dir() {
            return Ok(());
        }
        let mut index = Vec::new();
        for (path, content) in read_folder(&folder)? {
            let Some(slug) = path.strip_suffix(".md") else {
                continue;
            };
            let text = String::from_utf8(content)
                .with_context(|| format!("help page {slug} is not UTF-8"))?;
            let (title, fragment) = render(&text);
            let title = title.with_context(|| format!("help page {slug} has no `# ` heading"))?;
            index.push(json!({ "slug": slug, "title": title }));
            self.add(format!("help/{slug}.html"), fragment);
        }
        self.add("help/index.json", serde_json::to_vec(&index)?);
        Ok(())
    }

    /// Replaces the placeholders of a source.
    fn fill(&self, text: &str) -> Result<String> {
        let mut filled = text.to_owned();
        for (placeholder, path) in &self.names {
            filled = filled.replace(&format!("%{placeholder}%"), path);
        }
        let left = [
            "PKG_JS",
            "PKG_WASM",
            "STYLE",
            "PART_STYLE",
            "WORKER_JS",
            "PYTHON_JS",
            "APP_JS",
        ];
        let left = left
            .iter()
            .find(|placeholder| filled.contains(&format!("%{placeholder}%")));
        ensure!(
            left.is_none(),
            "placeholder %{}% is used before it is known",
            left.unwrap_or(&"")
        );
        Ok(filled)
    }
}

/// All style sheets as two: those of a first visit, and those of what is loaded later.
fn styles() -> Result<(String, String)> {
    let mut sheets = read_folder(&Path::new(SOURCES).join("styles")).unwrap_or_default();
    let first = FIRST_SHEETS.iter().filter_map(|name| sheets.remove(*name));
    let mut all: Vec<Vec<u8>> = first.collect();
    let mut of_part = Vec::new();
    for (path, sheet) in sheets {
        let to = if path.starts_with(PART_STYLES) {
            &mut of_part
        } else {
            &mut all
        };
        to.push(sheet);
    }
    let text = |sheets: Vec<Vec<u8>>| {
        String::from_utf8(sheets.join(&b'\n')).context("a style sheet is not UTF-8")
    };
    Ok((text(all)?, text(of_part)?))
}

/// Markdown of our own to HTML, with its first heading as the title.
fn render(markdown: &str) -> (Option<String>, String) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut title = None;
    let mut in_title = false;
    let events = Parser::new_ext(markdown, options).map(|event| match event {
        Event::Start(Tag::Heading {
            level: HeadingLevel::H1,
            ..
        }) if title.is_none() => {
            in_title = true;
            title = Some(String::new());
            event
        }
        Event::End(TagEnd::Heading(HeadingLevel::H1)) => {
            in_title = false;
            event
        }
        Event::Text(ref text) | Event::Code(ref text) if in_title => {
            title.get_or_insert_default().push_str(text);
            event
        }
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            title,
            id,
        }) => Event::Start(Tag::Link {
            link_type,
            dest_url: link(dest_url),
            title,
            id,
        }),
        event => event,
    });
    let mut fragment = String::new();
    html::push_html(&mut fragment, events);
    (title, fragment)
}

/// `constants.md#why` between two help files is `/help/constants#why` in the app.
fn link(target: CowStr<'_>) -> CowStr<'_> {
    let (page, anchor) = target
        .split_once('#')
        .map_or((&*target, None), |(page, anchor)| (page, Some(anchor)));
    match page.strip_suffix(".md") {
        Some(slug) if !slug.contains('/') => {
            let anchor = anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
            format!("/help/{slug}{anchor}").into()
        }
        _ => target,
    }
}

/// The server forbids scripts and styles inside the HTML, so a page that has them would break silently.
fn check_policy(html: &str) -> Result<()> {
    let lower = html.to_lowercase();
    ensure!(
        !lower.contains("<style"),
        "a `<style>` element is forbidden by the content security policy"
    );
    ensure!(
        !lower.contains(" style="),
        "a `style` attribute is forbidden by the content security policy"
    );
    for script in lower.split("<script").skip(1) {
        let tag = script.split('>').next().unwrap_or_default();
        ensure!(
            tag.contains("src="),
            "a script without `src` is forbidden by the content security policy"
        );
    }
    Ok(())
}

/// Every file below a folder, by its path from there with `/` between the parts.
fn read_folder(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let parts = entry
                .path()
                .strip_prefix(folder)?
                .iter()
                .map(|part| part.to_string_lossy());
            let path = parts.collect::<Vec<_>>().join("/");
            files.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(files)
}

fn remove_folder(path: &str) -> Result<()> {
    if Path::new(path).exists() {
        fs::remove_dir_all(path).with_context(|| format!("cannot remove {path}"))?;
    }
    Ok(())
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn brotli(bytes: &[u8], effort: Effort) -> Result<Vec<u8>> {
    let quality = if effort == Effort::Release { 11 } else { 4 };
    let params = brotli::enc::BrotliEncoderParams {
        quality,
        lgwin: 22,
        ..Default::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut packed, &params)?;
    Ok(packed)
}

fn gzip(bytes: &[u8], effort: Effort) -> Result<Vec<u8>> {
    let level = if effort == Effort::Release {
        Compression::best()
    } else {
        Compression::fast()
    };
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
