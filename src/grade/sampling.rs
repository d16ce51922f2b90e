//! Positions to ask about.
//!
//! Uniform sampling draws boards of a level by their index, each at most once, leaving out those
//! without a legal move. Self-play sampling takes boards from games that begin at the start position
//! and are played by captures and chance, at most one a level and game. Either way the same seed
//! gives the same positions, and a level's positions do not depend on which other levels are asked.
//!
//! Invariants of every position: pits and stores hold 48 seeds, neither store more than 24, so that
//! the game is undecided, and there is a legal move. Uniform boards get stores as even as can be;
//! with an odd number of seeds on the board chance decides who has one more, and chance decides who
//! is to move.

use crate::index::LevelIndex;
use crate::rules::{Board, GameString, MAX_SEEDS, Outcome, Pit, Rules, Side};
use crate::search::simple_players::{greedy_move, random_move};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

/// The most seeds that a store can hold in an undecided game.
const HALF: u8 = MAX_SEEDS / 2;

/// Plies after which a game of self-play is given up.
const MAX_PLIES: usize = 400;

/// Games of self-play tried for each position wanted.
const GAMES_PER_POSITION: usize = 50;

/// Where positions come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleMethod {
    /// Uniform over the reachable boards of each level.
    #[default]
    Uniform,
    /// From games played by captures and chance.
    SelfPlay,
}

impl SampleMethod {
    /// The name on the command line and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::SelfPlay => "self-play",
        }
    }
}

/// Which positions are wanted.
#[derive(Clone, Debug)]
pub struct SamplePlan {
    /// The rule set.
    pub rules: Rules,
    /// Seeds on the boards; level 0 has nothing to ask.
    pub seeds: RangeInclusive<u8>,
    /// Positions in all, spread evenly over the levels; small levels may have fewer.
    pub positions: usize,
    /// What makes the sample repeatable.
    pub seed: u64,
    /// Where positions come from.
    pub method: SampleMethod,
}

/// Draws the positions of a plan, by rising level.
#[must_use]
pub fn sample(plan: &SamplePlan) -> Vec<GameString> {
    let levels: Vec<u8> =
        plan.seeds.clone().filter(|&seeds| (1..=MAX_SEEDS).contains(&seeds)).collect();
    if levels.is_empty() {
        return Vec::new();
    }
    let share = plan.positions / levels.len();
    let small_levels = levels.len() - plan.positions % levels.len();
    // What does not divide evenly goes to the largest levels.
    let wanted = levels
        .into_iter()
        .enumerate()
        .map(|(place, seeds)| (seeds, share + usize::from(place >= small_levels)));
    match plan.method {
        SampleMethod::Uniform => wanted
            .flat_map(|(seeds, count)| {
                let mut rng = Pcg64::new(plan.seed.into(), seeds.into());
                uniform(plan.rules, seeds, count, &mut rng)
            })
            .collect(),
        SampleMethod::SelfPlay => self_play(plan.rules, wanted.collect(), plan.seed),
    }
}

/// Fills the stores of a board and decides who is to move.
pub fn fill_stores(board: Board, rng: &mut impl RngExt) -> GameString {
    let captured = MAX_SEEDS - board.seeds();
    let (less, more) = (captured / 2, captured.div_ceil(2));
    let south_has_more = rng.random();
    let (south_store, north_store) = if south_has_more { (more, less) } else { (less, more) };
    let turn = if rng.random() { Side::South } else { Side::North };
    GameString { board, south_store, north_store, turn }
}

/// `count` distinct boards of a level with legal moves, or all there are.
fn uniform(rules: Rules, seeds: u8, count: usize, rng: &mut Pcg64) -> Vec<GameString> {
    let level = LevelIndex::new(seeds);
    let boards = level.boards();
    let asks = |board: &Board| rules.end(*board).is_none();
    if boards / 4 <= count as u64 {
        let mut all: Vec<Board> = level.boards_from(0).filter(asks).collect();
        all.shuffle(rng);
        all.truncate(count);
        return all.into_iter().map(|board| fill_stores(board, rng)).collect();
    }
    let mut seen = HashSet::new();
    let mut positions = Vec::with_capacity(count);
    // Fewer than one board in four has ended, so this ends soon; the bound is for the reader.
    for _ in 0..count.saturating_mul(1000) {
        if positions.len() == count {
            break;
        }
        let index = rng.random_range(0..boards);
        if !seen.insert(index) {
            continue;
        }
        if let Some(board) = level.board(index).filter(asks) {
            positions.push(fill_stores(board, rng));
        }
    }
    positions
}

/// Takes boards from games until each level has its number or the games run out.
fn self_play(rules: Rules, wanted: BTreeMap<u8, usize>, seed: u64) -> Vec<GameString> {
    let games = wanted.values().sum::<usize>().saturating_mul(GAMES_PER_POSITION);
    let mut found: BTreeMap<u8, Vec<GameString>> = BTreeMap::new();
    let mut seen = HashSet::new();
    let smallest = wanted.keys().next().copied().unwrap_or(0);
    let mut missing: usize = wanted.values().sum();
    let mut rng = Pcg64::seed_from_u64(seed);
    for _ in 0..games {
        if missing == 0 {
            break;
        }
        let mut last_level = u8::MAX;
        for position in play_by_chance(rules, smallest, &mut rng) {
            let seeds = position.board.seeds();
            let room = wanted.get(&seeds).copied().unwrap_or(0);
            let have = found.entry(seeds).or_default();
            if seeds != last_level && have.len() < room && seen.insert(position) {
                last_level = seeds;
                have.push(position);
                missing -= 1;
            }
        }
    }
    found.into_values().flatten().collect()
}

