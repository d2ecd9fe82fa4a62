//! A modal dialog: the browser keeps the focus inside, Escape closes it.

use leptos::prelude::*;
use leptos::{ev, html};

use crate::reactive::{RwSignal, Signal, StoredValue, attr, effect, handler, live};

#[component]
pub(crate) fn Dialog(
    /// Whether it is open; the dialog sets it to `false` when the user closes it.
    open: RwSignal<bool>,
    /// Its title, also its name for a screen reader.
    #[prop(into)]
    title: Signal<String>,
    /// The last part of its class name: `palette`.
    #[prop(optional)]
    kind: &'static str,
    /// What is in it; made when it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    effect(move || {
        let Some(dialog) = node.get() else { return };
        match (open.get(), dialog.open()) {
            // It fails only for a dialog that is open or not in the page.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let children = StoredValue::new(children);
    view! {
        <dialog
            node_ref=node
            class=format!("dialog dialog--{kind}")
            aria-label=attr(move || title.get())
            on:close=handler(move |_| open.set(false))
            on:click=handler(move |event: ev::MouseEvent| {
                // A click on the backdrop hits the dialog itself, not its content.
                if node.get().is_some_and(|dialog| event.target().as_ref() == Some(&dialog)) {
                    open.set(false);
                }
            })
        >
            <Show when=move || open.get()>
                <div class="dialog__content">{children.with_value(|children| children())}</div>
            </Show>
        </dialog>
    }
}

/// Asks before something that cannot be undone.
#[component]
pub(crate) fn ConfirmDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// The question.
    #[prop(into)]
    title: Signal<String>,
    /// What will happen.
    #[prop(into)]
    text: Signal<String>,
    /// The verb on the button that does it.
    verb: &'static str,
    /// Does it.
    #[prop(into)]
    on_confirm: Callback<()>,
) -> impl IntoView {
    view! {
        <Dialog open title kind="confirm">
            <h2 class="dialog__title">{live(move || title.get())}</h2>
            <p>{live(move || text.get())}</p>
            <div class="dialog__actions">
                <button type="button" class="button" autofocus on:click=handler(move |_| open.set(false))>
                    "Keep it"
                </button>
                <button
                    type="button"
                    class="button button--danger"
                    on:click=handler(move |_| {
                        open.set(false);
                        on_confirm.run(());
                    })
                >
                    {verb}
                </button>
            </div>
        </Dialog>
    }
}
