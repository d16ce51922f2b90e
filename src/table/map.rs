//! Memory mapping of files.
#![expect(unsafe_code, reason = "mapping a file is unsafe: other processes may change it")]

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps a whole file for reading.
///
/// A published table never changes. It is replaced by renaming another file, which leaves an open
/// mapping on the old one. If another process writes into the file, blocks fail their checksums; a
/// change after the check gives wrong numbers. If another process truncates the file, a read past
/// the new end terminates the process with a signal (SIGBUS). `Backend::Read` survives both.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only and its bytes are only ever parsed as plain numbers with
    // every offset checked; the contract that nobody shrinks or rewrites a published table is
    // documented above and in `Backend::Mapped`.
    unsafe { Mmap::map(file) }
}
