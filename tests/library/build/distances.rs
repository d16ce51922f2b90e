//! Distances against their definition, board by board, with the moves played by the rules.

use oware::level::{LevelDistances, LevelValues};
use oware::rules::{Board, Outcome, Rules, Seeds};
use oware::solve::solve_with_distances;

const SEEDS: Seeds = Seeds::of(9);

#[test]
fn distances_are_those_of_the_definition() {
    for rules in Rules::ALL {
        let levels = solve_with_distances(rules, SEEDS).expect("memory");
        for (level, distances) in &levels {
            for board in level.index().boards_from(0) {
                let expected = by_definition(rules, &levels, board);
                assert_eq!(distances.distance(board), expected, "{rules} {board}");
            }
        }
    }
}

fn by_definition(
    rules: Rules,
    levels: &[(LevelValues, LevelDistances)],
    board: Board,
) -> Option<u16> {
    let level_of = |board: Board| &levels[usize::from(board.seeds())];
    let value = level_of(board).0.value(board).expect("reachable").get();
    if value == 0 {
        return None;
    }
    if rules.end(board).is_some() {
        return Some(0);
    }
    let keeping = rules.moves(board).filter_map(|(_, outcome)| match outcome {
        Outcome::Illegal => None,
        Outcome::Ended { captured, left } => {
            (captured.cast_signed() - left.cast_signed() == value).then_some(Some(0))
        }
        Outcome::Moved { captured, next } => {
            let (child, distances) = level_of(next);
            let child = child.value(next).expect("reachable").get();
            let keeps = captured.cast_signed() - child == value;
            keeps.then(|| if captured > 0 { Some(0) } else { distances.distance(next) })
        }
    });
    // A value-keeping move of a board that is won or lost leads to one that is lost or won.
    let keeping = keeping.map(|distance| distance.expect("no draw"));
    let next = if value > 0 { keeping.min() } else { keeping.max() };
    Some(1 + next.expect("some move keeps the value"))
}
