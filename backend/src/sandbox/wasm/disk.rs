//! What a guest may write: WASI's own calls, each with a bound before it.
//!
//! The bounds are on what is written and made in all, not on what is there at a time: a guest cannot get
//! around them, and the tests of a class write little.

use shared::report::Limits;
use wasmtime::{Caller, Linker};
use wasmtime_wasi::p1::wasi_snapshot_preview1::{self as wasi, WasiSnapshotPreview1 as _};
use wiggle::GuestMemory;

use super::State;

const WASI: &str = "wasi_snapshot_preview1";
/// The call is refused because the disk is full.
const NO_SPACE: i32 = 51;
/// The call is refused because the file would be too large.
const TOO_LARGE: i32 = 22;
/// The call is refused because it names no memory of the guest's.
const BAD_ADDRESS: i32 = 21;
/// WASI's flag for making a file.
const CREATE: i32 = 1;
/// How many bytes one call may copy out of a guest; WASI's own calls count anew each time, and so do these.
const MOST_COPIED: usize = 128 * 1024 * 1024;
/// Standard input, output and errors are no files.
const FIRST_FILE: i32 = 3;

/// What is left for a guest.
pub(super) struct Disk {
    n_bytes: u64,
    n_files: u32,
    most_bytes: u64,
}

impl Disk {
    pub(super) fn new(limits: &Limits) -> Self {
        let n_bytes = u64::from(limits.disk_mib) * 1024 * 1024;
        Self {
            n_bytes,
            n_files: limits.files,
            most_bytes: n_bytes,
        }
    }

    /// Takes what a write wants to write: an error where that is more than is left.
    fn write(&mut self, memory: &[u8], fd: i32, iovs: i32, n_iovs: i32) -> Result<(), i32> {
        if fd < FIRST_FILE {
            return Ok(());
        }
        let n = length_of(memory, iovs, n_iovs).ok_or(BAD_ADDRESS)?;
        self.n_bytes = self.n_bytes.checked_sub(n).ok_or(NO_SPACE)?;
        Ok(())
    }

    /// Takes a file or folder.
    fn make(&mut self) -> Result<(), i32> {
        self.n_files = self.n_files.checked_sub(1).ok_or(NO_SPACE)?;
        Ok(())
    }

    fn resize(&self, to: i64) -> Result<(), i32> {
        match u64::try_from(to) {
            Ok(to) if to <= self.most_bytes => Ok(()),
            _ => Err(TOO_LARGE),
        }
    }
}

/// The bytes that a list of buffers holds: each is an address and a length.
fn length_of(memory: &[u8], iovs: i32, n_iovs: i32) -> Option<u64> {
    let at = usize::try_from(iovs.cast_unsigned()).ok()?;
    let n = usize::try_from(n_iovs.cast_unsigned()).ok()?;
    let list = memory.get(at..at.checked_add(n.checked_mul(8)?)?)?;
    let lengths = list.chunks_exact(8).map(|iov| {
        let length = [iov[4], iov[5], iov[6], iov[7]];
        u64::from(u32::from_le_bytes(length))
    });
    Some(lengths.sum())
}

/// Puts a bound before a call of WASI's: `check` looks at what is left and at the guest's memory.
macro_rules! bound {
    ($linker:ident, $name:ident, |$disk:ident, $memory:ident| $check:expr, $($arg:ident: $type:ty),+) => {
        $linker.func_wrap_async(
            WASI,
            stringify!($name),
            |mut caller: Caller<'_, State>, ($($arg),+,): ($($type),+,)| {
                Box::new(async move {
                    let memory = caller.get_export("memory").and_then(|it| it.into_memory());
                    let Some(memory) = memory else {
                        return Ok(BAD_ADDRESS);
                    };
                    let ($memory, state) = memory.data_and_store_mut(&mut caller);
                    let $disk = &mut state.disk;
                    let checked: Result<(), i32> = $check;
                    if let Err(refused) = checked {
                        return Ok(refused);
                    }
                    state.wasi.set_hostcall_fuel(MOST_COPIED);
                    let mut memory = GuestMemory::Unshared($memory);
                    wasi::$name(&mut state.wasi, &mut memory, $($arg),+).await
                })
            },
        )?
    };
}

/// Bounds the calls of a linker that has WASI's.
pub(super) fn bound(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    bound!(linker, fd_write, |disk, memory| disk.write(memory, fd, iovs, n),
        fd: i32, iovs: i32, n: i32, written: i32);
    bound!(linker, fd_pwrite, |disk, memory| disk.write(memory, fd, iovs, n),
        fd: i32, iovs: i32, n: i32, at: i64, written: i32);
    bound!(linker, fd_filestat_set_size, |disk, memory| disk.resize(size),
        fd: i32, size: i64);
    bound!(linker, path_open,
        |disk, memory| if flags & CREATE == 0 { Ok(()) } else { disk.make() },
        folder: i32, lookup: i32, path: i32, n: i32, flags: i32, rights: i64, inherited: i64, fd_flags: i32, fd: i32);
    bound!(linker, path_create_directory, |disk, memory| disk.make(),
        folder: i32, path: i32, n: i32);
    bound!(linker, path_link, |disk, memory| disk.make(),
        from: i32, lookup: i32, path: i32, n: i32, to: i32, to_path: i32, to_n: i32);
    bound!(linker, path_symlink, |disk, memory| disk.make(),
        path: i32, n: i32, folder: i32, to_path: i32, to_n: i32);
    Ok(())
}
