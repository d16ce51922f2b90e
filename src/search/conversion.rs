//! Conversion of won boards: the quickest forced way to the next capture or end, by search.
//!
//! The value of a board does not show how to realize it. A winner who keeps the value with every
//! move may still repeat a position. The *distance to conversion* (DTC) of a board leads the way:
//!
//! * The distance of an ended board is 0.
//! * Only moves that keep the value count. The distance after a capture or an ending move is 0, and
//!   after any other move it is the distance of the child.
//! * The distance of a winner's board is 1 + the minimum over its moves, and that of a loser's board
//!   is 1 + the maximum.
//!
//! A winner who always moves to the least distance gets nearer with every move, whatever the loser
//! does.
//!
//! Where no distance tables exist, this module computes distances. It expands the graph of
//! value-keeping moves breadth first from the root, with one batch of probes per layer, and computes
//! distances backwards inside the graph. A distance of at most the number of expanded layers plus
//! one is final, because every path out of the graph is longer.
//!
//! With lower bounds in the place of the winner's values the same graph finds the way on which a
//! secured value is realized; `bound` then reads for `value` above.
//!
//! The positions of the game since its last capture must not repeat: the winner avoids them, and a
//! loser who can reach one gets away. Without such positions the distance depends on the board
//! alone, and [`ConversionFinder`] caches it.

use super::control::Control;
use crate::database::{Database, DatabaseError};
use crate::rules::{Board, Outcome, Value};
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// Maximum number of boards in a graph. The longest wins of levels up to 12 take some ten thousand.
const MAX_BOARDS: usize = 400_000;

/// Maximum number of cached distances. The cache is cleared before it would exceed this.
const MAX_CACHED: usize = 4_000_000;

/// Hashes a board: two words, each folded by a multiplication.
#[derive(Default)]
struct BoardHasher(u64);

impl Hasher for BoardHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 29);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type BoardMap<T> = HashMap<Board, T, BuildHasherDefault<BoardHasher>>;

/// Finds conversions in one database and caches their distances.
#[derive(Debug, Default)]
pub(super) struct ConversionFinder {
    cache: BoardMap<Dtc>,
}

/// The distance to conversion of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dtc {
    /// The winner's value: greater than 0 for either side to move.
    pub(super) winner_value: i8,
    /// Plies to the next capture or end.
    pub(super) distance: u32,
}

/// A board of the graph.
#[derive(Debug)]
struct GraphNode {
    board: Board,
    /// Whether the mover wins.
    is_winner: bool,
    /// The distance of an ended board or a cached distance.
    known_distance: Option<u32>,
    /// The distance, if the graph determines it.
    distance: Option<u32>,
    /// Targets of the moves that keep the value and capture nothing, except repetitions.
    children: Vec<u32>,
    parents: Vec<u32>,
    /// Whether a move that keeps the value captures or ends the game.
    can_convert: bool,
    /// Whether the mover is the loser and can repeat a position of the game.
    can_repeat: bool,
    is_expanded: bool,
    /// Whether a larger graph cannot change the distance.
    is_final: bool,
}

/// What the moves of the graph keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// The value.
    Value,
    /// The winner's lower bound, and so the loser's upper bound.
    Bound,
}

/// The graph of the moves from a board that keep the winner's value or lower bound.
struct ConversionGraph<'a> {
    database: &'a Database,
    kept: Kept,
    /// The winner's value, greater than 0, or its lower bound.
    value: i8,
    /// The positions that must not repeat.
    history: &'a [Board],
    /// The cached distances; `None` if the history makes them invalid.
    cache: Option<&'a BoardMap<Dtc>>,
    nodes: Vec<GraphNode>,
    /// By board and whether its mover is the winner. With a bound of 0 or less a board can be both.
    indices: HashMap<(Board, bool), u32, BuildHasherDefault<BoardHasher>>,
    /// Expanded layers.
    depth: u32,
}

/// The first move of the quickest forced way from a won board to the next capture or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WinningMove {
    /// The distance of the board before the move.
    pub(super) distance: u32,
    /// The board after the move.
    pub(super) next: Board,
}

impl ConversionFinder {
    /// The cached distance of a board.
    pub(super) fn cached(&self, board: Board) -> Option<Dtc> {
        self.cache.get(&board).copied()
    }

