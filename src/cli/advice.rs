//! Advice: what a user can do about an error of the library.
//!
//! Errors of the library name the file or level and the fault. Which command or option helps is
//! known here and nowhere else.

use super::shell::shell_word;
use super::table_folder;
use oware::build::{BuildError, BuildOptions, largest_seeds};
use oware::database::DatabaseError;
use oware::export::ExportError;
use oware::folder::FolderFiles;
use oware::grade::RecordedError;
use oware::rules::{Rules, Seeds};
use oware::table::{TableError, TableErrorKind, TableId};
use oware::verify::VerifyError;
use std::collections::BTreeSet;
use std::error::Error;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The message of an error, with advice where there is any.
pub(crate) fn explain(error: &(dyn Error + 'static)) -> String {
    match of(error) {
        Some(advice) => format!("{error}: {advice}"),
        None => error.to_string(),
    }
}

/// The advice for an error; `None` if there is none.
pub(crate) fn of(error: &(dyn Error + 'static)) -> Option<String> {
    if let Some(error) = error.downcast_ref::<TableError>() {
        of_table(error)
    } else if let Some(error) = error.downcast_ref::<DatabaseError>() {
        of_database(error)
    } else if let Some(error) = error.downcast_ref::<BuildError>() {
        of_build(error)
    } else if let Some(error) = error.downcast_ref::<VerifyError>() {
        of_verify(error)
    } else if let Some(error) = error.downcast_ref::<RecordedError>() {
        of_recorded(error)
    } else if let Some(ExportError::Database(error)) = error.downcast_ref::<ExportError>() {
        of_database(error)
    } else {
        None
    }
}

fn of_table(error: &TableError) -> Option<String> {
    let or_build = |first: &str| {
        let command = mending_command(error);
        Some(command.map_or(first.to_owned(), |command| format!("{first}, or run `{command}`")))
    };
    match &error.kind {
        TableErrorKind::NoFolder => Some("create it, or name another with --tables".to_owned()),
        TableErrorKind::FolderInUse => Some("wait for it, or use another folder".to_owned()),
        TableErrorKind::NotAFile => Some("move it away".to_owned()),
        TableErrorKind::NotATable => or_build("move it away"),
        TableErrorKind::OtherVersion { .. } => or_build("use the program that wrote it"),
        TableErrorKind::WrongLength { .. } | TableErrorKind::Damaged(_) => {
            or_build("copy it again")
        }
        TableErrorKind::OtherTable { .. } => or_build("give it its own name back"),
        TableErrorKind::ForeignLevel { .. } => or_build("copy both again"),
        _ => None,
    }
}

/// The command that mends one table; `None` if its path is not that of a table.
fn mending_command(error: &TableError) -> Option<String> {
    let id = TableId::from_file_name(error.path.file_name()?.to_str()?)?;
    let mut mending = Mending::default();
    mending.add(error);
    mending.commands(id.rules, error.path.parent()?, "").pop()
}

/// What mends the faults that were found in the tables of a rule set.
#[derive(Debug, Default)]
pub(crate) struct Mending {
    /// Whether a build is needed.
    builds: bool,
    /// The levels to make again.
    again: BTreeSet<Seeds>,
    /// Paths under the names of tables that are no files.
    in_the_way: Vec<PathBuf>,
}

impl Mending {
    /// A level has no table.
    pub(crate) const fn add_missing(&mut self) {
        self.builds = true;
    }

    /// A level has wrong values or distances.
    pub(crate) fn add_level(&mut self, seeds: Seeds) {
        self.builds = true;
        self.again.insert(seeds);
    }

    /// A table cannot be used. Of a foreign table and the level that it was computed from, either
    /// may be wrong: that level is made again, and the table if it still does not fit.
    pub(crate) fn add(&mut self, error: &TableError) {
        let is_in_the_way = match &error.kind {
            TableErrorKind::NotAFile => true,
            // A link to nothing. No other refusal can be mended by a build.
            TableErrorKind::Io { source, .. } if source.kind() == ErrorKind::NotFound => true,
            TableErrorKind::Io { .. } => return,
            _ => false,
        };
        if is_in_the_way {
            self.builds = true;
            self.in_the_way.push(error.path.clone());
            return;
        }
        let name = error.path.file_name().and_then(|name| name.to_str());
        let own = name.and_then(TableId::from_file_name).map(|id| id.seeds);
        let seeds = match error.kind {
            TableErrorKind::ForeignLevel { seeds } => Some(seeds),
            _ => own,
        };
        seeds.into_iter().for_each(|seeds| self.add_level(seeds));
    }

    /// The commands that mend everything, to be run in this order; `more` is further options of a
    /// build, each with a space before it.
    pub(crate) fn commands(&self, rules: Rules, folder: &Path, more: &str) -> Vec<String> {
        let mut commands: Vec<String> =
            self.in_the_way.iter().map(|path| move_away(path)).collect();
        if self.builds {
            let levels: Vec<_> = self.again.iter().map(ToString::to_string).collect();
            let mut more = more.to_owned();
            if !levels.is_empty() {
                more += &format!(" --force={}", levels.join(","));
            }
            let largest = largest_level(rules, folder).max(self.again.last().copied());
            commands.push(build_command(rules, largest.unwrap_or_default(), folder, &more));
        }
        commands
    }
}

fn move_away(path: &Path) -> String {
    let mut moved = path.as_os_str().to_owned();
    moved.push(".moved");
    format!("mv {} {}", shell_word(path), shell_word(Path::new(&moved)))
}

/// The largest level of a rule set that a file of a folder is named after.
fn largest_level(rules: Rules, folder: &Path) -> Option<Seeds> {
    let tables = FolderFiles::list(folder).map(|files| files.tables).unwrap_or_default();
    tables.iter().filter(|id| id.rules == rules).map(|id| id.seeds).max()
}

fn of_database(error: &DatabaseError) -> Option<String> {
    let build = |rules: &Rules, seeds: &Seeds, folder: &Path, extras| {
        Some(way_to(*rules, *seeds, folder, extras))
    };
    match error {
        DatabaseError::MissingLevel { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras::default())
        }
        DatabaseError::MissingDistances { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras { distances: true, ..Extras::default() })
        }
        DatabaseError::MissingBounds { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras { bounds: true, ..Extras::default() })
        }
        DatabaseError::MissingRanks { rules, seeds, folder } => {
            build(rules, seeds, folder, Extras { distances: true, bounds: true })
        }
        DatabaseError::Table(error) => of_table(error),
        DatabaseError::Replaced { .. } => Some("run the command again".to_owned()),
        _ => None,
    }
}

