//! Scripted conversations with `oware uci`, through the real binary.

use assert_cmd::cargo::cargo_bin;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// An engine under test.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(cargo_bin("oware"));
        command.arg("uci").args(arguments);
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("open"), "{line}").expect("the engine listens");
    }

    /// The lines up to the first that starts with `start`, that one last.
    fn hear(&self, start: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| {
                panic!("no '{start}' but {heard:?}");
            });
            let is_last = line.starts_with(start);
            heard.push(line);
            if is_last {
                return heard;
            }
        }
    }

    fn best_move(&mut self, go: &str) -> String {
        self.tell(go);
        self.hear("bestmove").pop().expect("heard")
    }

    /// All lines until the engine leaves.
    fn leave(mut self) -> Vec<String> {
        drop(self.input.take());
        let rest = self.lines.iter().collect();
        assert!(self.child.wait().expect("it ends").success());
        rest
    }
}

#[test]
fn the_engine_introduces_itself_as_the_aual_program_expects() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    engine.tell("uci");
    let lines = engine.hear("uciok");
    assert!(lines[0].starts_with("id name Oware "));
    assert!(lines[1].starts_with("id author "));
    for line in &lines[2..lines.len() - 1] {
        let words: Vec<_> = line.split(' ').collect();
        assert!(
            matches!(words.as_slice(), ["option", "name", _, "type", _, "default", ..]),
            "{line}"
        );
    }
    engine.tell("isready");
    assert_eq!(engine.hear("readyok"), ["readyok"]);
    // What Aualé sends before a game, and a line that nobody knows.
    engine.tell("setoption name OwnBook value true");
    engine.tell("ucinewgame");
    engine.tell("hello there");
    engine.tell("isready");
    let lines = engine.hear("readyok");
    assert_eq!(lines, ["info string unknown command 'hello'", "readyok"]);
    engine.tell("quit");
    assert_eq!(engine.leave(), Vec::<String>::new());
}

#[test]
fn a_search_of_fixed_depth_reports_and_answers_the_same_every_time() {
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
        // What was searched before makes no difference.
        engine.tell("position startpos moves Ff");
        engine.best_move("go depth 5");
        engine.tell("position startpos moves FfCbBc");
        engine.tell("go depth 8");
        let mut lines = engine.hear("bestmove");
        let best = lines.pop().expect("heard");
        assert_eq!(lines.len(), 8);
        for (depth, line) in (1..).zip(&lines) {
            assert!(line.starts_with(&format!("info depth {depth} score cp ")), "{line}");
            for word in [" nodes ", " tbhits 0 ", " pv "] {
                assert!(line.contains(word), "{line}");
            }
            let (_, line) = line.rsplit_once(" pv ").expect("a line");
            assert!(line.chars().all(|letter| "ABCDEFabcdef".contains(letter)));
        }
        let (_, pv) = lines[7].rsplit_once(" pv ").expect("a line");
        assert!(best.starts_with(&format!("bestmove {}", &pv[..1])), "{best} {pv}");
        let nodes = lines[7].split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next());
        answers.push((best, nodes.map(str::to_owned)));
        engine.leave();
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    let over = [
        // Cannot feed; more than half; a repetition.
        "position startpos moves DdFbEeBcCbAaFaAeAfAdAbFcBdCfDaAbBeEbDaBfCcEbFbDcEdF",
        "position fen 1-0-0-0-0-1-0-0-0-0-0-1-25-20-S",
        "position fen 0-0-0-0-0-1-0-0-0-0-0-1-22-24-S moves FfAaBbCcDdEe",
    ];
    for position in over {
        engine.tell(position);
        assert_eq!(engine.best_move("go depth 3"), "bestmove 0000", "{position}");
    }
    engine.leave();
}

/// A board with one legal move, and nothing else to think about.
const SHORT: &str = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S";