    /// The first move from a board of `value` greater than 0 whose mover has no capture that keeps
    /// the value. `None` if no conversion is found within the limits, or if the loser can always
    /// reach a position of `history`.
    ///
    /// # Errors
    /// As [`Database::value`].
    pub(super) fn winning_move(
        &mut self,
        database: &Database,
        board: Board,
        value: Value,
        history: &[Board],
        control: &Control,
    ) -> Result<Option<WinningMove>, DatabaseError> {
        if history.is_empty()
            && let Some(winning) = self.cached_move(database, board, value)
        {
            return Ok(Some(winning));
        }
        let cache = history.is_empty().then_some(&self.cache);
        let mut graph = ConversionGraph::new(database, board, value, history, cache);
        graph.search(control)?;
        let winning = graph.winning_move();
        if history.is_empty() {
            let distances = graph.final_distances();
            self.store(distances);
        }
        Ok(winning)
    }

    /// The distance of a board of `value` other than 0 for its mover. `None` if it is not found
    /// within the limits.
    ///
    /// # Errors
    /// As [`Database::value`].
    pub(super) fn find(
        &mut self,
        database: &Database,
        board: Board,
        value: Value,
        control: &Control,
    ) -> Result<Option<Dtc>, DatabaseError> {
        if let Some(dtc) = self.cached(board) {
            return Ok(Some(dtc));
        }
        let mut graph = ConversionGraph::new(database, board, value, &[], Some(&self.cache));
        graph.search(control)?;
        let distances = graph.final_distances();
        self.store(distances);
        Ok(self.cached(board))
    }

    /// The first move from a board of lower bound `low`, above −n, whose mover has no capture that
    /// keeps it, as [`winning_move`](Self::winning_move) for values. The loser delays the next
    /// capture, end or greater bound.
    ///
    /// # Errors
    /// As [`Database::bounds`].
    pub(super) fn secured_move(
        &self,
        database: &Database,
        board: Board,
        low: Value,
        history: &[Board],
        control: &Control,
    ) -> Result<Option<WinningMove>, DatabaseError> {
        let mut graph = ConversionGraph::of_bound(database, board, low, history);
        graph.search(control)?;
        Ok(graph.winning_move())
    }

    fn store(&mut self, distances: Vec<(Board, Dtc)>) {
        if self.cache.len() + distances.len() > MAX_CACHED {
            self.cache.clear();
        }
        self.cache.extend(distances);
    }

    /// A move to a board of the same value whose cached distance is less by one.
    fn cached_move(&self, database: &Database, board: Board, value: Value) -> Option<WinningMove> {
        let Dtc { distance, .. } = self.cached(board)?;
        let wanted = Dtc { winner_value: value.get(), distance: distance.checked_sub(1)? };
        database.rules().moves(board).find_map(|(_, outcome)| match outcome {
            // The opponent could be the winner of `next`, so its value decides.
            Outcome::Moved { captured: 0, next } if self.cached(next) == Some(wanted) => {
                (database.value(next).ok()? == -value).then_some(WinningMove { distance, next })
            }
            _ => None,
        })
    }
}

impl<'a> ConversionGraph<'a> {
    fn new(
        database: &'a Database,
        root: Board,
        value: Value,
        history: &'a [Board],
        cache: Option<&'a BoardMap<Dtc>>,
    ) -> Self {
        debug_assert!(value != Value::EVEN);
        let (nodes, indices) = (Vec::new(), HashMap::default());
        let winner_value = value.get().abs();
        let kept = Kept::Value;
        let mut graph =
            Self { database, kept, value: winner_value, history, cache, nodes, indices, depth: 0 };
        graph.add_node(root, value > Value::EVEN);
        graph
    }

    /// The graph of the moves that keep the lower bound of the mover of `root`.
    fn of_bound(database: &'a Database, root: Board, low: Value, history: &'a [Board]) -> Self {
        let (nodes, indices) = (Vec::new(), HashMap::default());
        let (kept, value, cache) = (Kept::Bound, low.get(), None);
        let mut graph = Self { database, kept, value, history, cache, nodes, indices, depth: 0 };
        graph.add_node(root, true);
        graph
    }

