//! What stands beside the method: requirement, class context, tests.

use std::sync::Arc;

use leptos::prelude::*;
use shared::api::SubjectBody;
use shared::syntax::highlight::Token;

use crate::components::context_view::ContextView;
use crate::components::requirement_view::RequirementView;
use crate::components::tab_bar::{Tab, TabBar, panel_id, tab_id};
use crate::components::tests_view::TestsView;
use crate::reactive::{Memo, Signal, attr};
use crate::state::workbench::Workbench;
use crate::state::workbench::class_source::deciding_line;
use crate::state::workbench::link::{Display, Side, Step};

#[component]
pub(crate) fn SidePane(
    /// The subject and its view.
    bench: Workbench,
    /// The colours of the class's source.
    #[prop(into)]
    class_tokens: Signal<Vec<Token>>,
    /// The colours of the tests.
    #[prop(into)]
    test_tokens: Signal<Vec<Token>>,
) -> impl IntoView {
    let side = Memo::new(move |_| bench.view.with(|view| view.side));
    let body: Arc<SubjectBody> = bench.body.get_value();
    let decides = {
        let body = Arc::clone(&body);
        Memo::new(move |_| {
            let explained = bench
                .view
                .with(|view| view.display == Display::Showcase && view.step == Step::Explained);
            let showcase = bench.showcase().filter(|_| explained)?;
            deciding_line(&body, &showcase.decides)
        })
    };
    // Masked places are no riddle while the class beside them shows the answer.
    let is_veiled = Memo::new(move |_| {
        let is_told = bench.view.with(|view| {
            view.reveal_all || (view.display == Display::Showcase && view.step == Step::Explained)
        });
        bench.display.get() != Display::Code && !is_told
    });
    let panel = move || {
        match side.get() {
        Side::Requirement => {
            view! { <RequirementView text=body.subject.requirement.clone()/> }.into_any()
        }
        Side::Context => {
            view! { <ContextView body=Arc::clone(&body) tokens=class_tokens decides=decides is_veiled=is_veiled/> }
                .into_any()
        }
        Side::Tests => view! {
            <TestsView
                class=body.subject.test_class.clone()
                source=body.subject.tests.clone()
                tokens=test_tokens
            />
        }
        .into_any(),
    }
    };
    let tab = |value: Side, label: &'static str| Tab {
        value,
        slug: value.slug(),
        label: Signal::stored(label.to_owned()),
    };
    let tabs = vec![
        tab(Side::Requirement, "Requirement"),
        tab(Side::Context, "Class context"),
        tab(Side::Tests, "Tests"),
    ];
    view! {
        <TabBar
            label="About the method"
            name="side"
            tabs=tabs
            selected=side
            on_select=move |side| bench.choose_side(side)
        />
        <div
            class="workbench__panel"
            id=panel_id("side")
            role="tabpanel"
            tabindex="0"
            aria-labelledby=attr(move || tab_id("side", side.get().slug()))
        >
            {panel}
        </div>
    }
}
