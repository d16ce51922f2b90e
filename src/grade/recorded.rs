//! Grading the moves of recorded games.
//!
//! Every move of every game counts as an answer of the player that the tags of the game name.
//! Positions with more seeds than the tables are counted and left out. The games are read one after
//! the other and looked up in parallel, some at a time, so that memory does not grow with the file.

use super::oracle::ExactMoves;
use super::report::{GradedMove, MoveOrigin};
use super::runner::Response;
use crate::database::{Database, DatabaseError};
use crate::game::{
    Game, GameEnd, GameError, GameSetup, OgnError, Record, RecordReader, RecordText,
};
use crate::rules::{GameString, Rules, Side, Value};
use crate::uci::Answer;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::time::Duration;

/// Bytes of games that are looked up together.
const BATCH_BYTES: usize = 1 << 20;

/// The reason why a recorded game, or a file of games, cannot be graded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// The text of a game is not Open Game Notation.
    #[error(transparent)]
    Notation(#[from] OgnError),
    /// A game cannot be replayed.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A game has another rule set than the tables.
    #[error("the game is of {found}, the tables of {expected}")]
    OtherRules {
        /// The rule set of the game.
        found: Rules,
        /// The rule set of the tables.
        expected: Rules,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// The moves of a recorded game.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct RecordedMoves {
    /// The moves in order. A player without a tag is named `South` or `North`.
    pub graded: Vec<GradedMove>,
    /// Moves on boards with more seeds than the tables.
    pub above_tables: usize,
    /// The end that the game went on after, by the customs of another site, and the number of moves
    /// before it.
    pub went_on: Option<(usize, GameEnd)>,
}

/// A recorded game of a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct RecordedGame {
    /// The number of the game, from 1.
    pub number: usize,
    /// The first line of the game, from 1.
    pub line: u64,
    /// Its moves, or the reason why it is left out.
    pub moves: Result<RecordedMoves, RecordedError>,
}

/// Looks up every move of the games of a file. A game that cannot be used is an item with its reason;
/// an error of the iterator is a file or table that cannot be read.
pub fn look_up_games<R: BufRead>(
    database: &Database,
    input: R,
) -> impl Iterator<Item = Result<RecordedGame, RecordedError>> {
    let mut games = GamesToLookUp {
        database,
        texts: RecordReader::new(input),
        number: 0,
        ready: VecDeque::new(),
    };
    std::iter::from_fn(move || games.next_game())
}

struct GamesToLookUp<'database, R> {
    database: &'database Database,
    texts: RecordReader<R>,
    /// Games looked up so far.
    number: usize,
    ready: VecDeque<RecordedGame>,
}

impl<R: BufRead> GamesToLookUp<'_, R> {
    fn next_game(&mut self) -> Option<Result<RecordedGame, RecordedError>> {
        loop {
            if let Some(game) = self.ready.pop_front() {
                return match game.moves {
                    Err(error @ (RecordedError::Database(_) | RecordedError::File(_))) => {
                        Some(Err(error))
                    }
                    _ => Some(Ok(game)),
                };
            }
            match self.batch() {
                Err(error) => return Some(Err(error.into())),
                Ok(texts) if texts.is_empty() => return None,
                Ok(texts) => self.look_up(&texts),
            }
        }
    }

    fn batch(&mut self) -> io::Result<Vec<RecordText>> {
        let mut texts = Vec::new();
        let mut bytes = 0;
        while bytes < BATCH_BYTES {
            let Some(text) = self.texts.next().transpose()? else { break };
            bytes += text.bytes.len();
            texts.push(text);
        }
        Ok(texts)
    }

    fn look_up(&mut self, texts: &[RecordText]) {
        let database = self.database;
        let parsed: Vec<_> =
            texts.par_iter().map(|text| (text.line, text.parse().transpose())).collect();
        let mut games = Vec::with_capacity(parsed.len());
        for (line, record) in parsed {
            let Some(record) = record else { continue };
            self.number += 1;
            games.push((self.number, line, record));
        }
        let looked_up = games.into_par_iter().map(|(number, line, record)| {
            let moves = record
                .map_err(RecordedError::from)
                .and_then(|record| look_up_game(database, &record, number));
            RecordedGame { number, line, moves }
        });
        self.ready.par_extend(looked_up);
    }
}

fn look_up_game(
    database: &Database,
    record: &Record,
    number: usize,
) -> Result<RecordedMoves, RecordedError> {
    let setup = record.setup(GameSetup::new(database.rules()));
    if setup.rules != database.rules() {
        let (found, expected) = (setup.rules, database.rules());
        return Err(RecordedError::OtherRules { found, expected });
    }
    let game = record.replay(setup)?;
    let mut moves = RecordedMoves { went_on: game.went_on(), ..RecordedMoves::default() };
    look_up_moves(database, record, &game, number, &mut moves)?;
    Ok(moves)
}

fn look_up_moves(
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
