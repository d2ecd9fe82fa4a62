//! What a method must do: its signature, the text, its parameters and examples.

use leptos::prelude::*;

use crate::state::workbench::requirement::{Block, read};

#[component]
pub(crate) fn RequirementView(
    /// Signature and docstring.
    text: String,
) -> impl IntoView {
    let requirement = read(&text);
    let block = |block: Block| match block {
        Block::Text(text) => view! { <p class="requirement__text">{text}</p> }.into_any(),
        Block::Field(name, text) => view! {
            <p class="requirement__field">
                <code class="requirement__name">{name}</code>
                <span>{text}</span>
            </p>
        }
        .into_any(),
        Block::Example(text) => view! { <pre class="requirement__example">{text}</pre> }.into_any(),
    };
    let is_empty = text.trim().is_empty();
    view! {
        <div class="requirement">
            {(!requirement.signature.is_empty())
                .then(|| view! { <pre class="requirement__signature">{requirement.signature}</pre> })}
            {requirement.blocks.into_iter().map(block).collect_view()}
            {is_empty.then(|| view! { <p>"The benchmark gives no requirement for this method."</p> })}
        </div>
    }
}
