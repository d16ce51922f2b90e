//! What an engine can be told to be.

use crate::database::Database;
use crate::game::{GameSetup, Repetition};
use crate::rules::Rules;
use crate::search::{Aim, Engine, EngineOptions, Evaluation, Strength};
use std::sync::Arc;

/// What `setoption` changes, and what a program starts with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The tables, if there are any for the rules.
    pub database: Option<Arc<Database>>,
    /// What is said once, at the first `uci`: why there are no tables, say.
    pub remark: Option<String>,
    /// The rule set of the games.
    pub rules: Rules,
    /// What a repeated position means; `None`: the custom of the rule set.
    pub repetition: Option<Repetition>,
    /// How well to play.
    pub strength: Strength,
    /// What to want most.
    pub aim: Aim,
    /// Memory for boards met before, in MiB.
    pub hash_mib: usize,
    /// Whether tables are asked.
    pub uses_tables: bool,
    /// Makes random choices repeatable.
    pub seed: u64,
}

/// The most memory that `Hash` may ask for, in MiB.
const MOST_HASH_MIB: usize = 65_536;

impl Settings {
    /// What is agreed before a game.
    pub(super) fn setup(&self) -> GameSetup {
        let usual = GameSetup::new(self.rules);
        GameSetup { repetition: self.repetition.unwrap_or(usual.repetition), ..usual }
    }

    /// An engine to these settings.
    pub(super) fn engine(&self) -> Engine {
        let by_tables = self.uses_tables && self.strength == Strength::Perfect;
        let hash_bytes = self.hash_mib << 20;
        let options = EngineOptions { aim: self.aim, evaluation: Evaluation::Fitted, hash_bytes };
        Engine::new(self.database.clone().filter(|_| by_tables), options)
    }

    /// The lines that describe the options.
    pub(super) fn describe(&self) -> Vec<String> {
        let names = |names: &[&str]| -> String {
            names.iter().map(|name| format!(" var {name}")).collect()
        };
        let rules = Rules::ALL.map(Rules::name);
        let levels = ["random", "greedy", "easy", "medium", "hard", "perfect"];
        vec![
            format!(
                "option name Hash type spin default {} min 1 max {MOST_HASH_MIB}",
                self.hash_mib
            ),
            format!("option name UseLeaves type check default {}", self.uses_tables),
            "option name Ponder type check default false".to_owned(),
            format!("option name Level type combo default {}{}", self.strength, names(&levels)),
            format!(
                "option name Aim type combo default {}{}",
                self.aim,
                names(&["margin", "result"])
            ),
            format!("option name Rules type combo default {}{}", self.rules, names(&rules)),
            format!(
                "option name Repetition type combo default {}{}",
                self.setup().repetition,
                names(&["split", "own-side"])
            ),
        ]
    }

    /// Changes an option.
    ///
    /// # Errors
    /// A sentence for people, when the value will not do; nothing is changed then.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let wrong = |error: &dyn std::fmt::Display| error.to_string();
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let mib = value.parse().ok().filter(|mib| (1..=MOST_HASH_MIB).contains(mib));
                self.hash_mib =
                    mib.ok_or_else(|| format!("Hash takes 1 to {MOST_HASH_MIB}, not '{value}'"))?;
            }
            "useleaves" => self.uses_tables = is_true(value)?,
            // There is no book to leave out, and pondering is the other program's affair.
            "ownbook" | "ponder" => _ = is_true(value)?,
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
