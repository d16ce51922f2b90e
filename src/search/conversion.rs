//! How a won ending is won: the distance to the next capture or end, found by search.
//!
//! A table's value alone does not say how to realise it: a winner who keeps the value at every
//! move may shuffle until a position repeats. Let the *distance* of a board be 0 when it has ended,
//! otherwise over the moves that keep the value (a capture or an ending move counts 0, any other
//! the distance of the board it leads to) 1 + the least for the winner, 1 + the greatest for the
//! loser. A winner who always moves to the least distance comes nearer with every move, whatever
//! the loser does.
//!
//! Without distance tables it is found here: boards around the root are looked at in rings (how
//! many value-keeping plies away they are), each ring in one batch of look-ups, and distances are
//! worked out backwards inside what is known. A distance of at most the rings looked at plus one is
//! final, because every way past the outermost ring is longer.
//!
//! Positions that the game has been at since its last capture may not come back: the winner does
//! not go there, and a loser who can reach one has escaped. Without such positions a distance
//! belongs to the board alone, and [`Distances`] remembers it.

use super::control::Control;
use crate::database::{Database, DatabaseError};
use crate::rules::{Board, Outcome, Value};
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// Boards looked at, at most. The furthest wins of levels to 12 take some ten thousands.
const MOST_BOARDS: usize = 400_000;

/// Distances remembered, at most; then they are forgotten.
const MOST_REMEMBERED: usize = 4_000_000;

/// Boards as keys: two words, each folded by a multiplication.
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

/// Distances found so far, of boards in one database.
#[derive(Debug, Default)]
pub(super) struct Distances {
    known: BoardMap<Known>,
}

/// What is remembered of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The winner's value: above 0, whoever is to move.
    pub(super) winner_gets: i8,
    /// Plies to the next capture or end.
    pub(super) distance: u32,
}

/// A board of the neighbourhood.
#[derive(Debug)]
struct Spot {
    board: Board,
    is_winner: bool,
    /// Distance from the start: of an ended board, or found in an earlier search.
    given: Option<u32>,
    /// Distance, once known.
    distance: Option<u32>,
    /// Spots that value-keeping moves without a capture lead to; of a winner those that may be
    /// visited.
    children: Vec<u32>,
    parents: Vec<u32>,
    /// Whether some value-keeping move captures or ends the game.
    converts: bool,
    /// A loser that can repeat a position.
    escapes: bool,
    is_expanded: bool,
    /// Whether more rings cannot change the distance.
    is_final: bool,
}

/// The neighbourhood of a won or lost board.
struct Neighbourhood<'a> {
    database: &'a Database,
    /// Value of the winner's boards, above 0.
    value: i8,
    history: &'a [Board],
    /// What earlier searches found, where that holds.
    known: Option<&'a BoardMap<Known>>,
    spots: Vec<Spot>,
    places: BoardMap<u32>,
    /// Rings looked at.
    rings: u32,
}

/// The first step of the quickest forced way from a won board to its next capture or end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The distance of the board that it is taken from.
    pub(super) distance: u32,
    /// The board it leads to.
    pub(super) next: Board,
}

impl Distances {
    /// What was found out about a board before.
    pub(super) fn known(&self, board: Board) -> Option<Known> {
        self.known.get(&board).copied()
    }

    /// The first step from a board worth `value`, above 0, whose mover cannot capture at once and
    /// keep that; `None` when no way is found within the limits or when the loser can always reach
    /// one of the positions of `history`.
    ///
    /// # Errors
    /// As [`Database::value`].
    pub(super) fn first_step(
        &mut self,
        database: &Database,
        board: Board,
        value: Value,
        history: &[Board],
        control: &Control,
    ) -> Result<Option<Step>, DatabaseError> {
        if history.is_empty()
            && let Some(step) = self.remembered_step(database, board, value)
        {
            return Ok(Some(step));
        }
        let known = history.is_empty().then_some(&self.known);
        let mut around = Neighbourhood::new(database, board, value, history, known);
        around.look_around(control)?;
        let step = around.step_from_root();
        if history.is_empty() {
            let found = around.final_distances();
            self.remember(found);
        }
        Ok(step)
    }

    /// What is to be known of a board worth `value`, not 0, for its mover; `None` when its distance
    /// is not found within the limits.
    ///
    /// # Errors
    /// As [`Database::value`].
    pub(super) fn find(
        &mut self,
        database: &Database,
        board: Board,
        value: Value,
        control: &Control,
    ) -> Result<Option<Known>, DatabaseError> {
        if let Some(known) = self.known(board) {
            return Ok(Some(known));
        }
        let mut around = Neighbourhood::new(database, board, value, &[], Some(&self.known));
        around.look_around(control)?;
        let found = around.final_distances();
        self.remember(found);
        Ok(self.known(board))
    }

