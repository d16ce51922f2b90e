//! The drawn boards of `docs/rules.md` show what the rules do.

use crate::drawings::{Drawing, SouthView, drawings};
use oware::rules::{Board, End, GameString, Outcome, Pit, Rules, Side};

const PAGE: &str = include_str!("../../../docs/rules.md");

fn side_name(side: Side) -> &'static str {
    match side {
        Side::South => "South",
        Side::North => "North",
    }
}

fn south_view(position: GameString) -> SouthView {
    match position.turn {
        Side::South => position.board.pits(),
        Side::North => position.board.flipped().pits(),
    }
}

/// Plays the drawing's moves: the result as the page words it, and the board afterwards.
fn played(rules: Rules, drawing: &Drawing) -> (String, Option<SouthView>) {
    let board = Board::new(drawing.before).expect("at most 48 seeds");
    let mut position = GameString { board, south_store: 0, north_store: 0, turn: drawing.turn };
    if drawing.turn == Side::North {
        position.board = board.flipped();
    }
    if drawing.moves.is_empty() {
        return (ending(rules, position), None);
    }
    for letter in drawing.moves.chars() {
        let pit = Pit::from_letter(letter).expect("a pit");
        let is_south = letter.is_ascii_uppercase();
        assert_eq!(is_south, position.turn == Side::South, "{drawing:?}");
        match rules.play(position.board, pit) {
            Outcome::Illegal => return ("illegal".to_owned(), None),
            Outcome::Ended { captured, left } => {
                let taker = side_name(position.turn.other());
                return (format!("+{captured}, {taker} takes {left}"), Some([0; 12]));
            }
            Outcome::Moved { captured, next } => {
                position.south_store += if is_south { captured } else { 0 };
                position.board = next;
                position.turn = position.turn.other();
            }
        }
    }
    (format!("+{}", position.south_store), Some(south_view(position)))
}

fn ending(rules: Rules, position: GameString) -> String {
    let Some(end) = rules.end(position.board) else { return "goes on".to_owned() };
    let taker = if end == End::NoSeeds { position.turn.other() } else { position.turn };
    format!("{}, {} takes {}", end.name(), side_name(taker), position.board.seeds())
}

#[test]
fn every_drawing_of_the_rules_page_shows_what_the_rules_do() {
    let mut shown = Vec::new();
    for drawing in drawings(PAGE) {
        for drawn in &drawing.results {
            for &rules in &drawn.rule_sets {
                if drawn.result.starts_with("worth ") {
                    continue; // Values are looked up by the tests of values.
                }
                let expected = (drawn.result.clone(), drawn.after);
                assert_eq!(played(rules, &drawing), expected, "{rules}: {drawing:?}");
                shown.push(rules);
            }
        }
    }
    for rules in Rules::ALL {
        let times = shown.iter().filter(|&&other| other == rules).count();
        assert!(times >= 10, "{rules} is drawn {times} times");
    }
}
