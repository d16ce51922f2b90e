//! Access to the bytes of a file: mapped, read on demand, or in memory.

use super::map::map;
use crate::level::memory;
use memmap2::Mmap;
use std::fs::File;
use std::io;

/// How the file of a table is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// The file is mapped. This is the fastest way, and the memory is the page cache of the system.
    /// Each block is copied before it is checked, so that another process that writes into the file
    /// causes errors and no wrong numbers. If another process truncates the file while it is open, a
    /// read may terminate this process with a signal. Replacing the file by renaming is harmless.
    #[default]
    Mapped,
    /// Each block is read when it is needed. If another process truncates the file, reads fail.
    Read,
    /// The whole file is read when it is opened.
    Memory,
}

/// The bytes of an open file.
#[derive(Debug)]
pub(super) enum FileBytes {
    Mapped(Mmap),
    Read(File),
    Memory(Vec<u8>),
}

impl FileBytes {
    pub(super) fn open(file: File, file_bytes: u64, backend: Backend) -> io::Result<Self> {
        Ok(match backend {
            Backend::Mapped => Self::Mapped(map(&file)?),
            Backend::Read => Self::Read(file),
            Backend::Memory => {
                let bytes = usize::try_from(file_bytes).map_err(io::Error::other)?;
                let mut whole = memory::defaults(bytes)?;
                read_exact_at(&file, &mut whole, 0)?;
                Self::Memory(whole)
            }
        })
    }

    /// `len` bytes from `offset` on, which no other process can change any more: those of a file
    /// that is mapped or read on demand are copied to `scratch`.
    #[inline]
    pub(super) fn bytes<'a>(
        &'a self,
        offset: u64,
        len: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        let past_the_end = || io::Error::from(io::ErrorKind::UnexpectedEof);
        match self {
            Self::Memory(_) => return self.slice(offset, len).ok_or_else(past_the_end),
            Self::Mapped(_) => {
                let live = self.slice(offset, len).ok_or_else(past_the_end)?;
                memory::resize(scratch, len)?;
                scratch.copy_from_slice(live);
            }
            Self::Read(file) => {
                memory::resize(scratch, len)?;
                read_exact_at(file, scratch, offset)?;
            }
        }
        Ok(scratch)
    }

    /// `len` bytes from `offset` on where they are; `None` if they must be read, or are past the
    /// end. Those of a mapped file may change while they are looked at.
    #[inline]
    pub(super) fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let whole: &[u8] = match self {
            Self::Mapped(map) => map,
            Self::Memory(bytes) => bytes,
            Self::Read(_) => return None,
        };
        let from = usize::try_from(offset).ok()?;
        whole.get(from..from.checked_add(len)?)
    }
}

/// Fills a buffer from an offset. The position of the file does not change.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills a buffer from an offset. The position of the file changes.
#[cfg(windows)]
pub(super) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}
