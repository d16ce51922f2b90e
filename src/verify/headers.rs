//! What the headers of tables say of their contents, against the contents.

use crate::index::rows_of;
use crate::level::{Digest, Histogram, LevelValues};
use crate::progress::{Stopped, Watch};
use crate::rules::{Board, ROW_PITS, Row, Rules, Value};
use crate::table::{Part, TableHeader};
use rayon::prelude::*;
use std::convert::Infallible;

/// The parts of the header of another table of a level that do not fit the header of the values.
pub(super) fn wrong_parts_beside(header: &TableHeader, values: &TableHeader) -> Vec<Part> {
    let parts = [
        (Part::Histogram, header.values == values.values),
        (Part::AllValues, header.all_values == values.all_values),
    ];
    parts.into_iter().filter(|&(_, fits)| !fits).map(|(part, _)| part).collect()
}

/// The parts of the header of a table of distances or ranks that do not fit its numbers (0 for none,
/// otherwise plies plus 1, in index order) or the header of the values.
pub(super) fn wrong_parts_of_distances(
    header: &TableHeader,
    values: &TableHeader,
    numbers: &[u16],
) -> Vec<Part> {
    let digest = Digest::of_level(header.id.seeds, |from, count| {
        numbers[from..from + count].iter().map(|&number| u64::from(number))
    });
    let most_plies = numbers.iter().max().map_or(0, |&most| u32::from(most.saturating_sub(1)));
    let parts = [
        (Part::ContentsDigest, header.contents_digest == digest),
        (Part::MostPlies, header.most_plies == most_plies),
    ];
    let wrong = parts.into_iter().filter(|&(_, fits)| !fits).map(|(part, _)| part);
    wrong.chain(wrong_parts_beside(header, values)).collect()
}

/// All boards of a level by value, reachable or not. `levels` are those of 0 seeds to the level
/// itself.
///
/// The boards that no move leads to are those whose opponent's row is full. Each is worth its best
/// move, played by the rules.
pub(super) fn count_all_boards(
    rules: Rules,
    levels: &[&LevelValues],
    watch: Watch<'_>,
) -> Result<Histogram, Stopped> {
    let level = levels.last().expect("the level itself");
    let seeds = level.seeds();
    let mut counted = Histogram::of_level(level);
    let Some(spare) = seeds.checked_sub(ONES.seeds()) else { return Ok(counted) };
    for mover_seeds in spare.up_to() {
        let opponents: Vec<Row> =
            rows_of(spare.get() - mover_seeds.get()).map(|row| row.plus(ONES)).collect();
        let of_opponent = |opponent: Row| {
            let mut counted = Histogram::new(seeds);
            for mover in rows_of(mover_seeds.get()) {
                let board = Board::from_rows(mover, opponent).expect("seeds of a level");
                counted.add(value_by_moves(rules, levels, board).get(), 1);
            }
            counted
        };
        let sum = opponents.into_par_iter().map(of_opponent).reduce(
            || Histogram::new(seeds),
            |mut sum, more| {
                more.iter().for_each(|(value, boards)| sum.add(value, boards));
                sum
            },
        );
        sum.iter().for_each(|(value, boards)| counted.add(value, boards));
        watch.check()?;
    }
    Ok(counted)
}

/// A seed in each pit: a full row is any row and these.
const ONES: Row = Row::from_packed(0x0000_0101_0101_0101);
const _: () = assert!(ONES.seeds() as usize == ROW_PITS && ONES.empties() == 0);

fn value_by_moves(rules: Rules, levels: &[&LevelValues], board: Board) -> Value {
    let value_of = |next: Board| -> Result<Value, Infallible> {
        let value = levels[next.level().index()].value(next);
        Ok(value.expect("moves lead to reachable boards"))
    };
    let best = rules.moves(board).map(|(_, outcome)| {
        let Ok(value) = outcome.gain(value_of);
        value
    });
    best.max().unwrap_or_else(|| {
        let end = rules.end(board).expect("a board without a legal move has ended");
        end.value(board.seeds())
    })
}
