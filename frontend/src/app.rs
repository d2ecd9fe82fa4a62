//! The app: what every page shares, and which page an address shows.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos_router::components::{FlatRoutes, Route, Router};
use leptos_router::hooks::use_location;
use leptos_router::path;
use wasm_bindgen::JsValue;

use crate::components::announcer::{Announcer, LiveRegion};
use crate::components::palette::Palette;
use crate::components::shell::Header;
use crate::components::shortcut_sheet::ShortcutSheet;
use crate::components::toast::{ToastList, Toasts};
use crate::pages::benchmarks::BenchmarksPage;
use crate::pages::help::{HelpIndexPage, HelpPage};
use crate::pages::lazy::{LazyDiffPage, LazyIdentifyPage, LazyPerturbAllPage, LazyReferencesPage};
use crate::pages::not_found::NotFoundPage;
use crate::pages::settings::SettingsPage;
use crate::pages::subjects::SubjectsPage;
use crate::pages::workbench::WorkbenchPage;
use crate::platform::{document, panic};
use crate::reactive::watch;
use crate::state::catalog::Catalog;
use crate::state::head::Head;
use crate::state::help::HelpShelf;
use crate::state::importing::Importing;
use crate::state::opened::CurrentBenchmark;
use crate::state::settings::{Settings, SingleKeys};
use crate::state::shortcuts::{self, Modifier, Press};
use crate::worker::client;

/// Shows the app in the document's body.
pub(crate) fn start(worker_url: &str, module: JsValue) {
    panic::show_panics();
    let worker_url = worker_url.to_owned();
    leptos::mount::mount_to_body(move || view! { <App worker_url module/> });
}

#[component]
fn App(worker_url: String, module: JsValue) -> impl IntoView {
    let settings = Settings::provide();
    let toasts = Toasts::provide();
    let announcer = Announcer::provide();
    Head::provide();
    let connected = client::connect(&worker_url, module, move |why| {
        toasts.failed(format!(
            "the background worker stopped ({why}) and was started again; repeat the last step"
        ));
    });
    if connected.is_err() {
        toasts.failed(
            "this browser does not start background workers; CtxLab cannot compute without them",
        );
    }
    let catalog = Catalog::provide();
    catalog.refresh();
    Importing::provide(catalog, announcer);
    CurrentBenchmark::provide();
    HelpShelf::provide();

    let keys = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        let press = Press {
            key: &event.key(),
            modifier: modifier(&event),
            typing: document::is_typing(),
            single_keys: settings.single_keys.get_untracked() == SingleKeys::On,
        };
        let is_taken =
            event.default_prevented() || event.is_composing() || document::has_open_dialog();
        if let (false, Some(action)) = (is_taken, shortcuts::action_of(press))
            && shortcuts::run(action)
        {
            event.prevent_default();
        }
    });
    on_cleanup(move || keys.remove());

    view! {
        <Router>
            <Header/>
            <main class="main" id="main" tabindex="-1">
                <FocusOnNavigation/>
                <FlatRoutes fallback=NotFoundPage>
                    <Route path=path!("/") view=BenchmarksPage/>
                    <Route path=path!("/b/:dataset") view=SubjectsPage/>
                    <Route path=path!("/b/:dataset/perturb-all") view=LazyPerturbAllPage/>
                    <Route path=path!("/b/:dataset/identify") view=LazyIdentifyPage/>
                    <Route path=path!("/b/:dataset/references") view=LazyReferencesPage/>
                    <Route path=path!("/b/:dataset/:subject") view=WorkbenchPage/>
                    <Route path=path!("/diff") view=LazyDiffPage/>
                    <Route path=path!("/help") view=HelpIndexPage/>
                    <Route path=path!("/help/:slug") view=HelpPage/>
                    <Route path=path!("/settings") view=SettingsPage/>
                </FlatRoutes>
            </main>
            <Palette/>
            <ShortcutSheet/>
        </Router>
        <ToastList toasts/>
        <LiveRegion announcer/>
    }
}

fn modifier(event: &KeyboardEvent) -> Modifier {
    if event.alt_key() {
        Modifier::Alt
    } else if event.ctrl_key() || event.meta_key() {
        Modifier::Command
    } else {
        Modifier::None
    }
}

/// After a navigation the keyboard continues at the page's heading.
#[component]
fn FocusOnNavigation() -> impl IntoView {
    let path = use_location().pathname;
    watch(
        move || path.get(),
        |_| {
            request_animation_frame(|| {
                if !document::focus("main h1") {
                    document::focus("main");
                }
            });
        },
    );
}