#[test]
fn a_position_that_makes_no_sense_is_explained_and_gets_no_move() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    let wrong = [
        ("position startpos moves Fx", "'x' is not a move"),
        ("position startpos moves FF", "it is North's turn"),
        ("position startpos moves FfAfF", "is empty"),
        ("position fen 1-2-3", "fen: 3 fields"),
        ("position fen 1-0-0-0-0-1-0-0-0-0-0-1-22-22-S", "47 seeds where a game has 48"),
        ("position nowhere", "position is written"),
        ("position", "position is written"),
        ("position fen", "position is written"),
        ("position startpos FfEc", "position is written"),
        ("position 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "position is written"),
        ("position fen 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S w 0 1", "position is written"),
        ("position fen 0-0-0-0-0-1-1-0-0-0-0-0-23-23-X", "fen: 'X' is not a turn"),
        ("position fen \u{1b}[2J", "fen: "),
    ];
    for (position, expected) in wrong {
        engine.tell("position startpos");
        engine.tell(position);
        let line = engine.hear("info string").pop().expect("heard");
        assert!(line.contains(expected), "{position}: {line}");
        assert!(!line.contains(char::is_control), "{line}");
        engine.tell("go depth 1");
        let lines = engine.hear("bestmove");
        assert_eq!(lines.len(), 2, "{position}: {lines:?}");
        assert!(lines[0].starts_with("info string") && lines[0].contains(expected), "{lines:?}");
        assert_eq!(lines[1], "bestmove 0000", "{position}");
    }
    engine.tell("position startpos");
    assert_ne!(engine.best_move("go depth 1"), "bestmove 0000");
    engine.leave();
}

#[test]
fn counters_after_a_position_are_accepted() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    for after in ["", " 0 1", " 12", " 0 1 moves", " 17 3 moves Ff"] {
        engine.tell(&format!("position fen 0-0-0-0-0-1-0-1-0-0-0-1-22-23-S{after}"));
        let answer = engine.best_move("go depth 1");
        assert_ne!(answer, "bestmove 0000", "{after}");
    }
    engine.leave();
}

#[test]
fn a_position_sent_during_a_search_is_the_next_one_or_none() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    for (position, answer) in [
        (format!("position fen {SHORT}"), "bestmove F"),
        ("position fen 1-2-3".to_owned(), "bestmove 0000"),
    ] {
        engine.tell("position startpos");
        engine.tell("go infinite");
        engine.hear("info depth 3");
        engine.tell(&position);
        assert_ne!(engine.hear("bestmove").pop().expect("heard"), "bestmove 0000");
        assert!(engine.best_move("go depth 2").starts_with(answer), "{position}");
    }
    engine.leave();
}

#[test]
fn every_go_gets_exactly_one_answer_and_obeys_what_it_knows() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    let lines = [
        "go nodes 9",
        "go nodes 1",
        "go nodes 0",
        "go mate 3 depth 1",
        "go searchmoves Aa depth 1",
        "go wtime 1000.5 btime 1000.5",
        "go movetime",
        "go mate 3",
        "go movetime 9223372036854775808",
        "go nodes 99999999999999999999999",
        "go movetime depth 2",
        "go depth x depth 2",
        "go depth -7",
        "go wtime -1000",
        "go \u{1b}[31m depth 1",
        "hello go depth 1",
        "go ponder depth 1",
        "go infinite",
    ];
    let started = Instant::now();
    for line in lines {
        engine.tell(&format!("position fen {SHORT}"));
        engine.tell(line);
        engine.tell(if line.contains("infinite") || line.contains("ponder") {
            "stop"
        } else {
            "wait"
        });
        let heard = engine.hear("bestmove");
        assert!(heard.last().expect("heard").starts_with("bestmove F"), "{line}: {heard:?}");
        assert!(heard.iter().all(|line| !line.contains(char::is_control)), "{heard:?}");
        engine.tell("isready");
        assert_eq!(engine.hear("readyok"), ["readyok"], "{line}");
    }
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    engine.tell("position startpos");
    engine.tell("go nodes 100000");
    let lines = engine.hear("bestmove");
    let nodes: Vec<u64> = lines
        .iter()
        .filter_map(|line| line.split(" nodes ").nth(1)?.split(' ').next()?.parse().ok())
        .collect();
    assert!(nodes.last().is_some_and(|&nodes| (10_000..=100_000).contains(&nodes)), "{nodes:?}");
    engine.leave();
}