    /// Expands layers until the root's distance is final or a limit is reached.
    fn search(&mut self, control: &Control) -> Result<(), DatabaseError> {
        let mut layer = vec![0];
        let mut next_check = 1;
        loop {
            if layer.is_empty() || self.nodes.len() >= next_check {
                self.compute_distances();
                self.mark_final(Some(self.depth + 1));
                if self.nodes[0].is_final {
                    return Ok(());
                }
                next_check = self.nodes.len() + self.nodes.len() / 2;
                layer = self.open_nodes();
                if layer.is_empty() {
                    // No path that matters leaves the graph.
                    self.mark_final(None);
                    return Ok(());
                }
            }
            if self.nodes.len() > MAX_BOARDS || control.is_over() {
                self.compute_distances();
                return Ok(());
            }
            layer = self.expand(&layer)?;
            self.depth += 1;
        }
    }

    /// The index of a board's node, and whether the node is new.
    fn add_node(&mut self, board: Board, is_winner: bool) -> (u32, bool) {
        let next = u32::try_from(self.nodes.len())
            .expect("the last layer is expanded at MAX_BOARDS boards");
        let mut is_new = false;
        let index = *self.indices.entry((board, is_winner)).or_insert_with(|| {
            is_new = true;
            next
        });
        if is_new {
            let has_ended = self.database.rules().end(board).is_some();
            let cached = |cache: &BoardMap<Dtc>| {
                let dtc = cache.get(&board)?;
                (dtc.winner_value == self.value).then_some(dtc.distance)
            };
            let known_distance = if has_ended { Some(0) } else { self.cache.and_then(cached) };
            self.nodes.push(GraphNode {
                board,
                is_winner,
                known_distance,
                distance: known_distance,
                children: Vec::new(),
                parents: Vec::new(),
                can_convert: false,
                can_repeat: false,
                is_expanded: known_distance.is_some(),
                is_final: known_distance.is_some(),
            });
        }
        (index, is_new)
    }

    /// Expands the nodes of a layer and returns the new nodes.
    fn expand(&mut self, layer: &[u32]) -> Result<Vec<u32>, DatabaseError> {
        let mut moves = Vec::new();
        for &from in layer {
            let node = &mut self.nodes[from as usize];
            if std::mem::replace(&mut node.is_expanded, true) {
                continue;
            }
            let value = if node.is_winner { self.value } else { -self.value };
            for (_, outcome) in self.database.rules().moves(node.board) {
                match outcome {
                    Outcome::Illegal => {}
                    Outcome::Moved { captured, next } => moves.push((from, captured, next)),
                    Outcome::Ended { captured, left } => {
                        let move_value = captured.cast_signed() - left.cast_signed();
                        node.can_convert |= move_value == value;
                    }
                }
            }
        }
        let values = self.values_of(&moves);
        let mut new_nodes = Vec::new();
        for ((from, captured, next), value) in moves.into_iter().zip(values) {
            let move_value = value?.after_capturing(captured).get();
            new_nodes.extend(self.add_move(from, captured, next, move_value));
        }
        Ok(new_nodes)
    }

    /// The values, or the bounds in their place, of the boards after moves.
    fn values_of(&self, moves: &[(u32, u8, Board)]) -> Vec<Result<Value, DatabaseError>> {
        match self.kept {
            Kept::Value => {
                let boards: Vec<Board> = moves.iter().map(|&(_, _, next)| next).collect();
                self.database.values(&boards)
            }
            Kept::Bound => {
                let bound = |&(from, _, next): &(u32, u8, Board)| {
                    let bounds = self.database.bounds(next)?;
                    let is_winner = self.nodes[from as usize].is_winner;
                    Ok(if is_winner { bounds.high() } else { bounds.low() })
                };
                moves.iter().map(bound).collect()
            }
        }
    }

    /// Adds one move and returns its target if that is new.
    fn add_move(&mut self, from: u32, captured: u8, next: Board, move_value: i8) -> Option<u32> {
        let is_winner = self.nodes[from as usize].is_winner;
        let repeats = captured == 0 && self.history.contains(&next);
        let keeps_value = move_value == if is_winner { self.value } else { -self.value };
        if repeats && !is_winner {
            self.nodes[from as usize].can_repeat = true;
        }
        if !keeps_value || repeats {
            return None;
        }
        if captured > 0 {
            self.nodes[from as usize].can_convert = true;
            return None;
        }
        let (to, is_new) = self.add_node(next, !is_winner);
        self.nodes[from as usize].children.push(to);
        self.nodes[to as usize].parents.push(from);
        is_new.then_some(to)
    }