/// The positions of one game, until it is decided, over, or below `smallest` seeds.
fn play_by_chance(rules: Rules, smallest: u8, rng: &mut Pcg64) -> Vec<GameString> {
    let mut positions = Vec::new();
    let mut now =
        GameString { board: Board::START, south_store: 0, north_store: 0, turn: Side::South };
    while positions.len() < MAX_PLIES {
        let decided = now.south_store > HALF || now.north_store > HALF;
        let moves: Vec<(Pit, Outcome)> = rules.moves(now.board).collect();
        if decided || moves.is_empty() || now.board.seeds() < smallest {
            break;
        }
        positions.push(now);
        let choice = if rng.random_ratio(1, 4) {
            random_move(&moves, rng)
        } else {
            greedy_move(&moves, rng)
        };
        let Some((_, Outcome::Moved { captured, next })) = choice else { break };
        match now.turn {
            Side::South => now.south_store += captured,
            Side::North => now.north_store += captured,
        }
        now.board = next;
        now.turn = now.turn.other();
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(
        method: SampleMethod,
        seeds: RangeInclusive<u8>,
        positions: usize,
        seed: u64,
    ) -> SamplePlan {
        SamplePlan { rules: Rules::Awari, seeds, positions, seed, method }
    }

    #[test]
    fn every_position_is_an_undecided_game_with_a_move() {
        for rules in Rules::ALL {
            for method in [SampleMethod::Uniform, SampleMethod::SelfPlay] {
                let plan = SamplePlan { rules, ..plan(method, 4..=24, 105, 3) };
                for position in sample(&plan) {
                    let GameString { board, south_store, north_store, .. } = position;
                    assert_eq!(board.seeds() + south_store + north_store, MAX_SEEDS);
                    assert!(south_store <= 24 && north_store <= 24, "{position}");
                    assert!(rules.moves(board).next().is_some(), "{position}");
                    if method == SampleMethod::Uniform {
                        assert!(south_store.abs_diff(north_store) <= 1, "{position}");
                        assert!(board.is_reachable());
                    }
                }
            }
        }
    }

    #[test]
    fn positions_are_spread_evenly_distinct_and_repeatable() {
        for method in [SampleMethod::Uniform, SampleMethod::SelfPlay] {
            let positions = sample(&plan(method, 8..=14, 355, 1));
            assert_eq!(positions.len(), 355);
            for seeds in 8..=14 {
                let count = positions.iter().filter(|of| of.board.seeds() == seeds).count();
                assert!((50..=51).contains(&count), "{seeds}: {count}");
            }
            let distinct: HashSet<_> = positions.iter().collect();
            assert_eq!(distinct.len(), positions.len());
            assert_eq!(positions, sample(&plan(method, 8..=14, 355, 1)));
            assert_ne!(positions, sample(&plan(method, 8..=14, 355, 2)));
        }
    }

    #[test]
    fn a_level_asked_alone_gives_the_same_boards() {
        let all = sample(&plan(SampleMethod::Uniform, 6..=9, 400, 7));
        let alone = sample(&plan(SampleMethod::Uniform, 8..=8, 100, 7));
        assert_eq!(all[200..300], alone[..]);
    }

    #[test]
    fn a_small_level_is_asked_whole_and_once() {
        let positions = sample(&plan(SampleMethod::Uniform, 1..=2, 10_000, 1));
        let boards: HashSet<Board> = positions.iter().map(|of| of.board).collect();
        assert_eq!(boards.len(), positions.len());
        let expected = (1..=2)
            .flat_map(|seeds| LevelIndex::new(seeds).boards_from(0).collect::<Vec<_>>())
            .filter(|&board| Rules::Awari.end(board).is_none())
            .count();
        assert_eq!(boards.len(), expected);
    }

    #[test]
    fn uniform_means_each_board_as_often_as_any_other() {
        // Level 3 is shuffled whole, level 6 drawn by index; 200 samples of each.
        for (seeds, count, bins) in [(3, 20, 8), (6, 200, 16)] {
            let boards = LevelIndex::new(seeds).boards();
            let mut askable = vec![0u64; bins];
            let bin = |index: u64| usize::try_from(index * bins as u64 / boards).expect("small");
            for (index, board) in (0..).zip(LevelIndex::new(seeds).boards_from(0)) {
                askable[bin(index)] += u64::from(Rules::Awari.end(board).is_none());
            }
            let mut drawn = vec![0u64; bins];
            for seed in 0..200 {
                for position in sample(&plan(SampleMethod::Uniform, seeds..=seeds, count, seed)) {
                    let level = LevelIndex::new(seeds);
                    drawn[bin(level.index(position.board).expect("reachable"))] += 1;
                }
            }
            let total = super::super::statistics::real(askable.iter().sum());
            for (askable, drawn) in askable.iter().zip(drawn) {
                let expected = super::super::statistics::real(200 * count as u64 * askable) / total;
                let found = super::super::statistics::real(drawn);
                let sigmas = (found - expected) / expected.max(1.0).sqrt();
                assert!(sigmas.abs() < 5.0, "{seeds}: {found} where {expected} are expected");
            }
        }
    }
}
