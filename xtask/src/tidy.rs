//! `cargo xtask tidy`: the rules of the house that neither the compiler nor clippy knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use cargo_metadata::{CargoOpt, MetadataCommand};

use crate::toolchain;

/// What the pure domain must not depend on, even indirectly.
const FORBIDDEN_IN_SHARED: [&str; 6] = [
    "tokio",
    "web-sys",
    "js-sys",
    "reqwest",
    "getrandom",
    "anyhow",
];

/// The modules of `shared` from the ground up; each may use those of its own row and of the rows above it.
const LAYERS: [&[&str]; 8] = [
    &["text", "seed", "logprobs"],
    &["syntax", "subject", "dataset"],
    &["diff", "perturb", "obfuscate"],
    &[
        "variant",
        "llm",
        "relation",
        "report",
        "harness",
        "case",
        "kill",
        "integrity",
    ],
    &["identify", "prompt"],
    &["predictions", "run", "metrics", "baseline", "judge"],
    &["experiment", "classroom"],
    &["api"],
];
/// Arrows that the rows would allow and the house does not.
const FORBIDDEN_ARROWS: [(&str, &str); 8] = [
    ("text", "seed"),
    ("syntax", "subject"),
    ("syntax", "dataset"),
    ("subject", "dataset"),
    ("perturb", "diff"),
    ("diff", "perturb"),
    ("metrics", "case"),
    ("metrics", "run"),
];

/// Words that only these files may contain.
const RESERVED: [Reserved; 5] = [
    Reserved {
        word: "tree_sitter",
        within: "shared/",
        only: &["shared/src/syntax/python.rs"],
        why: "only the parser's file names tree-sitter",
    },
    Reserved {
        word: "unsafe ",
        within: "shared/",
        only: &["shared/src/syntax/wasm_libc.rs"],
        why: "the domain has no other unsafe code",
    },
    Reserved {
        word: "use diff::",
        within: "shared/src/",
        only: &["shared/src/text.rs", "shared/src/syntax/abstraction.rs"],
        why: "the crate is used as `crate::diff`, so that the rows of modules hold for it",
    },
    Reserved {
        word: "web_sys",
        within: "frontend/src/",
        only: &["frontend/src/platform", "frontend/src/worker"],
        why: "only these two speak to the browser directly",
    },
    Reserved {
        word: "env::var",
        within: "backend/src/",
        only: &["backend/src/config.rs"],
        why: "only the configuration reads the environment",
    },
];

struct Reserved {
    word: &'static str,
    within: &'static str,
    only: &'static [&'static str],
    why: &'static str,
}

/// The working tree as the rules see it.
struct Tree {
    /// What git tracks.
    tracked: Vec<String>,
    /// The text files that git tracks or would track, with their content.
    texts: Vec<(String, String)>,
    problems: Vec<String>,
}

pub(crate) fn run() -> Result<()> {
    let mut tree = Tree::read()?;
    tree.check_dependencies()?;
    tree.check_versions()?;
    tree.check_reserved_words();
    tree.check_arrows();
    tree.check_generated();
    tree.check_rules();
    tree.check_clippy_sections()?;
    tree.check_sheets();
    tree.check_leftovers();
    for problem in &tree.problems {
        println!("{problem}");
    }
    ensure!(
        tree.problems.is_empty(),
        "{} places are untidy",
        tree.problems.len()
    );
    println!("tidy: {} files are in order", tree.texts.len());
    Ok(())
}

impl Tree {
    fn read() -> Result<Self> {
        let list = |args: &[&str]| -> Result<Vec<String>> {
            let said = duct::cmd("git", [&["ls-files"], args].concat())
                .read()
                .context("git cannot list the files")?;
            Ok(said.lines().map(str::to_owned).collect())
        };
        let tracked = list(&[])?;
        let all = list(&["--cached", "--others", "--exclude-standard"])?;
        // What is no UTF-8 is no source, and what is gone was deleted but not yet committed.
        let texts = all
            .into_iter()
            .filter_map(|path| fs::read_to_string(&path).ok().map(|text| (path, text)));
        Ok(Self {
            tracked,
            texts: texts.collect(),
            problems: Vec::new(),
        })
    }

