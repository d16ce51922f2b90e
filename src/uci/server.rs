//! The server side: this crate's engine for other programs.
//!
//! Commands are read on one thread, a search runs on another.

use super::clock::less_overhead;
use super::protocol::{Command, Go, Info, Reply};
use super::settings::Settings;
use crate::game::{Game, Repetition, parse_moves};
use crate::rules::{GameString, MAX_SEEDS, Side, decode_text};
use crate::search::{Choice, ChoiceSource, Control, Engine, Limits, SearchInfo, Strength};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The time per move if `go` has no limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// The time between two polls by a finished search that must wait for `stop`.
const POLL: Duration = Duration::from_millis(2);

/// Reads commands from `input` and writes replies to `output` until `quit` or the end of input.
///
/// # Errors
/// If input cannot be read or output cannot be written.
pub fn serve(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    settings: Settings,
) -> io::Result<()> {
    let mut server = Server::new(output, settings);
    for line in input.split(b'\n') {
        let line = line?;
        if !server.execute(&decode_text(&line))? {
            break;
        }
    }
    server.stop()
}

/// The output, shared by both threads.
type Lines = Arc<Mutex<dyn Write + Send>>;

fn send(lines: &Lines, reply: &Reply) -> io::Result<()> {
    // A thread that panicked while writing leaves at most a broken line.
    let mut output = lines.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{reply}")?;
    output.flush()
}

/// The state that searches reuse.
struct SearchState {
    engine: Engine,
    random: Pcg64,
}

/// A running search.
struct RunningSearch {
    control: Arc<Control>,
    /// The time limit after `ponderhit`.
    time_after_hit: Duration,
    waits_for_stop: bool,
    /// Set before the answer is written, because a client may send the next command at once.
    has_answer: Arc<AtomicBool>,
    thread: JoinHandle<(SearchState, io::Result<()>)>,
}

struct Server {
    lines: Lines,
    settings: Settings,
    /// `None` after an invalid position.
    game: Option<Game>,
    /// Created by the first `go`; owned by the search while it runs.
    state: Option<SearchState>,
    running: Option<RunningSearch>,
    is_debugging: bool,
    /// Whether the remark on endless play was sent.
    has_warned: bool,
}

impl Server {
    fn new(output: impl Write + Send + 'static, settings: Settings) -> Self {
        let game = Some(Game::new(settings.setup()));
        let lines: Lines = Arc::new(Mutex::new(output));
        Self {
            lines,
            settings,
            game,
            state: None,
            running: None,
            is_debugging: false,
            has_warned: false,
        }
    }

    /// Executes the command of one line. Returns false after `quit`.
    fn execute(&mut self, line: &str) -> io::Result<bool> {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(problem) => {
                self.remark(&problem)?;
                return Ok(true);
            }
        };
        self.join_finished()?;
        let needs_rest = matches!(
            command,
            Command::SetOption { .. }
                | Command::NewGame
                | Command::Position { .. }
                | Command::Go(_)
        );
        if needs_rest && self.running.is_some() {
            self.remark("a search is under way: send stop first")?;
            return Ok(true);
        }
        match command {
            Command::Uci => self.handshake()?,
            Command::IsReady => send(&self.lines, &Reply::ReadyOk)?,
            Command::Debug(on) => self.is_debugging = on,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::NewGame => {
                self.game = Some(Game::new(self.settings.setup()));
                self.state = None;
                self.has_warned = false;
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => {
                if let Some(running) = &mut self.running {
                    running.control.stop_after(running.time_after_hit);
                    running.waits_for_stop = false;
                }
            }
            Command::Wait => self.wait()?,
            Command::Quit => return Ok(false),
            Command::Nothing => {}
        }
        Ok(true)
    }

    fn remark(&self, text: &str) -> io::Result<()> {
        send(&self.lines, &Reply::Remark(text.to_owned()))
    }

    fn handshake(&mut self) -> io::Result<()> {
        let name = concat!("Oware ", env!("CARGO_PKG_VERSION"));
        send(&self.lines, &Reply::Name(name.to_owned()))?;
        send(&self.lines, &Reply::Author("the oware authors".to_owned()))?;
        for option in self.settings.options() {
            send(&self.lines, &Reply::Option(option))?;
        }
        if let Some(remark) = self.settings.remark.take() {
            self.remark(&remark)?;
        }
        send(&self.lines, &Reply::UciOk)
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let before = self.settings.setup();
        match self.settings.set(name, value) {
            Ok(()) => self.state = None,
            Err(problem) => return self.remark(&problem),
        }
        // The position was one of other rules.
        if self.settings.setup() != before {
            self.game = Some(Game::new(self.settings.setup()));
        }
        if name.eq_ignore_ascii_case("rules")
            && let Some(database) = &self.settings.database
            && database.rules() != self.settings.rules
        {
            let remark = format!("the tables are of {}: they are not used", database.rules());
            self.remark(&remark)?;
        }
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &str) -> io::Result<()> {
        match self.read_position(fen, moves) {
            Ok(game) => self.game = Some(game),
            Err(problem) => {
                // A search of the previous position would answer a question that was not go.
                self.game = None;
                self.remark(&problem)?;
            }
        }
        Ok(())
    }

