//! PlayerKind sits where, and the engines that think for them.

use crate::database::Database;
use crate::game::Game;
use crate::rules::Side;
use crate::search::{
    Aim, Choice, Control, Engine, EngineOptions, Limits, Strength, UnknownStrength,
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// PlayerKind plays a side.
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

/// The thinking side of a terminal: one engine with the database, one without.
pub(super) struct Engines {
    best: Engine,
    unaided: Engine,
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
            best: Engine::new(database, options),
            unaided: Engine::new(None, options),
            random: Pcg64::seed_from_u64(seed),
            time,
        }
    }

    /// A machine's move; `None` when the game is over.
    pub(super) fn choose(&mut self, strength: Strength, game: &Game) -> Option<Choice> {
        let (engine, limits) = match strength {
            Strength::Perfect => (&mut self.best, Limits::time(self.time)),
            _ => (&mut self.unaided, Limits::default()),
        };
        let control = Control::new();
        strength.choose(engine, &mut self.random, game, limits, &control, &mut |_| {})
    }

    /// The best that can be said about a position.
    pub(super) fn advise(&mut self, game: &Game) -> Option<Choice> {
        self.choose(Strength::Perfect, game)
    }

    /// Every legal move with what it is worth, best first.
    pub(super) fn hints(
        &mut self,
        game: &Game,
    ) -> Vec<(crate::rules::Pit, crate::search::Estimate)> {
        let mut moves = self.best.move_values(game, Limits::time(self.time), &Control::new());
        moves.sort_by_key(|(_, value)| std::cmp::Reverse(value.hundredths));
        moves
    }

    /// Whether the position is answered by tables.
    pub(super) fn knows(&self, game: &Game) -> bool {
        self.best.holds_board(game)
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

    pub(super) fn set(&mut self, side: Side, who: PlayerKind) {
        match side {
            Side::South => self.south = who,
            Side::North => self.north = who,
        }
    }

    pub(super) fn has_person(self) -> bool {
        self.south == PlayerKind::Person || self.north == PlayerKind::Person
    }
}