    fn report(&mut self, problem: String) {
        self.problems.push(problem);
    }

    fn check_dependencies(&mut self) -> Result<()> {
        let args = [
            "tree", "-p", "shared", "-e", "normal", "--target", "all", "--prefix", "none",
            "--format", "{p}",
        ];
        let said = duct::cmd(toolchain::cargo(), args)
            .stderr_null()
            .read()
            .context("cargo tree failed")?;
        let names: BTreeSet<_> = said
            .lines()
            .filter_map(|line| line.split(' ').next())
            .collect();
        for name in FORBIDDEN_IN_SHARED
            .iter()
            .filter(|name| names.contains(*name))
        {
            self.report(format!(
                "shared depends on {name}: `cargo tree -p shared -i {name}` says through what"
            ));
        }
        Ok(())
    }

    /// The code that wasm-bindgen generates and the tool that reads it work only in the same version.
    fn check_versions(&mut self) -> Result<()> {
        let metadata = MetadataCommand::new()
            .features(CargoOpt::AllFeatures)
            .exec()?;
        let versions = |name: &str| -> BTreeSet<String> {
            let named = metadata
                .packages
                .iter()
                .filter(|package| package.name == name);
            named.map(|package| package.version.to_string()).collect()
        };
        let (library, tool) = (
            versions("wasm-bindgen"),
            versions("wasm-bindgen-cli-support"),
        );
        if library.len() > 1 || library.iter().any(|version| !tool.contains(version)) {
            self.report(format!(
                "Cargo.lock: wasm-bindgen is {library:?}, its command-line support is {tool:?}"
            ));
        }
        Ok(())
    }

    fn check_reserved_words(&mut self) {
        let mut found = Vec::new();
        for (path, text) in self.texts.iter().filter(|(path, _)| is_rust(path)) {
            for rule in RESERVED.iter().filter(|rule| path.starts_with(rule.within)) {
                if rule.only.iter().any(|allowed| path.starts_with(allowed)) {
                    continue;
                }
                let lines = code_lines(text).filter(|(_, line)| line.contains(rule.word));
                found.extend(lines.map(|(number, _)| {
                    format!("{path}:{number}: `{}`: {}", rule.word.trim(), rule.why)
                }));
            }
        }
        self.problems.extend(found);
    }

    fn check_arrows(&mut self) {
        let rank = |module: &str| LAYERS.iter().position(|row| row.contains(&module));
        let mut found = Vec::new();
        for (path, text) in self.texts.iter().filter(|(path, _)| is_rust(path)) {
            let Some(inside) = path.strip_prefix("shared/src/") else {
                continue;
            };
            let module = inside.split(['/', '.']).next().unwrap_or_default();
            if module == "lib" {
                continue;
            }
            let Some(from) = rank(module) else {
                found.push(format!(
                    "{path}: give module `{module}` a row in xtask/src/tidy.rs"
                ));
                continue;
            };
            for (number, line) in code_lines(text) {
                for used in line.split("crate::").skip(1) {
                    let used = used
                        .split(|c: char| !c.is_alphanumeric() && c != '_')
                        .next()
                        .unwrap_or_default();
                    let upward = rank(used).is_some_and(|to| to > from);
                    if upward || FORBIDDEN_ARROWS.contains(&(module, used)) {
                        found.push(format!("{path}:{number}: `{module}` may not use `{used}`"));
                    }
                }
            }
        }
        self.problems.extend(found);
    }

    fn check_generated(&mut self) {
        let generated = |path: &&String| {
            let made = [".wasm", ".br", ".gz", ".snap.new"]
                .iter()
                .any(|ending| path.ends_with(ending));
            (made && !path.starts_with("tests/fixtures/"))
                || path.split('/').any(|part| part == "target")
        };
        let found: Vec<_> = self.tracked.iter().filter(generated).cloned().collect();
        for path in found {
            self.report(format!("{path}: generated files are not committed"));
        }
    }

