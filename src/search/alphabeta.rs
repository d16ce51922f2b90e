//! Alpha-beta search: principal variation search with a transposition table.
//!
//! The score of a node is the maximum, over its moves, of the seeds that the move captures minus
//! the score of its child. A node is a leaf if the game has ended, if the database holds its board
//! (an exact value), if it repeats a position (the repetition rule of the game), or at depth 0 (the
//! evaluation).
//!
//! A score comes with the bounds on the true value that are *proved* at any depth. A lower bound is
//! proved if the child of the best move has a proved upper bound. An upper bound is proved if all
//! moves are searched and all children have proved lower bounds. Ended games and tables prove both
//! bounds, evaluations and repetitions neither. So a proof depends neither on the path nor on the
//! depth.

use super::control::Control;
use super::evaluation::Evaluation;
use super::score::{Aim, INFINITY, SEED};
use super::transposition::{Bounds, Entry, TranspositionTable, key};
use crate::database::Database;
use crate::game::Repetition;
use crate::rules::{Board, Outcome, Pit, Rules, Value, end_of};

/// Maximum length of a line in plies.
pub(super) const MAX_PLIES: usize = 100;
/// Maximum depth of a search.
pub(super) const MAX_DEPTH: u32 = 99;
const _: () = assert!(MAX_DEPTH as usize + 1 == MAX_PLIES);
/// Minimum number of plies between two occurrences of a position.
const MIN_REPETITION_PLIES: usize = 12;
/// Number of nodes between two looks at the clock. The first nodes of a search in a large
/// transposition table take long, since each brings a page of it into memory.
const NODES_PER_STOP_CHECK: u64 = 128;

/// The score of a node, and which bounds on the true value it proves.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeScore {
    pub(super) score: i32,
    /// The true value is at least the score.
    pub(super) proved_lower: bool,
    /// The true value is at most the score.
    pub(super) proved_upper: bool,
}

impl NodeScore {
    const fn exact(score: i32) -> Self {
        Self { score, proved_lower: true, proved_upper: true }
    }

    const fn heuristic(score: i32) -> Self {
        Self { score, proved_lower: false, proved_upper: false }
    }
}

/// The search was stopped. The node under search has no score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aborted;

/// One search from one position.
pub(super) struct Searcher<'a> {
    pub(super) rules: Rules,
    pub(super) database: Option<&'a Database>,
    pub(super) transpositions: &'a mut TranspositionTable,
    pub(super) control: &'a Control,
    pub(super) evaluation: Evaluation,
    pub(super) repetition: Repetition,
    pub(super) aim: Aim,
    /// Whether the game goes on when a side has more than half of the seeds.
    pub(super) plays_on: bool,
    /// The positions of the game since its last capture, followed by those of the current line.
    pub(super) path: Vec<Board>,
    pub(super) nodes: u64,
    /// The search is aborted at its node after so many.
    pub(super) most_nodes: u64,
    pub(super) table_hits: u64,
    /// The principal variation from each ply on.
    pub(super) pv: Vec<Vec<Pit>>,
    /// The best root move of the current iteration.
    pub(super) root_best: Option<(Pit, NodeScore)>,
    /// History heuristic: weight of beta cutoffs by side to move, pit and seeds in the pit.
    pub(super) history: [[[u32; 16]; 6]; 2],
}

/// A legal move with its move ordering score.
#[derive(Clone, Copy)]
struct Candidate {
    pit: Pit,
    captured: u8,
    /// The child, or the seeds that the opponent takes if the move ends the game.
    next: Result<Board, u8>,
    /// Moves with higher scores are searched first.
    ordering_score: u32,
}

/// A node to search: a board with its window, its depth and its place in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) board: Board,
    /// Lead of the mover's store in hundredths of a seed.
    pub(super) ahead: i32,
    /// Remaining plies.
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Distance from the root.
    pub(super) ply: usize,
    /// Index in the path of the first position since the last capture.
    pub(super) since_capture: usize,
}

