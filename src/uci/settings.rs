//! The settings of the server and the options that change them.

use super::protocol::{OptionDeclaration, OptionKind};
use crate::database::Database;
use crate::game::{GameSetup, Repetition};
use crate::rules::Rules;
use crate::search::{Aim, Engine, EngineOptions, Evaluation, Strength};
use std::fmt::Display;
use std::sync::Arc;

/// The settings of a server. `setoption` changes most of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The tables, if there are any.
    pub database: Option<Arc<Database>>,
    /// A remark that is sent once, in the first handshake, such as the reason why there are no tables.
    pub remark: Option<String>,
    /// The rule set of the games.
    pub rules: Rules,
    /// The meaning of a repeated position; `None` for that of the rule set.
    pub repetition: Option<Repetition>,
    /// Whether a game goes on after one side has more than half of the seeds.
    pub plays_on: bool,
    /// The strength of play.
    pub strength: Strength,
    /// The aim of play.
    pub aim: Aim,
    /// The size of the hash table, in MiB.
    pub hash_mib: usize,
    /// Whether the tables are used.
    pub uses_tables: bool,
    /// The seed of random choices.
    pub seed: u64,
}

/// The size of the hash table unless an option gives it, in MiB.
pub(super) const DEFAULT_HASH_MIB: usize = 32;
/// The largest value of the option `Hash`, in MiB.
const MAX_HASH_MIB: usize = 65_536;

impl Settings {
    /// Settings for games of a rule set: perfect play for the margin, without tables, with 32 MiB for
    /// the hash table.
    #[must_use]
    pub const fn new(rules: Rules) -> Self {
        Self {
            database: None,
            remark: None,
            rules,
            repetition: None,
            plays_on: false,
            strength: Strength::Perfect,
            aim: Aim::Margin,
            hash_mib: DEFAULT_HASH_MIB,
            uses_tables: true,
            seed: 1,
        }
    }

    /// Sets the tables.
    #[must_use]
    pub fn database(mut self, database: Option<Arc<Database>>) -> Self {
        self.database = database;
        self
    }

    /// Sets the remark that is sent in the first handshake.
    #[must_use]
    pub fn remark(mut self, remark: Option<String>) -> Self {
        self.remark = remark;
        self
    }

    /// Sets the meaning of a repeated position; `None` for that of the rule set.
    #[must_use]
    pub const fn repetition(mut self, repetition: Option<Repetition>) -> Self {
        self.repetition = repetition;
        self
    }

    /// Sets whether a game goes on after one side has more than half of the seeds.
    #[must_use]
    pub const fn plays_on(mut self, plays_on: bool) -> Self {
        self.plays_on = plays_on;
        self
    }

    /// Sets the strength of play.
    #[must_use]
    pub const fn strength(mut self, strength: Strength) -> Self {
        self.strength = strength;
        self
    }

    /// Sets the aim of play.
    #[must_use]
    pub const fn aim(mut self, aim: Aim) -> Self {
        self.aim = aim;
        self
    }

    /// Sets the size of the hash table, in MiB.
    #[must_use]
    pub const fn hash_mib(mut self, hash_mib: usize) -> Self {
        self.hash_mib = hash_mib;
        self
    }

    /// Sets whether the tables are used.
    #[must_use]
    pub const fn uses_tables(mut self, uses_tables: bool) -> Self {
        self.uses_tables = uses_tables;
        self
    }

    /// Sets the seed of random choices.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The rules of a game with these settings.
    pub(super) fn setup(&self) -> GameSetup {
        let usual = GameSetup::new(self.rules);
        let repetition = self.repetition.unwrap_or(usual.repetition);
        GameSetup { repetition, plays_on: self.plays_on, ..usual }
    }

    /// Gives an engine these settings.
    ///
    /// # Errors
    /// A sentence, if the system has no memory for the hash table. The engine is unchanged.
    pub(super) fn configure(&self, engine: &mut Engine) -> Result<(), String> {
        let by_tables = self.uses_tables && self.strength == Strength::Perfect;
        let hash_bytes = self.hash_mib.saturating_mul(1 << 20);
        let options = EngineOptions { aim: self.aim, evaluation: Evaluation::Fitted, hash_bytes };
        let refused = |error| format!("Hash {}: {error}", self.hash_mib);
        engine.configure(self.database.clone().filter(|_| by_tables), options).map_err(refused)
    }

