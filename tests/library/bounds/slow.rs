//! Bounds by the book: sweeps over every board of a level until nothing changes, the lower bound
//! from −n up, the upper bound from n down.

use crate::naive::{Pits, Play, boards, ended, play};
use oware::rules::Rules;
use std::collections::HashMap;

/// The lower and the upper bound of a board.
pub(super) type Pair = (i8, i8);

/// The outcome of a move: bounds that are known, or the board of the level after it.
enum Worth {
    Known(Pair),
    Child(usize),
}

/// The bounds of all boards of levels `0..=most`, those of full rows included.
pub(super) fn solve(rules: Rules, most: u8) -> HashMap<Pits, Pair> {
    let mut bounds = HashMap::new();
    for seeds in 0..=most {
        let level = level(rules, seeds, &bounds);
        bounds.extend(level);
    }
    bounds
}

fn level(rules: Rules, seeds: u8, smaller: &HashMap<Pits, Pair>) -> HashMap<Pits, Pair> {
    let boards = boards(seeds);
    let places: HashMap<Pits, usize> = boards.iter().copied().zip(0..).collect();
    let worth = |board: &Pits, pit| match play(rules, board, pit) {
        Play::Illegal => None,
        Play::Ended(captured, left) => {
            let value = captured.cast_signed() - left.cast_signed();
            Some(Worth::Known((value, value)))
        }
        Play::Moved(0, next) => Some(Worth::Child(places[&next])),
        Play::Moved(captured, next) => {
            let (low, high) = smaller[&next];
            Some(Worth::Known((captured.cast_signed() - high, captured.cast_signed() - low)))
        }
    };
    let moves: Vec<Vec<Worth>> =
        boards.iter().map(|board| (0..6).filter_map(|pit| worth(board, pit)).collect()).collect();
    let n = seeds.cast_signed();
    let mut found = vec![(-n, n); boards.len()];
    loop {
        let mut changed = false;
        for (at, board) in boards.iter().enumerate() {
            let of_move = |worth: &Worth| match *worth {
                Worth::Known(pair) => pair,
                Worth::Child(child) => (-found[child].1, -found[child].0),
            };
            let pairs = || moves[at].iter().map(of_move);
            let low = pairs().map(|pair| pair.0).max().unwrap_or_else(|| ended(board));
            let high = pairs().map(|pair| pair.1).max().unwrap_or_else(|| ended(board));
            changed |= found[at] != (low, high);
            found[at] = (low, high);
        }
        if !changed {
            return boards.into_iter().zip(found).collect();
        }
    }
}
