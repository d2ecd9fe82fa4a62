//! A benchmark of one class out of a Python file, cut up as benchmarks are: descriptions hold signature and
//! docstring, methods hold the code.

use std::path::Path;

use serde_json::json;
use shared::dataset::{self, Dataset};
use shared::syntax::{Kind, outline, parse_python};

/// Reads the last class of a file; every method with a docstring is a subject.
pub(crate) fn benchmark(path: &Path) -> Dataset {
    let module = std::fs::read_to_string(path).unwrap();
    let tree = parse_python(&module).tree;
    let is_class = |&id: &_| tree.kind(id) == Kind::ClassDefinition;
    let class = tree.children(tree.root()).filter(is_class).last().unwrap();
    let body = tree.field(class, "body").unwrap();
    // From the end, so that what is cut first moves nothing that is cut later.
    let mut source = module.clone();
    let mut methods = Vec::new();
    for id in tree.children(body).collect::<Vec<_>>().into_iter().rev() {
        let docstring = tree.subtree(id).find(|&string| {
            tree.kind(string) == Kind::String && outline::is_docstring(&tree, string)
        });
        let function = tree
            .subtree(id)
            .find(|&id| tree.kind(id) == Kind::FunctionDefinition);
        let (Some(docstring), Some(function)) = (docstring, function) else {
            continue;
        };
        let (method, docstring) = (tree.span(id), tree.span(docstring));
        let start = docstring.start as usize - method.start as usize;
        let end = docstring.end as usize - method.start as usize;
        let text = tree.text(id);
        let line_end = end + text[end..].find('\n').map_or(0, |at| at + 1);
        let line_start = text[..start].rfind('\n').unwrap() + 1;
        let code = format!("{}{}", &text[..line_start], &text[line_end..]);
        source.replace_range(method.start as usize..method.end as usize, &code);
        methods.push(json!({
            "method_name": outline::name(&tree, function),
            "method_description": &text[..end],
            "solution_code": code,
            "test_class": "ClassTest",
        }));
    }
    methods.reverse();
    let file = json!([{
        "class_name": outline::name(&tree, class),
        "solution_code": source,
        "methods_info": methods,
    }]);
    dataset::read("fixture", file.to_string().as_bytes()).unwrap()
}
