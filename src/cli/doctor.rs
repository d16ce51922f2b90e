//! `oware doctor`: the state of the folder of tables, its faults, and the command to run next.

use super::advice::{self, Mending};
use super::failure::AlreadyReported;
use super::options::Options;
use super::output::Output;
use super::table_folder::FolderChoice;
use super::tables;
use oware::folder::{FolderStatus, RulesStatus, TableState, TableStatus};
use oware::rules::Seeds;
use oware::table::{Backend, Contents, Table, TableError, TableErrorKind};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Check headers only, not every byte
    #[arg(long)]
    headers: bool,
}

const EXAMPLES: &str = "\
Checks the tables of all rule sets. The exit status is 1 when a table is damaged, missing or foreign.
`oware verify` goes further and checks every board.";

#[derive(Debug, Serialize)]
struct Findings {
    folder: String,
    /// What chose the folder.
    folder_from: FolderChoice,
    rules: Vec<RuleSet>,
    /// Unfinished files of builds that ended early.
    unfinished: Vec<String>,
    /// Checkpoints that the next build resumes from.
    checkpoints: Vec<String>,
    /// Commands to run next.
    next: Vec<String>,
}

/// The tables of one rule set.
#[derive(Debug, Serialize)]
struct RuleSet {
    rules: &'static str,
    /// Levels with a sound table of values.
    levels: Vec<Seeds>,
    /// Levels below the largest that have no table.
    missing: Vec<Seeds>,
    /// Levels with a sound table of distances.
    distances: Vec<Seeds>,
    /// Levels with a sound table of bounds.
    bounds: Vec<Seeds>,
    /// Levels with a sound table of ranks.
    ranks: Vec<Seeds>,
    /// Files that cannot be used, and why.
    damaged: Vec<Trouble>,
    /// Files computed from other smaller levels than those beside them.
    foreign: Vec<Trouble>,
    /// What mends the faults.
    #[serde(skip)]
    mending: Mending,
}

#[derive(Debug, Serialize)]
struct Trouble {
    file: String,
    what: String,
}

/// Prints the findings.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let status = match FolderStatus::of(&options.tables) {
        // Nobody named the folder, so nothing is wrong.
        Err(TableError { kind: TableErrorKind::NoFolder, .. })
            if !options.tables_chosen.is_named() =>
        {
            FolderStatus::empty(&options.tables)
        }
        _ => tables::status(options)?,
    };
    let findings = Findings::of(&status, arguments, options);
    if options.json {
        output.json(&findings)?;
    } else {
        findings.show(output)?;
    }
    if findings.is_sound() { Ok(()) } else { Err(AlreadyReported.into()) }
}

impl Findings {
    fn of(status: &FolderStatus, arguments: &Arguments, options: &Options) -> Self {
        let names = |paths: &[std::path::PathBuf]| paths.iter().map(|path| name(path)).collect();
        let of_rules = |status| RuleSet::of(status, arguments.headers);
        let mut findings = Self {
            folder: options.tables.display().to_string(),
            folder_from: options.tables_chosen,
            rules: status.rules.iter().map(of_rules).collect(),
            unfinished: names(&status.unfinished),
            checkpoints: names(&status.checkpoints),
            next: Vec::new(),
        };
        findings.next = findings.rules.iter().flat_map(|set| set.next(options)).collect();
        if findings.rules.is_empty() {
            findings.next.push(options.build_command(Seeds::of(12), ""));
        }
        findings
    }

    fn is_sound(&self) -> bool {
        self.rules.iter().all(RuleSet::is_sound)
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "folder: {} ({})", self.folder, self.folder_from.reason())?;
        if self.rules.is_empty() {
            writeln!(out, "no tables")?;
        }
        for set in &self.rules {
            set.show(out)?;
        }
        for name in &self.unfinished {
            writeln!(out, "left over: {name} (the next build removes it)")?;
        }
        for name in &self.checkpoints {
            writeln!(out, "under way: {name} (the next build takes it up)")?;
        }
        for command in &self.next {
            writeln!(out, "next: {command}")?;
        }
        Ok(())
    }
}

