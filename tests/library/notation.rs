//! Texts: every form that the documents name is read as what was written, and no text at all makes
//! a reader panic.

use crate::rules::any_board;
use oware::game::{
    Game, GameSetup, Record, RecordedMove, Repetition, moves_text, parse_moves, read_records,
    rules_of_variant, variant_of_rules,
};
use oware::rules::{Board, GameString, MAX_SEEDS, Pit, Rules, Side, parse_board};
use proptest::prelude::*;

fn any_rules() -> impl Strategy<Value = Rules> {
    proptest::sample::select(Rules::ALL.to_vec())
}

fn any_side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::South), Just(Side::North)]
}

fn any_pit() -> impl Strategy<Value = Pit> {
    proptest::sample::select(Pit::ALL.to_vec())
}

/// A board with stores that hold no more than what is left of 48 seeds, or all of it.
fn any_position(is_whole: bool) -> impl Strategy<Value = GameString> {
    (any_board(), any::<(u8, u8)>(), any_side()).prop_map(move |(board, (one, two), turn)| {
        let left = MAX_SEEDS - board.seeds();
        let south_store = one % (left + 1);
        let rest = left - south_store;
        let north_store = if is_whole { rest } else { two % (rest + 1) };
        GameString { board, south_store, north_store, turn }
    })
}

/// Twelve numbers with one of the separators, and a bar between the rows or none.
fn board_text(board: Board, separator: &str, bar: Option<&str>) -> String {
    let pits = board.pits().map(|seeds| seeds.to_string());
    let (mover, opponent) = pits.split_at(6);
    let between = bar.unwrap_or(separator);
    format!("{}{between}{}", mover.join(separator), opponent.join(separator))
}

/// Texts near to boards and games: their characters in any order, some of other scripts.
const NEARLY: &str = r"[0-9 ,/|SNA-Fa-f.+*{}()\[\]\x22\\;%$\r\n\t\x{feff}─é\x{0}-]{0,80}";

proptest! {
    #[test]
    fn a_board_is_read_back_from_every_form(
        board in any_board(),
        separator in prop_oneof![Just(" "), Just(","), Just(", "), Just("/"), Just("-"), Just("\t"), Just("  "), Just(" / "), Just(" , ")],
        bar in prop_oneof![Just(None), Just(Some("|")), Just(Some(" | ")), Just(Some("| "))],
        around in prop_oneof![
            Just(("", "")), Just((" ", " ")), Just(("\r\n", "\r\n")), Just(("[", "]")),
            Just(("\u{feff}", " # said so")), Just(("# a comment\n\n", "\n#")),
        ],
    ) {
        let text = format!("{}{}{}", around.0, board_text(board, separator, bar), around.1);
        prop_assert_eq!(parse_board(&text), Ok(board), "{}", text);
        prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
    }

    #[test]
    fn a_game_string_is_read_back_as_position_and_as_board(position in any_position(false)) {
        let text = position.to_string();
        prop_assert_eq!(text.parse::<GameString>(), Ok(position), "{}", text);
        prop_assert_eq!(parse_board(&text), Ok(position.board), "{}", text);
    }

    #[test]
    fn too_many_seeds_are_refused_in_every_form(
        pits in proptest::array::uniform12(0u8..=48),
        separator in prop_oneof![Just(" "), Just(","), Just("/"), Just("-")],
    ) {
        let text = pits.map(|seeds| seeds.to_string()).join(separator);
        let seeds: u16 = pits.iter().map(|&seeds| u16::from(seeds)).sum();
        prop_assert_eq!(parse_board(&text).is_ok(), seeds <= 48, "{}", text);
    }

    #[test]
    fn moves_are_read_back_joined_and_apart(
        pits in proptest::collection::vec(any_pit(), 0..60),
        first in any_side(),
        separator in prop_oneof![Just(""), Just(" "), Just(", "), Just("\n")],
    ) {
        let joined = moves_text(first, &pits);
        let letters: Vec<String> = joined.chars().map(String::from).collect();
        prop_assert_eq!(parse_moves(&letters.join(separator), first), Ok(pits));
    }

    #[test]
    fn what_is_read_is_what_is_written_again(text in NEARLY) {
        if let Ok(board) = parse_board(&text) {
            prop_assert_eq!(parse_board(&board.to_string()), Ok(board));
        }
        if let Ok(position) = text.parse::<GameString>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
        if let Ok(pits) = parse_moves(&text, Side::South) {
            prop_assert_eq!(parse_moves(&moves_text(Side::South, &pits), Side::South), Ok(pits));
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in prop_oneof![any::<String>(), NEARLY]) {
        let _ = parse_board(&text);
        let _ = text.parse::<GameString>();
        let _ = text.parse::<Rules>();
        let _ = text.parse::<Repetition>();
        let _ = parse_moves(&text, Side::North);
        let _ = rules_of_variant(&text);
        let _ = read_records(&text);
    }
}

#[test]
fn names_are_read_back() {
    for rules in Rules::ALL {
        assert_eq!(rules.name().parse::<Rules>().ok(), Some(rules));
        assert_eq!(rules_of_variant(&variant_of_rules(rules)), Some(rules));
    }
    for repetition in [Repetition::Split, Repetition::OwnSide] {
        assert_eq!(repetition.name().parse::<Repetition>().ok(), Some(repetition));
    }
    for pit in Pit::ALL {
        assert_eq!(Pit::from_letter(pit.letter()), Some(pit));
        assert_eq!(Pit::from_letter(pit.letter().to_ascii_lowercase()), Some(pit));
    }
}

/// A game of random legal moves from a whole position, as far as `choices` reach.
fn game_of(setup: GameSetup, start: GameString, choices: &[u8]) -> Game {
    let mut game = Game::from_position(setup, start).expect("48 seeds");
    for &choice in choices {
        let moves = game.legal_moves();
        if game.end().is_some() || moves.is_empty() {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()].0).expect("listed as legal");
    }
    game
}