#[test]
fn what_needs_a_rest_ends_the_search_with_its_answer_and_is_obeyed() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    for go in ["go infinite", "go ponder wtime 100 btime 100", "go movetime 100000"] {
        for next in
            ["ucinewgame", "position startpos moves F", "go depth 1", "setoption name Hash value 2"]
        {
            engine.tell("position startpos");
            engine.tell(go);
            engine.hear("info depth 2");
            engine.tell(next);
            assert!(engine.hear("bestmove")[..].last().expect("heard").starts_with("bestmove "));
            let more = usize::from(next.starts_with("go"));
            engine.tell("wait");
            engine.tell("isready");
            let answers = engine.hear("readyok");
            let answers = answers.iter().filter(|line| line.starts_with("bestmove ")).count();
            assert_eq!(answers, more, "{go}, {next}");
            let answer = engine.best_move("go depth 1");
            let lower = answer["bestmove ".len()..].starts_with(|of: char| of.is_ascii_lowercase());
            assert_eq!(lower, next.starts_with("position"), "{go}, {next}: {answer}");
        }
    }
    engine.leave();
}

#[test]
fn options_ignore_case_and_their_defaults_are_among_their_values() {
    let mut engine = Engine::start(&["--rules", "awari", "--no-tables", "--level", "depth-5"]);
    engine.tell("uci");
    for line in engine.hear("uciok").iter().filter(|line| line.contains(" type combo ")) {
        let (start, vars) = line.split_once(" var ").expect("values");
        let (_, default) = start.split_once(" default ").expect("a default");
        assert!(vars.split(" var ").any(|value| value == default), "{line}");
    }
    for option in [
        "setoption name UseLeaves value True",
        "setoption name rules value Abapa",
        "setoption NAME REPETITION VALUE SPLIT",
        "setoption name Level value Depth-3",
        "setoption name level value PERFECT",
        "setoption name aim value Result",
        "setoption name playon value FALSE",
    ] {
        engine.tell(option);
        engine.tell("isready");
        assert_eq!(engine.hear("readyok"), ["readyok"], "{option}");
    }
    engine.tell("uci");
    let lines = engine.hear("uciok");
    for now in ["Rules type combo default abapa", "Level type combo default perfect"] {
        assert!(lines.iter().any(|line| line.contains(now)), "{now}: {lines:?}");
    }
    engine.leave();
}

#[test]
fn other_rules_read_the_last_position_again() {
    let mut engine = Engine::start(&["--rules", "awari", "--no-tables"]);
    // A slam that one of the rule sets forbids is the only other move.
    engine.tell("position startpos moves F");
    engine.tell("setoption name Rules value abapa");
    let answer = engine.best_move("go depth 1");
    assert!(
        answer["bestmove ".len()..].starts_with(|of: char| of.is_ascii_lowercase()),
        "{answer}"
    );
    // More than half: the game is over unless it is played on.
    engine.tell("position fen 1-0-0-0-0-1-0-0-0-0-0-1-25-20-S");
    assert_eq!(engine.best_move("go depth 1"), "bestmove 0000");
    engine.tell("setoption name PlayOn value true");
    assert_ne!(engine.best_move("go depth 1"), "bestmove 0000");
    engine.leave();
}