    fn remember(&mut self, found: Vec<(Board, Known)>) {
        if self.known.len() + found.len() > MOST_REMEMBERED {
            self.known.clear();
        }
        self.known.extend(found);
    }

    /// A step to a board of the same ending that is known to be nearer by one.
    fn remembered_step(&self, database: &Database, board: Board, value: Value) -> Option<Step> {
        let Known { distance, .. } = self.known(board)?;
        let wanted = Known { winner_gets: value.get(), distance: distance.checked_sub(1)? };
        database.rules().moves(board).find_map(|(_, outcome)| match outcome {
            // A board of the other sign with these numbers would be won by the opponent.
            Outcome::Moved { captured: 0, next } if self.known(next) == Some(wanted) => {
                (database.value(next).ok()? == -value).then_some(Step { distance, next })
            }
            _ => None,
        })
    }
}

impl<'a> Neighbourhood<'a> {
    fn new(
        database: &'a Database,
        root: Board,
        value: Value,
        history: &'a [Board],
        known: Option<&'a BoardMap<Known>>,
    ) -> Self {
        debug_assert!(value != Value::EVEN);
        let (spots, places) = (Vec::new(), BoardMap::default());
        let winner_gets = value.get().abs();
        let mut around =
            Self { database, value: winner_gets, history, known, spots, places, rings: 0 };
        around.place_of(root, value > Value::EVEN);
        around
    }

    /// Looks at rings until the root's distance is final or a limit is reached.
    fn look_around(&mut self, control: &Control) -> Result<(), DatabaseError> {
        let mut ring = vec![0];
        let mut next_look = 1;
        loop {
            if ring.is_empty() || self.spots.len() >= next_look {
                self.work_out_distances();
                self.mark_final(self.rings + 1);
                if self.spots[0].is_final {
                    return Ok(());
                }
                next_look = self.spots.len() + self.spots.len() / 2;
                ring = self.open_frontier();
                if ring.is_empty() {
                    // Nothing is left to look at that could shorten anything.
                    self.mark_final(u32::MAX);
                    return Ok(());
                }
            }
            if self.spots.len() > MOST_BOARDS || control.is_over() {
                self.work_out_distances();
                return Ok(());
            }
            ring = self.expand(&ring)?;
            self.rings += 1;
        }
    }

    fn place_of(&mut self, board: Board, is_winner: bool) -> (u32, bool) {
        let next = u32::try_from(self.spots.len()).unwrap_or(u32::MAX);
        let mut is_new = false;
        let place = *self.places.entry(board).or_insert_with(|| {
            is_new = true;
            next
        });
        if is_new {
            let has_ended = self.database.rules().end(board).is_some();
            let found_before = |known: &BoardMap<Known>| {
                let known = known.get(&board)?;
                (known.winner_gets == self.value).then_some(known.distance)
            };
            let given = if has_ended { Some(0) } else { self.known.and_then(found_before) };
            self.spots.push(Spot {
                board,
                is_winner,
                given,
                distance: given,
                children: Vec::new(),
                parents: Vec::new(),
                converts: false,
                escapes: false,
                is_expanded: given.is_some(),
                is_final: given.is_some(),
            });
        }
        (place, is_new)
    }

    /// Looks at the moves of the spots of a ring; returns the new spots they lead to.
    fn expand(&mut self, ring: &[u32]) -> Result<Vec<u32>, DatabaseError> {
        let mut steps = Vec::new();
        for &from in ring {
            let spot = &mut self.spots[from as usize];
            if std::mem::replace(&mut spot.is_expanded, true) {
                continue;
            }
            let value = if spot.is_winner { self.value } else { -self.value };
            for (_, outcome) in self.database.rules().moves(spot.board) {
                match outcome {
                    Outcome::Illegal => {}
                    Outcome::Moved { captured, next } => steps.push((from, captured, next)),
                    Outcome::Ended { captured, left } => {
                        let gets = captured.cast_signed() - left.cast_signed();
                        spot.converts |= gets == value;
                    }
                }
            }
        }
        let boards: Vec<Board> = steps.iter().map(|&(_, _, next)| next).collect();
        let values = self.database.values(&boards);
        let mut outside = Vec::new();
        for ((from, captured, next), value) in steps.into_iter().zip(values) {
            let gets = value?.after_capturing(captured).get();
            outside.extend(self.add_step(from, captured, next, gets));
        }
        Ok(outside)
    }

