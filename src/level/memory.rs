//! Memory whose size an option, a file or a level decides. A refusal is an error that names the
//! need, and never ends the process.

use std::hint::black_box;
use std::io;
use sysinfo::{MemoryRefreshKind, System};

/// The system has no memory for this many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system has no {} of memory to give", amount(*bytes))]
pub(crate) struct NoMemory {
    bytes: u64,
}

impl From<NoMemory> for io::Error {
    fn from(error: NoMemory) -> Self {
        Self::new(io::ErrorKind::OutOfMemory, error)
    }
}

fn amount(bytes: u64) -> String {
    if bytes < 1 << 20 {
        format!("{bytes} bytes")
    } else {
        format!("{} MiB", bytes.div_ceil(1 << 20))
    }
}

/// The error of an allocation of `bytes` bytes.
pub(crate) fn no_memory(bytes: u64) -> io::Error {
    NoMemory { bytes }.into()
}

/// `len` entries, each the default of its type.
///
/// # Errors
/// When the system has no memory for them.
pub(crate) fn defaults<T: Clone + Default>(len: usize) -> io::Result<Vec<T>> {
    let mut entries = Vec::new();
    resize(&mut entries, len)?;
    Ok(entries)
}

/// Changes the length of a vector; new entries are the default of their type.
///
/// # Errors
/// When the system has no memory for the entries. The vector is unchanged.
pub(crate) fn resize<T: Clone + Default>(entries: &mut Vec<T>, len: usize) -> io::Result<()> {
    let more = len.saturating_sub(entries.len());
    if entries.try_reserve_exact(more).is_err() {
        return Err(no_memory((len as u64).saturating_mul(size_of::<T>() as u64)));
    }
    entries.resize(len, T::default());
    Ok(())
}

/// Whether the system would give `bytes` more bytes now, which are not taken. Work whose vectors
/// grow on several threads asks this first.
///
/// # Errors
/// When the system refuses.
pub(crate) fn expect_room(bytes: u64) -> io::Result<()> {
    // A thread takes memory for itself when it first allocates some.
    rayon::broadcast(|_| drop(black_box(Box::new(0u8))));
    let map = |len| memmap2::MmapMut::map_anon(len).ok();
    let len = usize::try_from(bytes).ok();
    match len.map(|len| len == 0 || map(len).is_some()) {
        Some(true) => Ok(()),
        Some(false) | None => Err(no_memory(bytes)),
    }
}

/// Whether `bytes` bytes are free. A system may promise more memory than it has, and end the process
/// that uses it.
///
/// # Errors
/// When the system has less.
pub(crate) fn expect_free(bytes: u64) -> io::Result<()> {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    // 0 where the system does not say.
    match system.available_memory() {
        free if free > 0 && free < bytes => Err(no_memory(bytes)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_need_and_changes_nothing() {
        let too_many = usize::MAX / 16;
        let error = defaults::<u64>(too_many).expect_err("no system has so much");
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
        assert_eq!(error.to_string(), "the system has no 8796093022208 MiB of memory to give");
        let mut some = vec![1u8, 2, 3];
        assert!(resize(&mut some, usize::MAX).is_err());
        assert_eq!(some, [1, 2, 3]);
        assert!(expect_room(u64::MAX).is_err() && expect_room(1 << 60).is_err());
        assert!(expect_free(1 << 60).is_err());
    }

    #[test]
    fn what_is_there_is_given() {
        assert_eq!(defaults::<u16>(3).expect("memory"), [0, 0, 0]);
        assert!(expect_room(0).is_ok() && expect_room(1 << 20).is_ok() && expect_free(1).is_ok());
    }
}
