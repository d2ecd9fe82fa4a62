//! Many pairs of texts, a JSON line each: `{id, a, b}` goes in, the diff in its short [`notation`] comes out.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::notation::{Nodes, Record};
use super::{DiffOptions, diff};
use crate::syntax::{abstraction, parse_python};

/// What is asked of each pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairOptions {
    /// How it is compared.
    pub diff: DiffOptions,
    /// Whether the trees are written, too.
    pub with_trees: bool,
}

#[derive(Deserialize)]
struct Texts {
    id: Value,
    a: String,
    b: String,
}

#[derive(Serialize)]
struct PairLine<'a> {
    id: &'a Value,
    matcher: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    trees: Option<[Nodes<'a>; 2]>,
    #[serde(flatten)]
    record: Record<'a>,
    /// Why trees were not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<String>,
}

#[derive(Serialize)]
struct BadLine<'a> {
    line: usize,
    error: &'a str,
}

/// The answer to line `number` of a file: JSON without a line end, `None` for an empty line.
///
/// # Errors
/// The answer to a line that is no pair says which line it is and why.
pub fn pair_line(
    line: &str,
    number: usize,
    options: &PairOptions,
) -> Option<Result<String, String>> {
    if line.trim().is_empty() {
        return None;
    }
    let pair: Texts = match serde_json::from_str(line) {
        Ok(pair) => pair,
        Err(why) => {
            let error = format!("no pair ({why}); expected an object with id, a and b");
            return Some(Err(json(&BadLine {
                line: number,
                error: &error,
            })));
        }
    };
    let tree = |text: &str| abstraction::PYTHON.diff_tree(&parse_python(text).tree);
    let (src, dst) = (tree(&pair.a), tree(&pair.b));
    let diff = diff(&src, &dst, &options.diff);
    let script = diff.simplified(&src, &dst);
    let fallback = diff.fallback.as_ref();
    Some(Ok(json(&PairLine {
        id: &pair.id,
        matcher: diff.matcher.slug(),
        trees: options.with_trees.then_some([Nodes(&src), Nodes(&dst)]),
        record: Record::new(&diff, &script, &dst),
        fallback: fallback.map(|fallback| fallback.reason.to_string()),
    })))
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).unwrap_or_default()
}