    /// Enters one move; returns the spot it leads to when that is new.
    fn add_step(&mut self, from: u32, captured: u8, next: Board, gets: i8) -> Option<u32> {
        let is_winner = self.spots[from as usize].is_winner;
        let is_history = captured == 0 && self.history.contains(&next);
        let keeps = gets == if is_winner { self.value } else { -self.value };
        if is_history && !is_winner {
            self.spots[from as usize].escapes = true;
        }
        if !keeps || is_history {
            return None;
        }
        if captured > 0 {
            self.spots[from as usize].converts = true;
            return None;
        }
        let (to, is_new) = self.place_of(next, !is_winner);
        self.spots[from as usize].children.push(to);
        self.spots[to as usize].parents.push(from);
        is_new.then_some(to)
    }

    /// Works out all distances that follow from the spots looked at.
    fn work_out_distances(&mut self) {
        // By rising distance: a winner gets its distance from its first child to have one, a loser
        // from its last.
        let mut by_distance: Vec<Vec<u32>> = vec![Vec::new(); 2];
        let mut waits: Vec<usize> = Vec::with_capacity(self.spots.len());
        for (place, spot) in (0u32..).zip(&mut self.spots) {
            waits.push(spot.children.len());
            let may_convert = spot.is_winner || (spot.children.is_empty() && !spot.escapes);
            let converts = spot.is_expanded && spot.converts && may_convert;
            spot.distance = spot.given.or(converts.then_some(1));
            if let Some(distance) = spot.distance {
                enter(&mut by_distance, distance, place);
            }
        }
        let mut distance = 0;
        while let Some(places) = by_distance.get_mut(distance).map(std::mem::take) {
            let after = u32::try_from(distance + 1).unwrap_or(u32::MAX);
            for place in places {
                for at in 0..self.spots[place as usize].parents.len() {
                    let parent = self.spots[place as usize].parents[at];
                    let waiting = &mut waits[parent as usize];
                    *waiting -= 1;
                    let is_last = *waiting == 0;
                    let spot = &mut self.spots[parent as usize];
                    let follows = spot.is_winner || (is_last && !spot.escapes && spot.is_expanded);
                    if spot.distance.is_none() && follows {
                        spot.distance = Some(after);
                        enter(&mut by_distance, after, parent);
                    }
                }
            }
            distance += 1;
        }
    }

    fn step_from_root(&self) -> Option<Step> {
        let root = &self.spots[0];
        let distance = root.distance?;
        let nearest = |&&child: &&u32| self.spots[child as usize].distance.unwrap_or(u32::MAX);
        let child = root.children.iter().min_by_key(nearest)?;
        Some(Step { distance, next: self.spots[*child as usize].board })
    }

    /// Marks the distances that are final: those that no way of `shortest_other` plies from the root
    /// or more can shorten. Below a spot marked earlier nothing was looked at any more, so nothing
    /// is marked there.
    fn mark_final(&mut self, shortest_other: u32) {
        let mut queue = VecDeque::from([(0u32, 0u32)]);
        let mut seen = vec![false; self.spots.len()];
        seen[0] = true;
        while let Some((place, steps)) = queue.pop_front() {
            let spot = &mut self.spots[place as usize];
            if spot.is_final {
                continue;
            }
            spot.is_final =
                spot.distance.is_some_and(|distance| steps + distance <= shortest_other);
            for &child in &self.spots[place as usize].children {
                if !std::mem::replace(&mut seen[child as usize], true) {
                    queue.push_back((child, steps + 1));
                }
            }
        }
    }

    /// The spots not yet looked at that may still matter to the root: those reached without
    /// passing a spot whose distance is final.
    fn open_frontier(&self) -> Vec<u32> {
        let mut frontier = Vec::new();
        let mut queue = VecDeque::from([0u32]);
        let mut seen = vec![false; self.spots.len()];
        seen[0] = true;
        while let Some(place) = queue.pop_front() {
            let spot = &self.spots[place as usize];
            if spot.is_final || spot.escapes {
                continue;
            }
            if !spot.is_expanded {
                frontier.push(place);
            }
            for &child in &spot.children {
                if !std::mem::replace(&mut seen[child as usize], true) {
                    queue.push_back(child);
                }
            }
        }
        frontier
    }

    /// The distances found here that are final.
    fn final_distances(&self) -> Vec<(Board, Known)> {
        let winner_gets = self.value;
        let is_found = |spot: &&Spot| spot.is_final && spot.given.is_none();
        let finals = self.spots.iter().filter(is_found);
        finals
            .filter_map(|spot| Some((spot.board, Known { winner_gets, distance: spot.distance? })))
            .collect()
    }
}

/// Enters a place under its distance.
fn enter(by_distance: &mut Vec<Vec<u32>>, distance: u32, place: u32) {
    let at = distance as usize;
    if by_distance.len() <= at {
        by_distance.resize_with(at + 1, Vec::new);
    }
    by_distance[at].push(place);
}
