//! The help pages, which the build makes from `static/help/*.md`.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::components::async_view::AsyncView;
use crate::page::Page;
use crate::reactive::{Memo, Signal, attr};
use crate::state::fetched::Fetched;
use crate::state::head::{Crumb, name_page, show_way};
use crate::state::help::{HelpEntry, rule_number, use_help};

#[component]
pub(crate) fn HelpIndexPage() -> impl IntoView {
    name_page(|| "Help".to_owned());
    let shelf = use_help();
    let index = Fetched::new(move || shelf.index());
    view! {
        <div class="page page--text">
            <h1 tabindex="-1">"Help"</h1>
            <AsyncView resource=index what="the help pages" let:entries>
                <HelpList entries/>
            </AsyncView>
        </div>
    }
}

#[component]
pub(crate) fn HelpPage() -> impl IntoView {
    let params = use_params_map();
    let slug = Memo::new(move |_| params.with(|params| params.get("slug").unwrap_or_default()));
    let shelf = use_help();
    let index = Fetched::new(move || shelf.index());
    let page = Fetched::new(move || shelf.page(slug.get()));
    let title = move || {
        let title = index.get().and_then(Result::ok).and_then(|index| {
            index
                .into_iter()
                .find(|entry| slug.with(|slug| entry.slug == *slug))
                .map(|entry| entry.title)
        });
        title.unwrap_or_else(|| "Help".to_owned())
    };
    name_page(title);
    show_way(move || vec![Crumb::to("Help", Page::Help), Crumb::here(title())]);
    view! {
        <div class="page help">
            <nav class="help__index" aria-label="Help pages">
                <AsyncView resource=index what="the list of help pages" let:entries>
                    <HelpList entries current=slug/>
                </AsyncView>
            </nav>
            <article class="help__page">
                <AsyncView resource=page what="this help page" let:html>
                    <div class="prose" inner_html=html></div>
                </AsyncView>
            </article>
        </div>
    }
}

#[component]
fn HelpList(
    entries: Vec<HelpEntry>,
    #[prop(optional, into)] current: Option<Signal<String>>,
) -> impl IntoView {
    let (rules, concepts): (Vec<_>, Vec<_>) = entries
        .into_iter()
        .partition(|entry| rule_number(&entry.slug).is_some());
    let list = move |entries: Vec<HelpEntry>| {
        let item = move |entry: HelpEntry| {
            let slug = entry.slug.clone();
            let is_here =
                move || current.is_some_and(|current| current.with(|current| *current == slug));
            view! {
                <li>
                    <a
                        class="help__link"
                        href=Page::HelpOn(entry.slug).path()
                        aria-current=attr(move || is_here().then_some("page"))
                    >
                        {entry.title}
                    </a>
                </li>
            }
        };
        view! { <ul class="help__list">{entries.into_iter().map(item).collect_view()}</ul> }
    };
    view! {
        {list(concepts)}
        <h2 class="help__group">"The ten rules"</h2>
        {list(rules)}
    }
}
