//! Counting lines of moves: the fast rules against the literal ones.

use crate::naive::{Pits, Play, play};
use oware::game::perft;
use oware::rules::{Board, GameString, Rules};

fn naive_perft(rules: Rules, pits: &Pits, plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    (0..6)
        .map(|pit| match play(rules, pits, pit) {
            Play::Illegal => 0,
            Play::Moved(_, next) => naive_perft(rules, &next, plies - 1),
            Play::Ended(..) => u64::from(plies == 1),
        })
        .sum()
}

#[test]
fn lines_from_the_start_are_as_many_as_the_slow_rules_find() {
    for rules in Rules::ALL {
        for plies in 0..=6 {
            let expected = naive_perft(rules, &Board::START.pits(), plies);
            assert_eq!(perft(rules, Board::START, plies), expected, "{rules}, {plies} plies");
        }
    }
}

#[test]
fn lines_from_the_boards_of_the_rule_cases_are_as_many_as_the_slow_rules_find() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rule_cases.csv");
    let text = std::fs::read_to_string(path).expect("data/rule_cases.csv");
    let mut boards = 0;
    for line in text.lines().skip(1).filter(|line| !line.starts_with('#')) {
        let field = line.split(',').nth(1).expect("a board");
        let board = field.parse::<GameString>().expect(field).board;
        for rules in Rules::ALL {
            for plies in 1..=5 {
                let expected = naive_perft(rules, &board.pits(), plies);
                assert_eq!(perft(rules, board, plies), expected, "{rules} {board}, {plies} plies");
            }
        }
        boards += 1;
    }
    assert!(boards >= 30);
}
