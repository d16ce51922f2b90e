//! A game: play, undo, redo.
//!
//! A game is the list of its positions, the moves between them, and the current place in the list.
//! Undo and redo move the current place. Playing a move removes the positions after it.

use super::{GameEnd, HalfSeeds, MoveError, Repetition, Score, move_letter, parse_moves};
use crate::rules::{Board, End, GameString, MAX_SEEDS, Outcome, Pit, Rules, Side};

/// The rules of a game beyond those of its boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSetup {
    /// The rule set.
    pub rules: Rules,
    /// The consequence of a repeated position.
    pub repetition: Repetition,
    /// Whether the game goes on when one side has more than half of the seeds.
    pub plays_on: bool,
}

impl GameSetup {
    /// The defaults of a rule set: its usual repetition rule, and an end at more than half of the
    /// seeds.
    #[must_use]
    pub const fn new(rules: Rules) -> Self {
        Self { rules, repetition: Repetition::of_rules(rules), plays_on: false }
    }
}

/// The reason why a game cannot be set up or a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// Pits and stores hold more than 48 seeds.
    #[error("{seeds} seeds: pits and stores of a game hold at most 48 together")]
    TooManySeeds {
        /// Seeds found.
        seeds: u16,
    },
    /// The game is over.
    #[error("the game is over ({}): no move can be played", .end.name())]
    Over {
        /// The reason why it is over.
        end: GameEnd,
    },
    /// The pit has no seeds.
    #[error("{letter} is empty: choose one of {legal}")]
    EmptyPit {
        /// The pit as players write it.
        letter: char,
        /// The legal moves as players write them.
        legal: String,
    },
    /// The move would leave the opponent without seeds.
    #[error("{letter} would leave the opponent without seeds: choose one of {legal}")]
    Forbidden {
        /// The pit as players write it.
        letter: char,
        /// The legal moves as players write them.
        legal: String,
    },
    /// The text is not a list of moves.
    #[error(transparent)]
    Notation(#[from] MoveError),
    /// One move of a list cannot be played.
    #[error("move {ply}: {source}")]
    AtMove {
        /// The number of the move, from 1.
        ply: usize,
        /// The reason.
        source: Box<GameError>,
    },
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    position: GameString,
    end: Option<GameEnd>,
    /// The place of the first position after the last capture.
    since_capture: usize,
}

/// A game, in progress or over. See [the module's page](crate::game).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    setup: GameSetup,
    total_seeds: u8,
    /// The start position, and the position after each move of `pits`.
    moments: Vec<Moment>,
    pits: Vec<Pit>,
    /// The current place: `moments[played]` is the current position. Moves after it can be redone.
    played: usize,
}

impl Game {
    /// A game from the start position: four seeds per pit, South to move.
    #[must_use]
    pub fn new(setup: GameSetup) -> Self {
        let start =
            GameString { board: Board::START, south_store: 0, north_store: 0, turn: Side::South };
        Self::start_at(setup, start, MAX_SEEDS)
    }

    /// A game from a position, which may be over already.
    ///
    /// # Errors
    /// [`GameError::TooManySeeds`] when pits and stores hold more than 48 seeds.
    pub fn from_position(setup: GameSetup, start: GameString) -> Result<Self, GameError> {
        let stores = u16::from(start.south_store) + u16::from(start.north_store);
        let seeds = u16::from(start.board.seeds()) + stores;
        match u8::try_from(seeds) {
            Ok(total) if total <= MAX_SEEDS => Ok(Self::start_at(setup, start, total)),
            _ => Err(GameError::TooManySeeds { seeds }),
        }
    }

    fn start_at(setup: GameSetup, start: GameString, total_seeds: u8) -> Self {
        let mut game =
            Self { setup, total_seeds, moments: Vec::new(), pits: Vec::new(), played: 0 };
        let end = game.end_at(start, 0);
        game.moments.push(Moment { position: start, end, since_capture: 0 });
        game
    }

    /// The rules of the game.
    #[must_use]
    pub const fn setup(&self) -> GameSetup {
        self.setup
    }

