//! The status of a folder: the state of every table in it.
//!
//! A table is judged by its header, the length of its file, its name, and the digests of the
//! smaller levels that it was computed from; blocks are not read. Every command and the database
//! take the judgement from here. `build --force` also checks every byte of the files that seem
//! whole:
//!
//! | state | meaning | `build` | `--force` |
//! |---|---|---|---|
//! | missing | no file has the table's name | builds | builds |
//! | whole | the header is sound and the table fits those beside it | keeps | keeps |
//! | damaged | the header, the length or the name is wrong | refuses | replaces |
//! | other version | the format is of another version | refuses | replaces |
//! | foreign | computed from other levels than those beside it | refuses | replaces |
//! | unreadable | the system refuses to read it, or it is not a file | refuses | refuses |

use super::FolderFiles;
use crate::level::Digest;
use crate::rules::{MAX_SEEDS, Rules, Seeds};
use crate::table::{Contents, TableError, TableErrorKind, TableHeader, TableId, read_header};
use std::path::{Path, PathBuf};

const LEVELS: usize = MAX_SEEDS as usize + 1;

/// The state of a table. See the module's page.
#[derive(Debug)]
pub enum TableState {
    /// No file has the table's name.
    Missing,
    /// The header is sound, and the table fits those beside it.
    Whole(TableHeader),
    /// The header, the length or the name of the file is wrong.
    Damaged(TableError),
    /// The file has a format version that is not read.
    OtherVersion(TableError),
    /// The table was computed from other levels than those beside it.
    Foreign(TableError),
    /// The system refuses to read the file, or it is not a regular file.
    Unreadable(TableError),
}

impl TableState {
    /// `missing`, `whole`, `damaged`, `other-version`, `foreign` or `unreadable`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Whole(_) => "whole",
            Self::Damaged(_) => "damaged",
            Self::OtherVersion(_) => "other-version",
            Self::Foreign(_) => "foreign",
            Self::Unreadable(_) => "unreadable",
        }
    }

    /// The header of a whole table.
    #[must_use]
    pub const fn header(&self) -> Option<&TableHeader> {
        match self {
            Self::Whole(header) => Some(header),
            _ => None,
        }
    }

    /// The reason why a table that is there cannot be used.
    #[must_use]
    pub const fn error(&self) -> Option<&TableError> {
        match self {
            Self::Missing | Self::Whole(_) => None,
            Self::Damaged(error)
            | Self::OtherVersion(error)
            | Self::Foreign(error)
            | Self::Unreadable(error) => Some(error),
        }
    }

    /// The header of a whole table, `None` for a missing one.
    ///
    /// # Errors
    /// The reason why a table that is there cannot be used.
    pub fn into_header(self) -> Result<Option<TableHeader>, TableError> {
        match self {
            Self::Missing => Ok(None),
            Self::Whole(header) => Ok(Some(header)),
            Self::Damaged(error)
            | Self::OtherVersion(error)
            | Self::Foreign(error)
            | Self::Unreadable(error) => Err(error),
        }
    }

    fn of_error(error: TableError) -> Self {
        match error.kind {
            _ if error.is_refusal() => Self::Unreadable(error),
            TableErrorKind::OtherVersion { .. } => Self::OtherVersion(error),
            TableErrorKind::ForeignLevel { .. } => Self::Foreign(error),
            _ => Self::Damaged(error),
        }
    }
}

/// A table of a folder and its state.
#[derive(Debug)]
pub struct TableStatus {
    /// The table.
    pub id: TableId,
    /// The path of its file, whether there is one or not.
    pub path: PathBuf,
    /// Its state.
    pub state: TableState,
}

/// The tables of one level.
#[derive(Debug)]
pub struct LevelStatus {
    /// The table of values.
    pub values: TableStatus,
    /// The table of distances.
    pub distances: TableStatus,
    /// The table of bounds.
    pub bounds: TableStatus,
    /// The table of ranks.
    pub ranks: TableStatus,
}

impl LevelStatus {
    /// Seeds on each board.
    #[must_use]
    pub const fn seeds(&self) -> Seeds {
        self.values.id.seeds
    }

    /// The table of some contents.
    #[must_use]
    pub const fn table(&self, contents: Contents) -> &TableStatus {
        match contents {
            Contents::Values => &self.values,
            Contents::Distances => &self.distances,
            Contents::Bounds => &self.bounds,
            Contents::Ranks => &self.ranks,
        }
    }

    /// The table of some contents, to be changed.
    pub(crate) const fn table_mut(&mut self, contents: Contents) -> &mut TableStatus {
        match contents {
            Contents::Values => &mut self.values,
            Contents::Distances => &mut self.distances,
            Contents::Bounds => &mut self.bounds,
            Contents::Ranks => &mut self.ranks,
        }
    }

    /// All tables, values first.
    pub fn tables(&self) -> impl Iterator<Item = &TableStatus> {
        Contents::ALL.into_iter().map(|contents| self.table(contents))
    }

    /// Whether no file has the name of a table of this level.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.tables().all(|table| matches!(table.state, TableState::Missing))
    }
}

/// The tables of one rule set in a folder.
#[derive(Debug)]
pub struct RulesStatus {
    /// The rule set.
    pub rules: Rules,
    /// All levels from 0 to [`MAX_SEEDS`], missing ones included.
    pub levels: Vec<LevelStatus>,
}

