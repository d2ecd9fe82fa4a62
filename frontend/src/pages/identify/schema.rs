//! What the lines of both files hold.

use leptos::prelude::*;

use super::run::Runner;
use crate::page::Page;
use crate::reactive::handler;

const VARIANT: [(&str, &str, &str); 8] = [
    ("schema", "1", "the version of this format"),
    (
        "subject",
        "\"AccessMask.merge\"",
        "whose places were hidden",
    ),
    ("rule", "\"operators\" or 4", "which rule hid them"),
    ("instance", "0", "which of the rule’s instances, from 0"),
    (
        "origin",
        "{\"model\": \"name\"}, \"human\" or \"bundled\"",
        "who filled the places",
    ),
    (
        "text",
        "\"def merge(self, …\"",
        "the whole reply: code, or prose with code in it",
    ),
    ("id", "\"v1\"", "its name, once in a file; may be absent"),
    (
        "options, names",
        "{}",
        "the rule’s options that differ from their defaults; obfuscated names and the original ones; may be absent",
    ),
];
const REPORT: [(&str, &str, &str); 4] = [
    ("schema", "1", "the version of this format"),
    ("variant", "\"v1\"", "whose tests were run"),
    (
        "tests",
        "[{\"name\": \"T.test_x\", \"outcome\": \"failed\"}]",
        "each passed, failed, errored, timed_out or not_run",
    ),
    (
        "load_error",
        "\"NameError: …\"",
        "why the class could not be loaded; absent where it was",
    ),
];

#[component]
pub(super) fn Schema(
    runner: Runner,
    /// Whether the benchmark's notes make an example.
    has_example: bool,
) -> impl IntoView {
    view! {
        <details class="identify__schema">
            <summary>"What a line of these files holds"</summary>
            <p>
                "Each line is a JSON object. A line of a benchmark’s exported perturbations is a variant once it has origin and text. "
                <a href=Page::HelpOn("identify".to_owned()).path()>"Examples and reasons"</a>
            </p>
            {table("Variants", &VARIANT)}
            {table("Test reports", &REPORT)}
            {has_example.then(|| view! {
                <button type="button" class="button button--small" on:click=handler(move |_| runner.save_example())>
                    "Save the example’s files"
                </button>
            })}
        </details>
    }
}

fn table(name: &'static str, fields: &'static [(&str, &str, &str)]) -> impl IntoView {
    let row = |&(name, example, what): &(&'static str, &'static str, &'static str)| {
        view! {
            <tr>
                <th scope="row"><code>{name}</code></th>
                <td><code>{example}</code></td>
                <td>{what}</td>
            </tr>
        }
    };
    view! {
        <table class="identify__fields">
            <caption>{name}</caption>
            <tbody>{fields.iter().map(row).collect_view()}</tbody>
        </table>
    }
}
