//! Levels with meaningless values, for tests. Tables must preserve any level, and these levels need
//! no solver.

use super::{LevelValues, plain_byte};
use crate::index::LevelIndex;
use crate::rules::{Board, Rules, Seeds, Value};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Levels of 0 to `most` seeds. Their values are random, but at least the best capture or ending of
/// the board, and rarely far from the value before, as in solved levels.
pub(crate) fn meaningless_levels(rules: Rules, most: u8) -> Vec<LevelValues> {
    let mut random = Pcg64::seed_from_u64(u64::from(rules.code()));
    let mut levels: Vec<LevelValues> = Vec::new();
    for seeds in 0..=most {
        let index = LevelIndex::new(Seeds::of(seeds));
        let most = seeds.cast_signed();
        let mut before = 0i8;
        let bytes: Vec<u8> = index
            .boards_from(0)
            .map(|board| {
                if let Some(end) = rules.end(board) {
                    return plain_byte(end.value(seeds).get(), true);
                }
                let value_of = |next: Board| -> Result<Value, ()> {
                    let level = levels.get(usize::from(next.seeds())).ok_or(())?;
                    Ok(level.value(next).expect("a board after a move is reachable"))
                };
                // A quiet move has no gain here: this level is not there yet.
                let gains = rules
                    .moves(board)
                    .filter_map(|(_, outcome)| outcome.gain(value_of).ok().map(Value::get));
                let best = gains.max();
                before = (before + random.random_range(-1..=1)).clamp(-most, most);
                let value = best.unwrap_or(before).max(before);
                plain_byte(value, Some(value) == best)
            })
            .collect();
        levels.push(LevelValues::new(Seeds::of(seeds), bytes.into()).expect("one byte per board"));
    }
    levels
}
