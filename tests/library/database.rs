//! The database against a slow solver, in memory.

use crate::naive;
use oware::database::{Database, DatabaseError, LineEnd};
use oware::rules::{Board, Outcome, Rules, Seeds, Value};

const MOST: u8 = 6;

#[test]
fn values_and_moves_equal_the_slow_solver_on_every_board_to_6_seeds() {
    for rules in Rules::ALL {
        let values = naive::solve(rules, MOST);
        let database = Database::from_levels(rules, naive::plain_levels(rules, MOST, &values));
        assert_eq!(database.levels(), Seeds::of(MOST).up_to().collect::<Vec<_>>());
        let mut boards = Vec::new();
        for (pits, &value) in &values {
            let board = naive::board(pits);
            boards.push((board, value));
            assert_eq!(database.value(board).expect("held").get(), value, "{rules} {board}");
            let moves = database.moves(board).expect("held");
            let mut expected: Vec<_> = (0..6)
                .filter_map(|pit| Some((naive::move_value(rules, pits, pit, &values)?, pit)))
                .collect();
            expected.sort_by_key(|&(value, pit)| (-value, pit));
            let found: Vec<_> =
                moves.iter().map(|found| (found.value.get(), found.pit.place())).collect();
            assert_eq!(found, expected, "{rules} {board}");
            for found in moves {
                match naive::play(rules, pits, found.pit.place()) {
                    naive::Play::Moved(captured, next) => {
                        assert_eq!(found.captured, captured);
                        let next = naive::board(&next);
                        assert_eq!(found.outcome, Outcome::Moved { captured, next });
                    }
                    naive::Play::Ended(captured, left) => {
                        assert_eq!(found.captured, captured);
                        assert_eq!(found.outcome, Outcome::Ended { captured, left });
                    }
                    naive::Play::Illegal => panic!("{rules} {board}: an illegal move"),
                }
            }
        }
        let asked: Vec<Board> = boards.iter().map(|&(board, _)| board).collect();
        for (answer, (board, value)) in database.values(&asked).into_iter().zip(boards) {
            assert_eq!(answer.expect("held").get(), value, "{rules} {board}");
        }
    }
}

#[test]
fn lines_keep_the_value_and_won_ones_reach_the_end() {
    for rules in Rules::ALL {
        let values = naive::solve(rules, 5);
        let database = Database::from_levels(rules, naive::plain_levels(rules, 5, &values));
        for (pits, &value) in &values {
            let line = database.line(naive::board(pits), 200).expect("held");
            let (mut now, mut won, mut sign) = (*pits, 0, 1);
            let mut after_all = Some(now);
            for pit in &line.moves {
                match naive::play(rules, &now, pit.place()) {
                    naive::Play::Illegal => panic!("{rules} {pits:?}: {line:?}"),
                    naive::Play::Moved(captured, next) => {
                        won += sign * captured.cast_signed();
                        now = next;
                        after_all = Some(now);
                    }
                    naive::Play::Ended(captured, left) => {
                        won += sign * (captured.cast_signed() - left.cast_signed());
                        after_all = None;
                    }
                }
                sign = -sign;
                let rest = after_all.map_or(0, |board| sign * values[&board]);
                assert_eq!(won + rest, value, "{rules} {pits:?}: {line:?}");
            }
            if value != 0 && line.end == LineEnd::Repetition {
                let rest = after_all.map_or(0, |board| values[&board]);
                assert_eq!(rest, 0, "{rules} {pits:?}: shuffles while something is to be won");
            }
            assert!(line.end != LineEnd::MaxPlies && line.moves.len() < 200);
        }
    }
}

#[test]
fn a_line_stops_after_the_plies_asked_for() {
    let values = naive::solve(Rules::Awari, 4);
    let database =
        Database::from_levels(Rules::Awari, naive::plain_levels(Rules::Awari, 4, &values));
    let board: Board = "1 0 0 1 0 0 | 1 0 1 0 0 0".parse().expect("a board");
    let line = database.line(board, 1).expect("held");
    assert_eq!((line.moves.len(), line.end), (1, LineEnd::MaxPlies));
    assert_eq!(line.letters().count(), 1);
}

#[test]
fn a_missing_level_names_itself() {
    let values = naive::solve(Rules::Wari, 3);
    let database = Database::from_levels(Rules::Wari, naive::plain_levels(Rules::Wari, 3, &values));
    let board: Board = "1 1 0 1 0 0 | 1 0 1 0 0 0".parse().expect("a board");
    for error in [
        database.value(board).expect_err("level 5 is missing"),
        database.moves(board).expect_err("level 5 is missing"),
        database.line(board, 9).expect_err("level 5 is missing"),
    ] {
        assert!(
            matches!(error, DatabaseError::MissingLevel { seeds, .. } if seeds == Seeds::of(5)),
            "{error:?}"
        );
        assert_eq!(error.to_string(), "no wari table of 5 seeds");
    }
    let ended: Board = "0 0 0 0 0 0 | 5 0 0 0 0 0".parse().expect("a board");
    assert_eq!(database.value(ended).map(Value::get).expect("by the rules"), -5);
    assert!(database.moves(ended).expect("by the rules").is_empty());
    assert_eq!(database.distance(ended).expect("by the rules"), Some(0));
}
