//! The players of a game, and the engines of the machines.

use crate::database::Database;
use crate::game::Game;
use crate::rules::{Pit, Rules, Seeds, Side};
use crate::search::{
    Aim, Choice, Control, Engine, EngineOptions, Estimate, Limits, Strength, UnknownStrength,
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// A person at the terminal.
    Person,
    /// The machine.
    Machine(Strength),
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => out.pad("person"),
            Self::Machine(strength) => fmt::Display::fmt(strength, out),
        }
    }
}

/// A name that is neither `person` nor a level of play.
#[derive(Debug, thiserror::Error)]
#[error("'{name}' is nobody: choose person, {}", Strength::NAMES)]
pub struct UnknownPlayer {
    name: String,
    source: UnknownStrength,
}

impl FromStr for PlayerKind {
    type Err = UnknownPlayer;
    fn from_str(name: &str) -> Result<Self, UnknownPlayer> {
        if name == "person" {
            return Ok(Self::Person);
        }
        let strength = name.parse();
        let unknown = |source| UnknownPlayer { name: name.to_owned(), source };
        strength.map(Self::Machine).map_err(unknown)
    }
}

/// The engines of a session: one with the database and one without.
pub(super) struct Engines {
    with_database: Engine,
    without_database: Engine,
    random: Pcg64,
    time: Duration,
}

impl Engines {
    pub(super) fn new(
        database: Option<Arc<Database>>,
        aim: Aim,
        seed: u64,
        time: Duration,
    ) -> Self {
        let options = EngineOptions { aim, ..EngineOptions::default() };
        Self {
            with_database: Engine::new(database, options),
            without_database: Engine::new(None, options),
            random: Pcg64::seed_from_u64(seed),
            time,
        }
    }

    /// The move of a machine; `None` if the game is over.
    pub(super) fn choose(&mut self, strength: Strength, game: &Game) -> Option<Choice> {
        let (engine, limits) = match strength {
            Strength::Perfect => (&mut self.with_database, Limits::time(self.time)),
            _ => (&mut self.without_database, Limits::default()),
        };
        let control = Control::new();
        strength.choose(engine, &mut self.random, game, limits, &control, &mut |_| {})
    }

    /// The best move and the value of a position; `None` if the game is over.
    pub(super) fn analyze(&mut self, game: &Game) -> Option<Choice> {
        self.choose(Strength::Perfect, game)
    }

    /// Every legal move with its value, best first.
    pub(super) fn hints(&mut self, game: &Game) -> Vec<(Pit, Estimate)> {
        let mut moves =
            self.with_database.move_values(game, Limits::time(self.time), &Control::new());
        moves.sort_by_key(|(_, value)| std::cmp::Reverse(value.hundredths));
        moves
    }

    /// The most seeds of a board that the database holds, in games of these rules.
    pub(super) fn reach(&self, rules: Rules) -> Option<Seeds> {
        self.with_database.reach(rules)
    }

    /// Whether the database holds the position.
    pub(super) fn holds_board(&self, game: &Game) -> bool {
        self.with_database.holds_board(game)
    }
}

/// The players of a game, by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Players {
    pub(super) south: PlayerKind,
    pub(super) north: PlayerKind,
}

impl Players {
    pub(super) const fn of(self, side: Side) -> PlayerKind {
        match side {
            Side::South => self.south,
            Side::North => self.north,
        }
    }

    pub(super) fn set(&mut self, side: Side, player: PlayerKind) {
        match side {
            Side::South => self.south = player,
            Side::North => self.north = player,
        }
    }

    pub(super) fn has_person(self) -> bool {
        self.south == PlayerKind::Person || self.north == PlayerKind::Person
    }
}
