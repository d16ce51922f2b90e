//! A folder of tables: file names, the lock that a build holds, left-overs, and what is there.

use super::error::{Subject, TableError};
use super::{Contents, TableHeader, reader};
use crate::rules::{MAX_SEEDS, Rules};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

const LOCK_NAME: &str = ".oware-lock";
const TABLE_SUFFIX: &str = ".oware";
const DISTANCE_SUFFIX: &str = ".distance.oware";
const TEMPORARY_SUFFIX: &str = ".oware.tmp";
const RESUME_SUFFIX: &str = ".resume";

impl Subject {
    /// A level's table of values.
    #[must_use]
    pub const fn values(rules: Rules, seeds: u8) -> Self {
        Self { rules, seeds, contents: Contents::Values }
    }

    /// A level's table of distances.
    #[must_use]
    pub const fn distances(rules: Rules, seeds: u8) -> Self {
        Self { rules, seeds, contents: Contents::Distances }
    }

    /// The name of the table's file: `awari-16.oware`, `awari-16.distance.oware`.
    #[must_use]
    pub fn file_name(self) -> String {
        let suffix = match self.contents {
            Contents::Values => TABLE_SUFFIX,
            Contents::Distances => DISTANCE_SUFFIX,
        };
        format!("{}-{:02}{suffix}", self.rules, self.seeds)
    }

    /// The subject that a file name stands for; `None` when it is no table's name.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (stem, contents) = match name.strip_suffix(DISTANCE_SUFFIX) {
            Some(stem) => (stem, Contents::Distances),
            None => (name.strip_suffix(TABLE_SUFFIX)?, Contents::Values),
        };
        let (rules, seeds) = stem.rsplit_once('-')?;
        let rules = rules.parse().ok()?;
        let seeds = seeds.parse().ok().filter(|&seeds| seeds <= MAX_SEEDS)?;
        let subject = Self { rules, seeds, contents };
        (subject.file_name() == name).then_some(subject)
    }
}

/// A folder held for building: no other process builds in it as long as this lives, and the
/// system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Takes hold of a folder, creating it when its parent exists.
    ///
    /// # Errors
    /// When it cannot be created, another process holds it, or files cannot be made in it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = path.as_ref().to_owned();
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parent = path.parent().unwrap_or(&path).to_owned();
                return Err(TableError::NoFolder { path: parent });
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(TableError::io("create folder", &path)(error));
            }
            _ => {}
        }
        let lock_path = path.join(LOCK_NAME);
        let open = File::options().create(true).truncate(false).write(true).open(&lock_path);
        let lock = open.map_err(TableError::io("write in", &path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(TableError::FolderInUse { path }),
            Err(TryLockError::Error(error)) => Err(TableError::io("lock", &path)(error)),
        }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a table is or will be.
    #[must_use]
    pub fn table_path(&self, subject: Subject) -> PathBuf {
        self.path.join(subject.file_name())
    }

    /// Where a builder may keep its checkpoint of a level under way: `awari-16.resume`.
    #[must_use]
    pub fn resume_path(&self, rules: Rules, seeds: u8) -> PathBuf {
        self.path.join(format!("{rules}-{seeds:02}{RESUME_SUFFIX}"))
    }

    /// Removes the unfinished files of builds that ended early; checkpoints stay. Returns the
    /// names of what was removed.
    ///
    /// # Errors
    /// When the folder cannot be read or a file not removed.
    pub fn sweep(&self) -> Result<Vec<PathBuf>, TableError> {
        let listing = Listing::of(&self.path)?;
        for path in &listing.unfinished {
            fs::remove_file(path).map_err(TableError::io("remove", path))?;
        }
        Ok(listing.unfinished)
    }
}

/// A file under a table's name.
#[derive(Debug)]
pub struct FoundTable {
    /// Where it is.
    pub path: PathBuf,
    /// What its name says.
    pub subject: Subject,
    /// Its header, or what is wrong: the header was checked against its checksum, the file's name
    /// and the file's length; blocks were not read.
    pub header: Result<TableHeader, TableError>,
}

/// What is in a folder.
#[derive(Debug, Default)]
pub struct Listing {
    /// Files under tables' names, by rule set, seeds and contents.
    pub tables: Vec<FoundTable>,
    /// Left-overs of builds that ended early (`*.oware.tmp`).
    pub unfinished: Vec<PathBuf>,
    /// Checkpoints of levels under way (`*.resume`).
    pub checkpoints: Vec<PathBuf>,
}

impl Listing {
    /// Looks through a folder; only tables' headers are read. Files of other names are passed over.
    ///
    /// # Errors
    /// When there is no such folder or it cannot be read.
    pub fn of(folder: impl AsRef<Path>) -> Result<Self, TableError> {
        let folder = folder.as_ref();
        let entries = fs::read_dir(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::NoFolder { path: folder.to_owned() },
            _ => TableError::io("read folder", folder)(error),
        })?;
        let mut listing = Self::default();
        for entry in entries {
            let entry = entry.map_err(TableError::io("read folder", folder))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let path = entry.path();
            if let Some(subject) = Subject::from_file_name(name) {
                let header = reader::read_header(&path, subject);
                listing.tables.push(FoundTable { path, subject, header });
            } else if name.ends_with(TEMPORARY_SUFFIX) {
                listing.unfinished.push(path);
            } else if name.ends_with(RESUME_SUFFIX) {
                listing.checkpoints.push(path);
            }
        }
        listing.tables.sort_by_key(|table| table.subject);
        listing.unfinished.sort();
        listing.checkpoints.sort();
        Ok(listing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_subjects_are_inverse_and_other_names_are_refused() {
        for rules in Rules::ALL {
            for seeds in 0..=MAX_SEEDS {
                for subject in [Subject::values(rules, seeds), Subject::distances(rules, seeds)] {
                    assert_eq!(Subject::from_file_name(&subject.file_name()), Some(subject));
                }
            }
        }
        for name in
            ["awari-5.oware", "awari-49.oware", "awari-+5.oware", "awari.oware", "chess-05.oware"]
        {
            assert_eq!(Subject::from_file_name(name), None, "{name}");
        }
        assert_eq!(
            Subject::distances(Rules::LeaveFirst, 7).file_name(),
            "leave-first-07.distance.oware"
        );
    }

    #[test]
    fn a_second_build_is_refused_until_the_first_lets_go() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let path = parent.path().join("tables");
        let first = Folder::open(&path).expect("a new folder");
        assert!(matches!(Folder::open(&path), Err(TableError::FolderInUse { .. })));
        drop(first);
        Folder::open(&path).expect("free again");
        let nowhere = parent.path().join("not/there");
        assert!(matches!(Folder::open(nowhere), Err(TableError::NoFolder { .. })));
    }

    #[test]
    fn a_sweep_removes_unfinished_tables_only() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["awari-05.oware.tmp", "awari-05.resume", "notes.tmp", "awari-04.oware"] {
            fs::write(folder.path().join(name), b"x").expect("a small file");
        }
        let held = Folder::open(folder.path()).expect("the folder");
        assert_eq!(held.sweep().expect("swept"), [folder.path().join("awari-05.oware.tmp")]);
        let left = Listing::of(folder.path()).expect("a listing");
        assert_eq!((left.tables.len(), left.unfinished.len(), left.checkpoints.len()), (1, 0, 1));
        assert!(matches!(left.tables[0].header, Err(TableError::NotATable { .. })));
        assert!(folder.path().join("notes.tmp").exists());
    }
}
