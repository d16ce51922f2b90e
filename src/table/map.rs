//! Memory mapping of files.
#![expect(unsafe_code, reason = "mapping a file is unsafe: other processes may change it")]

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps a whole file for reading.
///
/// A published table never changes. It is replaced by renaming another file, which leaves an open
/// mapping on the old one. If another process writes into the file all the same, nothing wrong is
/// read: what is checked by a checksum (the model and each block) is copied first, and the copy is
/// checked and decoded. The block index is looked at in place, as its numbers are bounded whenever
/// they are used and the check of a block covers its number. If another process truncates the file,
/// a read past the new end terminates the process with a signal (SIGBUS). `Backend::Read` survives
/// that too.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only, and its bytes are copied before use or parsed as plain
    // numbers with every offset checked; the contract that nobody shrinks or rewrites a published
    // table, and what happens if somebody does, is documented above and in `Backend::Mapped`.
    unsafe { Mmap::map(file) }
}
