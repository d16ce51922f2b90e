//! Game files: the layout that Aualé writes is read, what is written comes back, damage is explained.

use oware::game::{
    Game, GameEnd, GameSetup, OgnError, Record, Repetition, read_records, rules_of_variant,
    variant_of_rules,
};
use oware::rules::Rules;

/// A game in the layout that Aualé writes: eight tags, numbered moves with captures, comments.
const FILE: &str = r#"[Variant "Oware Abapa"]
[Event "A \"friendly\" game"]
[Site "?"]
[Date "2020.11.05"]
[Round "?"]
[South "One"]
[North "Two"]
[Result "24-24"]

1. D d 2. F b { a capture threatens } 3. E e 4. B c 5. C b 6. A a ( 6. B f ( 6. A
a ) 7. C e ) 7. F a 8. A e 9. A f 10. A d 11. A b 12. F c 13. B d 14. C f 15. D a
16. A b 17. B e 18. E b 19. D a 20. B f 21. C c 22. E b 23. F b 24. D c 25. E d
26. F 24-24
"#;

#[test]
fn a_file_in_auale_s_layout_is_read_whole() {
    let records = read_records(FILE).expect("a game file");
    let [record] = records.as_slice() else { panic!("one game") };
    assert_eq!(record.tag("Event"), Some("A \"friendly\" game"));
    assert_eq!(record.tag("Site"), None);
    assert_eq!(record.moves.len(), 51);
    assert_eq!(record.moves[3].comment.as_deref(), Some("a capture threatens"));
    assert_eq!(record.moves[11].variations, ["6. B f ( 6. A a ) 7. C e"]);
    let setup = record.setup(GameSetup::new(Rules::Awari));
    assert_eq!((setup.rules, setup.repetition), (Rules::Abapa, Repetition::OwnSide));
    let game = record.replay(setup).expect("legal");
    assert_eq!(game.score().to_string(), "24-24");
    assert!(matches!(game.end(), Some(GameEnd::NoMove(_))));
}

#[test]
fn a_written_record_is_read_back_the_same() {
    let mut record = read_records(FILE).expect("a game file").remove(0);
    record.comment = Some("before the first move".to_owned());
    let text = record.to_text(Rules::Abapa);
    assert_eq!(read_records(&text).expect("written"), [record.clone()]);
    assert!(text.lines().all(|line| line.len() < 80));
    // Several games in one file.
    let twice = format!("{text}\n{text}");
    assert_eq!(read_records(&twice).expect("written"), [record.clone(), record]);
}

#[test]
fn a_game_with_its_own_start_and_customs_comes_back_from_its_file() {
    let setup = GameSetup {
        repetition: Repetition::OwnSide,
        plays_on: true,
        ..GameSetup::new(Rules::Wari)
    };
    let start = "1-0-0-0-2-3-2-1-2-0-0-0-20-17-N".parse().expect("a position");
    let mut game = Game::from_position(setup, start).expect("48 seeds");
    game.play_text("cF").expect("legal");
    let text = Record::of_game(&game).to_text(Rules::Wari);
    let record = read_records(&text).expect("written").remove(0);
    assert_eq!(record.setup(GameSetup::new(Rules::Awari)), setup);
    assert_eq!(record.replay(setup), Ok(game));
    assert_eq!(record.tag("Result"), Some("*"));
}

#[test]
fn captures_are_written_after_the_moves_that_make_them() {
    let setup = GameSetup::new(Rules::Abapa);
    let start = "4-0-0-0-0-1-1-4-0-0-0-0-0-0-S".parse().expect("a position");
    let mut game = Game::from_position(setup, start).expect("10 seeds");
    game.play_text("F").expect("legal");
    let text = Record::of_game(&game).to_text(Rules::Abapa);
    assert!(text.ends_with("\n1. F+2\n"), "{text}");
}

#[test]
fn every_rule_set_has_a_variant_name_that_is_understood() {
    for rules in Rules::ALL {
        assert_eq!(rules_of_variant(&variant_of_rules(rules)), Some(rules));
    }
    assert_eq!(rules_of_variant("oware abapa"), Some(Rules::Abapa));
    assert_eq!(rules_of_variant("Kalah"), None);
}

#[test]
fn damage_is_named_by_line() {
    let is =
        |text: &str, expected: OgnError| assert_eq!(read_records(text), Err(expected), "{text}");
    is("[Variant \"x\"\n1. F", OgnError::BadTag { line: 1 });
    is("[Variant]\n", OgnError::BadTag { line: 1 });
    is("[A \"b\"]\n\n1. F { never", OgnError::Unclosed { line: 3, opening: '{' });
    is("1. F ( f ", OgnError::Unclosed { line: 1, opening: '(' });
    is("1. F\n2. G", OgnError::UnknownWord { line: 2, word: "G".to_owned() });
    is("1. F f+x", OgnError::UnknownWord { line: 1, word: "f+x".to_owned() });
    is("1. F F", OgnError::WrongTurn { line: 1, word: "F".to_owned() });
    assert!(matches!(read_records("[FEN \"1-2\"] F"), Err(OgnError::BadPosition { line: 1, .. })));
    let small = "[FEN \"1-0-0-0-0-1-0-0-0-0-0-1-22-22-S\"] F";
    is(small, OgnError::WrongSeedCount { line: 1, seeds: 47 });
    assert_eq!(read_records("  \n"), Ok(Vec::new()));
    // Cut anywhere, a file is read or refused, never worse.
    for end in (0..FILE.len()).filter(|&end| FILE.is_char_boundary(end)) {
        let _ = read_records(&FILE[..end]);
    }
}
