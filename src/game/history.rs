//! One game: play, undo, redo.
//!
//! A game is the list of its positions with the moves between them, and a place in that list. Undo
//! and redo move the place; playing cuts off what lies beyond it.

use super::{GameEnd, HalfSeeds, MoveError, Repetition, Score, move_letter, parse_moves};
use crate::rules::{Board, End, GameString, MAX_SEEDS, Outcome, Pit, Rules, Side};

/// What is agreed before a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSetup {
    /// The rule set.
    pub rules: Rules,
    /// What a repeated position means.
    pub repetition: Repetition,
    /// Whether play goes on after one side has more than half of the seeds.
    pub plays_on: bool,
}

impl GameSetup {
    /// The custom of a rule set: its usual repetition rule, over at more than half of the seeds.
    #[must_use]
    pub const fn new(rules: Rules) -> Self {
        Self { rules, repetition: Repetition::of_rules(rules), plays_on: false }
    }
}

/// Why a game cannot be set up or a move not be played.
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
        /// Why it is over.
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
    /// A list of moves cannot be read.
    #[error(transparent)]
    Notation(#[from] MoveError),
    /// One move of a list cannot be played.
    #[error("move {ply}: {source}")]
    AtMove {
        /// Which move, from 1.
        ply: usize,
        /// What is wrong with it.
        source: Box<GameError>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    position: GameString,
    end: Option<GameEnd>,
    /// Index of the first position since the last capture.
    since_capture: usize,
}

/// A game in progress or ended. See the module's page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    setup: GameSetup,
    total_seeds: u8,
    /// One more than `pits`; the first is the position that the game started from.
    moments: Vec<Moment>,
    pits: Vec<Pit>,
    /// Moves that count: `moments[played]` is the position on the board, the rest can be redone.
    played: usize,
}

impl Game {
    /// A game from the start position: four seeds a pit, South to move.
    #[must_use]
    pub fn new(setup: GameSetup) -> Self {
        let start =
            GameString { board: Board::START, south_store: 0, north_store: 0, turn: Side::South };
        Self::start_at(setup, start, MAX_SEEDS)
    }

    /// A game from any position; it may be over before it begins.
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

    /// What was agreed before the game.
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
        self.moments[0].position
    }

    /// The position now. Seeds that an ended game hands out (see [`score`](Self::score)) are still
    /// in their pits, except after a slam that ended the game.
    #[must_use]
    pub fn position(&self) -> GameString {
        self.moments[self.played].position
    }

    /// The board now, seen from the side to move.
    #[must_use]
    pub fn board(&self) -> Board {
        self.position().board
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.position().turn
    }

    /// The store of one side.
    #[must_use]
    pub fn store(&self, side: Side) -> u8 {
        store(self.position(), side)
    }

    /// Moves played so far.
    #[must_use]
    pub fn moves(&self) -> &[Pit] {
        &self.pits[..self.played]
    }

    /// Every position so far, the first and the present one included: one more than there are
    /// moves.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = GameString> {
        self.moments[..=self.played].iter().map(|moment| moment.position)
    }

    /// The positions since the last capture, the present one last: those that may not come back.
    pub fn positions_since_capture(&self) -> impl ExactSizeIterator<Item = GameString> {
        let from = self.moments[self.played].since_capture;
        self.moments[from..=self.played].iter().map(|moment| moment.position)
    }

    /// Why the game is over, or `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<GameEnd> {
        self.moments[self.played].end
    }

    /// The legal moves in pit order with what each does; none when the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<(Pit, Outcome)> {
        if self.end().is_some() {
            return Vec::new();
        }
        self.setup.rules.moves(self.board()).collect()
    }

    /// What each side has: the stores while the game goes on, and with what the end hands out once
    /// it is over.
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

    /// Plays a move of the side to move; what could be redone is forgotten.
    ///
    /// # Errors
    /// [`GameError`] when the game is over or the move is not legal; the game is as before.
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
    /// [`GameError::AtMove`] at the first that cannot be played; those before it have been.
    pub fn play_all(&mut self, pits: &[Pit]) -> Result<(), GameError> {
        for (ply, &pit) in (1..).zip(pits) {
            self.play(pit).map_err(|error| GameError::AtMove { ply, source: Box::new(error) })?;
        }
        Ok(())
    }

    /// Reads and plays moves such as `FfEc` or `F f E c`, South's in capitals.
    ///
    /// # Errors
    /// As [`parse_moves`] (then nothing is played) and [`play_all`](Self::play_all).
    pub fn play_text(&mut self, text: &str) -> Result<(), GameError> {
        let pits = parse_moves(text, self.turn())?;
        self.play_all(&pits)
    }

    /// Takes a move back; false at the start.
    pub fn undo(&mut self) -> bool {
        let can = self.played > 0;
        self.played -= usize::from(can);
        can
    }

    /// Plays again a move that was taken back; false when there is none.
    pub fn redo(&mut self) -> bool {
        let can = self.played < self.pits.len();
        self.played += usize::from(can);
        can
    }

    /// The end of the game at a position about to become the last, `since_capture` being the first
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
        let earlier = self.moments.get(since_capture..).unwrap_or_default();
        let repeated = earlier.iter().any(|moment| moment.position == position);
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
