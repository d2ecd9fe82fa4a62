//! Files that the user drops or chooses.

use js_sys::Uint8Array;
use leptos::ev::{DragEvent, Event};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File, FileList, HtmlInputElement};

/// A file of the user, not yet read.
#[derive(Clone)]
pub(crate) struct UserFile(File);

impl UserFile {
    /// A file of this text; `None` where the browser has no room for it.
    pub(crate) fn of(name: &str, text: &str) -> Option<Self> {
        let parts = js_sys::Array::of1(&text.into());
        File::new_with_str_sequence(&parts, name).ok().map(Self)
    }

    pub(crate) fn name(&self) -> String {
        self.0.name()
    }

    /// Bytes on the disk.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size is a whole number below 2^53"
    )]
    pub(crate) fn n_bytes(&self) -> u64 {
        self.0.size() as u64
    }

    /// Its text; `None` where the browser cannot read it. What is no UTF-8 becomes replacement characters.
    pub(crate) async fn text(&self) -> Option<String> {
        let buffer = JsFuture::from(self.0.array_buffer()).await.ok()?;
        let bytes = Uint8Array::new(&buffer).to_vec();
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn into_blob(self) -> Blob {
        self.0.into()
    }
}

/// Whether something that is dragged over the page holds files.
pub(crate) fn holds_files(event: &DragEvent) -> bool {
    event
        .data_transfer()
        .is_some_and(|data| data.types().includes(&"Files".into(), 0))
}

/// The files of a drop.
pub(crate) fn dropped(event: &DragEvent) -> Vec<UserFile> {
    listed(event.data_transfer().and_then(|data| data.files()))
}

/// The files chosen in a file field, which is emptied so that the same file can be chosen again.
pub(crate) fn chosen(event: &Event) -> Vec<UserFile> {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let files = listed(field.as_ref().and_then(HtmlInputElement::files));
    if let Some(field) = field {
        field.set_value("");
    }
    files
}

fn listed(files: Option<FileList>) -> Vec<UserFile> {
    let Some(files) = files else {
        return Vec::new();
    };
    (0..files.length())
        .filter_map(|index| files.get(index).map(UserFile))
        .collect()
}
