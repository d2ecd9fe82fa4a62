//! The built page as files: from a folder, or from the program itself.

use std::borrow::Cow;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

#[cfg(embed_site)]
static EMBEDDED: include_dir::Dir<'_> =
    include_dir::include_dir!("$CARGO_MANIFEST_DIR/../target/site");

/// Where the files of the page come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Site {
    /// A folder, read at every request, so that a new build shows without a restart.
    Folder(PathBuf),
    /// The program itself.
    Embedded,
}

impl Site {
    /// The site that this program carries, if it carries one.
    pub fn embedded() -> Option<Self> {
        embedded("index.html").map(|_| Self::Embedded)
    }

    /// A file's bytes by its path from the site's root, without a leading slash.
    pub fn read(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        if !path.split('/').all(is_plain) {
            return None;
        }
        match self {
            Self::Folder(root) => fs::read(root.join(path)).ok().map(Cow::Owned),
            Self::Embedded => embedded(path).map(Cow::Borrowed),
        }
    }

    /// The content id of the build; empty when it does not say.
    pub fn id(&self) -> String {
        #[derive(Default, Deserialize)]
        struct Build {
            id: String,
        }
        let build = self.read("build.json").unwrap_or_default();
        serde_json::from_slice::<Build>(&build)
            .unwrap_or_default()
            .id
    }
}

/// Whether a part of a path is an ordinary file name: nothing hidden, no way up, no other alphabet.
fn is_plain(part: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    !part.is_empty() && !part.starts_with('.') && part.bytes().all(plain)
}

#[cfg(embed_site)]
fn embedded(path: &str) -> Option<&'static [u8]> {
    EMBEDDED.get_file(path).map(include_dir::File::contents)
}

#[cfg(not(embed_site))]
fn embedded(_path: &str) -> Option<&'static [u8]> {
    None
}
