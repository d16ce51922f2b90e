//! Every line of `data/rule_cases.csv`: moves with known results, stores included.

use oware::rules::{GameString, Outcome, Pit, Rules, Side};

const CASES: &str = include_str!("../../../data/rule_cases.csv");

/// The game string after a move, or `illegal`.
fn played(rules: Rules, before: GameString, pit: Pit) -> String {
    let (captured, left, next) = match rules.play(before.board, pit) {
        Outcome::Illegal => return "illegal".to_owned(),
        Outcome::Moved { captured, next } => (captured, 0, next),
        Outcome::Ended { captured, left } => (captured, left, Default::default()),
    };
    let mut after = GameString { board: next, turn: before.turn.other(), ..before };
    let (south, north) = match before.turn {
        Side::South => (captured, left),
        Side::North => (left, captured),
    };
    after.south_store += south;
    after.north_store += north;
    after.to_string()
}

#[test]
fn every_known_move_gives_its_known_result() {
    let mut cases = 0;
    for line in CASES.lines().skip(1).filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.splitn(5, ',').collect();
        let [rules, before, letter, after, note] = fields[..] else {
            panic!("five fields expected: {line}");
        };
        let rules: Rules = rules.parse().expect(line);
        let before: GameString = before.parse().expect(line);
        let pit = letter.chars().next().and_then(Pit::from_letter).expect(line);
        let is_south = letter == letter.to_ascii_uppercase();
        assert_eq!(is_south, before.turn == Side::South, "{line}");
        assert_eq!(played(rules, before, pit), after, "{rules} {letter}: {note}");
        cases += 1;
    }
    assert_eq!(cases, 41, "lines of data/rule_cases.csv");
}
