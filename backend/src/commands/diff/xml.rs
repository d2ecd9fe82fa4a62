//! GumTree's XML, under one root.

use std::io::Write;

use anyhow::Result;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use super::json::describe;
use super::{Compared, Comparison, written};
use crate::commands::xml::attribute;

pub(super) fn print(files: &[Compared], are_folders: bool, out: &mut dyn Write) -> Result<()> {
    let mut writer = Writer::new_with_indent(out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    if are_folders {
        writer
            .create_element("files")
            .write_inner_content(|writer| {
                files.iter().try_for_each(|compared| file(writer, compared))
            })?;
    } else {
        files
            .iter()
            .try_for_each(|compared| file(&mut writer, compared))?;
    }
    writeln!(writer.get_mut())?;
    Ok(())
}

fn file(writer: &mut Writer<&mut dyn Write>, compared: &Compared) -> std::io::Result<()> {
    let comparison = match compared {
        Compared::Both(comparison) => comparison,
        Compared::Only { name, in_source } => {
            let side = if *in_source { "src" } else { "dest" };
            return element(writer, "only", &[("path", name), ("in", side)]);
        }
    };
    let path = comparison.path.iter().map(|path| ("path", path.as_str()));
    let matcher = ("matcher", comparison.diff.matcher.slug());
    let reason = comparison
        .diff
        .fallback
        .as_ref()
        .map(|fallback| fallback.reason.to_string());
    let reason = reason.iter().map(|reason| ("fallback", reason.as_str()));
    let attributes = path.chain([matcher]).chain(reason);
    writer
        .create_element("diff")
        .with_attributes(attributes.map(attribute))
        .write_inner_content(|writer| {
            writer
                .create_element("matches")
                .write_inner_content(|writer| matches(writer, comparison))?;
            writer
                .create_element("actions")
                .write_inner_content(|writer| actions(writer, comparison))?;
            Ok(())
        })?;
    Ok(())
}

fn matches(writer: &mut Writer<&mut dyn Write>, comparison: &Comparison) -> std::io::Result<()> {
    for mapping in comparison.diff.mappings.iter() {
        let src = written(&comparison.src.tree, mapping.src);
        let dst = written(&comparison.dst.tree, mapping.dst);
        element(writer, "match", &[("src", &src), ("dest", &dst)])?;
    }
    Ok(())
}

fn actions(writer: &mut Writer<&mut dyn Write>, comparison: &Comparison) -> std::io::Result<()> {
    for &action in &comparison.script {
        let described = describe(comparison, action);
        let at = described.at.map(|at| at.to_string());
        let attributes = [
            ("tree", Some(described.tree.as_str())),
            ("parent", described.parent.as_deref()),
            ("at", at.as_deref()),
            ("label", described.label),
        ];
        let present: Vec<_> = attributes
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect();
        element(writer, action.name(), &present)?;
    }
    Ok(())
}

fn element(
    writer: &mut Writer<&mut dyn Write>,
    name: &str,
    attributes: &[(&str, &str)],
) -> std::io::Result<()> {
    let attributes = attributes.iter().copied().map(attribute);
    writer
        .create_element(name)
        .with_attributes(attributes)
        .write_empty()?;
    Ok(())
}
