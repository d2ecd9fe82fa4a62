//! What must be shown to nobody: a key, or the token of this server.

use std::fmt;

use shared::dataset::sha256_hex;

/// A secret; it prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// What stands in its place.
pub const MASK: &str = "***";
/// So much of a key in a text gives it away.
const TELLTALE: usize = 8;

impl Secret {
    /// Hides a text; `None` for one that cannot stand in a header, or says nothing.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The secret itself: for the header that it is meant for, and for nothing else.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Whether this is it. Hashes are compared, so that the time taken tells nothing.
    pub fn is(&self, text: &str) -> bool {
        sha256_hex(self.0.as_bytes()) == sha256_hex(text.as_bytes())
    }

    /// Whether a text holds it, or enough of it to tell.
    pub fn is_told_by(&self, text: &str) -> bool {
        let key = self.0.as_bytes();
        let mut parts = key.windows(TELLTALE.min(key.len()));
        parts.any(|part| memchr::memmem::find(text.as_bytes(), part).is_some())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}
