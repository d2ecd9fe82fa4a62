//! What the current page is called and where it hangs: for the window's title and the header.

use leptos::prelude::*;

use crate::page::Page;
use crate::platform::document;
use crate::reactive::{RwSignal, effect};

const PRODUCT: &str = "CtxLab";

/// A step on the way to the current page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Crumb {
    pub(crate) label: String,
    /// `None` for the page itself.
    pub(crate) page: Option<Page>,
}

/// The current page's way, outermost first; empty on top-level pages.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) crumbs: RwSignal<Vec<Crumb>>,
}

impl Head {
    pub(crate) fn provide() -> Self {
        let head = Self {
            crumbs: RwSignal::default(),
        };
        provide_context(head);
        head
    }
}

impl Crumb {
    pub(crate) fn to(label: impl Into<String>, page: Page) -> Self {
        Self {
            label: label.into(),
            page: Some(page),
        }
    }

    pub(crate) fn here(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            page: None,
        }
    }
}

/// Names the page that calls it, for as long as it is shown.
pub(crate) fn name_page(title: impl Fn() -> String + Send + Sync + 'static) {
    effect(move || document::set_title(&full_title(&title())));
}

/// Shows the way to the page that calls it.
pub(crate) fn show_way(crumbs: impl Fn() -> Vec<Crumb> + Send + Sync + 'static) {
    let head = expect_context::<Head>();
    effect(move || head.crumbs.set(crumbs()));
    on_cleanup(move || head.crumbs.set(Vec::new()));
}

fn full_title(title: &str) -> String {
    if title.is_empty() {
        PRODUCT.to_owned()
    } else {
        format!("{title} · {PRODUCT}")
    }
}

#[cfg(test)]
mod tests {
    use super::full_title;

    #[test]
    fn the_product_comes_last() {
        assert_eq!(full_title("Benchmarks"), "Benchmarks · CtxLab");
        assert_eq!(full_title(""), "CtxLab");
    }
}
