//! A literal, slow reading of the rules, and a slow solver on it: every board of a level, swept
//! again and again from 0 until nothing changes. Shares nothing with the library but the names of
//! the rule sets and the types that results are compared in.
//!
//! Places 0 to 5 are the mover's pits A to F, 6 to 11 the opponent's a to f. From 0 sweeps end at
//! the values: a board's number is at any time what some play of finitely many plies secures, and
//! whoever can win seeds can do so in finitely many.

use oware::index::LevelIndex;
use oware::level::LevelValues;
use oware::rules::{Board, Rules, Seeds};
use std::collections::HashMap;

pub(crate) type Pits = [u8; 12];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Play {
    Illegal,
    /// Captured seeds and the board for the next mover.
    Moved(u8, Pits),
    /// Captured seeds and what the opponent takes.
    Ended(u8, u8),
}

/// Where the seeds of the mover's pit `pit` go, one place a seed, for ever.
fn path(rules: Rules, pit: usize) -> impl Iterator<Item = usize> {
    const THERE: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    const BACK_AND_THERE: &[usize] = &[5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let after = if rules == Rules::TwoLap { BACK_AND_THERE } else { THERE };
    let places = THERE.iter().chain(after.iter().cycle()).copied();
    places.skip(pit + 1).filter(move |&place| place != pit)
}

pub(crate) fn play(rules: Rules, board: &Pits, pit: usize) -> Play {
    let mut after = *board;
    let seeds = std::mem::take(&mut after[pit]);
    if seeds == 0 {
        return Play::Illegal;
    }
    let mut last = pit;
    for place in path(rules, pit).take(usize::from(seeds)) {
        after[place] += 1;
        last = place;
    }
    let mut run = Vec::new();
    let mut place = last;
    while place >= 6 && (after[place] == 2 || after[place] == 3) {
        run.push(place);
        place -= 1;
    }
    let theirs: u8 = after[6..].iter().sum();
    let taken: u8 = run.iter().map(|&place| after[place]).sum();
    let had_none = board[6..].iter().all(|&seeds| seeds == 0);
    if taken > 0 && taken == theirs {
        match rules {
            Rules::Awari | Rules::TwoLap => return Play::Illegal,
            Rules::Abapa => run.clear(),
            Rules::LeaveFirst => {
                run.pop();
            }
            Rules::LeaveLast => {
                run.remove(0);
            }
            Rules::Wari => {}
            Rules::OpponentTakesRest if had_none => return Play::Illegal,
            Rules::OpponentTakesRest => return Play::Ended(taken, after[..6].iter().sum()),
        }
    }
    let mut captured = 0;
    for place in run {
        captured += std::mem::take(&mut after[place]);
    }
    if had_none && after[6..].iter().all(|&seeds| seeds == 0) {
        return Play::Illegal;
    }
    after.rotate_left(6);
    Play::Moved(captured, after)
}

/// Why a board has no legal move, if it has none.
pub(crate) fn end(rules: Rules, board: &Pits) -> Option<&'static str> {
    if board[..6].iter().all(|&seeds| seeds == 0) {
        return Some("no-seeds");
    }
    if (0..6).any(|pit| play(rules, board, pit) != Play::Illegal) {
        return None;
    }
    let is_empty = board[6..].iter().all(|&seeds| seeds == 0);
    Some(if is_empty { "cannot-feed" } else { "only-slams" })
}

/// The value of a board that has no legal move.
pub(crate) fn ended(board: &Pits) -> i8 {
    let seeds = i8::try_from(board.iter().sum::<u8>()).expect("at most 48");
    if board[..6].iter().all(|&seeds| seeds == 0) { -seeds } else { seeds }
}

/// Every board of a level, full rows included.
pub(crate) fn boards(seeds: u8) -> Vec<Pits> {
    fn fill(pits: &mut Pits, at: usize, left: u8, out: &mut Vec<Pits>) {
        if at == 11 {
            pits[11] = left;
            out.push(*pits);
            return;
        }
        for here in 0..=left {
            pits[at] = here;
            fill(pits, at + 1, left - here, out);
        }
    }
    let mut out = Vec::new();
    fill(&mut [0; 12], 0, seeds, &mut out);
    out
}

/// A move with its value, captures included, or `None` where it is illegal.
pub(crate) fn move_value(
    rules: Rules,
    board: &Pits,
    pit: usize,
    values: &HashMap<Pits, i8>,
) -> Option<i8> {
    match play(rules, board, pit) {
        Play::Illegal => None,
        Play::Moved(captured, next) => Some(captured.cast_signed() - values[&next]),
        Play::Ended(captured, left) => Some(captured.cast_signed() - left.cast_signed()),
    }
}

/// What a move is worth: a fixed number, or the negation of another board of the level, by place.
enum Worth {
    Fixed(i8),
    Child(usize),
}

