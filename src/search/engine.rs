//! The engine: chooses moves by the database or by search.
//!
//! If the database holds the level of a board, the choice is exact. Any other board is searched by
//! iterative deepening, with the database at the leaves. If a table is damaged or missing, the
//! engine searches without it and reports the problem with its choice.

use super::alphabeta::{MAX_DEPTH, MAX_PLIES, Node, NodeScore, Searcher};
use super::control::{Control, Limits};
use super::evaluation::Evaluation;
use super::perfect::{Conversion, PerfectPlayer};
use super::score::{Aim, Certainty, Estimate, INFINITY, SEED, gain};
use super::secure::{SecureMove, secure_move};
use super::transposition::TranspositionTable;
use crate::database::{Database, DatabaseError};
use crate::game::Game;
use crate::rules::{Board, Outcome, Pit, Rules, Seeds, Side, Value};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// The options of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineOptions {
    /// What the engine maximizes.
    pub aim: Aim,
    /// The static evaluation.
    pub evaluation: Evaluation,
    /// Memory for the transposition table.
    pub hash_bytes: usize,
}

impl Default for EngineOptions {
    /// The margin, the fitted evaluation, and 32 MiB.
    fn default() -> Self {
        Self { aim: Aim::Margin, evaluation: Evaluation::Fitted, hash_bytes: 32 << 20 }
    }
}

impl EngineOptions {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what the engine maximizes.
    #[must_use]
    pub const fn aim(mut self, aim: Aim) -> Self {
        self.aim = aim;
        self
    }

    /// Sets the static evaluation.
    #[must_use]
    pub const fn evaluation(mut self, evaluation: Evaluation) -> Self {
        self.evaluation = evaluation;
        self
    }

    /// Sets the memory for the transposition table, in bytes.
    #[must_use]
    pub const fn hash_bytes(mut self, hash_bytes: usize) -> Self {
        self.hash_bytes = hash_bytes;
        self
    }
}

/// The origin of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceSource {
    /// The database holds the board's level.
    Database(Conversion),
    /// A search.
    Search,
}

/// A chosen move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The pit to sow.
    pub pit: Pit,
    /// The value of the position for its mover.
    pub value: Estimate,
    /// The principal variation, this move first.
    pub line: Vec<Pit>,
    /// The origin of the choice.
    pub source: ChoiceSource,
    /// Completed depth in plies; 0 for a choice by the database.
    pub depth: u32,
    /// Searched nodes.
    pub nodes: u64,
    /// Nodes whose value the database gave.
    pub table_hits: u64,
    /// The message of the error that kept the database from choosing.
    pub problem: Option<String>,
}

/// The progress of a search after an iteration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchInfo<'a> {
    /// Completed depth in plies; 0 for a choice by the database.
    pub depth: u32,
    /// The value of the position for its mover.
    pub value: Estimate,
    /// The principal variation.
    pub line: &'a [Pit],
    /// Searched nodes.
    pub nodes: u64,
    /// Nodes whose value the database gave.
    pub table_hits: u64,
    /// Thousandths of the transposition table that are in use.
    pub hash_filled: u32,
    /// Time since the search started.
    pub elapsed: Duration,
}

/// Chooses moves. One engine serves many moves, as it allocates its transposition table once.
#[derive(Debug)]
pub struct Engine {
    perfect: Option<PerfectPlayer>,
    options: EngineOptions,
    transpositions: TranspositionTable,
}

impl Engine {
    /// An engine with or without a database. It uses the database only in games of the database's
    /// rules. Where the system has no memory for its transposition table, the table is as large as
    /// the system gives; see [`configure`](Self::configure) to have an error instead.
    #[must_use]
    pub fn new(database: Option<Arc<Database>>, options: EngineOptions) -> Self {
        let mut engine =
            Self { perfect: None, options, transpositions: TranspositionTable::smallest() };
        let sizes = std::iter::successors(Some(options.hash_bytes), |bytes| Some(bytes / 2));
        for hash_bytes in sizes.take_while(|&bytes| bytes > 0) {
            if engine.configure(None, EngineOptions { hash_bytes, ..options }).is_ok() {
                break;
            }
        }
        engine.perfect = database.map(PerfectPlayer::new);
        engine
    }

    /// Changes the database and the options, and forgets what earlier searches found. The memory of
    /// the transposition table stays in use unless its size changes.
    ///
    /// # Errors
    /// When the system has no memory for the transposition table. The engine is unchanged.
    pub fn configure(
        &mut self,
        database: Option<Arc<Database>>,
        options: EngineOptions,
    ) -> io::Result<()> {
        if !self.transpositions.fits(options.hash_bytes) {
            self.transpositions = TranspositionTable::new(options.hash_bytes)?;
        }
        self.perfect = database.map(PerfectPlayer::new);
        self.options = options;
        Ok(())
    }

