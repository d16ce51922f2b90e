//! One door to all ways of finding a move.
//!
//! A board whose level is in the database is answered from it, exactly; any other is searched by
//! iterative deepening, with the database at the leaves. A damaged or missing table is no reason
//! to stop playing: the search goes on without it and the choice says what was wrong.

use super::alphabeta::{MAX_DEPTH, MAX_PLIES, Node, NodeScore, Searcher};
use super::control::{Control, Limits};
use super::evaluation::Evaluation;
use super::perfect::{Conversion, PerfectPlayer};
use super::score::{Aim, Certainty, Estimate, INFINITY, SEED};
use super::transposition::TranspositionTable;
use crate::database::{Database, DatabaseError};
use crate::game::Game;
use crate::rules::{Board, Outcome, Pit, Side};
use std::sync::Arc;
use std::time::Duration;

/// How an engine searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// What it wants most.
    pub aim: Aim,
    /// How it guesses.
    pub evaluation: Evaluation,
    /// Memory for boards met before.
    pub hash_bytes: usize,
}

impl Default for EngineOptions {
    /// 32 MiB.
    fn default() -> Self {
        Self { aim: Aim::Margin, evaluation: Evaluation::Fitted, hash_bytes: 32 << 20 }
    }
}

/// Where a choice comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceSource {
    /// The board's level is in the database.
    Database(Conversion),
    /// Searching.
    Search,
}

/// A move found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The pit to sow.
    pub pit: Pit,
    /// What the mover gets from here on.
    pub value: Estimate,
    /// The expected line, this move first.
    pub line: Vec<Pit>,
    /// Where it comes from.
    pub source: ChoiceSource,
    /// Plies looked ahead, 0 for the database.
    pub depth: u32,
    /// Boards looked at.
    pub nodes: u64,
    /// Boards answered by the database.
    pub table_hits: u64,
    /// What kept the database from answering, in words.
    pub problem: Option<String>,
}

/// How a search stands after an iteration.
#[derive(Clone, Debug)]
pub struct SearchInfo<'a> {
    /// Plies looked ahead; 0 when the database answered.
    pub depth: u32,
    /// What the mover gets from here on.
    pub value: Estimate,
    /// The expected line.
    pub line: &'a [Pit],
    /// Boards looked at.
    pub nodes: u64,
    /// Boards answered by the database.
    pub table_hits: u64,
    /// Thousandths of the memory for boards that are in use.
    pub hash_filled: u32,
    /// Time since the search started.
    pub elapsed: Duration,
}

/// Finds moves. Keep it between moves: its memory is set up once.
#[derive(Debug)]
pub struct Engine {
    perfect: Option<PerfectPlayer>,
    options: EngineOptions,
    transpositions: TranspositionTable,
}

impl Engine {
    /// An engine with or without a database. A database of other rules than a game's is not node
    /// in that game.
    #[must_use]
    pub fn new(database: Option<Arc<Database>>, options: EngineOptions) -> Self {
        let perfect = database.map(PerfectPlayer::new);
        Self { perfect, options, transpositions: TranspositionTable::new(options.hash_bytes) }
    }

    /// How it searches.
    #[must_use]
    pub const fn options(&self) -> EngineOptions {
        self.options
    }

    /// The database, if it serves a game's rules.
    #[must_use]
    pub fn database_for(&self, game: &Game) -> Option<&Database> {
        let database = self.perfect.as_ref()?.database();
        (database.rules() == game.setup().rules).then_some(database)
    }

    /// Whether a game's board is in the database.
    #[must_use]
    pub fn holds_board(&self, game: &Game) -> bool {
        self.database_for(game).is_some_and(|database| database.has_level(game.board().seeds()))
    }

