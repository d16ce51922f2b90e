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
        let mut child = Command::new(cargo_bin("oware"))
            .arg("uci")
            .args(arguments)
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
    ];
    for (position, expected) in wrong {
        engine.tell("position startpos");
        engine.tell(position);
        let line = engine.hear("info string").pop().expect("heard");
        assert!(line.contains(expected), "{position}: {line}");
        if position != "position nowhere" {
            assert_eq!(engine.best_move("go depth 1"), "bestmove 0000", "{position}");
        }
    }
    engine.tell("position startpos");
    assert_ne!(engine.best_move("go depth 1"), "bestmove 0000");
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
    engine.tell("position startpos moves F");
    assert!(engine.hear("info string").pop().expect("heard").contains("send stop first"));
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
