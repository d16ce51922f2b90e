//! The bytes of a table's file: mapped, read on demand, or in memory.

use super::map::map;
use memmap2::Mmap;
use std::fs::File;
use std::io;

/// How a table's file is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Backend {
    /// The file is mapped into memory: the quickest, and the memory is the system's page cache.
    /// A file that somebody truncates while it is open ends the process with a signal; a file
    /// that is replaced by renaming does no harm.
    #[default]
    Mapped,
    /// Each block is read when it is asked for. A file that shrinks is an error, nothing worse.
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
                let mut whole = Vec::new();
                whole.try_reserve_exact(bytes)?;
                whole.resize(bytes, 0);
                read_exact_at(&file, &mut whole, 0)?;
                Self::Memory(whole)
            }
        })
    }

    /// `len` bytes from `offset` on, in `scratch` when they must be read first.
    #[inline]
    pub(super) fn bytes<'a>(
        &'a self,
        offset: u64,
        len: usize,
        scratch: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        if let Self::Read(file) = self {
            scratch.resize(len, 0);
            read_exact_at(file, scratch, offset)?;
            return Ok(scratch);
        }
        self.slice(offset, len).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// `len` bytes from `offset` on, when they are at hand and not past the end.
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

/// Fills a buffer from an offset, without moving the file's position.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills a buffer from an offset.
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
