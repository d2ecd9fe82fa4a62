//! Small settings that outlive the tab. Without storage (private windows) they last as long as the page.

/// The value kept under `key`.
pub(crate) fn read(key: &str) -> Option<String> {
    local()?.get_item(key).ok().flatten()
}

/// Keeps `value` under `key`; whether the browser did.
pub(crate) fn write(key: &str, value: &str) -> bool {
    local().is_some_and(|storage| storage.set_item(key, value).is_ok())
}

fn local() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}