    /// The declarations of the options, with the settings as defaults.
    pub(super) fn options(&self) -> Vec<OptionDeclaration> {
        let check = |default| OptionKind::Check { default };
        let combo = |default: &dyn Display, choices: &[&str]| {
            let default = default.to_string();
            let mut choices: Vec<String> =
                choices.iter().map(|&choice| choice.to_owned()).collect();
            // A level such as depth-5 has no name of its own.
            if !choices.contains(&default) {
                choices.push(default.clone());
            }
            OptionKind::Combo { default, choices }
        };
        let hash = self.hash_mib;
        let levels = ["random", "greedy", "easy", "medium", "hard", "perfect"];
        [
            (
                "Hash",
                OptionKind::Spin { default: hash, min: hash.min(1), max: hash.max(MAX_HASH_MIB) },
            ),
            ("UseLeaves", check(self.uses_tables)),
            ("Ponder", check(false)),
            ("Level", combo(&self.strength, &levels)),
            ("Aim", combo(&self.aim, &["margin", "result"])),
            ("Rules", combo(&self.rules, &Rules::ALL.map(Rules::name))),
            ("Repetition", combo(&self.setup().repetition, &Repetition::ALL.map(Repetition::name))),
            ("PlayOn", check(self.plays_on)),
        ]
        .map(|(name, kind)| OptionDeclaration { name: name.to_owned(), kind })
        .into()
    }

    /// Changes an option. Names and values ignore case.
    ///
    /// # Errors
    /// A sentence that describes the fault of the value. The settings are unchanged.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = |error: &dyn Display| error.to_string();
        let given = value;
        let value = value.to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let mib = value.parse().ok().filter(|mib| (1..=MAX_HASH_MIB).contains(mib));
                self.hash_mib =
                    mib.ok_or_else(|| format!("Hash takes 1 to {MAX_HASH_MIB}, not '{given}'"))?;
            }
            "playon" => self.plays_on = is_true(&value)?,
            "useleaves" => self.uses_tables = is_true(&value)?,
            // There is no opening book, and the client decides when to ponder.
            "ownbook" | "ponder" => _ = is_true(&value)?,
            "level" => self.strength = value.parse().map_err(|error| wrong(&error))?,
            "aim" => self.aim = value.parse().map_err(|error| wrong(&error))?,
            "rules" => self.rules = value.parse().map_err(|error| wrong(&error))?,
            "repetition" => {
                self.repetition = Some(value.parse().map_err(|error| wrong(&error))?);
            }
            _ => return Err(format!("there is no option '{name}'")),
        }
        Ok(())
    }
}

fn is_true(value: &str) -> Result<bool, String> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!("'{other}' is neither true nor false")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_among_the_values_of_its_option() {
        for level in ["random", "easy", "depth-5", "depth-12", "perfect"] {
            let settings = Settings::new(Rules::Abapa).strength(level.parse().expect(level));
            for hash in [0, 1, 32, MAX_HASH_MIB, MAX_HASH_MIB + 1] {
                for option in settings.clone().hash_mib(hash).options() {
                    match &option.kind {
                        OptionKind::Combo { default, choices } => {
                            assert!(choices.contains(default), "{level}: {option}");
                        }
                        OptionKind::Spin { default, min, max } => {
                            assert!((min..=max).contains(&default), "{option}");
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    #[test]
    fn every_declared_value_is_accepted_in_any_case_and_becomes_the_default() {
        let settings = Settings::new(Rules::Awari);
        for option in settings.options() {
            let values = match option.kind {
                OptionKind::Combo { choices, .. } => choices,
                OptionKind::Check { .. } => vec!["true".to_owned(), "false".to_owned()],
                _ => continue,
            };
            for value in values {
                let set = |name: &str, value: &str| {
                    let mut settings = settings.clone();
                    settings.set(name, value).unwrap_or_else(|error| panic!("{name}: {error}"));
                    settings.options()
                };
                let plain = set(&option.name, &value);
                assert_eq!(plain, set(&option.name.to_uppercase(), &value.to_uppercase()));
                assert_eq!(plain, set(&option.name.to_lowercase(), &value));
            }
        }
    }

    #[test]
    fn a_value_that_is_wrong_changes_nothing() {
        let mut settings = Settings::new(Rules::Awari);
        let before = settings.options();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "65537"),
            ("Hash", "99999999999999999999999"),
            ("Hash", ""),
            ("UseLeaves", "yes"),
            ("Level", "depth-0"),
            ("Rules", "chess"),
            ("Repetition", ""),
            ("Aim", "beauty"),
            ("Colour", "red"),
        ] {
            assert!(settings.set(name, value).is_err(), "{name} {value}");
            assert_eq!(settings.options(), before);
        }
    }
}