impl Searcher<'_> {
    /// Searches a node. The score is for its mover.
    pub(super) fn search(&mut self, node: Node) -> Result<NodeScore, Aborted> {
        self.count_node()?;
        self.pv[node.ply].clear();
        let Node { board, ahead, depth, ply, .. } = node;
        if ply > 0
            && let Some(leaf) = self.leaf(node)
        {
            return Ok(leaf);
        }
        let key = match self.aim {
            Aim::Margin | Aim::Secure => key(board, 0),
            Aim::Result => key(board, ahead),
        };
        let entry = self.transpositions.probe(key);
        if let Some(entry) = entry
            && ply > 0
            && let Some(score) = cutoff(&entry, node)
        {
            return Ok(score);
        }
        let mut moves = self.candidates(node, entry.and_then(|entry| entry.best()));
        let count = moves.iter().flatten().count();
        if count == 0 {
            let end = end_of(self.rules, board.mover(), board.opponent())
                .expect("the game has ended on a board without a legal move");
            return Ok(self.exact(end.value(board.seeds()), ahead));
        }
        if depth <= 0 || ply + 1 >= MAX_PLIES {
            let gain = |candidate: &Candidate| match candidate.next {
                Ok(_) => i32::from(candidate.captured),
                Err(left) => i32::from(candidate.captured) - i32::from(left),
            };
            let own_capture = moves.iter().flatten().map(gain).fold(0, i32::max);
            let value = self.evaluation.static_value(self.rules, board, own_capture);
            return Ok(NodeScore::heuristic(self.aim.score(value, ahead, false)));
        }
        self.search_moves(node, &mut moves[..count], key)
    }

    /// Searches the moves of a node and stores its score in the transposition table.
    fn search_moves(
        &mut self,
        node: Node,
        moves: &mut [Option<Candidate>],
        key: u64,
    ) -> Result<NodeScore, Aborted> {
        let mut alpha = node.alpha;
        let mut best = NodeScore { score: -INFINITY, proved_lower: false, proved_upper: true };
        let mut best_pit = None;
        for at in 0..moves.len() {
            let candidate = pick_next(&mut moves[at..]);
            let found = self.search_move(node, &candidate, alpha, at == 0)?;
            best.proved_upper &= found.proved_upper;
            if found.score > best.score || (found.score == best.score && !best.proved_lower) {
                let improves = found.score > best.score;
                best.proved_lower = found.proved_lower;
                best.score = found.score;
                if improves {
                    best_pit = Some(candidate.pit);
                    if found.score > alpha {
                        alpha = found.score;
                        self.update_pv(node.ply, candidate.pit);
                        if node.ply == 0 {
                            self.root_best = Some((candidate.pit, found));
                        }
                    }
                }
            }
            if alpha >= node.beta {
                best.proved_upper &= at + 1 == moves.len();
                self.update_history(node, &candidate);
                break;
            }
        }
        let bounds = Bounds {
            lower: best.score > node.alpha,
            upper: best.score < node.beta,
            proved_lower: best.proved_lower,
            proved_upper: best.proved_upper,
        };
        self.transpositions.store(key, node.depth, best.score, best_pit, bounds);
        Ok(best)
    }

    /// The score of a move for its mover. Moves after the first are searched with a null window
    /// first, and with the full window only if they raise alpha.
    fn search_move(
        &mut self,
        node: Node,
        candidate: &Candidate,
        alpha: i32,
        is_first: bool,
    ) -> Result<NodeScore, Aborted> {
        let Node { ahead, beta, ply, .. } = node;
        let gain = i32::from(candidate.captured) * SEED;
        let next = match candidate.next {
            Ok(next) => next,
            Err(left) => {
                self.pv[ply + 1].clear();
                let value = Value::all(left, false);
                return Ok(self.before_capture(self.exact(value, ahead + gain), gain));
            }
        };
        let path_len = self.path.len();
        self.path.push(next);
        let since_capture = if gain > 0 { path_len } else { node.since_capture };
        // A margin is relative to the board, so the captured seeds shift the window.
        let shift = if self.aim != Aim::Result { gain } else { 0 };
        let child = Node {
            board: next,
            ahead: -(ahead + gain),
            depth: node.depth - 1,
            alpha: -(beta - shift),
            beta: -(alpha - shift),
            ply: ply + 1,
            since_capture,
        };
        let null_window = Node { alpha: child.beta - 1, ..child };
        let is_null_window = beta - alpha == 1;
        let mut result = self.search(if is_first || is_null_window { child } else { null_window });
        if !is_first
            && !is_null_window
            && let Ok(found) = result
            && -found.score + shift > alpha
            && -found.score + shift < beta
        {
            result = self.search(child);
        }
        self.path.truncate(path_len);
        let found = result?;
        let negated = NodeScore {
            score: -found.score,
            proved_lower: found.proved_upper,
            proved_upper: found.proved_lower,
        };
        Ok(self.before_capture(negated, gain))
    }

    /// The score before a move that captures `gain`, from the score after it.
    fn before_capture(&self, after: NodeScore, gain: i32) -> NodeScore {
        match self.aim {
            Aim::Margin | Aim::Secure => NodeScore { score: after.score + gain, ..after },
            Aim::Result => after,
        }
    }

    /// The score of a node that needs no search of its moves: a repetition, a decided game, or a
    /// board in the database.
    fn leaf(&mut self, node: Node) -> Option<NodeScore> {
        let Node { board, ahead, since_capture, .. } = node;
        if self.is_repeated(since_capture) {
            let value = match self.repetition {
                Repetition::Split => 0,
                Repetition::OwnSide => {
                    let (own, other) = (board.mover().seeds(), board.opponent().seeds());
                    (i32::from(own) - i32::from(other)) * SEED
                }
            };
            return Some(NodeScore::heuristic(self.aim.score(value, ahead, true)));
        }
        if self.aim == Aim::Result
            && !self.plays_on
            && ahead.abs() > i32::from(board.seeds()) * SEED
        {
            return Some(NodeScore::exact(self.aim.score(0, ahead, true)));
        }
        let database = self.database.filter(|database| database.has_level(board.level()))?;
        // The search goes on without a table that cannot be read. A direct probe reports the error.
        let value = database.value(board).ok()?;
        self.table_hits += 1;
        Some(self.exact(value, ahead))
    }

    fn exact(&self, value: Value, ahead: i32) -> NodeScore {
        NodeScore::exact(self.aim.score(i32::from(value.get()) * SEED, ahead, true))
    }

    /// Whether the last position of the path repeats an earlier one: the same side is to move, and
    /// no capture lies between.
    fn is_repeated(&self, since_capture: usize) -> bool {
        let positions = &self.path[since_capture..];
        let (now, before) = positions.split_last().expect("the path ends with the node's board");
        let Some(nearest) = positions.len().checked_sub(1 + MIN_REPETITION_PLIES) else {
            return false;
        };
        before[..=nearest].iter().rev().step_by(2).any(|earlier| earlier == now)
    }

    /// The legal moves of a node in pit order, without gaps. `hash_move` is searched first.
    fn candidates(&self, node: Node, hash_move: Option<Pit>) -> [Option<Candidate>; 6] {
        let mut moves = [None; 6];
        let mut count = 0;
        for pit in Pit::ALL {
            let (captured, next) = match self.rules.play(node.board, pit) {
                Outcome::Illegal => continue,
                Outcome::Moved { captured, next } => (captured, Ok(next)),
                Outcome::Ended { captured, left } => (captured, Err(left)),
            };
            let seeds = usize::from(node.board.mover().pit(pit.place()).min(15));
            let history = self.history[node.ply % 2][pit.place()][seeds].min((1 << 24) - 1);
            let is_hash_move = u32::from(hash_move == Some(pit));
            let ordering_score = is_hash_move << 31 | u32::from(captured) << 24 | history;
            moves[count] = Some(Candidate { pit, captured, next, ordering_score });
            count += 1;
        }
        moves
    }

    /// Rewards a move for a beta cutoff.
    fn update_history(&mut self, node: Node, candidate: &Candidate) {
        let seeds = usize::from(node.board.mover().pit(candidate.pit.place()).min(15));
        let weight = node.depth.unsigned_abs().pow(2);
        let history = &mut self.history[node.ply % 2][candidate.pit.place()][seeds];
        *history = history.saturating_add(weight);
    }

    /// Makes `pit`, followed by the principal variation of its child, that of the node at `ply`.
    fn update_pv(&mut self, ply: usize, pit: Pit) {
        let (line, child) = self.pv[ply..].split_at_mut(1);
        line[0].clear();
        line[0].push(pit);
        line[0].extend_from_slice(&child[0]);
    }

    fn count_node(&mut self) -> Result<(), Aborted> {
        if self.nodes >= self.most_nodes {
            return Err(Aborted);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_STOP_CHECK) && self.control.is_over() {
            return Err(Aborted);
        }
        Ok(())
    }
}

