//! A slow solver that goes forward only: every board starts at 0 and takes the best of its moves,
//! all boards at once, again and again until a sweep changes nothing.
//!
//! After `k` sweeps a board holds the value of the game cut off after `k` plies. Whoever can win
//! seeds can do so in finitely many plies and nobody gains from a cut, so for `k` large enough
//! that is the value itself. Rules are the literal ones, boards are all boards of a level in a
//! numbering of its own; nothing is shared with the library.

use crate::naive::{self, Pits, Played};
use oware::rules::Rules;
use std::collections::HashMap;

/// All boards of one level.
pub(crate) struct Boards {
    pub(crate) list: Vec<Pits>,
    number: HashMap<Pits, usize>,
}

impl Boards {
    /// The boards of the levels `0..=most`.
    pub(crate) fn to(most: u8) -> Vec<Self> {
        (0..=most)
            .map(|seeds| {
                let list = naive::all_boards(seeds);
                let number = list.iter().copied().zip(0..).collect();
                Self { list, number }
            })
            .collect()
    }
}

/// The values of every board of every level in `levels`, which are 0, 1, 2, … seeds.
pub(crate) fn solve(rules: Rules, levels: &[Boards]) -> Vec<Vec<i8>> {
    let mut solved: Vec<Vec<i8>> = Vec::new();
    for seeds in 0..levels.len() {
        let level = solve_level(rules, levels, &solved, seeds);
        solved.push(level);
    }
    solved
}

/// What is known of a board before the sweeps.
struct Start {
    /// The best of its captures and endings.
    sure: Option<i8>,
    /// The numbers of the boards that moves without a capture lead to.
    next: Vec<usize>,
}

fn start(rules: Rules, levels: &[Boards], solved: &[Vec<i8>], pits: &Pits) -> Start {
    let mut sure = naive::end(rules, pits).map(|(_, value)| value);
    let mut next = Vec::new();
    let seeds: u8 = pits.iter().sum();
    for pit in 0..6 {
        let value = match naive::play(rules, pits, pit) {
            Played::Illegal => continue,
            Played::On { captured: 0, next: board } => {
                next.push(levels[usize::from(seeds)].number[&board]);
                continue;
            }
            Played::On { captured, next: board } => {
                let smaller = usize::from(seeds - captured);
                signed(captured) - solved[smaller][levels[smaller].number[&board]]
            }
            Played::Over { captured, left } => signed(captured) - signed(left),
        };
        sure = sure.max(Some(value));
    }
    Start { sure, next }
}

/// The distances of every board of a level whose values, and those of the levels before it, are
/// `solved`; `None` for a board worth 0.
///
/// An ended board has 0. Otherwise moves that keep the value count, a capture or an ending as 0 and
/// any other as the child's distance: a won board has 1 more than the least, a lost board 1 more
/// than the greatest. All begin unknown; a sweep decides what follows from what is known.
pub(crate) fn distances(
    rules: Rules,
    levels: &[Boards],
    solved: &[Vec<i8>],
    seeds: usize,
) -> Vec<Option<u16>> {
    let boards = &levels[seeds].list;
    let values = &solved[seeds];
    let starts: Vec<_> = boards.iter().map(|pits| start(rules, levels, solved, pits)).collect();
    let mut distances = vec![None; boards.len()];
    loop {
        let mut swept = distances.clone();
        for (at, start) in starts.iter().enumerate().filter(|&(at, _)| values[at] != 0) {
            let kept = start.next.iter().filter(|&&board| -values[board] == values[at]);
            let mut after: Vec<Option<u16>> = kept.map(|&board| distances[board]).collect();
            after.extend((start.sure == Some(values[at])).then_some(Some(0)));
            swept[at] = if naive::end(rules, &boards[at]).is_some() {
                Some(0)
            } else if values[at] > 0 {
                after.into_iter().flatten().min().map(|least| least + 1)
            } else {
                let known: Option<Vec<u16>> = after.into_iter().collect();
                known.and_then(|known| known.into_iter().max()).map(|greatest| greatest + 1)
            };
        }
        if swept == distances {
            return distances;
        }
        distances = swept;
    }
}

fn signed(seeds: u8) -> i8 {
    i8::try_from(seeds).expect("at most 48 seeds")
}

fn solve_level(rules: Rules, levels: &[Boards], solved: &[Vec<i8>], seeds: usize) -> Vec<i8> {
    let boards = &levels[seeds].list;
    let starts: Vec<_> = boards.iter().map(|pits| start(rules, levels, solved, pits)).collect();
    let mut values = vec![0; boards.len()];
    loop {
        let swept: Vec<i8> = starts
            .iter()
            .map(|start| {
                let moves = start.next.iter().map(|&board| -values[board]);
                moves.chain(start.sure).max().expect("a board without moves has an ending")
            })
            .collect();
        if swept == values {
            return values;
        }
        values = swept;
    }
}
