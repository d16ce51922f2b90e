//! Samples of positions.
//!
//! Uniform sampling draws boards of a level by index, each at most once, and leaves out those without
//! a legal move. The seeds off a uniform board are divided evenly between the stores. The side with
//! the odd seed and the side to move are random.
//!
//! Self-play sampling takes boards from games between partly greedy, partly random players, at most
//! one per level and game.
//!
//! Invariants: every position has 48 seeds in pits and stores, at most 24 in each store (the game is
//! undecided) and a legal move. The same seed gives the same positions. The uniform sample of a level
//! does not depend on the other levels.

use crate::index::LevelIndex;
use crate::rules::{Board, GameString, MAX_SEEDS, Outcome, Pit, Rules, Seeds, Side};
use crate::search::simple_players::{greedy_move, random_move};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

/// The maximum of a store in an undecided game.
const HALF: u8 = MAX_SEEDS / 2;

/// Plies after which a game of self-play ends.
const MAX_PLIES: usize = 400;

/// The maximum number of games of self-play per position.
const GAMES_PER_POSITION: usize = 50;

/// The method by which positions are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleMethod {
    /// Uniformly from the reachable boards of each level.
    #[default]
    Uniform,
    /// From games between partly greedy, partly random players.
    SelfPlay,
}

impl SampleMethod {
    /// The name: `uniform` or `self-play`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::SelfPlay => "self-play",
        }
    }
}

/// The plan of a sample.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SamplePlan {
    /// The rule set.
    pub rules: Rules,
    /// The levels. Level 0 has no position.
    pub seeds: RangeInclusive<u8>,
    /// The number of positions, divided evenly between the levels. Small levels may have fewer.
    pub positions: usize,
    /// The seed of the sample.
    pub seed: u64,
    /// The method.
    pub method: SampleMethod,
}

impl SamplePlan {
    /// A uniform sample from the seed 1.
    #[must_use]
    pub const fn new(rules: Rules, seeds: RangeInclusive<u8>, positions: usize) -> Self {
        Self { rules, seeds, positions, seed: 1, method: SampleMethod::Uniform }
    }

    /// Sets the seed of the sample.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the method.
    #[must_use]
    pub const fn method(mut self, method: SampleMethod) -> Self {
        self.method = method;
        self
    }
}

/// Draws the positions of a plan, in order of their levels.
#[must_use]
pub fn sample(plan: &SamplePlan) -> Vec<GameString> {
    let levels: Vec<u8> =
        plan.seeds.clone().filter(|&seeds| (1..=MAX_SEEDS).contains(&seeds)).collect();
    if levels.is_empty() {
        return Vec::new();
    }
    let share = plan.positions / levels.len();
    let small_levels = levels.len() - plan.positions % levels.len();
    // The remainder of the division goes to the largest levels.
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

/// Adds random stores and a random side to move to a board, as in uniform sampling.
pub fn fill_stores(board: Board, rng: &mut impl RngExt) -> GameString {
    let captured = MAX_SEEDS - board.seeds();
    let (less, more) = (captured / 2, captured.div_ceil(2));
    let south_has_more = rng.random();
    let (south_store, north_store) = if south_has_more { (more, less) } else { (less, more) };
    let turn = if rng.random() { Side::South } else { Side::North };
    GameString { board, south_store, north_store, turn }
}

/// `count` distinct boards of a level with legal moves, or all of them if there are fewer.
fn uniform(rules: Rules, seeds: u8, count: usize, rng: &mut Pcg64) -> Vec<GameString> {
    let level = LevelIndex::new(Seeds::of(seeds));
    let boards = level.boards();
    let has_move = |board: &Board| rules.end(*board).is_none();
    if boards / 4 <= count as u64 {
        let mut all: Vec<Board> = level.boards_from(0).filter(has_move).collect();
        all.shuffle(rng);
        all.truncate(count);
        return all.into_iter().map(|board| fill_stores(board, rng)).collect();
    }
    let mut seen = HashSet::new();
    let mut positions = Vec::with_capacity(count);
    // The bound matters on the smallest levels only, where few boards have a move.
    for _ in 0..count.saturating_mul(1000) {
        if positions.len() == count {
            break;
        }
        let index = rng.random_range(0..boards);
        if !seen.insert(index) {
            continue;
        }
        let board = level.board(index).expect("drawn below the number of boards");
        if has_move(&board) {
            positions.push(fill_stores(board, rng));
        }
    }
    positions
}

/// Takes boards from games until every level has its number, or until the limit on games.
fn self_play(rules: Rules, wanted: BTreeMap<u8, usize>, seed: u64) -> Vec<GameString> {
    let games = wanted.values().sum::<usize>().saturating_mul(GAMES_PER_POSITION);
    let mut found: BTreeMap<u8, Vec<GameString>> = BTreeMap::new();
    let mut seen = HashSet::new();
    let smallest = *wanted.keys().next().expect("at least one level");
    let mut missing: usize = wanted.values().sum();
    let mut rng = Pcg64::seed_from_u64(seed);
    for _ in 0..games {
        if missing == 0 {
            break;
        }
        let mut last_level = None;
        for position in play_game(rules, smallest, &mut rng) {
            let seeds = position.board.seeds();
            let room = wanted.get(&seeds).copied().unwrap_or(0);
            let have = found.entry(seeds).or_default();
            if last_level != Some(seeds) && have.len() < room && seen.insert(position) {
                last_level = Some(seeds);
                have.push(position);
                missing -= 1;
            }
        }
    }
    found.into_values().flatten().collect()
}

/// The positions of one game, until it is decided, has ended or has fewer than `smallest` seeds.
fn play_game(rules: Rules, smallest: u8, rng: &mut Pcg64) -> Vec<GameString> {
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
    fn the_uniform_sample_of_a_level_does_not_depend_on_other_levels() {
        let all = sample(&plan(SampleMethod::Uniform, 6..=9, 400, 7));
        let alone = sample(&plan(SampleMethod::Uniform, 8..=8, 100, 7));
        assert_eq!(all[200..300], alone[..]);
    }

    #[test]
    fn a_small_level_is_drawn_whole_and_once() {
        let positions = sample(&plan(SampleMethod::Uniform, 1..=2, 10_000, 1));
        let boards: HashSet<Board> = positions.iter().map(|of| of.board).collect();
        assert_eq!(boards.len(), positions.len());
        let expected = (1..=2)
            .flat_map(|seeds| LevelIndex::new(Seeds::of(seeds)).boards_from(0).collect::<Vec<_>>())
            .filter(|&board| Rules::Awari.end(board).is_none())
            .count();
        assert_eq!(boards.len(), expected);
    }

    #[test]
    fn uniform_samples_draw_all_boards_equally_often() {
        // Level 3 is shuffled whole, level 6 drawn by index; 200 samples of each.
        for (seeds, count, bins) in [(3, 20, 8), (6, 200, 16)] {
            let boards = LevelIndex::new(Seeds::of(seeds)).boards();
            let mut askable = vec![0u64; bins];
            let bin = |index: u64| usize::try_from(index * bins as u64 / boards).expect("small");
            for (index, board) in (0..).zip(LevelIndex::new(Seeds::of(seeds)).boards_from(0)) {
                askable[bin(index)] += u64::from(Rules::Awari.end(board).is_none());
            }
            let mut drawn = vec![0u64; bins];
            for seed in 0..200 {
                for position in sample(&plan(SampleMethod::Uniform, seeds..=seeds, count, seed)) {
                    let level = LevelIndex::new(Seeds::of(seeds));
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