    /// The options of the engine.
    #[must_use]
    pub const fn options(&self) -> EngineOptions {
        self.options
    }

    /// The database, if it has the rules of a game.
    #[must_use]
    pub fn database_for(&self, game: &Game) -> Option<&Database> {
        let database = self.perfect.as_ref()?.database();
        (database.rules() == game.setup().rules).then_some(database)
    }

    /// The most seeds of a board that the database holds, if it has these rules.
    #[must_use]
    pub fn reach(&self, rules: Rules) -> Option<Seeds> {
        let database = self.perfect.as_ref()?.database();
        if database.rules() == rules { database.levels().last().copied() } else { None }
    }

    /// Whether the database holds the board of a game.
    #[must_use]
    pub fn holds_board(&self, game: &Game) -> bool {
        self.database_for(game).is_some_and(|database| database.has_level(game.board().level()))
    }

    /// The move to play; `None` if the game is over. `info` is called after each iteration.
    pub fn choose(
        &mut self,
        game: &Game,
        limits: Limits,
        control: &Control,
        info: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Option<Choice> {
        if game.end().is_some() {
            return None;
        }
        if let Some(time) = limits.time {
            control.stop_after(time);
        }
        let mut problem = None;
        if self.holds_board(game)
            && let Some(perfect) = &mut self.perfect
        {
            match from_database(perfect, self.options.aim, game, control) {
                Ok(choice) => {
                    info(&SearchInfo {
                        depth: 0,
                        value: choice.value,
                        line: &choice.line,
                        nodes: choice.nodes,
                        table_hits: choice.table_hits,
                        hash_filled: 0,
                        elapsed: control.elapsed(),
                    });
                    return Some(choice);
                }
                Err(error) => problem = Some(error.to_string()),
            }
        }
        Some(Choice { problem, ..self.deepen(game, limits, control, info) })
    }

    /// Every legal move in pit order with its value.
    pub fn move_values(
        &mut self,
        game: &Game,
        limits: Limits,
        control: &Control,
    ) -> Vec<(Pit, Estimate)> {
        if let Some(database) = self.database_for(game)
            && self.holds_board(game)
            && let Ok(mut moves) = database.moves(game.board())
        {
            moves.sort_by_key(|found| found.pit);
            return moves.iter().map(|found| (found.pit, exact(found.value))).collect();
        }
        let moves = game.legal_moves();
        let limits = limits_after_move(limits, moves.len());
        let value_of =
            |&(pit, outcome)| (pit, self.value_of_move(game, pit, outcome, limits, control));
        moves.iter().map(value_of).collect()
    }

    /// The value of a legal move for its mover.
    fn value_of_move(
        &mut self,
        game: &Game,
        pit: Pit,
        outcome: Outcome,
        limits: Limits,
        control: &Control,
    ) -> Estimate {
        let mut after = game.clone();
        after.play(pit).expect("a legal move can be played");
        let next = match self.choose(&after, limits, control, &mut |_| {}) {
            Some(choice) => choice.value,
            None => ended_value(&after),
        };
        let certainty = match next.certainty {
            Certainty::AtLeast => Certainty::AtMost,
            Certainty::AtMost => Certainty::AtLeast,
            same => same,
        };
        Estimate { hundredths: gain(outcome) * SEED - next.hundredths, certainty }
    }

    /// Searches by iterative deepening. The game must not be over.
    fn deepen(
        &mut self,
        game: &Game,
        limits: Limits,
        control: &Control,
        info: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Choice {
        self.transpositions.new_search();
        let rules = game.setup().rules;
        let database = self.perfect.as_ref().map(PerfectPlayer::database);
        let database = database.filter(|database| database.rules() == rules);
        let aim = self.options.aim;
        let ahead = store_lead(game);
        let path: Vec<Board> = game.positions_since_capture().map(|at| at.board).collect();
        let mut searcher = Searcher {
            rules,
            database,
            transpositions: &mut self.transpositions,
            control,
            evaluation: self.options.evaluation,
            repetition: game.setup().repetition,
            aim,
            plays_on: game.setup().plays_on,
            path,
            nodes: 0,
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            table_hits: 0,
            pv: vec![Vec::new(); MAX_PLIES + 1],
            root_best: None,
            history: [[[0; 16]; 6]; 2],
        };
        let (first_move, _) = game.legal_moves()[0];
        let mut choice = Choice {
            pit: first_move,
            value: Estimate { hundredths: 0, certainty: Certainty::Estimate },
            line: vec![first_move],
            source: ChoiceSource::Search,
            depth: 0,
            nodes: 0,
            table_hits: 0,
            problem: None,
        };
        let max_depth = limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH));
        for depth in 1..=max_depth {
            searcher.root_best = None;
            let root = Node {
                board: game.board(),
                ahead,
                depth: depth.cast_signed(),
                alpha: -INFINITY,
                beta: INFINITY,
                ply: 0,
                since_capture: 0,
            };
            let result = searcher.search(root);
            choice.nodes = searcher.nodes;
            choice.table_hits = searcher.table_hits;
            let is_complete = result.is_ok();
            if let Some((pit, partial)) = searcher.root_best {
                // An aborted iteration proves nothing about the remaining moves.
                let score = result.unwrap_or(NodeScore { proved_upper: false, ..partial });
                choice.pit = pit;
                choice.value = estimate(aim, score, ahead);
                choice.depth = if is_complete { depth } else { depth - 1 };
                let is_line_of_move = searcher.pv[0].first() == Some(&pit);
                choice.line = if is_line_of_move { searcher.pv[0].clone() } else { vec![pit] };
            }
            if !is_complete {
                break;
            }
            info(&SearchInfo {
                depth,
                value: choice.value,
                line: &choice.line,
                nodes: choice.nodes,
                table_hits: choice.table_hits,
                hash_filled: searcher.transpositions.permille_used(),
                elapsed: control.elapsed(),
            });
            if choice.value.certainty == Certainty::Exact || control.is_nearly_over() {
                break;
            }
        }
        choice
    }
}

