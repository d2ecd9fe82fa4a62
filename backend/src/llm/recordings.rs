//! Recorded exchanges: `<data>/llm/recordings/<model>/<key>.json`, a file an exchange.
//!
//! A file appears whole or not at all. The folder's name is the model's, with what no file's name may hold as
//! `%` and two digits.

use std::fs;
use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use shared::llm::{ChatRequest, Exchange, ExchangeKey, MAX_RECORD_BYTES, ModelId};

use crate::store::files::write_whole;

/// A dot is no name of a folder.
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// The folder.
#[derive(Clone, Debug)]
pub struct Recordings(PathBuf);

/// What came of the lines of a bundle.
#[derive(Debug, Default)]
pub struct Imported {
    /// How many were not there.
    pub n_new: usize,
    /// How many were there, and stayed as they were.
    pub n_known: usize,
    /// The lines that are no recording: their number and why.
    pub refused: Vec<(usize, String)>,
}

impl Recordings {
    /// Those of a data folder.
    pub fn of(data: &Path) -> Self {
        Self(data.join("llm/recordings"))
    }

    /// The exchange that a request has, if it is recorded. A damaged file is none, and is told.
    pub fn find(&self, request: &ChatRequest) -> io::Result<Option<Exchange>> {
        let path = self.path(&request.model, &request.key());
        match fs::read_to_string(&path) {
            Ok(text) => Ok(read(&path, &text).filter(|it| it.request == *request)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Keeps an exchange, in the place of an older one.
    pub fn keep(&self, exchange: &Exchange) -> Result<()> {
        let path = self.path(&exchange.request.model, &exchange.key);
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        write_whole(&path, exchange.json_line().as_bytes())?;
        Ok(())
    }

    /// The models, by name, and how many exchanges each has.
    pub fn models(&self) -> io::Result<Vec<(ModelId, usize)>> {
        let mut models = Vec::new();
        for folder in list(&self.0)? {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let Ok(name) = percent_decode_str(&name).decode_utf8() else {
                continue;
            };
            let n = list(&folder)?.iter().filter(|it| is_record(it)).count();
            if n > 0 {
                models.push((ModelId(name.into_owned()), n));
            }
        }
        models.sort();
        Ok(models)
    }

    /// Every exchange of a model, or of all, by model and key.
    pub fn all(&self, model: Option<&ModelId>) -> io::Result<impl Iterator<Item = Exchange>> {
        let names = match model {
            Some(model) => vec![model.clone()],
            None => self.models()?.into_iter().map(|(name, _)| name).collect(),
        };
        let mut paths = Vec::new();
        for name in names {
            let mut files = list(&self.folder(&name))?;
            files.retain(|it| is_record(it));
            files.sort();
            paths.extend(files);
        }
        Ok(paths.into_iter().filter_map(|path| {
            let text = fs::read_to_string(&path).ok()?;
            read(&path, &text)
        }))
    }

    /// Takes in a bundle: JSON lines. Whatever is there already stays; a line that is no recording is told, and
    /// the others go on.
    pub fn import(&self, mut lines: impl BufRead) -> Result<Imported> {
        let mut imported = Imported::default();
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let most = MAX_RECORD_BYTES as u64 + 1;
            let n = lines.by_ref().take(most).read_until(b'\n', &mut line)?;
            if n == 0 {
                break;
            }
            anyhow::ensure!(
                line.len() <= MAX_RECORD_BYTES,
                "line {number} is longer than {} MiB; it is no bundle of recordings",
                MAX_RECORD_BYTES >> 20
            );
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            if text.is_empty() {
                continue;
            }
            let exchange = match Exchange::from_json_line(text) {
                Ok(exchange) => exchange,
                Err(e) => {
                    imported.refused.push((number, e.to_string()));
                    continue;
                }
            };
            if self.find(&exchange.request)?.is_some() {
                imported.n_known += 1;
            } else {
                self.keep(&exchange)?;
                imported.n_new += 1;
            }
        }
        Ok(imported)
    }

    fn folder(&self, model: &ModelId) -> PathBuf {
        let name = utf8_percent_encode(model.as_str(), NAME);
        self.0.join(name.to_string())
    }

    fn path(&self, model: &ModelId, key: &ExchangeKey) -> PathBuf {
        self.folder(model).join(key.as_str()).with_extension("json")
    }
}

fn read(path: &Path, text: &str) -> Option<Exchange> {
    Exchange::from_json_line(text.trim())
        .inspect_err(|e| {
            let path = path.display();
            tracing::warn!("{path} is damaged ({e}); remove it, or import it again");
        })
        .ok()
}

fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "json")
}

/// What is in a folder; nothing where there is none.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.map(|it| it.path())).collect(),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests;
