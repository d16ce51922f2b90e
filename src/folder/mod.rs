//! Folders of tables: the lock of a build, the files of a folder, and their status.
//!
//! `status` is the only judgement of what a folder holds: [`RulesStatus`] gives, for every level,
//! whether its tables exist, are whole, and fit the tables beside them.
//!
//! Invariants: at most one process builds in a folder at a time, by a lock that ends with the
//! process. Files of other names are ignored.

mod status;

pub use status::{FolderStatus, LevelStatus, RulesStatus, TableState, TableStatus};

use crate::table::{Contents, TableError, TableErrorKind, TableId};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const LOCK_NAME: &str = ".oware-lock";
const TEMPORARY_SUFFIX: &str = ".oware.tmp";
const RESUME_SUFFIX: &str = ".resume";

/// A folder that is locked for a build: no other process builds in it while this value lives. The
/// system releases the lock when the process ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    _lock: File,
}

impl FolderLock {
    /// Locks a folder, and creates it first if only its parent exists.
    ///
    /// # Errors
    /// When it cannot be created, another process holds it, or files cannot be made in it.
    pub fn acquire(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref().to_owned();
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !parent_of(&path).is_dir() => {
                return Err(TableError::new(parent_of(&path), TableErrorKind::NoFolder));
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(TableError::io("create folder", &path)(error));
            }
            _ => {}
        }
        let lock_path = path.join(LOCK_NAME);
        expect_file(&lock_path)?;
        let open = File::options().create(true).truncate(false).write(true).open(&lock_path);
        let lock = open.map_err(TableError::io("write in", &path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                Err(TableError::new(&path, TableErrorKind::FolderInUse))
            }
            Err(TryLockError::Error(error)) => Err(TableError::io("lock", &path)(error)),
        }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a table.
    #[must_use]
    pub fn table_path(&self, id: TableId) -> PathBuf {
        self.path.join(id.file_name())
    }

    /// The path of the checkpoint of a level under way: `awari-16.resume` for its values,
    /// `awari-16.bounds.resume` for its bounds.
    #[must_use]
    pub fn resume_path(&self, id: TableId) -> PathBuf {
        let TableId { rules, seeds, contents } = id;
        let contents = match contents {
            Contents::Values | Contents::Distances => "",
            Contents::Bounds | Contents::Ranks => ".bounds",
        };
        self.path.join(format!("{rules}-{seeds:02}{contents}{RESUME_SUFFIX}"))
    }

    /// Removes the unfinished files of builds that ended early, and returns their paths.
    /// Checkpoints stay.
    ///
    /// # Errors
    /// When the folder cannot be read or a file cannot be removed.
    pub fn sweep(&self) -> Result<Vec<PathBuf>, TableError> {
        let files = FolderFiles::list(&self.path)?;
        for path in &files.unfinished {
            fs::remove_file(path).map_err(TableError::io("remove", path))?;
        }
        Ok(files.unfinished)
    }
}

/// Refuses what is there under a name and is not a file: opening a pipe would block, and a folder
/// cannot be written to.
pub(crate) fn expect_file(path: &Path) -> Result<(), TableError> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(TableError::new(path, TableErrorKind::NotAFile)),
        _ => Ok(()),
    }
}

/// The folder that a path is in.
fn parent_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// The files of a folder that belong to tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderFiles {
    /// The tables that files are named after, by rule set, seeds and contents.
    pub tables: Vec<TableId>,
    /// Unfinished files of builds that ended early (`*.oware.tmp`).
    pub unfinished: Vec<PathBuf>,
    /// Checkpoints of levels under way (`*.resume`).
    pub checkpoints: Vec<PathBuf>,
}

impl FolderFiles {
    /// Lists a folder. No file is opened.
    ///
    /// # Errors
    /// When the folder does not exist or cannot be read.
    pub fn list(folder: impl AsRef<Path>) -> Result<Self, TableError> {
        let folder = folder.as_ref();
        let entries = fs::read_dir(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                TableError::new(folder, TableErrorKind::NoFolder)
            }
            _ => TableError::io("read folder", folder)(error),
        })?;
        let mut files = Self::default();
        for entry in entries {
            let entry = entry.map_err(TableError::io("read folder", folder))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if let Some(id) = TableId::from_file_name(name) {
                files.tables.push(id);
            } else if name.ends_with(TEMPORARY_SUFFIX) {
                files.unfinished.push(entry.path());
            } else if name.ends_with(RESUME_SUFFIX) {
                files.checkpoints.push(entry.path());
            }
        }
        files.tables.sort();
        files.unfinished.sort();
        files.checkpoints.sort();
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_build_is_refused_until_the_first_lets_go() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let path = parent.path().join("tables");
        let first = FolderLock::acquire(&path).expect("a new folder");
        assert!(
            matches!(FolderLock::acquire(&path), Err(error) if matches!(error.kind, TableErrorKind::FolderInUse))
        );
        drop(first);
        FolderLock::acquire(&path).expect("free again");
        let nowhere = parent.path().join("not/there");
        assert!(
            matches!(FolderLock::acquire(nowhere), Err(error) if matches!(error.kind, TableErrorKind::NoFolder))
        );
    }

    #[test]
    fn a_sweep_removes_unfinished_tables_only() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["awari-05.oware.tmp", "awari-05.resume", "notes.tmp", "awari-04.oware"] {
            fs::write(folder.path().join(name), b"x").expect("a small file");
        }
        let held = FolderLock::acquire(folder.path()).expect("the folder");
        assert_eq!(held.sweep().expect("swept"), [folder.path().join("awari-05.oware.tmp")]);
        let left = FolderFiles::list(folder.path()).expect("a listing");
        assert_eq!((left.tables.len(), left.unfinished.len(), left.checkpoints.len()), (1, 0, 1));
        assert!(folder.path().join("notes.tmp").exists());
    }
}
