//! What is around every page: skip link, header, notes, live region.

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::page::Page;
use crate::platform::document;
use crate::reactive::{attr, handler, live};
use crate::state::catalog::use_catalog;
use crate::state::head::{Crumb, Head};
use crate::state::settings::{Theme, use_settings};
use crate::state::shortcuts::{self, Action};

#[component]
pub(crate) fn Header() -> impl IntoView {
    let crumbs = expect_context::<Head>().crumbs;
    let catalog = use_catalog();
    view! {
        <a
            class="skip-link"
            href="#main"
            on:click=handler(move |event: ev::MouseEvent| {
                // The router would go to the hash and leave the focus here.
                event.prevent_default();
                document::focus("#main");
            })
        >
            "Skip to content"
        </a>
        <header class="header">
            <a class="header__product" href="/">
                <span class="header__mark" aria-hidden="true"></span>
                "CtxLab"
            </a>
            <nav class="header__nav" aria-label="Main">
                <NavLink page=Page::Benchmarks label="Benchmarks"/>
                <NavLink page=Page::Diff label="Diff"/>
                <NavLink page=Page::Help label="Help"/>
                <NavLink page=Page::Settings label="Settings"/>
            </nav>
            <Show when=move || !crumbs.with(Vec::is_empty)>
                <nav class="header__way" aria-label="Breadcrumb">
                    <ol class="header__crumbs">{live(move || crumbs.get().into_iter().map(crumb).collect_view())}</ol>
                </nav>
            </Show>
            <div class="header__tools">
                <Show when=move || catalog.is_offline()>
                    <span class="header__offline" title="Benchmarks of the server are out of reach; everything else works">
                        "Server not reachable"
                    </span>
                </Show>
                <button
                    type="button"
                    class="button header__palette"
                    aria-keyshortcuts="Control+K Meta+K"
                    on:click=handler(move |_| {
                        shortcuts::run(Action::OpenPalette);
                    })
                >
                    "Find…"
                    <kbd>{if document::is_apple() { "⌘K" } else { "Ctrl K" }}</kbd>
                </button>
                <ThemeButton/>
            </div>
        </header>
    }
}

fn crumb(crumb: Crumb) -> impl IntoView {
    view! {
        <li class="header__crumb">
            {match crumb.page {
                Some(page) => view! { <a href=page.path()>{crumb.label}</a> }.into_any(),
                None => view! { <span aria-current="page">{crumb.label}</span> }.into_any(),
            }}
        </li>
    }
}

#[component]
fn NavLink(page: Page, label: &'static str) -> impl IntoView {
    let path = page.path();
    let here = use_location().pathname;
    let is_here = {
        let path = path.clone();
        move || here.with(|here| *here == path || (path.len() > 1 && here.starts_with(&path)))
    };
    view! {
        <a class="header__link" href=path aria-current=attr(move || is_here().then_some("page"))>
            {label}
        </a>
    }
}

#[component]
fn ThemeButton() -> impl IntoView {
    let settings = use_settings();
    let is_dark = move || settings.is_dark();
    let toggle = move || {
        let other = if is_dark() { Theme::Light } else { Theme::Dark };
        settings.theme.set(other);
    };
    shortcuts::on(Action::ToggleTheme, toggle);
    let label = move || {
        if is_dark() {
            "Switch to the light theme"
        } else {
            "Switch to the dark theme"
        }
    };
    view! {
        <button type="button" class="button button--icon" aria-label=label title=label on:click=handler(move |_| toggle())>
            {live(move || if is_dark() { "☀" } else { "☾" })}
        </button>
    }
}
