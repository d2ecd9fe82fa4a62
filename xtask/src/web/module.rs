//! The compiled module: bound to JavaScript, stripped of what no page calls, optimized.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use walrus::{ExportId, ExportItem, Module, ModuleConfig, RefType};
use wasm_bindgen_cli_support::Bindgen;

use super::Package;
use super::split::{link, split};
use crate::toolchain;

/// What the module may use; an old `wasm-opt` accepts only what is named. Every current browser has all of it.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// What `wasm-opt` does. Not `-Os`: measured on this module, that makes the file 12 % smaller and what travels 10 %
/// larger, because it breaks up the regular code that brotli packs so well.
const PASSES: [&str; 7] = [
    "--duplicate-function-elimination",
    "--optimize-instructions",
    "--precompute",
    "--vacuum",
    "--dce",
    "--duplicate-function-elimination",
    "--remove-unused-module-elements",
];

/// Everything that `wasm-opt` is told.
pub(super) fn options() -> Vec<&'static str> {
    FEATURES.iter().chain(&PASSES).copied().collect()
}

/// Makes the JavaScript that loads and calls the module.
pub(super) fn bind(module: &Path, package: &Package) -> Result<()> {
    let split = split(module, &package.folder)?;
    let mut output = Bindgen::new()
        .input_path(&split.main)
        .out_name(Package::NAME)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        // What the parts share with the module.
        .keep_lld_exports(true)
        .generate_output()
        .context("wasm-bindgen refused the module")?;
    let strays: Vec<_> = output
        .wasm()
        .imports
        .iter()
        .filter(|import| import.module == "env")
        .map(|import| &*import.name)
        .collect();
    if !strays.is_empty() {
        bail!(
            "the module calls functions that no browser has: {}; they come from C code or a crate that expects a C \
             library, and belong into shared/src/syntax/wasm_libc.rs or out of the page",
            strays.join(", ")
        );
    }
    let js = link(&without_classes(output.js()), &split.loaders);
    for export in uncalled_exports(output.wasm(), &js) {
        output.wasm_mut().exports.delete(export);
    }
    walrus::passes::gc::run(output.wasm_mut());
    output.emit(&package.folder)?;
    fs::write(package.js(), js)?;
    fs::remove_file(split.main)?;
    Ok(())
}

/// The JavaScript without the classes that it exports. The page has none of its own: they come with crates that offer
/// Rust streams to JavaScript, and each would keep its part of the module.
fn without_classes(js: &str) -> String {
    let mut kept = String::new();
    let mut lines = js.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("export class ") {
            let mut depth = balance(line);
            while depth > 0 {
                depth += lines.next().map_or(-depth, balance);
            }
        } else if line.starts_with("const ") && line.contains("Finalization = ") {
            lines.find(|line| line.ends_with(';'));
        } else if !line.starts_with("if (Symbol.dispose) ") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Braces that a line opens, less those that it closes.
fn balance(line: &str) -> isize {
    line.bytes()
        .map(|byte| isize::from(byte == b'{') - isize::from(byte == b'}'))
        .sum()
}

/// The exports that the JavaScript never names. The translated C of tree-sitter exports every one of its functions,
/// which would keep all that the page does not use.
fn uncalled_exports(module: &Module, js: &str) -> Vec<ExportId> {
    let forms = |name: &str| {
        [
            format!("wasm.{name}"),
            format!("\"{name}\""),
            format!(" {name}, "),
        ]
    };
    let named = |name: &str| forms(name).iter().any(|form| js.contains(form));
    module
        .exports
        .iter()
        .filter(|export| !named(&export.name))
        .map(walrus::Export::id)
        .collect()
}

/// Runs `wasm-opt`. Without it, or with one too old for the module, the page works all the same.
pub(super) fn optimize(wasm: &Path) -> Result<()> {
    let Some(tool) = toolchain::wasm_opt() else {
        println!(
            "notice: no wasm-opt (Debian package binaryen), the module stays larger than it could be"
        );
        return Ok(());
    };
    let small = wasm.with_file_name("small.wasm");
    let (from, to) = (wasm.as_os_str(), small.as_os_str());
    let options = options();
    let options = options.iter().map(AsRef::as_ref);
    let args = options.chain([from, "-o".as_ref(), to]);
    let run = duct::cmd(tool, args).stderr_capture().unchecked().run()?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr);
        println!(
            "notice: wasm-opt cannot read the module, it stays as it is: {}",
            said.lines().next().unwrap_or("?")
        );
        return Ok(());
    }
    repair_table_exports(wasm, &small)?;
    fs::rename(small, wasm)?;
    Ok(())
}

/// Points exported tables back to where they pointed before: binaryen 108, which Debian 12 has, writes every table
/// export as the first table, and then the page's JavaScript puts its objects into the table of functions.
fn repair_table_exports(before: &Path, after: &Path) -> Result<()> {
    let tables = |module: &Module| -> BTreeMap<String, RefType> {
        let of_export = |export: &walrus::Export| match export.item {
            ExportItem::Table(table) => {
                Some((export.name.clone(), module.tables.get(table).element_ty))
            }
            _ => None,
        };
        module.exports.iter().filter_map(of_export).collect()
    };
    let wanted = tables(&parse(before)?);
    let mut module = parse(after)?;
    if tables(&module) == wanted {
        return Ok(());
    }
    for export in module.exports.iter_mut() {
        let Some(kind) = wanted.get(&export.name) else {
            continue;
        };
        let mut candidates = module
            .tables
            .iter()
            .filter(|table| table.element_ty == *kind);
        let (Some(table), None) = (candidates.next(), candidates.next()) else {
            bail!("wasm-opt has mixed up the tables: install a newer binaryen, or remove it");
        };
        export.item = ExportItem::Table(table.id());
    }
    fs::write(after, module.emit_wasm())?;
    Ok(())
}

fn parse(wasm: &Path) -> Result<Module> {
    let mut config = ModuleConfig::new();
    config
        .generate_producers_section(false)
        .generate_name_section(false);
    config
        .parse_file(wasm)
        .with_context(|| format!("cannot read {}", wasm.display()))
}
