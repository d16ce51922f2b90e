//! Grading the moves of recorded games.
//!
//! Every move of every game counts as an answer of the player that the tags of the game name.
//! Positions with more seeds than the tables are counted and left out.

use super::oracle::ExactMoves;
use super::report::{GradedMove, MoveOrigin};
use super::runner::Response;
use crate::database::{Database, DatabaseError};
use crate::game::{Game, GameError, GameSetup, Record};
use crate::rules::{GameString, Rules, Side, Value};
use crate::uci::Answer;
use std::time::Duration;

/// The reason why recorded games cannot be graded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// A game cannot be replayed.
    #[error("game {number}: {source}")]
    Game {
        /// The number of the game, from 1.
        number: usize,
        /// The fault.
        source: GameError,
    },
    /// A game has another rule set than the tables.
    #[error("game {number} is of {found}, the tables of {expected}")]
    OtherRules {
        /// The number of the game, from 1.
        number: usize,
        /// The rule set of the game.
        found: Rules,
        /// The rule set of the tables.
        expected: Rules,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// The moves of recorded games.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RecordedMoves {
    /// The moves in the order of the games. A player without a tag is named `South` or `North`.
    pub graded: Vec<GradedMove>,
    /// Moves on boards with more seeds than the tables.
    pub above_tables: usize,
}

/// Looks up every move of recorded games.
///
/// # Errors
/// [`RecordedError`] names the game.
pub fn look_up_games(
    database: &Database,
    records: &[Record],
) -> Result<RecordedMoves, RecordedError> {
    let mut moves = RecordedMoves::default();
    for (number, record) in (1..).zip(records) {
        // Games that continue after one side has more than half are graded to their last move.
        let agreed = GameSetup { plays_on: true, ..GameSetup::new(database.rules()) };
        let setup = record.setup(agreed);
        if setup.rules != database.rules() {
            let (found, expected) = (setup.rules, database.rules());
            return Err(RecordedError::OtherRules { number, found, expected });
        }
        let game = record.replay(setup).map_err(|source| RecordedError::Game { number, source })?;
        look_up_game(database, record, &game, number, &mut moves)?;
    }
    Ok(moves)
}

fn look_up_game(
    database: &Database,
    record: &Record,
    game: &Game,
    number: usize,
    moves: &mut RecordedMoves,
) -> Result<(), DatabaseError> {
    let mut secured = SecuredSoFar::default();
    for (ply, (position, &pit)) in (1..).zip(game.positions().zip(game.moves())) {
        if !database.has_level(position.board.level()) {
            moves.above_tables += 1;
            continue;
        }
        let Some(mut exact) = ExactMoves::look_up(database, position)? else { continue };
        if !secured.stands(database, position)? {
            exact.forget_bounds();
        }
        let player = match position.turn {
            Side::South => record.tag("South").unwrap_or("South"),
            Side::North => record.tag("North").unwrap_or("North"),
        };
        moves.graded.push(GradedMove {
            exact,
            response: Response::Move(Answer { pit, time: Duration::ZERO }),
            origin: Some(MoveOrigin { player: player.to_owned(), game: number, ply }),
        });
    }
    Ok(())
}

/// What each side had for certain in the positions of a game since its last capture.
///
/// A rule that counts the positions of a game can void a bound, because play that secures it may come
/// back to one of them. It cannot if the mover had less for certain in all of them.
#[derive(Default)]
struct SecuredSoFar {
    /// Seeds on the board since the last capture.
    seeds: u8,
    /// The lower bounds, for South and for North.
    lows: Vec<[Value; 2]>,
}

impl SecuredSoFar {
    /// Whether the bounds of the next position of the game stand.
    fn stands(&mut self, database: &Database, position: GameString) -> Result<bool, DatabaseError> {
        let board = position.board;
        if !database.has_bounds(board.level()) {
            return Ok(false);
        }
        if std::mem::replace(&mut self.seeds, board.seeds()) != board.seeds() {
            self.lows.clear();
        }
        let bounds = database.bounds(board)?;
        let mut lows = [bounds.low(), -bounds.high()];
        let mover = match position.turn {
            Side::South => 0,
            Side::North => 1,
        };
        lows.swap(0, mover);
        let stands = self.lows.iter().all(|earlier| earlier[mover] < lows[mover]);
        self.lows.push(lows);
        Ok(stands)
    }
}