    /// A rule is complete with a fixture and a help page of its name; a fixture without its rule is a leftover.
    fn check_rules(&mut self) {
        let names = |folder: &str, fits: fn(&str) -> bool| -> BTreeSet<String> {
            let fitting = self.texts.iter().filter(|(_, text)| fits(text));
            let inside = fitting.filter_map(|(path, _)| path.strip_prefix(folder));
            let stems = inside.filter_map(|path| path.split_once('.'));
            stems.map(|(stem, _)| stem.to_owned()).collect()
        };
        // Beside the rules lies what several of them share.
        let rules = names("shared/src/perturb/rules/", |text| {
            text.contains("RULE: Rule")
        });
        let help = names("static/help/", |_| true);
        let fixtures = "tests/fixtures/perturb/";
        let pythons = self
            .texts
            .iter()
            .filter_map(|(path, _)| path.strip_prefix(fixtures));
        let fixed: BTreeSet<String> = pythons
            .filter(|path| has_extension(path, &["py"]))
            .filter_map(|path| Some(path.split_once('/')?.0.to_owned()))
            .collect();
        for rule in rules.difference(&fixed) {
            self.problems
                .push(format!("rule {rule} has no example in {fixtures}{rule}/"));
        }
        for rule in rules.difference(&help) {
            self.problems
                .push(format!("rule {rule} has no page static/help/{rule}.md"));
        }
        for name in fixed.difference(&rules) {
            self.problems.push(format!(
                "{fixtures}{name}/ belongs to no rule in shared/src/perturb/rules/"
            ));
        }
    }

    /// Clippy reads a crate's own file instead of the root's, so the root's settings must be repeated in it.
    fn check_clippy_sections(&mut self) -> Result<()> {
        let own = fs::read_to_string("shared/clippy.toml")?;
        let root = fs::read_to_string("clippy.toml")?;
        for line in root
            .lines()
            .filter(|line| !line.is_empty() && !own.contains(line))
        {
            self.report(format!(
                "shared/clippy.toml does not repeat the root's `{line}`"
            ));
        }
        Ok(())
    }

    /// A block of the page is laid out in one sheet: sheets are joined, and two would override each other.
    fn check_sheets(&mut self) {
        let mut laid_out: BTreeMap<&str, &str> = BTreeMap::new();
        let mut found = Vec::new();
        let sheets = self.texts.iter();
        for (path, text) in sheets.filter(|(path, _)| has_extension(path, &["css"])) {
            let blocks = text.lines().filter_map(|line| line.strip_suffix(" {"));
            for block in blocks.filter(|it| it.starts_with('.') && !it.contains([' ', ':', '_'])) {
                let first = *laid_out.entry(block).or_insert(path);
                if first != path {
                    found.push(format!("{path}: `{block}` is laid out in {first} already"));
                }
            }
        }
        self.problems.extend(found);
    }

    fn check_leftovers(&mut self) {
        // In pieces, so that this file does not find itself.
        let leftovers = [
            concat!("TO", "DO"),
            concat!("FIX", "ME"),
            concat!("/wo", "rk/"),
            concat!("/ro", "ot/"),
        ];
        let mut found = Vec::new();
        for (path, text) in &self.texts {
            let source = has_extension(
                path,
                &[
                    "rs", "toml", "md", "js", "css", "html", "py", "sh", "sql", "json",
                ],
            );
            if !source && path != ".ci/run" && path != ".env.example" {
                continue;
            }
            for (line, number) in text.lines().zip(1..) {
                let word = leftovers.iter().find(|word| line.contains(**word));
                found.extend(
                    word.map(|word| format!("{path}:{number}: `{word}` has no place in a source")),
                );
            }
        }
        self.problems.extend(found);
    }
}

fn is_rust(path: &str) -> bool {
    has_extension(path, &["rs"])
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    let own = Path::new(path).extension().and_then(|it| it.to_str());
    own.is_some_and(|own| extensions.contains(&own))
}

/// The lines that are no comment, with their numbers.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}