impl RulesStatus {
    /// Judges the tables of a rule set.
    ///
    /// # Errors
    /// When the folder does not exist or cannot be read.
    pub fn of(folder: impl AsRef<Path>, rules: Rules) -> Result<Self, TableError> {
        let folder = folder.as_ref();
        Ok(Self::judge(folder, &FolderFiles::list(folder)?.tables, rules))
    }

    /// The status of a folder without tables.
    #[must_use]
    pub fn empty(folder: impl AsRef<Path>, rules: Rules) -> Self {
        Self::judge(folder.as_ref(), &[], rules)
    }

    fn judge(folder: &Path, there: &[TableId], rules: Rules) -> Self {
        let status = |id: TableId| {
            let path = folder.join(id.file_name());
            let state = if !there.contains(&id) {
                TableState::Missing
            } else {
                match read_header(&path, id) {
                    Ok(header) => TableState::Whole(header),
                    Err(error) => TableState::of_error(error),
                }
            };
            TableStatus { id, path, state }
        };
        let mut levels: Vec<_> = Seeds::MAX
            .up_to()
            .map(|seeds| {
                let table = |contents| status(TableId { rules, seeds, contents });
                LevelStatus {
                    values: table(Contents::Values),
                    distances: table(Contents::Distances),
                    bounds: table(Contents::Bounds),
                    ranks: table(Contents::Ranks),
                }
            })
            .collect();
        let digests: [Option<Digest>; LEVELS] =
            std::array::from_fn(|at| Some(levels[at].values.state.header()?.values_digest));
        for level in &mut levels {
            for contents in Contents::ALL {
                level.table_mut(contents).expect_levels(&digests);
            }
        }
        Self { rules, levels }
    }

    /// The status of a level.
    #[must_use]
    pub fn level(&self, seeds: Seeds) -> &LevelStatus {
        &self.levels[seeds.index()]
    }

    /// The largest level that a file is named after.
    #[must_use]
    pub fn largest(&self) -> Option<Seeds> {
        self.levels.iter().rfind(|level| !level.is_missing()).map(LevelStatus::seeds)
    }

    /// Whether no file is named after a table of this rule set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.largest().is_none()
    }

    /// The levels below the largest whose table of values is missing.
    pub fn gaps(&self) -> impl Iterator<Item = Seeds> {
        let below = self.largest().map_or(0, Seeds::index);
        self.levels
            .iter()
            .take(below + usize::from(!self.is_empty()))
            .filter(|level| matches!(level.values.state, TableState::Missing))
            .map(LevelStatus::seeds)
    }

    /// All tables, by seeds, values before distances.
    pub fn tables(&self) -> impl Iterator<Item = &TableStatus> {
        self.levels.iter().flat_map(LevelStatus::tables)
    }
}

impl TableStatus {
    /// Makes a table foreign that was computed from other levels than those with these digests.
    fn expect_levels(&mut self, digests: &[Option<Digest>; LEVELS]) {
        let Some(header) = self.state.header() else { return };
        let own = (header.id.contents != Contents::Values)
            .then_some((header.id.seeds, header.values_digest));
        let computed_from = Seeds::MAX.up_to().zip(header.smaller.iter().copied()).chain(own);
        let differs = |&(seeds, digest): &(Seeds, Digest)| {
            digests[seeds.index()].is_some_and(|beside| beside != digest)
        };
        if let Some((seeds, _)) = computed_from.into_iter().find(differs) {
            let kind = TableErrorKind::ForeignLevel { seeds };
            self.state = TableState::Foreign(TableError::new(&self.path, kind));
        }
    }
}

/// All tables of a folder, and what builds left behind.
#[derive(Debug)]
pub struct FolderStatus {
    /// The folder.
    pub path: PathBuf,
    /// The rule sets that have tables.
    pub rules: Vec<RulesStatus>,
    /// Unfinished files of builds that ended early.
    pub unfinished: Vec<PathBuf>,
    /// Checkpoints of levels under way.
    pub checkpoints: Vec<PathBuf>,
}

impl FolderStatus {
    /// The status of a folder without tables, which need not exist.
    pub fn empty(folder: impl AsRef<Path>) -> Self {
        let path = folder.as_ref().to_owned();
        Self { path, rules: Vec::new(), unfinished: Vec::new(), checkpoints: Vec::new() }
    }

    /// Judges all tables of a folder.
    ///
    /// # Errors
    /// When the folder does not exist or cannot be read.
    pub fn of(folder: impl AsRef<Path>) -> Result<Self, TableError> {
        let path = folder.as_ref().to_owned();
        let FolderFiles { tables, unfinished, checkpoints } = FolderFiles::list(&path)?;
        let rules = Rules::ALL
            .into_iter()
            .map(|rules| RulesStatus::judge(&path, &tables, rules))
            .filter(|status| !status.is_empty());
        Ok(Self { rules: rules.collect(), path, unfinished, checkpoints })
    }

    /// The status of a rule set, if it has tables.
    #[must_use]
    pub fn rules(&self, rules: Rules) -> Option<&RulesStatus> {
        self.rules.iter().find(|status| status.rules == rules)
    }
}