#[cfg(unix)]
#[test]
fn a_hash_table_that_the_system_refuses_is_said_and_the_old_one_stays() {
    let limited = |arguments: &str| {
        let program = cargo_bin("oware");
        let command = format!("ulimit -v 1500000; exec '{}' uci {arguments}", program.display());
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]);
        Engine::of(shell)
    };
    let mut engine = limited("--no-tables --hash 4");
    for size in ["65536", "16384", "2048"] {
        engine.tell(&format!("setoption name Hash value {size}"));
        let line = engine.hear("info string").pop().expect("heard");
        assert!(line.contains(&format!("Hash {size}")) && line.contains("memory"), "{line}");
        engine.tell("uci");
        assert!(
            engine.hear("uciok").iter().any(|line| line.contains("name Hash type spin default 4 "))
        );
        assert_ne!(engine.best_move("go depth 3"), "bestmove 0000");
    }
    engine.tell("setoption name Hash value 8");
    engine.tell("isready");
    assert_eq!(engine.hear("readyok"), ["readyok"]);
    engine.leave();
    let mut engine = limited("--no-tables --hash 65535");
    engine.tell("uci");
    let lines = engine.hear("uciok");
    assert!(lines.iter().any(|line| line.starts_with("info string Hash 65535: ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("name Hash type spin default 32 ")), "{lines:?}");
    assert_ne!(engine.best_move("go depth 3"), "bestmove 0000");
    engine.leave();
}

#[test]
fn the_clock_starts_when_go_is_read_whatever_the_size_of_the_table() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables", "--hash", "1024"]);
    engine.tell("isready");
    engine.hear("readyok");
    let time = |engine: &mut Engine| {
        engine.tell("ucinewgame");
        engine.tell("position startpos");
        let started = Instant::now();
        engine.best_move("go movetime 100");
        started.elapsed()
    };
    // The machine may be busy with other tests: the least of several.
    let least = (0..5).map(|_| time(&mut engine)).min().expect("some");
    assert!(least < Duration::from_millis(250), "{least:?}");
    engine.leave();
}

#[test]
fn stop_ponderhit_quit_and_the_end_of_input_end_a_search_with_its_answer() {
    let started = Instant::now();
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    engine.tell("go infinite");
    engine.hear("info depth 5");
    engine.tell("isready");
    engine.hear("readyok");
    assert!(engine.best_move("stop").starts_with("bestmove "));
    engine.tell("go ponder wtime 2000 btime 2000");
    engine.hear("info depth 5");
    assert!(engine.best_move("ponderhit").starts_with("bestmove "));
    // A board with one legal line: the answer is known at once, and waits for stop all the same.
    engine.tell("position fen 0-0-0-0-0-1-0-0-0-0-0-1-23-23-S");
    engine.tell("go infinite");
    std::thread::sleep(Duration::from_millis(300));
    engine.tell("isready");
    assert!(engine.hear("readyok").iter().all(|line| !line.starts_with("bestmove")));
    assert!(engine.best_move("stop").starts_with("bestmove F"));
    engine.tell("position startpos");
    engine.tell("go infinite");
    engine.hear("info depth 5");
    let rest = engine.leave();
    assert!(rest.last().is_some_and(|line| line.starts_with("bestmove ")), "{rest:?}");

    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    engine.tell("go infinite");
    engine.tell("quit");
    let rest = engine.leave();
    assert!(rest.last().is_some_and(|line| line.starts_with("bestmove ")), "{rest:?}");
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_move_takes_the_time_it_is_given() {
    let mut engine = Engine::start(&["--rules", "abapa", "--no-tables"]);
    for go in
        ["go movetime 300", "go wtime 6000 btime 6000 movestogo 20", "go depth 99 movetime 300"]
    {
        let started = Instant::now();
        assert!(engine.best_move(go).starts_with("bestmove "));
        assert!(started.elapsed() < Duration::from_secs(10), "{go}: {:?}", started.elapsed());
    }
    engine.leave();
}
