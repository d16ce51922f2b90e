//! Recorded games: tags, and moves with what was written about them.

use super::{Game, GameError, GameSetup, Repetition};
use crate::rules::{GameString, Pit, Rules};

/// The tags that every file has, in this order.
pub(super) const ROSTER: [&str; 8] =
    ["Variant", "Event", "Site", "Date", "Round", "South", "North", "Result"];

/// A move of a recorded game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedMove {
    /// The pit.
    pub pit: Pit,
    /// The marks after the move: `!`, `?!`.
    pub marks: String,
    /// The numeric annotations after the move (`$1`).
    pub annotations: Vec<u32>,
    /// The comment after the move.
    pub comment: Option<String>,
    /// The variations after the move, without their parentheses.
    pub variations: Vec<String>,
}

impl RecordedMove {
    /// A move without comment, variation or mark.
    #[must_use]
    pub const fn new(pit: Pit) -> Self {
        Self {
            pit,
            marks: String::new(),
            annotations: Vec::new(),
            comment: None,
            variations: Vec::new(),
        }
    }
}

/// A recorded game: tags and moves, which may be illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names and values of the tags in file order.
    pub tags: Vec<(String, String)>,
    /// The position that the game started from.
    pub start: GameString,
    /// The comment before the first move.
    pub comment: Option<String>,
    /// The moves.
    pub moves: Vec<RecordedMove>,
    /// The result after the moves, if it is not that of the tag `Result`.
    pub result: Option<String>,
}

impl Record {
    /// A record of a game. Tags that do not follow from the game have the value `?`.
    #[must_use]
    pub fn of_game(game: &Game) -> Self {
        let start = game.start();
        let moves = game.moves().iter().map(|&pit| RecordedMove::new(pit)).collect();
        let mut record = Self { tags: Vec::new(), start, comment: None, moves, result: None };
        for name in ROSTER {
            record.set_tag(name, "?");
        }
        let setup = game.setup();
        record.set_tag("Variant", &variant_of_rules(setup.rules));
        let result = if game.end().is_some() { game.score().to_string() } else { "*".to_owned() };
        record.set_tag("Result", &result);
        if start != Game::new(setup).position() {
            record.set_tag("FEN", &start.to_string());
        }
        if setup.repetition != Repetition::of_rules(setup.rules) {
            record.set_tag("Repetition", setup.repetition.name());
        }
        if setup.plays_on {
            record.set_tag("PlaysOn", "yes");
        }
        record
    }

    /// The value of a tag; `None` if it is absent or `?`. Of a tag that is there twice, the last counts.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().rfind(|(tag, _)| tag == name)?;
        (value != "?").then_some(value)
    }

    /// Sets a tag.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().rfind(|(tag, _)| tag == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The setup of the game, from its tags and otherwise from `default`.
    #[must_use]
    pub fn setup(&self, default: GameSetup) -> GameSetup {
        let setup = match self.tag("Variant").and_then(rules_of_variant) {
            Some(rules) if rules != default.rules => GameSetup::new(rules),
            _ => default,
        };
        let repetition = self.tag("Repetition").and_then(|name| name.parse().ok());
        GameSetup {
            repetition: repetition.unwrap_or(setup.repetition),
            plays_on: setup.plays_on || self.tag("PlaysOn") == Some("yes"),
            ..setup
        }
    }

    /// Plays the moves. Other programs end games by other customs: a game that was played on after a
    /// repetition, or after one side had more than half of the seeds, is played to its last move
    /// ([`Game::went_on`] tells).
    ///
    /// # Errors
    /// [`GameError`] for the first move that cannot be played.
    pub fn replay(&self, setup: GameSetup) -> Result<Game, GameError> {
        let mut game = Game::from_position(setup, self.start)?;
        for (ply, recorded) in (1..).zip(&self.moves) {
            let at = |error| GameError::AtMove { ply, source: Box::new(error) };
            game.go_on(recorded.pit).map_err(at)?;
        }
        Ok(game)
    }
}

/// The value of the `Variant` tag for a rule set.
#[must_use]
pub fn variant_of_rules(rules: Rules) -> String {
    match rules {
        Rules::Abapa => "Oware Abapa".to_owned(),
        other => format!("Oware {other}"),
    }
}

/// The rule set of a `Variant` tag. Case does not matter, and `Oware` may precede the name.
#[must_use]
pub fn rules_of_variant(variant: &str) -> Option<Rules> {
    let name = variant.trim().to_ascii_lowercase();
    name.strip_prefix("oware").unwrap_or(&name).trim().parse().ok()
}