fn of_build(error: &BuildError) -> Option<String> {
    let advice = match error {
        BuildError::Table(error) => return of_table(error),
        BuildError::NoMemory { .. } => {
            "give more with --memory, or build fewer seeds (`oware plan` says what fits)"
        }
        BuildError::MemoryRefused { .. } => {
            "build fewer seeds, or raise the limit on the memory of a process (ulimit -v)"
        }
        BuildError::UnknownMemory => "say how much the build may take with --memory",
        BuildError::NoDisk { .. } => {
            "make room, or build fewer seeds (`oware plan` says what fits)"
        }
        BuildError::BadReadBack { .. } => "check the disk, then run `oware doctor`",
        _ => return None,
    };
    Some(advice.to_owned())
}

fn of_verify(error: &VerifyError) -> Option<String> {
    let advice = match error {
        VerifyError::Table(error) => return of_table(error),
        VerifyError::NoTable { rules, seeds, folder } => {
            return Some(way_to_level(*rules, *seeds, folder));
        }
        VerifyError::NoTables { .. } => "build some, or name another folder with --tables",
        VerifyError::TooLittleMemory { .. } | VerifyError::MemoryRefused { .. } => {
            "use --quick, or --level with a smaller one"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

fn of_recorded(error: &RecordedError) -> Option<String> {
    match error {
        RecordedError::OtherRules { found, .. } => Some(format!("choose --rules {found}")),
        RecordedError::Database(error) => of_database(error),
        _ => None,
    }
}

/// Tables besides those of values.
#[derive(Clone, Copy, Debug, Default)]
struct Extras {
    distances: bool,
    bounds: bool,
}

/// Levels up to this are built on every machine.
const ALWAYS_FITS: Seeds = Seeds::of(16);

/// How to come by the tables of a level: the command that builds it, or, if it does not fit this
/// machine, the one that says what it takes.
fn way_to(rules: Rules, seeds: Seeds, folder: &Path, extras: Extras) -> String {
    let more = [(extras.distances, " --distances"), (extras.bounds, " --bounds")];
    let more: String = more.into_iter().filter(|(made, _)| *made).map(|(_, text)| text).collect();
    match largest_here(folder, extras) {
        Some(largest) if largest < seeds && seeds > ALWAYS_FITS => {
            let command = format!("oware plan --seeds {seeds}{more}{}", same_tables(rules, folder));
            format!("this machine builds up to {largest} seeds, `{command}` says what more takes")
        }
        _ => format!("build it with `{}`", build_command(rules, seeds, folder, &more)),
    }
}

/// How to come by the values of a level.
pub(crate) fn way_to_level(rules: Rules, seeds: Seeds, folder: &Path) -> String {
    way_to(rules, seeds, folder, Extras::default())
}

/// The largest level that this machine can build with these extras. Asked once, since many boards of
/// a batch may have no table.
fn largest_here(folder: &Path, extras: Extras) -> Option<Seeds> {
    static KNOWN: [OnceLock<Option<Seeds>>; 4] = [const { OnceLock::new() }; 4];
    let known = &KNOWN[usize::from(extras.distances) + 2 * usize::from(extras.bounds)];
    *known.get_or_init(|| {
        let options = BuildOptions::new(Rules::default(), Seeds::MAX, folder)
            .distances(extras.distances)
            .bounds(extras.bounds);
        largest_seeds(&options).ok()
    })
}

/// The command that builds the levels up to `seeds` into a folder, ready to be pasted. `more` holds
/// further options, each with a space before it.
pub(crate) fn build_command(rules: Rules, seeds: Seeds, folder: &Path, more: &str) -> String {
    format!("oware build --seeds {seeds}{more}{}", same_tables(rules, folder))
}

/// The options that name the same tables to another command, each with a space before it; empty if
/// the other command uses them without options.
pub(crate) fn same_tables(rules: Rules, folder: &Path) -> String {
    let mut text = String::new();
    if rules != Rules::default() {
        text += &format!(" --rules {rules}");
    }
    text + &table_folder::option_for(folder)
}
