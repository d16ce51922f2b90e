//! Files of many games: every game is found, a bad one costs only itself, nothing is lost when a game
//! is played on, and the cost grows with the length of the file and no faster.

use oware::game::{
    Game, GameEnd, GameError, GameSetup, OgnError, Record, RecordReader, RecordText, moves_text,
    read_records,
};
use oware::rules::{Rules, Side};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

fn texts(file: &[u8]) -> Vec<RecordText> {
    RecordReader::new(file).collect::<Result<_, _>>().expect("reading from memory")
}

fn only(text: &str) -> Record {
    let records = read_records(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let [record] = <[Record; 1]>::try_from(records).unwrap_or_else(|all| panic!("{text}: {all:?}"));
    record
}

fn moves(record: &Record) -> String {
    let pits: Vec<_> = record.moves.iter().map(|recorded| recorded.pit).collect();
    moves_text(record.start.turn, &pits)
}

#[test]
fn every_form_of_moves_numbers_and_results_is_read() {
    for text in [
        "1. F f 2. E",
        "1.F f 2.E",
        "1.F 1...f 2.E",
        "1. F 1. ... f 2. E",
        "1. F ... f 2. E",
        "1. F … f 2. E",
        "F f E",
        "1. F! f?! 2. E+2!! $1 $14",
        "1. F$1 f;c\n2. E{c}",
        "% a line to skip\n1. F\n%1. A a\nf 2. E",
        "; a comment { \n1. F f ; } ) ( [\n2. E",
        "1. F f 2. E *",
        "1. F f 2. E 1/2-1/2",
        "1. F f 2. E ½-½",
        "1. F f 2. E 24.5-23.5",
        "\u{feff}[Variant \"Oware Abapa\"]\r\n\r\n1. F f\r\n2. E\r\n",
        "1. F (1. E e (1... d)) f ( 1... ; a ) comment\n e ) 2. E",
    ] {
        assert_eq!(moves(&only(text)), "FfE", "{text}");
    }
    let record = only("1. F! $1 $20 { so } ; and }\n f?? 1/2-1/2");
    let [first, second] = &record.moves[..] else { panic!("two moves") };
    assert_eq!((&*first.marks, &first.annotations[..]), ("!", &[1, 20][..]));
    assert_eq!(first.comment.as_deref(), Some("so and }"));
    assert_eq!((&*second.marks, record.result.as_deref()), ("??", Some("1/2-1/2")));
    for (text, error) in [
        ("1. F f 25-23 E", OgnError::AfterResult { line: 1, word: "E".to_owned() }),
        ("\n1. F+ f", OgnError::UnknownWord { line: 2, word: "F+".to_owned() }),
        ("1. F\n)", OgnError::UnknownWord { line: 2, word: ")".to_owned() }),
        ("1. F f!x", OgnError::UnknownWord { line: 1, word: "f!x".to_owned() }),
    ] {
        assert_eq!(read_records(text), Err(error), "{text}");
    }
}

#[test]
fn what_is_read_is_written_and_read_again_the_same() {
    for text in [
        "[Own \"a\"]\n[Own \"b\"]\n\n; before } the first\n1. F! $1 { 100 % [x \"y\"] } ( 1. E ( 1. D ) ; c }\n ) f 1-0",
        "[Result \"24-24\"]\n\n1. F f 25-23",
        "( 1. E ) $3 1. F *",
        "[Variant \"Kalah\"]\n",
        "[FEN \"1 0 0 0 0 0  0 0 0 0 0 1\"] 1. A",
    ] {
        let record = only(text);
        let written = record.to_text(Rules::Abapa);
        assert_eq!(only(&written), fill_roster(record), "{written}");
        assert_eq!(only(&written).to_text(Rules::Abapa), written);
    }
    let long = format!("1. F {{ {} }} f", "%x [Event \"x\"] ".repeat(60));
    let record = fill_roster(only(&long));
    assert_eq!(only(&record.to_text(Rules::Abapa)), record);
}

/// The record with the tags that every written file has, in their order.
fn fill_roster(mut record: Record) -> Record {
    let empty = Record { tags: Vec::new(), moves: Vec::new(), ..record.clone() };
    let written = only(&empty.to_text(Rules::Abapa));
    let own = std::mem::take(&mut record.tags);
    for (name, value) in &written.tags {
        let mut found = own.iter().filter(|(tag, _)| tag == name).peekable();
        if found.peek().is_none() {
            record.tags.push((name.clone(), value.clone()));
        }
        record.tags.extend(found.cloned());
    }
    let is_new = |(name, _): &&(String, String)| written.tags.iter().all(|(tag, _)| tag != name);
    record.tags.extend(own.iter().filter(is_new).cloned());
    record
}

const GOOD: &str = "[Variant \"Oware Abapa\"]\n[South \"x\"]\n\n1. F f\n\n";

#[test]
fn a_bad_game_costs_only_itself_and_the_texts_are_the_file() {
    for bad in [
        "[Variant \"Oware Abapa\"]\n\n1. F { never closed\n\n",
        "[Variant \"Oware Abapa\"]\n\n1. F { never closed\n",
        "[Variant \"Oware Abapa\"]\n\n1. F ( f 2. E\n\n",
        "[Variant \"Oware Abapa\"\n\n1. F f\n\n",
        "[Variant \"Oware Abapa]\n\n1. F f\n\n",
        "[Variant \"Oware Abapa\"]\n[FEN \"1-2-3\"]\n\n1. F f\n\n",
        "[Variant \"Oware Abapa\"]\n\n1. F F\n\n",
        "[Variant \"Oware Abapa\"]\n\n1. F x } ) f\n\n",
    ] {
        let file = [GOOD, bad, GOOD, bad, GOOD].concat();
        let found = texts(file.as_bytes());
        let good: Vec<_> = found.iter().map(|text| text.parse().is_ok()).collect();
        assert_eq!(good, [true, false, true, false, true], "{file}");
        let joined: Vec<u8> = found.iter().flat_map(|text| text.bytes.clone()).collect();
        assert_eq!(joined, file.as_bytes());
        let line = 1 + GOOD.matches('\n').count() + bad.matches('\n').count();
        assert_eq!(found[2].line, line as u64);
    }
}

#[test]
fn games_without_moves_and_games_on_one_line_stay_apart() {
    let empty = "[Event \"a\"]\n[South \"x\"]\n\n";
    let file = [empty, empty, GOOD].concat();
    assert_eq!(texts(file.as_bytes()).len(), 2, "the third game begins with another tag");
    let written = Record::of_game(&Game::new(GameSetup::new(Rules::Abapa))).to_text(Rules::Abapa);
    assert_eq!(read_records(&[&*written, GOOD].concat()).map(|all| all.len()), Ok(2));
    let line = "[Event \"a [b]\"] 1. F f { [x] } [Event \"c\"] 1. E e";
    let records = read_records(line).expect("two games");
    assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), ["Ff", "Ee"]);
    for nothing in ["", " \n\u{feff}", "% only\n%lines", "\u{feff}\r\n"] {
        assert_eq!(read_records(nothing), Ok(Vec::new()), "{nothing:?}");
    }
}