    /// The move to play; `None` when the game is over. `report` is called after each iteration.
    pub fn choose(
        &mut self,
        game: &Game,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<'_>),
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
            match from_database(perfect, game, control) {
                Ok(Some(choice)) => {
                    report(&SearchInfo {
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
                Ok(None) => return None,
                Err(error) => problem = Some(error.to_string()),
            }
        }
        let found = self.deepen(game, limits, control, report);
        found.map(|choice| Choice { problem, ..choice })
    }

    /// Every legal move in pit order with what it is worth.
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
            let exact = |value: i8| Estimate {
                hundredths: i32::from(value) * SEED,
                certainty: Certainty::Exact,
            };
            return moves.iter().map(|found| (found.pit, exact(found.value.get()))).collect();
        }
        let moves = game.legal_moves();
        let share = u32::try_from(moves.len()).unwrap_or(1).max(1);
        let limits = Limits { time: limits.time.map(|time| time / share), ..limits };
        let value_after = |(pit, outcome)| {
            let mut after = game.clone();
            after.play(pit).ok()?;
            let captured = match outcome {
                Outcome::Moved { captured, .. } => i32::from(captured),
                Outcome::Ended { captured, left } => i32::from(captured) - i32::from(left),
                Outcome::Illegal => return None,
            };
            let limits = Limits { depth: limits.depth.map(|depth| depth.max(2) - 1), ..limits };
            let choice = self.choose(&after, limits, control, &mut |_| {});
            let next = match choice {
                Some(choice) => choice.value,
                None => ended_value(&after),
            };
            let certainty = match next.certainty {
                Certainty::AtLeast => Certainty::AtMost,
                Certainty::AtMost => Certainty::AtLeast,
                same => same,
            };
            Some((pit, Estimate { hundredths: captured * SEED - next.hundredths, certainty }))
        };
        moves.into_iter().filter_map(value_after).collect()
    }

    /// Iterative deepening.
    fn deepen(
        &mut self,
        game: &Game,
        limits: Limits,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<'_>),
    ) -> Option<Choice> {
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
            table_hits: 0,
            pv: vec![Vec::new(); MAX_PLIES + 1],
            root_best: None,
            history: [[[0; 16]; 6]; 2],
        };
        let (first_move, _) = *game.legal_moves().first()?;
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
        let most = limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH);
        for depth in 1..=most {
            searcher.root_best = None;
            let node = Node {
                board: game.board(),
                ahead,
                depth: depth.cast_signed(),
                alpha: -INFINITY,
                beta: INFINITY,
                ply: 0,
                since_capture: 0,
            };
            let answer = searcher.search(node);
            choice.nodes = searcher.nodes;
            choice.table_hits = searcher.table_hits;
            let is_whole = answer.is_ok();
            if let Some((pit, partial)) = searcher.root_best {
                // Of an iteration cut short nothing is proved about the other moves.
                let found = answer.unwrap_or(NodeScore { proved_upper: false, ..partial });
                choice.pit = pit;
                choice.value = estimate(aim, found, ahead);
                choice.depth = if is_whole { depth } else { depth - 1 };
                let same = searcher.pv[0].first() == Some(&pit);
                choice.line = if same { searcher.pv[0].clone() } else { vec![pit] };
            }
            if !is_whole {
                break;
            }
            report(&SearchInfo {
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
        Some(choice)
    }
}

/// Hundredths of a seed that the store of the side to move is ahead.
fn store_lead(game: &Game) -> i32 {
    let turn = game.turn();
    let (own, other) = (game.store(turn), game.store(turn.other()));
    (i32::from(own) - i32::from(other)) * SEED
}

fn estimate(aim: Aim, found: NodeScore, ahead: i32) -> Estimate {
    let certainty = Certainty::of(found.proved_lower, found.proved_upper);
    let hundredths = aim.value(found.score, ahead, certainty == Certainty::Exact);
    Estimate { hundredths, certainty }
}

/// What the side to move got from the last position of an ended game on.
fn ended_value(game: &Game) -> Estimate {
    let score = game.score();
    let gets = |side: Side| i32::from(score.of(side).get()) - 2 * i32::from(game.store(side));
    let turn = game.turn();
    let half_seeds = gets(turn) - gets(turn.other());
    Estimate { hundredths: half_seeds * SEED / 2, certainty: Certainty::Exact }
}

/// The database's choice.
fn from_database(
    perfect: &mut PerfectPlayer,
    game: &Game,
    control: &Control,
) -> Result<Option<Choice>, DatabaseError> {
    let Some(best) = perfect.choose(game, control)? else { return Ok(None) };
    let mut line = vec![best.pit];
    let mut after = game.clone();
    if after.play(best.pit).is_ok()
        && after.end().is_none()
        && let Some(reply) = perfect.database().moves(after.board())?.first()
    {
        line.push(reply.pit);
    }
    let value =
        Estimate { hundredths: i32::from(best.value.get()) * SEED, certainty: Certainty::Exact };
    Ok(Some(Choice {
        pit: best.pit,
        value,
        line,
        source: ChoiceSource::Database(best.conversion),
        depth: 0,
        nodes: 1,
        table_hits: 1,
        problem: None,
    }))
}
