//! Memory mapping: the one place where a file's bytes become a slice.
#![expect(unsafe_code, reason = "mapping a file is unsafe: others may change it")]

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps a whole file for reading.
///
/// Tables never change once they bear their name: they are replaced by renaming, which leaves
/// an open mapping on the old file. Should somebody else still write into the file, blocks fail
/// their checks or, at worst, what was read before is served; should somebody truncate it, a
/// read past the new end ends the process with a signal (SIGBUS). Where that must be survived, use
/// the plain-read back end.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only and its bytes are only ever parsed as plain numbers with
    // every offset checked; the contract that nobody shrinks or rewrites a published table is
    // documented above and in `Backend::Mapped`.
    unsafe { Mmap::map(file) }
}
