//! The folder of tables that a command uses, and why.
//!
//! | choice | folder |
//! |---|---|
//! | option | `--tables` |
//! | environment | the variable `OWARE_TABLES` |
//! | working folder | `tables` in the working folder, if it exists |
//! | user's data | `oware/tables` where the system keeps data of users |
//!
//! The first that applies is used. Only a folder by default may be missing: it was not named.

use super::shell::shell_word;
use anyhow::Context;
use clap::parser::ValueSource;
use directories::ProjectDirs;
use serde::Serialize;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder.
pub(crate) const VARIABLE: &str = "OWARE_TABLES";

/// The name of a folder of tables.
const NAME: &str = "tables";

/// What chose the folder of tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FolderChoice {
    /// The option `--tables`.
    #[default]
    Option,
    /// The environment variable.
    Environment,
    /// `tables` exists in the working folder.
    WorkingFolder,
    /// Nothing else: the folder among the user's data.
    UserData,
}

impl FolderChoice {
    /// The choice behind a folder, whose value has this source.
    pub(crate) fn of(source: Option<ValueSource>, folder: &Path) -> Self {
        match source {
            Some(ValueSource::EnvVariable) => Self::Environment,
            Some(ValueSource::DefaultValue) if folder == Path::new(NAME) => Self::WorkingFolder,
            Some(ValueSource::DefaultValue) => Self::UserData,
            _ => Self::Option,
        }
    }

    /// Whether a person or a script named the folder.
    pub(crate) const fn is_named(self) -> bool {
        matches!(self, Self::Option | Self::Environment)
    }

    /// The reason in words.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Option => "named by --tables",
            Self::Environment => "named by OWARE_TABLES",
            Self::WorkingFolder => "the folder tables in the working folder",
            Self::UserData => {
                "the user's data: no --tables, no OWARE_TABLES, no folder tables here"
            }
        }
    }
}

/// The folder where neither the option nor the variable names one. Where the system knows no place
/// for the data of users it is `tables`.
pub(crate) fn by_default() -> PathBuf {
    let here = PathBuf::from(NAME);
    if here.is_dir() {
        return here;
    }
    ProjectDirs::from("", "", "oware").map_or(here, |places| places.data_dir().join(NAME))
}

/// Makes the folders above a folder that was not named; those above a named one are expected to
/// exist, since its name may be mistyped.
pub(crate) fn make_parents(folder: &Path, choice: FolderChoice) -> anyhow::Result<()> {
    match folder.parent() {
        Some(parent) if !choice.is_named() => fs::create_dir_all(parent).with_context(|| {
            format!("cannot make folder {}: name another with --tables", parent.display())
        }),
        _ => Ok(()),
    }
}

/// The option that names a folder to another command, with a space before it; empty if a command
/// without the option uses the folder.
pub(crate) fn option_for(folder: &Path) -> String {
    let without_option = env::var_os(VARIABLE).map_or_else(by_default, PathBuf::from);
    if folder.as_os_str().is_empty() || folder == without_option {
        return String::new();
    }
    format!(" --tables {}", shell_word(folder))
}
