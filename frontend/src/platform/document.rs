//! The document: its title, its root's marks, focus.

use js_sys::Promise;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, HtmlElement};

/// What makes a link a style sheet.
const SHEET: &str = "stylesheet";

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// Sets the window's title.
pub(crate) fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Sets or removes `data-<name>` of the root element.
pub(crate) fn mark_root(name: &str, value: Option<&str>) {
    let Some(root) = document().and_then(|document| document.document_element()) else {
        return;
    };
    let name = format!("data-{name}");
    let done = match value {
        Some(value) => root.set_attribute(&name, value),
        None => root.remove_attribute(&name),
    };
    debug_assert!(done.is_ok(), "{name} is a valid attribute name");
}

/// Loads the style sheet of what is not part of a first visit; returns when it is there, or cannot be had.
pub(crate) async fn use_part_style() {
    let found = document().and_then(|document| document.get_element_by_id("part-style"));
    let Some(link) = found.filter(|link| link.get_attribute("rel").as_deref() != Some(SHEET))
    else {
        return;
    };
    let link: HtmlElement = link.unchecked_into();
    let loaded = Promise::new(&mut |there, _| {
        link.set_onload(Some(&there));
        link.set_onerror(Some(&there));
    });
    if link.set_attribute("rel", SHEET).is_ok() {
        drop(JsFuture::from(loaded).await);
    }
}

/// What a link of the page's head refers to.
pub(crate) fn href(id: &str) -> Option<String> {
    document()?.get_element_by_id(id)?.get_attribute("href")
}

/// Moves the focus to the first element that matches; whether there is one.
pub(crate) fn focus(selector: &str) -> bool {
    let found = document().and_then(|document| document.query_selector(selector).ok().flatten());
    let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) else {
        return false;
    };
    if element.tab_index() < 0 && !element.has_attribute("tabindex") {
        element.set_tab_index(-1);
    }
    element.focus().is_ok()
}

/// Scrolls the first element that matches into view, no further than needed.
pub(crate) fn reveal(selector: &str) {
    scroll_to(selector, web_sys::ScrollLogicalPosition::Nearest);
}

/// Scrolls the first element that matches to the middle of what scrolls around it.
pub(crate) fn center(selector: &str) {
    scroll_to(selector, web_sys::ScrollLogicalPosition::Center);
}

fn scroll_to(selector: &str, block: web_sys::ScrollLogicalPosition) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(block);
    options.set_inline(web_sys::ScrollLogicalPosition::Nearest);
    if let Some(element) =
        document().and_then(|document| document.query_selector(selector).ok().flatten())
    {
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Whether the focus is where letters are typed.
pub(crate) fn is_typing() -> bool {
    let Some(active) = document().and_then(|document| document.active_element()) else {
        return false;
    };
    let is_text_input = active.tag_name() == "INPUT"
        && !matches!(
            active.get_attribute("type").as_deref(),
            Some("checkbox" | "radio" | "button" | "file")
        );
    is_text_input
        || matches!(&*active.tag_name(), "TEXTAREA" | "SELECT")
        || active.has_attribute("contenteditable")
}

/// Pixels of one `rem`: rows of fixed height follow the text size.
pub(crate) fn rem_px() -> f64 {
    let root = document().and_then(|document| document.document_element());
    let style = root.and_then(|root| web_sys::window()?.get_computed_style(&root).ok().flatten());
    let size = style.and_then(|style| style.get_property_value("font-size").ok());
    // JavaScript's own reading of "16px" costs the page nothing to load; Rust's has large tables.
    size.map(|size| js_sys::parse_float(&size))
        .filter(|size| size.is_finite())
        .unwrap_or(16.0)
}

/// Whether the user's keyboard calls the command key Cmd.
pub(crate) fn is_apple() -> bool {
    web_sys::window()
        .and_then(|window| window.navigator().platform().ok())
        .is_some_and(|name| name.starts_with("Mac"))
}

/// Whether the system asks for dark pages; `told` hears it when that changes.
pub(crate) fn prefers_dark(told: impl Fn(bool) + 'static) -> bool {
    let query = web_sys::window()
        .and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok()?);
    let Some(query) = query else { return false };
    let asked = query.clone();
    let on_change = Closure::<dyn Fn()>::new(move || told(asked.matches()));
    query.set_onchange(Some(on_change.as_ref().unchecked_ref()));
    // As long as the page.
    on_change.forget();
    query.matches()
}

/// Whether the window is too narrow for columns of code beside each other.
pub(crate) fn is_narrow() -> bool {
    web_sys::window()
        .and_then(|window| window.match_media("(max-width: 56rem)").ok()?)
        .is_some_and(|query| query.matches())
}

/// Gives a class to the elements with these ids, or takes it from them.
pub(crate) fn set_class(ids: impl Iterator<Item = String>, class: &str, is_set: bool) {
    let Some(document) = document() else { return };
    for element in ids.filter_map(|id| document.get_element_by_id(&id)) {
        let done = element.class_list().toggle_with_force(class, is_set);
        debug_assert!(done.is_ok(), "{class} is a valid class name");
    }
}

/// The id of the element that an event is about.
pub(crate) fn id_of_target(event: &web_sys::Event) -> Option<String> {
    Some(event.target()?.dyn_into::<web_sys::Element>().ok()?.id())
}

/// An attribute of the closest element around the one that an event is about that has it.
pub(crate) fn attribute_around(event: &web_sys::Event, name: &str) -> Option<String> {
    let target = event.target()?.dyn_into::<web_sys::Element>().ok()?;
    let around = target.closest(&format!("[{name}]")).ok().flatten()?;
    around.get_attribute(name)
}

/// Whether a modal dialog is open, which then has the keyboard.
pub(crate) fn has_open_dialog() -> bool {
    document().is_some_and(|document| {
        document
            .query_selector("dialog[open]")
            .is_ok_and(|found| found.is_some())
    })
}

/// Scheme, host and port of the page, without a final slash.
pub(crate) fn origin() -> String {
    web_sys::window()
        .and_then(|window| window.location().origin().ok())
        .unwrap_or_default()
}

/// Whether the focus is in the first element that matches.
pub(crate) fn is_focus_in(selector: &str) -> bool {
    let active = document().and_then(|document| document.active_element());
    active.is_some_and(|active| active.closest(selector).is_ok_and(|found| found.is_some()))
}