/// The limits of a search after one of several moves: one ply less, and an equal share of the time.
fn limits_after_move(limits: Limits, moves: usize) -> Limits {
    let moves = u32::try_from(moves).expect("a board has at most six moves");
    Limits {
        depth: limits.depth.map(|depth| depth.max(2) - 1),
        time: limits.time.map(|time| time / moves.max(1)),
        nodes: limits.nodes.map(|nodes| nodes / u64::from(moves.max(1))),
    }
}

/// The lead of the mover's store in hundredths of a seed.
fn store_lead(game: &Game) -> i32 {
    let turn = game.turn();
    let (own, other) = (game.store(turn), game.store(turn.other()));
    (i32::from(own) - i32::from(other)) * SEED
}

fn estimate(aim: Aim, score: NodeScore, ahead: i32) -> Estimate {
    let certainty = Certainty::of(score.proved_lower, score.proved_upper);
    let hundredths = aim.value(score.score, ahead, certainty == Certainty::Exact);
    Estimate { hundredths, certainty }
}

fn exact(value: Value) -> Estimate {
    Estimate { hundredths: i32::from(value.get()) * SEED, certainty: Certainty::Exact }
}

/// The value of the last position of an ended game for its side to move.
fn ended_value(game: &Game) -> Estimate {
    let score = game.score();
    let gets = |side: Side| i32::from(score.of(side).get()) - 2 * i32::from(game.store(side));
    let turn = game.turn();
    let half_seeds = gets(turn) - gets(turn.other());
    Estimate { hundredths: half_seeds * SEED / 2, certainty: Certainty::Exact }
}

/// The choice by the database. The game must not be over.
fn from_database(
    perfect: &mut PerfectPlayer,
    aim: Aim,
    game: &Game,
    control: &Control,
) -> Result<Choice, DatabaseError> {
    let has_bounds = perfect.database().has_bounds(game.board().level());
    let secure = match aim == Aim::Secure && has_bounds {
        true => secure_move(perfect.database(), game, control)?,
        false => None,
    };
    let (pit, value, conversion) = if let Some(SecureMove { pit, value, conversion, .. }) = secure {
        (pit, value, conversion)
    } else {
        let best = perfect.choose(game, control)?.expect("the game is not over");
        (best.pit, best.value, best.conversion)
    };
    let mut line = vec![pit];
    let mut after = game.clone();
    after.play(pit).expect("the database chooses legal moves");
    if after.end().is_none()
        && let Some(reply) = perfect.database().moves(after.board())?.first()
    {
        line.push(reply.pit);
    }
    Ok(Choice {
        pit,
        value: exact(value),
        line,
        source: ChoiceSource::Database(conversion),
        depth: 0,
        nodes: 1,
        table_hits: 1,
        problem: None,
    })
}