/// The score of a transposition table entry, if it cuts the node off.
///
/// In an open window only an exact value does, so that the principal variation stays complete.
fn cutoff(entry: &Entry, node: Node) -> Option<NodeScore> {
    let Bounds { lower, upper, proved_lower, proved_upper } = entry.bounds();
    let (score, is_deep_enough) = (entry.score(), entry.depth() >= node.depth);
    let fails_high = score >= node.beta && (proved_lower || (is_deep_enough && lower));
    let fails_low = score <= node.alpha && (proved_upper || (is_deep_enough && upper));
    let is_null_window = node.beta - node.alpha == 1;
    let cuts_off = (proved_lower && proved_upper) || (is_null_window && (fails_high || fails_low));
    cuts_off.then_some(NodeScore { score, proved_lower, proved_upper })
}

/// Moves the candidate with the highest ordering score to the front and returns it. Of equal
/// candidates it takes the first.
fn pick_next(moves: &mut [Option<Candidate>]) -> Candidate {
    let ordering_score = |at: usize| moves[at].map(|candidate| candidate.ordering_score);
    let best = (0..moves.len()).rev().max_by_key(|&at| ordering_score(at));
    // A rotation keeps the order of the other moves.
    moves[..=best.expect("a move is left")].rotate_right(1);
    moves[0].expect("candidates are stored without gaps")
}
