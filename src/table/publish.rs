//! Publication: a file gets the name of a table only when it is whole.
//!
//! A draft is written to `<name>.tmp` in the same folder and synced. Then it is renamed, and the
//! folder is synced. A draft that is dropped before that removes its temporary file. The next build
//! removes temporary files that a kill or a power failure left behind.
//!
//! The operations of the disk are a trait, so that tests can make each of them fail.

use super::TableError;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

/// The operations of a file system that a writer needs.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Creates a file, or truncates the one that is there.
    ///
    /// # Errors
    /// The error of the system.
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Renames a file, and replaces the file that has the new name.
    ///
    /// # Errors
    /// The error of the system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Makes the entries of a folder durable.
    ///
    /// # Errors
    /// The error of the system.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file being written.
pub trait DiskFile: fmt::Debug + Send {
    /// Appends bytes.
    ///
    /// # Errors
    /// The error of the system.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Overwrites the first bytes of the file. Nothing is appended afterwards.
    ///
    /// # Errors
    /// The error of the system.
    fn overwrite_first(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Makes the contents durable.
    ///
    /// # Errors
    /// The error of the system.
    fn sync(&mut self) -> io::Result<()>;
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        // Opening a pipe would block until its other end is open.
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::other("it is not a file"));
        }
        Ok(Box::new(File::create(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // On other systems folders cannot be opened as files, and renaming is durable.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }
}

impl DiskFile for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn overwrite_first(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(0))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A file that is being written. Its header is written last.
pub(super) struct Draft<'d> {
    disk: &'d dyn Disk,
    file: Box<dyn DiskFile>,
    temporary: PathBuf,
    path: PathBuf,
    header_bytes: usize,
    hasher: Xxh3Default,
    published: bool,
}

impl<'d> Draft<'d> {
    /// Creates the draft of the file `path`, with room for a header.
    pub(super) fn create(
        disk: &'d dyn Disk,
        path: &Path,
        header_bytes: usize,
    ) -> Result<Self, TableError> {
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let file = disk.create(&temporary).map_err(TableError::io("create", &temporary))?;
        let path = path.to_owned();
        let hasher = Xxh3Default::new();
        let mut draft =
            Self { disk, file, temporary, path, header_bytes, hasher, published: false };
        let room = vec![0; header_bytes];
        draft.file.append(&room).map_err(TableError::io("write", &draft.temporary))?;
        Ok(draft)
    }

    /// Appends bytes.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.hasher.update(bytes);
        self.file.append(bytes).map_err(TableError::io("write", &self.temporary))
    }

    /// Appends the digest of the file, writes the header, and renames the file to its final name.
    ///
    /// The digest covers the bytes after the header, then the header.
    pub(super) fn publish(mut self, header: &[u8]) -> Result<(), TableError> {
        assert_eq!(header.len(), self.header_bytes, "the room left for the header");
        self.hasher.update(header);
        let digest = self.hasher.digest128().to_le_bytes();
        let write =
            |result: io::Result<()>| result.map_err(TableError::io("write", &self.temporary));
        write(self.file.append(&digest))?;
        write(self.file.overwrite_first(header))?;
        write(self.file.sync())?;
        self.disk
            .rename(&self.temporary, &self.path)
            .map_err(TableError::io("name", &self.path))?;
        self.published = true;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        self.disk.sync_folder(folder).map_err(TableError::io("sync", folder))
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.published {
            // The next build removes a file that cannot be removed now.
            let _left_over = fs::remove_file(&self.temporary);
        }
    }
}
