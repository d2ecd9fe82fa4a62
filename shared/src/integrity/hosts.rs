//! Host names that failed tests expect, read off the tests and what they said.

use std::net::IpAddr;

use crate::report::{Host, TestRun};
use crate::subject::ClassItem;
use crate::syntax::outline;
use crate::syntax::{Kind, NodeId, Tree, parse_python};

/// A line for each failed test that names one address and wanted a text that can be a host's name.
pub(super) fn expected<'a>(
    class: &ClassItem,
    broken: impl Iterator<Item = &'a TestRun>,
) -> Vec<Host> {
    let tree = parse_python(&class.test).tree;
    let mut found: Vec<Host> = Vec::new();
    for run in broken {
        let expected = run.raised.as_ref().and_then(|it| it.expected.as_deref());
        let Some(name) = expected.and_then(host_name) else {
            continue;
        };
        let Some((test_class, test)) = run.name.split_once('.') else {
            continue;
        };
        let test = outline::class(&tree, test_class)
            .and_then(|class| outline::method_of(&tree, class, test));
        let mut addresses: Vec<&str> = test
            .into_iter()
            .flat_map(|it| addresses(&tree, it))
            .collect();
        addresses.dedup();
        if let [address] = addresses.as_slice() {
            let host = Host {
                address: (*address).to_owned(),
                name: name.to_owned(),
            };
            if !found.contains(&host) {
                found.push(host);
            }
        }
    }
    found
}

/// The text of a Python string that can be a host's name.
fn host_name(shown: &str) -> Option<&str> {
    let inner = shown.strip_prefix('\'')?.strip_suffix('\'')?;
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    (!inner.is_empty() && inner.len() <= 253 && inner.chars().all(fits)).then_some(inner)
}

/// The addresses that stand in a test as texts.
fn addresses(tree: &Tree, test: NodeId) -> impl Iterator<Item = &str> {
    let texts = tree.subtree(test);
    let texts = texts.filter(|&id| tree.kind(id) == Kind::StringContent);
    let texts = texts.map(|id| tree.text(id));
    texts.filter(|text| text.parse::<IpAddr>().is_ok())
}