/// Words as they stand in comments, without the marks that end one.
const COMMENT: &str = "[a-zA-Z0-9.,:;!?'+\u{e9}(\\[-]{1,12}( [a-zA-Z0-9.,:;!?'+-]{1,12}){0,20}";
/// A tag's value: anything but a line's end.
const TAG_VALUE: &str = "[^\r\n\u{85}\u{2028}\u{2029}]{0,30}";

prop_compose! {
    fn any_setup()(
        rules in any_rules(),
        repetition in prop_oneof![Just(Repetition::Split), Just(Repetition::OwnSide)],
        plays_on in any::<bool>(),
    ) -> GameSetup {
        GameSetup { repetition, plays_on, ..GameSetup::new(rules) }
    }
}

proptest! {
    #[test]
    fn a_written_game_is_read_and_replayed_the_same(
        setup in any_setup(),
        start in any_position(true),
        usual_start in any::<bool>(),
        choices in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let usual = Game::new(setup).position();
        let game = game_of(setup, if usual_start { usual } else { start }, &choices);
        let text = Record::of_game(&game).to_text(setup.rules);
        let records = read_records(&text).expect("written by ourselves");
        prop_assert_eq!(records.len(), 1, "{}", text);
        prop_assert_eq!(records[0].setup(GameSetup::new(Rules::Awari)), setup, "{}", text);
        prop_assert_eq!(records[0].replay(setup), Ok(game), "{}", text);
    }

    #[test]
    fn a_written_record_with_tags_comments_and_variations_is_read_back_equal(
        setup in any_setup(),
        choices in proptest::collection::vec(any::<u8>(), 1..40),
        event in TAG_VALUE,
        own_tag in TAG_VALUE,
        before in proptest::option::of(COMMENT),
        comments in proptest::collection::vec(proptest::option::of(COMMENT), 40),
        variations in proptest::collection::vec(any::<bool>(), 40),
    ) {
        let game = game_of(setup, Game::new(setup).position(), &choices);
        let mut record = Record::of_game(&game);
        record.set_tag("Event", &event);
        record.set_tag("Own_1", &own_tag);
        record.comment = before;
        let after = comments.into_iter().zip(variations);
        for (recorded, (comment, has_variation)) in record.moves.iter_mut().zip(after) {
            let variations = if has_variation {
                vec!["2. F { so } ( 2. E f )".to_owned()]
            } else {
                Vec::new()
            };
            let annotations = if has_variation { vec![1, 14] } else { Vec::new() };
            let marks = if has_variation { "!?".to_owned() } else { String::new() };
            let pit = recorded.pit;
            *recorded = RecordedMove { pit, marks, annotations, comment, variations };
        }
        let text = record.to_text(setup.rules);
        prop_assert_eq!(read_records(&text), Ok(vec![record.clone()]), "{}", text);
        // Two games in one file stay two.
        let twice = format!("{text}\n{text}");
        prop_assert_eq!(read_records(&twice), Ok(vec![record.clone(), record]), "{}", twice);
    }

    #[test]
    fn a_game_file_cut_or_changed_anywhere_makes_no_reader_panic(
        setup in any_setup(),
        choices in proptest::collection::vec(any::<u8>(), 1..40),
        place in any::<proptest::sample::Index>(),
        mark in any::<char>(),
    ) {
        let game = game_of(setup, Game::new(setup).position(), &choices);
        let text = Record::of_game(&game).to_text(setup.rules);
        let mut marks: Vec<char> = text.chars().collect();
        let at = place.index(marks.len());
        let cut: String = marks[..at].iter().collect();
        let _ = read_records(&cut);
        marks[at] = mark;
        for record in read_records(&marks.iter().collect::<String>()).into_iter().flatten() {
            let _ = record.replay(record.setup(setup));
        }
    }
}