/// The values of all boards of levels `0..=most`.
pub(crate) fn solve(rules: Rules, most: u8) -> HashMap<Pits, i8> {
    let mut values = HashMap::new();
    for seeds in 0..=most {
        let found = sweep(rules, seeds, &values, |_| 0, || true);
        values.extend(found);
    }
    values
}

/// Sweeps a level from any start until nothing changes: values that satisfy every board's
/// equation, the right ones when started from 0. A sweep passes over the boards that `takes_part`
/// leaves out; from some starts values chase each other round a cycle for ever unless it does.
pub(crate) fn sweep(
    rules: Rules,
    seeds: u8,
    smaller: &HashMap<Pits, i8>,
    start: impl FnMut(&Pits) -> i8,
    mut takes_part: impl FnMut() -> bool,
) -> HashMap<Pits, i8> {
    let boards = boards(seeds);
    let moves = moves_of_level(rules, &boards, smaller);
    let mut found: Vec<i8> = boards.iter().map(start).collect();
    loop {
        let mut changed = false;
        for (at, (board, moves)) in boards.iter().zip(&moves).enumerate() {
            let worth = |worth: &Worth| match *worth {
                Worth::Fixed(value) => value,
                Worth::Child(child) => -found[child],
            };
            let value = moves.iter().map(worth).max().unwrap_or_else(|| ended(board));
            changed |= found[at] != value;
            if takes_part() {
                found[at] = value;
            }
        }
        if !changed {
            return boards.into_iter().zip(found).collect();
        }
    }
}

/// The distances of a solved level, `None` for a board of value 0: from "for ever" everywhere,
/// swept until nothing changes or a distance passes `most`.
pub(crate) fn distances(
    rules: Rules,
    seeds: u8,
    values: &HashMap<Pits, i8>,
    most: u16,
) -> HashMap<Pits, Option<u16>> {
    let boards = boards(seeds);
    let mut found: HashMap<Pits, Option<u16>> = boards.iter().map(|board| (*board, None)).collect();
    loop {
        let mut changed = false;
        for board in &boards {
            let value = values[board];
            let plays: Vec<_> = (0..6).map(|pit| play(rules, board, pit)).collect();
            let keeping =
                (0..6).filter(|&pit| move_value(rules, board, pit, values) == Some(value));
            let after = keeping.map(|pit| match plays[pit] {
                Play::Moved(0, next) => found[&next].unwrap_or(most),
                _ => 0,
            });
            let plies = if plays.iter().all(|play| *play == Play::Illegal) {
                Some(0)
            } else if value == 0 {
                None
            } else {
                let last = if value > 0 { after.min() } else { after.max() };
                last.map(|plies| most.min(plies + 1))
            };
            changed |= found.insert(*board, plies) != Some(plies);
        }
        if !changed {
            return found;
        }
    }
}

fn moves_of_level(rules: Rules, boards: &[Pits], smaller: &HashMap<Pits, i8>) -> Vec<Vec<Worth>> {
    let places: HashMap<Pits, usize> = boards.iter().copied().zip(0..).collect();
    let worth = |board: &Pits, pit| match play(rules, board, pit) {
        Play::Illegal => None,
        Play::Moved(0, next) => Some(Worth::Child(places[&next])),
        Play::Moved(captured, next) => Some(Worth::Fixed(captured.cast_signed() - smaller[&next])),
        Play::Ended(captured, left) => {
            Some(Worth::Fixed(captured.cast_signed() - left.cast_signed()))
        }
    };
    boards.iter().map(|board| (0..6).filter_map(|pit| worth(board, pit)).collect()).collect()
}

/// A level as the library keeps it, from slowly found values.
pub(crate) fn plain_level(rules: Rules, seeds: u8, values: &HashMap<Pits, i8>) -> LevelValues {
    let bytes = LevelIndex::new(Seeds::of(seeds))
        .boards_from(0)
        .map(|board| {
            let pits = board.pits();
            let value = values[&pits];
            let plays: Vec<_> = (0..6).map(|pit| (pit, play(rules, &pits, pit))).collect();
            let is_stuck = plays.iter().all(|(_, play)| *play == Play::Illegal);
            let takes = plays
                .iter()
                .filter(|(_, play)| !matches!(play, Play::Illegal | Play::Moved(0, _)))
                .filter_map(|&(pit, _)| move_value(rules, &pits, pit, values))
                .max();
            let free = is_stuck || takes == Some(value);
            (value << 1 | i8::from(free)).cast_unsigned()
        })
        .collect::<Vec<u8>>();
    LevelValues::new(Seeds::of(seeds), bytes.into()).expect("one byte in range for each board")
}

pub(crate) fn plain_levels(rules: Rules, most: u8, values: &HashMap<Pits, i8>) -> Vec<LevelValues> {
    (0..=most).map(|seeds| plain_level(rules, seeds, values)).collect()
}

pub(crate) fn board(pits: &Pits) -> Board {
    Board::new(*pits).expect("at most 48 seeds")
}