#[test]
fn text_that_is_not_utf_8_is_read_and_nothing_of_it_lost() {
    let file = b"[South \"Jos\xe9\"]\n\n1. F { \xe9t\xe9 } f\n";
    let [text] = &texts(file)[..] else { panic!("one game") };
    let record = text.parse().expect("well formed").expect("a game");
    assert_eq!(record.tag("South"), Some("José"));
    assert_eq!(record.moves[0].comment.as_deref(), Some("été"));
}

#[test]
fn hostile_files_cost_no_more_than_their_length() {
    let size = 6 << 20;
    let many = |text: &str| text.repeat(size / text.len());
    let never = "[Event \"x\"]\n\n1. F { never\n\n";
    let open = "[Event \"x\"]\n\n1. F ( ( ( (\n\n";
    let quotes = "[Event \"x\"]\n\n1. F \"\"\" ; {\n\n";
    let mut tags = String::new();
    for number in 0..60_000 {
        let _ = writeln!(tags, "[Tag{number} \"value\"]");
    }
    let begun = Instant::now();
    for (file, games) in [
        (many(GOOD), size / GOOD.len()),
        (tags, 1),
        (many(never), size / never.len()),
        (many(open), size / open.len()),
        (many(quotes), size / quotes.len()),
        (format!("1. F {{{}", many("a ")), 1),
        (format!("1. F {}", many("( ")), 1),
        (format!("1. F {}", many("{} ")), 1),
        (format!("1. {}", many("F f ")), 1),
        (many("[[[[[[[["), 1),
        (many("\n"), 1),
    ] {
        let mut found = 0;
        let mut longest = 0;
        for text in RecordReader::new(file.as_bytes()) {
            let text = text.expect("reading from memory");
            longest = longest.max(text.bytes.len());
            let _ = text.parse();
            found += 1;
        }
        assert!(longest <= 4 << 20, "{}", &file[..40]);
        assert_eq!(found, games, "{}", &file[..40]);
    }
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn a_recorded_game_goes_on_after_ends_that_are_customs_and_no_others() {
    let abapa = GameSetup::new(Rules::Abapa);
    let replay =
        |start: &str, moves: &str| only(&format!("[FEN \"{start}\"]\n\n{moves}")).replay(abapa);
    // The two seeds are back after twelve plies.
    let chase = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
    let game = replay(chase, "A a B b C c D d E e F f A").expect("played on");
    assert_eq!(game.went_on(), Some((12, GameEnd::Repetition)));
    assert_eq!((game.moves().len(), game.end()), (13, None));
    let game = replay(chase, &"A a B b C c D d E e F f ".repeat(3)).expect("played on");
    assert_eq!((game.moves().len(), game.end()), (36, Some(GameEnd::Repetition)));
    assert_eq!(game.went_on(), Some((12, GameEnd::Repetition)));
    let game = replay("1-0-0-0-0-0-1-0-0-0-0-0-26-20-S", "A a B b").expect("played on");
    assert_eq!(game.went_on(), Some((0, GameEnd::MoreThanHalf(Side::South))));
    assert_eq!(game.end(), None);
    let game = replay("0-0-0-0-0-1-0-0-0-0-0-0-26-21-S", "F").expect("played on");
    assert!(matches!(game.end(), Some(GameEnd::NoMove(_))), "North cannot give it back");
    // No seed to move with is the end everywhere.
    let error = replay("0-0-0-0-0-0-1-0-0-0-0-0-26-21-S", "A").expect_err("South has no seeds");
    let GameError::AtMove { ply: 1, source } = error else { panic!("{error}") };
    assert!(matches!(*source, GameError::Over { end: GameEnd::NoMove(_) }), "{source}");
    // An illegal move changes nothing.
    let mut over = only(&format!("[FEN \"{chase}\"]\n\nA a B b C c D d E e F f")).replay(abapa);
    let game = over.as_mut().expect("legal");
    let before = game.clone();
    assert!(game.go_on(oware::rules::Pit::ALL[3]).is_err());
    assert_eq!(*game, before);
}

#[test]
fn a_game_that_is_played_on_keeps_all_that_its_record_held() {
    let file = "[Variant \"Oware Abapa\"]\n[Own \"tag\"]\n[South \"One\"]\n[Result \"1/2-1/2\"]\n\n\
                { begin } 1. F! $1 f { why } ( 1... e ) 2. E e { end } 1/2-1/2";
    let record = only(file);
    let game = record.replay(record.setup(GameSetup::new(Rules::Abapa))).expect("legal");
    assert_eq!(record.updated(&game), record);
    let mut taken_back = game.clone();
    assert!(taken_back.undo() && taken_back.undo());
    assert_eq!(record.updated(&taken_back), record, "what can be redone is not lost");
    // Played on at the end.
    let mut longer = game;
    longer.play_text("D").expect("legal");
    let updated = record.updated(&longer);
    assert_eq!(updated.moves[..4], record.moves[..]);
    assert_eq!((updated.tag("Own"), updated.tag("South")), (Some("tag"), Some("One")));
    assert_eq!((updated.tag("Result"), updated.result.as_deref()), (Some("*"), None));
    // Played otherwise in the middle: the old moves become a variation.
    taken_back.play_text("Cc").expect("legal");
    let updated = record.updated(&taken_back);
    assert_eq!(moves(&updated), "FfCc");
    assert_eq!(updated.moves[..2], record.moves[..2]);
    assert_eq!(updated.moves[2].variations, ["2. E e { end }"]);
    assert_eq!(only(&updated.to_text(Rules::Abapa)).moves, updated.moves);
    taken_back.undo();
    taken_back.play_text("b").expect("legal");
    let again = updated.updated(&taken_back);
    assert_eq!(again.moves[3].variations, ["2... c"]);
}
