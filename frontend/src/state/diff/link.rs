//! Two or three texts in the hash of a link: deflated, as base64url. They are never sent to the server.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The most characters of a hash; some programs cut longer links.
pub(crate) const MAX_HASH: usize = 16 << 10;
/// What says that a hash holds texts, and in which form.
const KEY: &str = "d1=";

/// All texts as one: the bytes of each but the last in decimal, with blanks between, a line break, the texts.
pub(crate) fn join(texts: &[String]) -> String {
    let but_last = texts.iter().take(texts.len().saturating_sub(1));
    let sizes: Vec<String> = but_last.map(|text| text.len().to_string()).collect();
    format!("{}\n{}", sizes.join(" "), texts.concat())
}

/// The texts of a joined one: two or three.
pub(crate) fn split(joined: &str) -> Option<Vec<String>> {
    let (sizes, mut rest) = joined.split_once('\n')?;
    let mut texts = Vec::new();
    for size in sizes.split(' ') {
        let (text, after) = rest.split_at_checked(size.parse().ok()?)?;
        texts.push(text.to_owned());
        rest = after;
    }
    texts.push(rest.to_owned());
    (texts.len() <= 3).then_some(texts)
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
