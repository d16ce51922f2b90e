//! One game: play, undo, redo.
//!
//! A game is the list of its positions, the moves between them, and a cursor into the list. Undo and
//! redo move the cursor. A new move removes all positions after the cursor.

use super::{GameEnd, HalfSeeds, MoveError, Repetition, Score, move_letter, parse_moves};
use crate::rules::{Board, End, GameString, MAX_SEEDS, Outcome, Pit, Rules, Side};

/// The setup of a game: its rule set, and what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSetup {
    /// The rule set.
    pub rules: Rules,
    /// The repetition rule.
    pub repetition: Repetition,
    /// Whether the game goes on after a side has more than half of the seeds.
    pub plays_on: bool,
}

impl GameSetup {
    /// The defaults for a rule set: its usual repetition rule, and an end at more than half of the
    /// seeds.
    #[must_use]
    pub const fn new(rules: Rules) -> Self {
        Self { rules, repetition: Repetition::of_rules(rules), plays_on: false }
    }
}

/// Why a game cannot start or a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// Pits and stores hold more than 48 seeds.
    #[error("{seeds} seeds: pits and stores of a game hold at most 48 together")]
    TooManySeeds {
        /// Seeds in pits and stores.
        seeds: u16,
    },
    /// The game is over.
    #[error("the game is over ({}): no move can be played", .end.name())]
    Over {
        /// Why it is over.
        end: GameEnd,
    },
    /// The pit has no seeds.
    #[error("{letter} is empty: choose one of {legal}")]
    EmptyPit {
        /// The letter of the move.
        letter: char,
        /// The letters of the legal moves.
        legal: String,
    },
    /// The move would leave the opponent without seeds.
    #[error("{letter} would leave the opponent without seeds: choose one of {legal}")]
    Forbidden {
        /// The letter of the move.
        letter: char,
        /// The letters of the legal moves.
        legal: String,
    },
    /// A list of moves cannot be parsed.
    #[error(transparent)]
    Notation(#[from] MoveError),
    /// A move of a list cannot be played.
    #[error("move {ply}: {source}")]
    AtMove {
        /// The number of the move, from 1.
        ply: usize,
        /// Why it cannot be played.
        source: Box<GameError>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HistoryEntry {
    position: GameString,
    end: Option<GameEnd>,
    /// The index of the first position since the last capture.
    since_capture: usize,
}

/// A game, in progress or over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    setup: GameSetup,
    total_seeds: u8,
    /// The start and the position after each of `pits`.
    history: Vec<HistoryEntry>,
    pits: Vec<Pit>,
    /// The number of moves played. The remaining moves can be redone.
    played: usize,
    /// The first end that the game has gone on after, with the number of moves played before it.
    went_on: Option<(usize, GameEnd)>,
}

impl Game {
    /// A game from the start position: four seeds per pit, South to move.
    #[must_use]
    pub fn new(setup: GameSetup) -> Self {
        let start =
            GameString { board: Board::START, south_store: 0, north_store: 0, turn: Side::South };
        Self::start_at(setup, start, MAX_SEEDS)
    }

    /// A game from any position. It may be over at the start.
    ///
    /// # Errors
    /// [`GameError::TooManySeeds`] if pits and stores hold more than 48 seeds.
    pub fn from_position(setup: GameSetup, start: GameString) -> Result<Self, GameError> {
        let stores = u16::from(start.south_store) + u16::from(start.north_store);
        let seeds = u16::from(start.board.seeds()) + stores;
        match u8::try_from(seeds) {
            Ok(total) if total <= MAX_SEEDS => Ok(Self::start_at(setup, start, total)),
            _ => Err(GameError::TooManySeeds { seeds }),
        }
    }

    fn start_at(setup: GameSetup, start: GameString, total_seeds: u8) -> Self {
        let (history, pits) = (Vec::new(), Vec::new());
        let mut game = Self { setup, total_seeds, history, pits, played: 0, went_on: None };
        let end = game.end_at(start, 0);
        game.history.push(HistoryEntry { position: start, end, since_capture: 0 });
        game
    }

    /// The setup of the game.
    #[must_use]
    pub const fn setup(&self) -> GameSetup {
        self.setup
    }

    /// Seeds in pits and stores together.
    #[must_use]
    pub const fn total_seeds(&self) -> u8 {
        self.total_seeds
    }

    /// The position that the game started from.
    #[must_use]
    pub fn start(&self) -> GameString {
        self.history[0].position
    }

    /// The current position.
    ///
    /// The seeds that the end of a game distributes (see [`score`](Self::score)) stay in their pits,
    /// except after a slam that ended the game.
    #[must_use]
    pub fn position(&self) -> GameString {
        self.history[self.played].position
    }

    /// The current board, seen from the side to move.
    #[must_use]
    pub fn board(&self) -> Board {
        self.position().board
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.position().turn
    }

    /// The store of one side.
    #[must_use]
    pub fn store(&self, side: Side) -> u8 {
        store(self.position(), side)
    }

    /// The moves played so far.
    #[must_use]
    pub fn moves(&self) -> &[Pit] {
        &self.pits[..self.played]
    }

    /// All positions so far, from the start to the current one.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = GameString> {
        self.history[..=self.played].iter().map(|entry| entry.position)
    }

    /// The positions since the last capture, up to the current one. Repeating one ends the game.
    pub fn positions_since_capture(&self) -> impl ExactSizeIterator<Item = GameString> {
        let from = self.history[self.played].since_capture;
        self.history[from..=self.played].iter().map(|entry| entry.position)
    }

    /// Why the game is over; `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        self.history[self.played].end
    }

    /// The legal moves in pit order with their outcomes; empty if the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<(Pit, Outcome)> {
        if self.end().is_some() {
            return Vec::new();
        }
        self.setup.rules.moves(self.board()).collect()
    }

    /// The seeds of each side: its store, and the seeds that the end of the game gives it.
    #[must_use]
    pub fn score(&self) -> Score {
        let position = self.position();
        let board = position.board;
        let (south, north) = match self.end() {
            None | Some(GameEnd::MoreThanHalf(_) | GameEnd::Slam) => (0, 0),
            Some(GameEnd::Repetition) => self.setup.repetition.shares(board, position.turn),
            Some(GameEnd::NoMove(end)) => {
                let taker = if end == End::NoSeeds { position.turn.other() } else { position.turn };
                let rest = board.seeds() * 2;
                if taker == Side::South { (rest, 0) } else { (0, rest) }
            }
        };
        Score {
            south: HalfSeeds::new(position.south_store * 2 + south),
            north: HalfSeeds::new(position.north_store * 2 + north),
        }
    }

    /// Plays a move of the side to move. Undone moves can no longer be redone.
    ///
    /// # Errors
    /// [`GameError`] if the game is over or the move is illegal. The game does not change then.
    pub fn play(&mut self, pit: Pit) -> Result<Outcome, GameError> {
        if let Some(end) = self.end() {
            return Err(GameError::Over { end });
        }
        let outcome = self.setup.rules.play(self.board(), pit);
        let Some((position, captured)) = after(self.position(), outcome) else {
            return Err(self.illegal(pit));
        };
        self.pits.truncate(self.played);
        self.history.truncate(self.played + 1);
        self.went_on = self.went_on.filter(|(after, _)| *after <= self.played);
        let since_capture =
            if captured { self.played + 1 } else { self.history[self.played].since_capture };
        let end = if matches!(outcome, Outcome::Ended { .. }) {
            Some(GameEnd::Slam)
        } else {
            self.end_at(position, since_capture)
        };
        self.pits.push(pit);
        self.history.push(HistoryEntry { position, end, since_capture });
        self.played += 1;
        Ok(outcome)
    }

    /// Plays a move that was played elsewhere. Sites differ in the ends that are a custom: the move is
    /// also played after a repetition, or after one side has more than half of the seeds. From there on
    /// the count of positions begins anew, and the game goes on to its last seed.
    ///
    /// # Errors
    /// As [`play`](Self::play), after any other end.
    pub fn go_on(&mut self, pit: Pit) -> Result<Outcome, GameError> {
        let Some(end @ (GameEnd::Repetition | GameEnd::MoreThanHalf(_))) = self.end() else {
            return self.play(pit);
        };
        let before = (self.setup, self.history[self.played]);
        self.setup.plays_on |= end != GameEnd::Repetition;
        let entry = &mut self.history[self.played];
        entry.since_capture = self.played;
        entry.end = self.setup.rules.end(entry.position.board).map(GameEnd::NoMove);
        let played = self.play(pit);
        if played.is_err() {
            (self.setup, self.history[self.played]) = before;
        } else if self.went_on.is_none() {
            self.went_on = Some((self.played - 1, end));
        }
        played
    }

    /// The first end that the game has gone on after ([`go_on`](Self::go_on)), with the number of moves
    /// before it.
    #[must_use]
    pub const fn went_on(&self) -> Option<(usize, GameEnd)> {
        self.went_on
    }

    /// Plays moves in order.
    ///
    /// # Errors
    /// [`GameError::AtMove`] for the first move that cannot be played. The moves before it are
    /// played.
    pub fn play_all(&mut self, pits: &[Pit]) -> Result<(), GameError> {
        for (ply, &pit) in (1..).zip(pits) {
            self.play(pit).map_err(|error| GameError::AtMove { ply, source: Box::new(error) })?;
        }
        Ok(())
    }

    /// Parses and plays moves such as `FfEc` or `F f E c`, South's in upper case.
    ///
    /// # Errors
    /// As [`parse_moves`], and then no move is played, and as [`play_all`](Self::play_all).
    pub fn play_text(&mut self, text: &str) -> Result<(), GameError> {
        let pits = parse_moves(text, self.turn())?;
        self.play_all(&pits)
    }

    /// Undoes a move. Returns false at the start.
    pub fn undo(&mut self) -> bool {
        let can_undo = self.played > 0;
        self.played -= usize::from(can_undo);
        can_undo
    }

    /// Redoes an undone move. Returns false if there is none.
    pub fn redo(&mut self) -> bool {
        let can_redo = self.played < self.pits.len();
        self.played += usize::from(can_redo);
        can_redo
    }

    /// The end of the game at a position that is not yet in the history. The position can repeat
    /// those from index `since_capture` on.
    fn end_at(&self, position: GameString, since_capture: usize) -> Option<GameEnd> {
        if !self.setup.plays_on {
            for side in [Side::South, Side::North] {
                if 2 * store(position, side) > self.total_seeds {
                    return Some(GameEnd::MoreThanHalf(side));
                }
            }
        }
        if let Some(end) = self.setup.rules.end(position.board) {
            return Some(GameEnd::NoMove(end));
        }
        let repeated = self.history[since_capture..].iter().any(|entry| entry.position == position);
        repeated.then_some(GameEnd::Repetition)
    }

    fn illegal(&self, pit: Pit) -> GameError {
        let side = self.turn();
        let letter = move_letter(side, pit);
        let legal: Vec<String> =
            self.legal_moves().iter().map(|(pit, _)| move_letter(side, *pit).to_string()).collect();
        let legal = legal.join(", ");
        if self.board().mover().pit(pit.place()) == 0 {
            GameError::EmptyPit { letter, legal }
        } else {
            GameError::Forbidden { letter, legal }
        }
    }
}

const fn store(position: GameString, side: Side) -> u8 {
    match side {
        Side::South => position.south_store,
        Side::North => position.north_store,
    }
}

/// The position after a move and whether seeds were captured; `None` for an illegal move.
fn after(position: GameString, outcome: Outcome) -> Option<(GameString, bool)> {
    let (captured, left, board) = match outcome {
        Outcome::Illegal => return None,
        Outcome::Moved { captured, next } => (captured, 0, next),
        Outcome::Ended { captured, left } => (captured, left, Board::default()),
    };
    let turn = position.turn.other();
    let (south, north) = match position.turn {
        Side::South => (captured, left),
        Side::North => (left, captured),
    };
    let south_store = position.south_store + south;
    let north_store = position.north_store + north;
    Some((GameString { board, south_store, north_store, turn }, captured > 0))
}
