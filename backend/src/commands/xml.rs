//! Any text in XML.

use std::borrow::Cow;

use quick_xml::events::attributes::Attribute;
use quick_xml::name::QName;

/// An attribute whose line breaks and tabs are character references: a reader turns bare ones into
/// blanks. Characters that XML does not have at all become the replacement character.
pub(super) fn attribute<'a>((name, value): (&'a str, &'a str)) -> Attribute<'a> {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\t' => escaped.push_str("&#9;"),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    Attribute {
        key: QName(name),
        value: Cow::Owned(escaped),
    }
}
