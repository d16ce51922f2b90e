//! Levels with meaningless values: the machinery of tables must keep any level, and such levels
//! need no solver.

use super::{LevelValues, plain_byte};
use crate::index::LevelIndex;
use crate::rules::{Outcome, Rules};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Levels of 0 to `most` seeds with random values that are at least the best capture or ending, and
/// rarely far from the value before, as in solved levels.
pub(crate) fn meaningless_levels(rules: Rules, most: u8) -> Vec<LevelValues> {
    let mut random = Pcg64::seed_from_u64(u64::from(rules.code()));
    let mut levels: Vec<LevelValues> = Vec::new();
    for seeds in 0..=most {
        let index = LevelIndex::new(seeds);
        let most = seeds.cast_signed();
        let mut before = 0i8;
        let bytes: Vec<u8> = index
            .boards_from(0)
            .map(|board| {
                if let Some(end) = rules.end(board) {
                    return plain_byte(end.value(seeds).get(), true);
                }
                let best = rules.moves(board).filter_map(|(_, outcome)| match outcome {
                    Outcome::Moved { captured, next } if captured > 0 => {
                        let child = levels[usize::from(next.seeds())].value(next);
                        Some(child.expect("reachable").after_capturing(captured).get())
                    }
                    Outcome::Ended { captured, left } => {
                        Some(captured.cast_signed() - left.cast_signed())
                    }
                    _ => None,
                });
                let best = best.max();
                before = (before + random.random_range(-1..=1)).clamp(-most, most);
                let value = best.unwrap_or(before).max(before);
                plain_byte(value, Some(value) == best)
            })
            .collect();
        levels.push(LevelValues::new(seeds, bytes.into()).expect("a byte a board"));
    }
    levels
}