impl RuleSet {
    fn of(status: &RulesStatus, headers_only: bool) -> Self {
        let mut set = Self {
            rules: status.rules.name(),
            levels: Vec::new(),
            missing: status.gaps().collect(),
            distances: Vec::new(),
            bounds: Vec::new(),
            ranks: Vec::new(),
            damaged: Vec::new(),
            foreign: Vec::new(),
            mending: Mending::default(),
        };
        set.missing.iter().for_each(|_| set.mending.add_missing());
        for TableStatus { id, path, state } in status.tables() {
            let mending = &mut set.mending;
            let mut trouble = |error: &TableError| {
                mending.add(error);
                Trouble { file: name(path), what: error.to_string() }
            };
            let whole = match id.contents {
                Contents::Values => &mut set.levels,
                Contents::Distances => &mut set.distances,
                Contents::Bounds => &mut set.bounds,
                Contents::Ranks => &mut set.ranks,
            };
            match (state, state.error()) {
                (TableState::Missing, _) => {}
                (TableState::Foreign(error), _) => {
                    whole.push(id.seeds);
                    set.foreign.push(trouble(error));
                }
                (_, Some(error)) => set.damaged.push(trouble(error)),
                (_, None) if headers_only => whole.push(id.seeds),
                (_, None) => match check_file(path) {
                    Ok(()) => whole.push(id.seeds),
                    Err(error) => set.damaged.push(trouble(&error)),
                },
            }
        }
        set
    }

    fn is_sound(&self) -> bool {
        self.missing.is_empty() && self.damaged.is_empty() && self.foreign.is_empty()
    }

    /// The commands that mend the tables, or verify them if nothing is wrong.
    fn next(&self, options: &Options) -> Vec<String> {
        let Ok(rules) = self.rules.parse() else { return Vec::new() };
        if self.is_sound() {
            return vec![format!("oware verify{}", advice::same_tables(rules, &options.tables))];
        }
        // A missing level gets the tables that all other levels have.
        let all_have = |levels: &[Seeds]| !levels.is_empty() && levels.len() == self.levels.len();
        let with = |is_made: bool, option| if is_made { option } else { "" };
        let more = match self.missing.is_empty() {
            true => String::new(),
            false => {
                with(all_have(&self.distances), " --distances").to_owned()
                    + with(all_have(&self.bounds), " --bounds")
            }
        };
        self.mending.commands(rules, &options.tables, &more)
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: levels {}", self.rules, ranges(&self.levels))?;
        if !self.distances.is_empty() {
            writeln!(out, "  distances: levels {}", ranges(&self.distances))?;
        }
        if !self.bounds.is_empty() {
            writeln!(out, "  bounds: levels {}", ranges(&self.bounds))?;
        }
        if !self.ranks.is_empty() {
            writeln!(out, "  ranks: levels {}", ranges(&self.ranks))?;
        }
        if !self.missing.is_empty() {
            writeln!(out, "  missing: levels {}", ranges(&self.missing))?;
        }
        for Trouble { what, .. } in self.damaged.iter().chain(&self.foreign) {
            writeln!(out, "  {what}")?;
        }
        if self.is_sound() {
            writeln!(out, "  all is well")?;
        }
        Ok(())
    }
}

/// Checks every byte of a table.
fn check_file(path: &Path) -> Result<(), TableError> {
    Table::open(path, Backend::Read)?.check_file()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Levels in rising order as ranges: `0-12, 14`.
fn ranges(levels: &[Seeds]) -> String {
    if levels.is_empty() {
        return "none".to_owned();
    }
    let runs = levels.chunk_by(|one, next| next.checked_sub(1) == Some(*one));
    let text = |run: &[Seeds]| match run {
        [first, .., last] => format!("{first}-{last}"),
        [only] => only.to_string(),
        [] => String::new(),
    };
    runs.map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Seeds, ranges};

    #[test]
    fn numbers_are_shown_as_ranges() {
        assert_eq!(ranges(&[]), "none");
        assert_eq!(ranges(&[3].map(Seeds::of)), "3");
        assert_eq!(ranges(&[0, 1, 2, 4, 6, 7].map(Seeds::of)), "0-2, 4, 6-7");
    }
}
