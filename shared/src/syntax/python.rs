//! The only file that names tree-sitter.

use std::sync::OnceLock;

use tree_sitter_c2rust::{Language, Parser};

use crate::syntax::Kind;
use crate::syntax::tree::{Tree, TreeBuilder};
use crate::text::Span;

type KindRow = (Kind, &'static str, bool);

/// Longer texts are not parsed: byte offsets are 32 bits, and no method is near this long.
const MAX_BYTES: usize = 64 << 20;

fn language() -> &'static (Language, Vec<KindRow>) {
    static LANGUAGE: OnceLock<(Language, Vec<KindRow>)> = OnceLock::new();
    LANGUAGE.get_or_init(|| {
        let language = Language::from(tree_sitter_python::LANGUAGE);
        let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let rows = (0..count)
            .map(|id| {
                let name = language.node_kind_for_id(id).unwrap_or("ERROR");
                let named = language.node_kind_is_named(id);
                (Kind::of(name, named), name, named)
            })
            .collect();
        (language, rows)
    })
}

pub(super) fn parse(source: &str) -> Tree {
    let (language, kinds) = language();
    let mut builder = TreeBuilder::new(source);
    let mut parser = Parser::new();
    if source.len() > MAX_BYTES || parser.set_language(language).is_err() {
        return builder.finish();
    }
    let Some(parsed) = parser.parse(source, None) else {
        return builder.finish();
    };

    let mut cursor = parsed.walk();
    loop {
        let node = cursor.node();
        let row =
            kinds
                .get(usize::from(node.kind_id()))
                .copied()
                .unwrap_or((Kind::Error, "ERROR", true));
        let span = Span::new(
            u32::try_from(node.start_byte()).unwrap_or(u32::MAX),
            u32::try_from(node.end_byte()).unwrap_or(u32::MAX),
        );
        builder.open(row, cursor.field_name(), span, node.is_missing());
        if cursor.goto_first_child() {
            continue;
        }
        builder.close();
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return builder.finish();
            }
            builder.close();
        }
    }
}
