//! The compiled module cut into what a first visit loads and the parts that are loaded when they are needed.
//!
//! A part begins at a function with the attribute `wasm_split` and holds all that only such functions need.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use wasm_split_cli_support::{Options, transform};

/// What the module imports its loaders from; [`link`] puts them into the module's own JavaScript.
const LINK: &str = "./__wasm_split.js";

/// A module in pieces.
pub(super) struct Split {
    /// What a first visit loads, not yet bound to JavaScript.
    pub(super) main: PathBuf,
    /// JavaScript that loads the parts, which lie beside it.
    pub(super) loaders: String,
}

/// Cuts a module; the parts go into `folder`, each in a file of its own.
pub(super) fn split(module: &Path, folder: &Path) -> Result<Split> {
    fs::create_dir_all(folder)?;
    let wasm = fs::read(module)?;
    let main = folder.join("main.wasm");
    let mut options = Options::new(&wasm);
    options.output_dir = folder;
    options.main_out_path = &main;
    options.link_name = LINK;
    transform(options).map_err(|why| anyhow!("cannot cut the module into parts: {why:?}"))?;
    let link = folder.join(LINK);
    let loaders = fs::read_to_string(&link).context("the module was cut without loaders")?;
    fs::remove_file(link)?;
    Ok(Split { main, loaders })
}

/// The module's JavaScript with its loaders, as one file: two would have to know each other's hashed names.
pub(super) fn link(js: &str, loaders: &str) -> String {
    let is_import = |line: &&str| line.starts_with("import ") && line.contains(LINK);
    let key = format!("\"{LINK}\": ");
    let mut linked = String::new();
    let mut is_named = false;
    for line in js.lines().filter(|line| !is_import(line)) {
        if !line.trim_start().starts_with(&key) {
            linked.push_str(line);
        } else if !std::mem::replace(&mut is_named, true) {
            linked.extend([&key, "loaders,"]);
        }
        linked.push('\n');
    }
    let mut names = Vec::new();
    for line in loaders.lines().filter(|line| !line.starts_with("import ")) {
        let line = match line.strip_prefix("export const ") {
            Some(rest) => {
                names.extend(rest.split_whitespace().next());
                format!("const {rest}")
            }
            None => line.to_owned(),
        };
        linked.push_str(&line);
        linked.push('\n');
    }
    linked.extend(["const loaders = { ", &names.join(", "), " };\n"]);
    linked
}

/// Whether a file of a package is a part.
pub(super) fn is_part(name: &str) -> bool {
    name.starts_with("split_") || name.starts_with("chunk_")
}

#[cfg(test)]
mod tests {
    use super::link;

    #[test]
    fn loaders_and_module_become_one_script() {
        let js = "import * as import1 from \"./__wasm_split.js\"\nimport * as import2 from \"./__wasm_split.js\"\n\
                  function imports() {\nreturn {\n\"./__wasm_split.js\": import1,\n\"./__wasm_split.js\": import2,\n};\n}\n";
        let loaders =
            "import { initSync } from \"./main.js\";\nexport const load_a = wrap(\"./a.wasm\");\n";
        assert_eq!(
            link(js, loaders),
            "function imports() {\nreturn {\n\"./__wasm_split.js\": loaders,\n\n};\n}\n\
             const load_a = wrap(\"./a.wasm\");\nconst loaders = { load_a };\n"
        );
    }
}
