//! Alpha-beta search: principal variation search with a transposition table.
//!
//! The value of a board is the best, over its moves, of what the move captures minus the value of
//! the board that it leads to. Leaves are ends of the game and boards that the database holds
//! (exact), repetitions (the game's own rule) and boards at full depth (a guess).
//!
//! Beside its score a board carries what is *proved* about its true value, whatever the depth: a
//! floor when some move's opponent has a proved ceiling, a ceiling when all moves are searched and
//! their opponents have proved floors. Ends and tables prove both, guesses and repetitions
//! nothing; so a proof never depends on the path or the depth.

use super::control::Control;
use super::evaluation::Evaluation;
use super::score::{Aim, INFINITY, SEED};
use super::transposition::{Bounds, Entry, Transpositions, key};
use crate::database::Database;
use crate::game::Repetition;
use crate::rules::{Board, Outcome, Pit, Rules, Value, end_of};

/// Plies that a line may have.
pub(super) const MOST_PLIES: usize = 100;
/// The deepest that a search may be asked for.
pub(super) const MOST_DEPTH: u32 = 99;
const _: () = assert!(MOST_DEPTH as usize + 1 == MOST_PLIES);
/// A position comes back after 12 plies at the earliest.
const SHORTEST_CYCLE: usize = 12;
/// Nodes between two looks at the brake.
const NODES_A_LOOK: u64 = 1024;

/// A score and what is proved about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) score: i32,
    pub(super) is_floor: bool,
    pub(super) is_ceiling: bool,
}

impl Found {
    const fn proved(score: i32) -> Self {
        Self { score, is_floor: true, is_ceiling: true }
    }

    const fn guessed(score: i32) -> Self {
        Self { score, is_floor: false, is_ceiling: false }
    }
}

/// The search was told to end; what it was doing is worth nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aborted;

/// One search from one position.
pub(super) struct Searcher<'a> {
    pub(super) rules: Rules,
    pub(super) database: Option<&'a Database>,
    pub(super) known: &'a mut Transpositions,
    pub(super) control: &'a Control,
    pub(super) evaluation: Evaluation,
    pub(super) repetition: Repetition,
    pub(super) aim: Aim,
    /// Whether the game goes on when a side has more than half of the seeds.
    pub(super) plays_on: bool,
    /// Positions since the last capture of the game, then of the line being searched.
    pub(super) path: Vec<Board>,
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
    /// The best line found from each ply on.
    pub(super) lines: Vec<Vec<Pit>>,
    /// The best move at the root in the present iteration.
    pub(super) best_so_far: Option<(Pit, Found)>,
    /// How often a pit with so many seeds cut a search off, by side.
    pub(super) cuts: [[[u32; 16]; 6]; 2],
}

/// A move to be searched.
#[derive(Clone, Copy)]
struct Candidate {
    pit: Pit,
    captured: u8,
    /// The board after it, or what the opponent takes.
    leads_to: Result<Board, u8>,
    /// Higher is searched first.
    promise: u32,
}

/// What a node is asked: a window, a depth, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) board: Board,
    /// Hundredths of a seed that the mover's store is ahead.
    pub(super) ahead: i32,
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) ply: usize,
    /// Place in the path of the first position since the last capture.
    pub(super) since_capture: usize,
}

