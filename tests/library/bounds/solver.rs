//! The library's bounds against the slow ones board by board, and against those under `data/`.

use super::slow::{self, Pair};
use crate::naive;
use oware::level::LevelBounds;
use oware::rules::{Board, Bounds, Outcome, Rules, Seeds};
use oware::solve::{bounds_in_memory, bounds_with_ranks, solve_in_memory};
use rayon::prelude::*;
use std::collections::BTreeMap;

const HISTOGRAMS: &str = include_str!("../../../data/bounds_histograms.csv");

fn solved(rules: Rules, seeds: u8) -> Vec<LevelBounds> {
    bounds_in_memory(rules, Seeds::of(seeds)).expect("memory for small levels")
}

/// The bounds of any board: looked up, or those of its moves.
fn bounds(rules: Rules, levels: &[LevelBounds], board: Board) -> Pair {
    let pair = |bounds: Bounds| (bounds.low().get(), bounds.high().get());
    if let Some(found) = levels[board.level().index()].bounds(board) {
        return pair(found);
    }
    let of_move = |outcome| match outcome {
        Outcome::Moved { captured, next } => {
            let (low, high) = bounds(rules, levels, next);
            (captured.cast_signed() - high, captured.cast_signed() - low)
        }
        Outcome::Ended { captured, left, .. } => {
            let value = captured.cast_signed() - left.cast_signed();
            (value, value)
        }
        Outcome::Illegal => unreachable!("only legal moves are listed"),
    };
    let pairs: Vec<Pair> = rules.moves(board).map(|(_, outcome)| of_move(outcome)).collect();
    let ended = || {
        let end = rules.end(board).expect("a board without a move has ended");
        let value = end.value(board.seeds()).get();
        (value, value)
    };
    let best = |a: Pair, b: Pair| (a.0.max(b.0), a.1.max(b.1));
    pairs.into_iter().reduce(best).unwrap_or_else(ended)
}

#[test]
fn bounds_equal_the_slow_ones_on_every_board_to_7_seeds() {
    Rules::ALL.into_par_iter().for_each(|rules| {
        let levels = solved(rules, 7);
        for (pits, expected) in slow::solve(rules, 7) {
            let board = naive::board(&pits);
            assert_eq!(bounds(rules, &levels, board), expected, "{rules}: {board}");
        }
    });
}

/// Boards by their bounds, in all and among the reachable ones.
type Counts = BTreeMap<Pair, (u64, u64)>;

/// The counts under `data/` of one level.
fn recorded(rules: Rules, seeds: u8) -> Counts {
    let mut counts = Counts::new();
    for line in HISTOGRAMS.lines().skip(1).filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(',').collect();
        let [name, level, scope, low, high, count] = fields[..] else {
            panic!("six fields expected: {line}");
        };
        if name != rules.name() || level != seeds.to_string() {
            continue;
        }
        let number = |field: &str| field.parse::<i8>().expect("a bound");
        let of_pair = counts.entry((number(low), number(high))).or_default();
        let count = count.parse().expect("a count");
        match scope {
            "all" => of_pair.0 = count,
            "reachable" => of_pair.1 = count,
            _ => panic!("an unknown scope: {line}"),
        }
    }
    assert!(!counts.is_empty(), "{rules}, {seeds} seeds: not in the file");
    counts
}

#[test]
fn every_rule_set_has_the_recorded_histograms_to_9_seeds() {
    for rules in Rules::ALL {
        let levels = solved(rules, 9);
        (0..=9).into_par_iter().for_each(|seeds| {
            let mut counts = Counts::new();
            for pits in naive::boards(seeds) {
                let board = naive::board(&pits);
                let (all, reachable) = counts.entry(bounds(rules, &levels, board)).or_default();
                *all += 1;
                *reachable += u64::from(board.is_reachable());
            }
            assert_eq!(counts, recorded(rules, seeds), "{rules}, {seeds} seeds");
        });
    }
}

#[test]
fn bounds_hold_the_value_and_have_the_parity_of_the_level_to_16_seeds() {
    Rules::ALL.into_par_iter().for_each(|rules| {
        let most = Seeds::of(if rules == Rules::Awari { 16 } else { 13 });
        let values = solve_in_memory(rules, most).expect("memory for small levels");
        for (level, values) in solved(rules, most.get()).iter().zip(&values) {
            // Parity and range are checked where bounds are made.
            for ((board, bounds), (_, value)) in level.iter().zip(values.iter()) {
                assert!(bounds.low() <= value && value <= bounds.high(), "{rules}: {board}");
            }
        }
    });
}

/// Ranks prove lower bounds: from a board of rank r, a capture or ending is as good as the bound,
/// or a quiet move leads to a board all of whose replies are captures that are no better for the
/// opponent, or boards of as good a bound and, if it is the same, of lower rank.
#[test]
fn ranks_prove_every_lower_bound_to_9_seeds() {
    Rules::ALL.into_par_iter().for_each(|rules| {
        let levels = bounds_with_ranks(rules, Seeds::of(9)).expect("memory for small levels");
        let bounds_only: Vec<LevelBounds> = solved(rules, 9);
        for (level, ranks) in &levels {
            for (board, found) in level.iter() {
                let Some(rank) = ranks.distance(board) else {
                    let least = -board.level().get().cast_signed();
                    assert_eq!(found.low().get(), least, "{rules}: {board} has no rank");
                    continue;
                };
                let low = found.low().get();
                let secures = |outcome| match outcome {
                    Outcome::Moved { captured: 0, next } => rules.moves(next).all(|(_, reply)| {
                        let Outcome::Moved { captured: 0, next } = reply else {
                            return reply_gain(rules, &bounds_only, reply) <= -low;
                        };
                        let after = bounds(rules, &bounds_only, next).0;
                        let lower = ranks.distance(next).is_some_and(|after| after < rank);
                        after > low || after == low && lower
                    }),
                    Outcome::Moved { captured, next } => {
                        captured.cast_signed() - bounds(rules, &bounds_only, next).1 >= low
                    }
                    Outcome::Ended { captured, left, .. } => {
                        captured.cast_signed() - left.cast_signed() >= low
                    }
                    Outcome::Illegal => false,
                };
                let ended = rules.end(board).is_some();
                let proved = ended || rules.moves(board).any(|(_, outcome)| secures(outcome));
                assert!(proved, "{rules}: {board} of rank {rank} does not secure {low}");
            }
        }
    });
}

/// The most that a capture or an ending can bring its mover.
fn reply_gain(rules: Rules, levels: &[LevelBounds], outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Moved { captured, next } => captured.cast_signed() - bounds(rules, levels, next).0,
        Outcome::Ended { captured, left, .. } => captured.cast_signed() - left.cast_signed(),
        Outcome::Illegal => i8::MIN,
    }
}