    /// Computes all distances that the graph determines.
    fn compute_distances(&mut self) {
        // By increasing distance: the first child with a distance determines that of a winner, the
        // last one that of a loser.
        let mut by_distance: Vec<Vec<u32>> = vec![Vec::new(); 2];
        let mut undecided_children: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (index, node) in (0u32..).zip(&mut self.nodes) {
            undecided_children.push(node.children.len());
            let may_convert = node.is_winner || (node.children.is_empty() && !node.can_repeat);
            let can_convert = node.is_expanded && node.can_convert && may_convert;
            node.distance = node.known_distance.or(can_convert.then_some(1));
            if let Some(distance) = node.distance {
                push_at(&mut by_distance, distance, index);
            }
        }
        let mut distance = 0;
        while let Some(indices) = by_distance.get_mut(distance).map(std::mem::take) {
            let after = u32::try_from(distance + 1).expect("a path has far fewer than 2^32 plies");
            for index in indices {
                for at in 0..self.nodes[index as usize].parents.len() {
                    let parent = self.nodes[index as usize].parents[at];
                    let undecided = &mut undecided_children[parent as usize];
                    *undecided -= 1;
                    let is_last = *undecided == 0;
                    let node = &mut self.nodes[parent as usize];
                    let follows =
                        node.is_winner || (is_last && !node.can_repeat && node.is_expanded);
                    if node.distance.is_none() && follows {
                        node.distance = Some(after);
                        push_at(&mut by_distance, after, parent);
                    }
                }
            }
            distance += 1;
        }
    }

    /// The root's move to the least distance.
    fn winning_move(&self) -> Option<WinningMove> {
        let root = &self.nodes[0];
        let distance = root.distance?;
        let children = root.children.iter().map(|&child| &self.nodes[child as usize]);
        let decided = children.filter_map(|child| Some((child.distance?, child.board)));
        let (_, next) = decided.min_by_key(|&(distance, _)| distance)?;
        Some(WinningMove { distance, next })
    }

    /// Marks the distances that are final. Paths from the root that leave the graph have
    /// `outside_plies` plies or more, and cannot shorten them; `None` if there is no such path.
    ///
    /// Nodes behind a final node may not be expanded, so they are not marked.
    fn mark_final(&mut self, outside_plies: Option<u32>) {
        let mut queue = VecDeque::from([(0u32, 0u32)]);
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        while let Some((index, plies)) = queue.pop_front() {
            let node = &mut self.nodes[index as usize];
            if node.is_final {
                continue;
            }
            node.is_final = node.distance.is_some_and(|distance| {
                outside_plies.is_none_or(|outside_plies| plies + distance <= outside_plies)
            });
            for &child in &self.nodes[index as usize].children {
                if !std::mem::replace(&mut seen[child as usize], true) {
                    queue.push_back((child, plies + 1));
                }
            }
        }
    }

    /// The unexpanded nodes that may affect the root: those on paths without a final node.
    fn open_nodes(&self) -> Vec<u32> {
        let mut frontier = Vec::new();
        let mut queue = VecDeque::from([0u32]);
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        while let Some(index) = queue.pop_front() {
            let node = &self.nodes[index as usize];
            if node.is_final || node.can_repeat {
                continue;
            }
            if !node.is_expanded {
                frontier.push(index);
            }
            for &child in &node.children {
                if !std::mem::replace(&mut seen[child as usize], true) {
                    queue.push_back(child);
                }
            }
        }
        frontier
    }

    /// The final distances that are not cached yet.
    fn final_distances(&self) -> Vec<(Board, Dtc)> {
        let winner_value = self.value;
        let is_new = |node: &&GraphNode| node.is_final && node.known_distance.is_none();
        let finals = self.nodes.iter().filter(is_new);
        finals
            .filter_map(|node| Some((node.board, Dtc { winner_value, distance: node.distance? })))
            .collect()
    }
}

/// Adds a node's index to the list of its distance.
fn push_at(by_distance: &mut Vec<Vec<u32>>, distance: u32, index: u32) {
    let at = distance as usize;
    if by_distance.len() <= at {
        by_distance.resize_with(at + 1, Vec::new);
    }
    by_distance[at].push(index);
}