impl Searcher<'_> {
    /// The score of a board for its mover.
    pub(super) fn search(&mut self, asked: Question) -> Result<Found, Aborted> {
        self.count_node()?;
        self.lines[asked.ply].clear();
        let Question { board, ahead, depth, ply, .. } = asked;
        if ply > 0
            && let Some(leaf) = self.leaf(asked)
        {
            return Ok(leaf);
        }
        let key = match self.aim {
            Aim::Margin => key(board, 0),
            Aim::Result => key(board, ahead),
        };
        let known = self.known.get(key);
        if let Some(entry) = known
            && ply > 0
            && let Some(found) = answered(&entry, asked)
        {
            return Ok(found);
        }
        let mut moves = self.candidates(asked, known.and_then(|entry| entry.best()));
        let count = moves.iter().flatten().count();
        if count == 0 {
            let end = end_of(self.rules, board.mover(), board.opponent());
            let value = end.map_or(Value::EVEN, |end| end.value(board.seeds()));
            return Ok(self.exact(value, ahead));
        }
        if depth <= 0 || ply + 1 >= MOST_PLIES {
            let gain = |candidate: &Candidate| match candidate.leads_to {
                Ok(_) => i32::from(candidate.captured),
                Err(left) => i32::from(candidate.captured) - i32::from(left),
            };
            let own_capture = moves.iter().flatten().map(gain).max().unwrap_or(0).max(0);
            let guess = self.evaluation.value(self.rules, board, own_capture);
            return Ok(Found::guessed(self.aim.score(guess, ahead, false)));
        }
        self.best_of(asked, &mut moves[..count], key)
    }

    /// Searches the moves of a board and remembers the answer.
    fn best_of(
        &mut self,
        asked: Question,
        moves: &mut [Option<Candidate>],
        key: u64,
    ) -> Result<Found, Aborted> {
        let mut alpha = asked.alpha;
        let mut best = Found { score: -INFINITY, is_floor: false, is_ceiling: true };
        let mut best_pit = None;
        for at in 0..moves.len() {
            let Some(chosen) = take_most_promising(&mut moves[at..]) else { break };
            let found = self.move_score(asked, &chosen, alpha, at == 0)?;
            best.is_ceiling &= found.is_ceiling;
            if found.score > best.score || (found.score == best.score && !best.is_floor) {
                let improves = found.score > best.score;
                best.is_floor = found.is_floor;
                best.score = found.score;
                if improves {
                    best_pit = Some(chosen.pit);
                    if found.score > alpha {
                        alpha = found.score;
                        self.extend_line(asked.ply, chosen.pit);
                        if asked.ply == 0 {
                            self.best_so_far = Some((chosen.pit, found));
                        }
                    }
                }
            }
            if alpha >= asked.beta {
                best.is_ceiling &= at + 1 == moves.len();
                self.reward(asked, &chosen);
                break;
            }
        }
        let bounds = Bounds {
            at_least: best.score > asked.alpha,
            at_most: best.score < asked.beta,
            proves_floor: best.is_floor,
            proves_ceiling: best.is_ceiling,
        };
        self.known.put(key, asked.depth, best.score, best_pit, bounds);
        Ok(best)
    }

    /// The score of a move for the one who makes it. All but the first move are first asked
    /// whether they are better than what is found already.
    fn move_score(
        &mut self,
        asked: Question,
        chosen: &Candidate,
        alpha: i32,
        is_first: bool,
    ) -> Result<Found, Aborted> {
        let Question { ahead, beta, ply, .. } = asked;
        let gain = i32::from(chosen.captured) * SEED;
        let next = match chosen.leads_to {
            Ok(next) => next,
            Err(left) => {
                self.lines[ply + 1].clear();
                let value = Value::all(left, false);
                return Ok(self.captured(self.exact(value, ahead + gain), gain));
            }
        };
        let path_len = self.path.len();
        self.path.push(next);
        let since_capture = if gain > 0 { path_len } else { asked.since_capture };
        // In margins a score is relative to the board, so the window moves by what is captured.
        let shift = if self.aim == Aim::Margin { gain } else { 0 };
        let child = Question {
            board: next,
            ahead: -(ahead + gain),
            depth: asked.depth - 1,
            alpha: -(beta - shift),
            beta: -(alpha - shift),
            ply: ply + 1,
            since_capture,
        };
        let narrow = Question { alpha: child.beta - 1, ..child };
        let is_narrow = beta - alpha == 1;
        let mut answer = self.search(if is_first || is_narrow { child } else { narrow });
        if !is_first
            && !is_narrow
            && let Ok(found) = answer
            && -found.score + shift > alpha
            && -found.score + shift < beta
        {
            answer = self.search(child);
        }
        self.path.truncate(path_len);
        let found = answer?;
        let turned =
            Found { score: -found.score, is_floor: found.is_ceiling, is_ceiling: found.is_floor };
        Ok(self.captured(turned, gain))
    }

    /// A score after the move with what the move captured added.
    fn captured(&self, found: Found, gain: i32) -> Found {
        match self.aim {
            Aim::Margin => Found { score: found.score + gain, ..found },
            Aim::Result => found,
        }
    }

    /// The score of a board that needs no moves looked at: a repetition, a game decided, a board
    /// in the database.
    fn leaf(&mut self, asked: Question) -> Option<Found> {
        let Question { board, ahead, since_capture, .. } = asked;
        if self.is_repeated(since_capture) {
            let value = match self.repetition {
                Repetition::Split => 0,
                Repetition::OwnSide => {
                    let (own, other) = (board.mover().seeds(), board.opponent().seeds());
                    (i32::from(own) - i32::from(other)) * SEED
                }
            };
            return Some(Found::guessed(self.aim.score(value, ahead, true)));
        }
        if self.aim == Aim::Result
            && !self.plays_on
            && ahead.abs() > i32::from(board.seeds()) * SEED
        {
            return Some(Found::proved(self.aim.score(0, ahead, true)));
        }
        let database = self.database.filter(|database| database.has_level(board.seeds()))?;
        // A table that cannot be read is as good as none here; who asks it directly is told why.
        let value = database.value(board).ok()?;
        self.table_hits += 1;
        Some(self.exact(value, ahead))
    }

    fn exact(&self, value: Value, ahead: i32) -> Found {
        Found::proved(self.aim.score(i32::from(value.get()) * SEED, ahead, true))
    }

    /// Whether the last position of the path was there before, with the same side to move and no
    /// capture in between.
    fn is_repeated(&self, since_capture: usize) -> bool {
        let positions = &self.path[since_capture..];
        let Some((now, before)) = positions.split_last() else { return false };
        let Some(nearest) = positions.len().checked_sub(1 + SHORTEST_CYCLE) else { return false };
        before[..=nearest].iter().rev().step_by(2).any(|earlier| earlier == now)
    }

    fn candidates(&self, asked: Question, first: Option<Pit>) -> [Option<Candidate>; 6] {
        let mut moves = [None; 6];
        let mut count = 0;
        for pit in Pit::ALL {
            let (captured, leads_to) = match self.rules.play(asked.board, pit) {
                Outcome::Illegal => continue,
                Outcome::Moved { captured, next } => (captured, Ok(next)),
                Outcome::Ended { captured, left } => (captured, Err(left)),
            };
            let seeds = usize::from(asked.board.mover().pit(pit.place()).min(15));
            let cuts = self.cuts[asked.ply % 2][pit.place()][seeds].min((1 << 24) - 1);
            let is_first = u32::from(first == Some(pit));
            let promise = is_first << 31 | u32::from(captured) << 24 | cuts;
            moves[count] = Some(Candidate { pit, captured, leads_to, promise });
            count += 1;
        }
        moves
    }

    fn reward(&mut self, asked: Question, chosen: &Candidate) {
        let seeds = usize::from(asked.board.mover().pit(chosen.pit.place()).min(15));
        let worth = u32::try_from(asked.depth * asked.depth).unwrap_or(0);
        let cuts = &mut self.cuts[asked.ply % 2][chosen.pit.place()][seeds];
        *cuts = cuts.saturating_add(worth);
    }

    fn extend_line(&mut self, ply: usize, pit: Pit) {
        if let [line, rest, ..] = &mut self.lines[ply..] {
            line.clear();
            line.push(pit);
            line.extend_from_slice(rest);
        }
    }

    fn count_node(&mut self) -> Result<(), Aborted> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_LOOK) && self.control.is_over() {
            return Err(Aborted);
        }
        Ok(())
    }
}

/// What is remembered of a board, where it answers the question. Boards of the main line are
/// searched all the same, unless their value is proved, so that the line can be shown.
fn answered(entry: &Entry, asked: Question) -> Option<Found> {
    let Bounds { at_least, at_most, proves_floor, proves_ceiling } = entry.bounds();
    let (score, is_deep) = (entry.score(), entry.depth() >= asked.depth);
    let is_high = score >= asked.beta && (proves_floor || (is_deep && at_least));
    let is_low = score <= asked.alpha && (proves_ceiling || (is_deep && at_most));
    let is_narrow = asked.beta - asked.alpha == 1;
    let answers = (proves_floor && proves_ceiling) || (is_narrow && (is_high || is_low));
    answers.then_some(Found { score, is_floor: proves_floor, is_ceiling: proves_ceiling })
}

/// Moves the most promising of the moves to the front, the first of equals, and returns it.
fn take_most_promising(moves: &mut [Option<Candidate>]) -> Option<Candidate> {
    let promise = |at: usize| moves[at].map_or(0, |candidate| candidate.promise);
    let best = (0..moves.len()).rev().max_by_key(|&at| promise(at))?;
    // Rotating keeps the order of the others.
    moves[..=best].rotate_right(1);
    moves[0]
}