    /// Seeds in pits and stores together.
    #[must_use]
    pub const fn total_seeds(&self) -> u8 {
        self.total_seeds
    }

    /// The current position. Seeds that the end of the game gives to a side (see
    /// [`score`](Self::score)) are still in their pits, except after a slam that ended the game.
    #[must_use]
    pub fn position(&self) -> GameString {
        self.moments[self.played].position
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

    /// The store of a side.
    #[must_use]
    pub fn store(&self, side: Side) -> u8 {
        store(self.position(), side)
    }

    /// The moves played so far.
    #[must_use]
    pub fn moves(&self) -> &[Pit] {
        &self.pits[..self.played]
    }

    /// The positions so far, from the start position to the current one: one more than there are
    /// moves.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = GameString> {
        self.moments[..=self.played].iter().map(|moment| moment.position)
    }

    /// The positions since the last capture, the current one last. Repeating one of them ends the
    /// game.
    pub fn positions_since_capture(&self) -> impl ExactSizeIterator<Item = GameString> {
        let from = self.moments[self.played].since_capture;
        self.moments[from..=self.played].iter().map(|moment| moment.position)
    }

    /// The reason why the game is over; `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        self.moments[self.played].end
    }

    /// The legal moves in pit order with their outcomes; none if the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<(Pit, Outcome)> {
        if self.end().is_some() {
            return Vec::new();
        }
        self.setup.rules.moves(self.board()).collect()
    }

    /// The score: the stores, and once the game is over also the seeds that its end gives to each
    /// side.
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

    /// Plays a move of the side to move. Moves that could be redone are removed.
    ///
    /// # Errors
    /// [`GameError`] if the game is over or the move is illegal. The game is then unchanged.
    pub fn play(&mut self, pit: Pit) -> Result<Outcome, GameError> {
        if let Some(end) = self.end() {
            return Err(GameError::Over { end });
        }
        let outcome = self.setup.rules.play(self.board(), pit);
        let Some((position, captured)) = after(self.position(), outcome) else {
            return Err(self.illegal(pit));
        };
        self.pits.truncate(self.played);
        self.moments.truncate(self.played + 1);
        let since_capture =
            if captured { self.played + 1 } else { self.moments[self.played].since_capture };
        let end = if matches!(outcome, Outcome::Ended { .. }) {
            Some(GameEnd::Slam)
        } else {
            self.end_at(position, since_capture)
        };
        self.pits.push(pit);
        self.moments.push(Moment { position, end, since_capture });
        self.played += 1;
        Ok(outcome)
    }

    /// Plays moves in order.
    ///
    /// # Errors
    /// [`GameError::AtMove`] with the first move that cannot be played. Those before it are played.
    pub fn play_all(&mut self, pits: &[Pit]) -> Result<(), GameError> {
        for (ply, &pit) in (1..).zip(pits) {
            self.play(pit).map_err(|error| GameError::AtMove { ply, source: Box::new(error) })?;
        }
        Ok(())
    }

    /// Parses and plays moves such as `FfEc` or `F f E c`.
    ///
    /// # Errors
    /// As [`parse_moves`], in which case no move is played, and as [`play_all`](Self::play_all).
    pub fn play_text(&mut self, text: &str) -> Result<(), GameError> {
        let pits = parse_moves(text, self.turn())?;
        self.play_all(&pits)
    }

    /// Undoes the last move. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let can = self.played > 0;
        self.played -= usize::from(can);
        can
    }

    /// Redoes the move that was undone last. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        let can = self.played < self.pits.len();
        self.played += usize::from(can);
        can
    }

    /// The end of the game at a new last position. `since_capture` is the place of the first
    /// position that it may repeat.
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
        let earlier = &self.moments[since_capture..];
        let repeated = earlier.iter().any(|moment| moment.position == position);
        repeated.then_some(GameEnd::Repetition)
    }

    /// The error of an illegal move.
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

/// The position after a move, and whether the move captures; `None` if the move is illegal.
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
