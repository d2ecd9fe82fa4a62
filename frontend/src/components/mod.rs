//! What pages are made of: one component a file, data by props.

pub(crate) mod announcer;
pub(crate) mod async_view;
pub(crate) mod code_view;
pub(crate) mod context_view;
pub(crate) mod editor;
pub(crate) mod masked_view;
pub(crate) mod method_actions;
pub(crate) mod method_pane;
pub(crate) mod options_panel;
pub(crate) mod progress;
pub(crate) mod requirement_view;
pub(crate) mod rule_pane;
pub(crate) mod rule_picker;
pub(crate) mod shell;
pub(crate) mod showcase_note;
pub(crate) mod side_pane;
pub(crate) mod site_list;
pub(crate) mod tab_bar;
pub(crate) mod tests_view;
pub(crate) mod toast;
pub(crate) mod why_list;
