//! Two texts in the hash of a link: deflated, as base64url. They are never sent to the server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The most characters of a hash; some programs cut longer links.
pub(crate) const MAX_HASH: usize = 16 << 10;
/// What says that a hash holds two texts, and in which form.
const KEY: &str = "d1=";

/// Both texts as one: the bytes of the first in decimal, a line break, the first, the second.
pub(crate) fn join(a: &str, b: &str) -> String {
    format!("{}\n{a}{b}", a.len())
}

/// The two texts of a joined one.
pub(crate) fn split(joined: &str) -> Option<(String, String)> {
    let (n_bytes, texts) = joined.split_once('\n')?;
    let (a, b) = texts.split_at_checked(n_bytes.parse().ok()?)?;
    Some((a.to_owned(), b.to_owned()))
}

/// The hash (without `#`) that holds deflated bytes; `None` where they do not fit a link.
pub(crate) fn to_hash(deflated: &[u8]) -> Option<String> {
    let hash = format!("{KEY}{}", URL_SAFE_NO_PAD.encode(deflated));
    (hash.len() <= MAX_HASH).then_some(hash)
}

/// The deflated bytes of a hash (with or without `#`).
pub(crate) fn from_hash(hash: &str) -> Option<Vec<u8>> {
    let coded = hash.trim_start_matches('#').strip_prefix(KEY)?;
    // Some bytes inflate to a thousand times as many: no longer than what a link may hold.
    let coded = Some(coded).filter(|coded| coded.len() <= MAX_HASH)?;
    URL_SAFE_NO_PAD.decode(coded).ok()
}
