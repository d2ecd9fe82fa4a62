//! What the grammar's scanner, compiled from C, wants of a C library on Wasm: four allocation
//! symbols over Rust's allocator. The only `unsafe` code of this crate.
#![expect(
    unsafe_code,
    reason = "C calls these symbols by name and owns the memory they give out"
)]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc as rust_realloc};

/// Every block starts with its own size; 16 keeps what follows aligned for any C type.
const HEADER: usize = 16;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, HEADER).ok()
}

/// # Safety
/// `block` is null or came from `alloc` with the layout of `size`, which is written to its head.
unsafe fn hand_out(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        return block;
    }
    unsafe {
        block.cast::<usize>().write(size);
        block.add(HEADER)
    }
}

/// # Safety
/// `pointer` was handed out here and not freed.
unsafe fn take_back(pointer: *mut u8) -> (*mut u8, Layout) {
    unsafe {
        let block = pointer.sub(HEADER);
        let size = block.cast::<usize>().read();
        let layout = layout(size).unwrap_or(Layout::new::<u8>());
        (block, layout)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn malloc(size: usize) -> *mut u8 {
    let Some(layout) = layout(size) else {
        return std::ptr::null_mut();
    };
    unsafe { hand_out(alloc(layout), size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    let Some(total) = count.checked_mul(size) else {
        return std::ptr::null_mut();
    };
    unsafe {
        let pointer = malloc(total);
        if !pointer.is_null() {
            pointer.write_bytes(0, total);
        }
        pointer
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn realloc(pointer: *mut u8, size: usize) -> *mut u8 {
    if pointer.is_null() {
        return unsafe { malloc(size) };
    }
    let Some(wanted) = layout(size) else {
        return std::ptr::null_mut();
    };
    unsafe {
        let (block, held) = take_back(pointer);
        let moved = rust_realloc(block, held, wanted.size());
        if moved.is_null() {
            handle_alloc_error(wanted);
        }
        hand_out(moved, size)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn free(pointer: *mut u8) {
    if !pointer.is_null() {
        unsafe {
            let (block, layout) = take_back(pointer);
            dealloc(block, layout);
        }
    }
}