    fn read_position(&self, fen: Option<&str>, moves: &str) -> Result<Game, String> {
        let setup = self.settings.setup();
        let mut game = match fen {
            None => Game::new(setup),
            Some(fen) => {
                let start: GameString = fen.parse().map_err(|error| format!("fen: {error}"))?;
                let game = Game::from_position(setup, start).map_err(|error| error.to_string())?;
                if game.total_seeds() != MAX_SEEDS {
                    let seeds = game.total_seeds();
                    return Err(format!("fen: {seeds} seeds where a game has {MAX_SEEDS}"));
                }
                game
            }
        };
        let pits = parse_moves(moves, game.turn()).map_err(|error| error.to_string())?;
        for (ply, pit) in (1..).zip(pits) {
            game.go_on(pit).map_err(|error| format!("move {ply}: {error}"))?;
        }
        Ok(game)
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let Some(game) = self.game.clone().filter(|game| game.end().is_none()) else {
            return send(&self.lines, &Reply::no_move());
        };
        let turn = game.turn();
        let named_time = go.move_time.map(less_overhead).or(go.clock.share(turn));
        let waits_for_stop = go.is_infinite || go.is_pondering;
        let usual = go.depth.is_none().then_some(DEFAULT_TIME);
        let time = if waits_for_stop { None } else { named_time.or(usual) };
        let limits = Limits { depth: go.depth, time };
        if self.is_debugging {
            self.remark(&format!("searching {} with {limits:?}", game.position()))?;
        }
        let state = self.state.take().unwrap_or_else(|| SearchState {
            engine: self.settings.engine(),
            random: Pcg64::seed_from_u64(self.settings.seed),
        });
        if state.engine.holds_board(&game)
            && game.setup().repetition == Repetition::OwnSide
            && !std::mem::replace(&mut self.has_warned, true)
        {
            self.remark(
                "table values share endless play evenly, this game by rows: a repetition may be worth more or less than they say",
            )?;
        }
        let control = Arc::new(Control::new());
        let has_answer = Arc::new(AtomicBool::new(false));
        let search = SearchTask {
            game,
            limits,
            strength: self.settings.strength,
            waits_for_stop,
            control: Arc::clone(&control),
            lines: Arc::clone(&self.lines),
            has_answer: Arc::clone(&has_answer),
        };
        let time_after_hit = named_time.unwrap_or(DEFAULT_TIME);
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || search.run(state))?;
        self.running =
            Some(RunningSearch { control, time_after_hit, waits_for_stop, has_answer, thread });
        Ok(())
    }

    /// Stops the search, if one runs, and waits for its answer.
    fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = &self.running {
            running.control.stop();
        }
        self.join()
    }

    fn wait(&mut self) -> io::Result<()> {
        if self.running.as_ref().is_some_and(|running| running.waits_for_stop) {
            return self.remark("the search goes on until stop: there is nothing to wait for");
        }
        self.join()
    }

    /// Joins the search if it has ended.
    fn join_finished(&mut self) -> io::Result<()> {
        let has_ended = |running: &RunningSearch| {
            running.has_answer.load(Ordering::Acquire) || running.thread.is_finished()
        };
        if self.running.as_ref().is_some_and(has_ended) {
            self.join()?;
        }
        Ok(())
    }

    fn join(&mut self) -> io::Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        match running.thread.join() {
            Ok((state, written)) => {
                self.state = Some(state);
                written
            }
            Err(_) => Err(io::Error::other("the search ended without an answer")),
        }
    }
}

/// A search and its arguments.
struct SearchTask {
    game: Game,
    limits: Limits,
    strength: Strength,
    waits_for_stop: bool,
    control: Arc<Control>,
    lines: Lines,
    has_answer: Arc<AtomicBool>,
}

impl SearchTask {
    /// Searches and writes the answer.
    fn run(self, mut state: SearchState) -> (SearchState, io::Result<()>) {
        let Self { game, limits, strength, waits_for_stop, control, lines, has_answer } = self;
        let mut written = Ok(());
        let turn = game.turn();
        let mut report = |report: &SearchInfo<'_>| {
            if written.is_ok() {
                written = send(&lines, &Reply::Info(info(report, turn)));
            }
        };
        let SearchState { engine, random } = &mut state;
        let choice = strength.choose(engine, random, &game, limits, &control, &mut report);
        while waits_for_stop && !control.is_over() {
            std::thread::sleep(POLL);
        }
        has_answer.store(true, Ordering::Release);
        let written = written.and_then(|()| send_choice(&lines, &game, choice.as_ref()));
        (state, written)
    }
}

fn send_choice(lines: &Lines, game: &Game, choice: Option<&Choice>) -> io::Result<()> {
    let Some(choice) = choice else { return send(lines, &Reply::no_move()) };
    if let Some(problem) = &choice.problem {
        send(lines, &Reply::Remark(format!("tables: {problem}")))?;
    }
    if choice.source == ChoiceSource::Database(crate::search::Conversion::Unproved) {
        let remark = "the value is exact, the way to it was not found in time";
        send(lines, &Reply::Remark(remark.to_owned()))?;
    }
    send(lines, &Reply::best_move(game.turn(), choice.pit, choice.line.get(1).copied()))
}

fn info(report: &SearchInfo<'_>, turn: Side) -> Info {
    Info {
        depth: report.depth.max(1),
        hundredths: report.value.hundredths,
        certainty: report.value.certainty,
        nodes: report.nodes,
        table_hits: report.table_hits,
        hash_filled: report.hash_filled,
        elapsed: report.elapsed,
        turn,
        line: report.line.to_vec(),
    }
}
