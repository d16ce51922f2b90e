//! The server side: this crate's engine for other programs.
//!
//! Commands are read on one thread, a search runs on another.

use super::clock::less_overhead;
use super::printable::printable;
use super::protocol::{Command, Go, Info, Position, Reply};
use super::settings::{DEFAULT_HASH_MIB, Settings};
use crate::game::{Game, GameSetup, Repetition, parse_moves};
use crate::rules::{MAX_SEEDS, Side, decode_text};
use crate::search::{
    Choice, ChoiceSource, Control, Engine, EngineOptions, Limits, SearchInfo, Strength,
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The words of the position before any `position`.
const START_POSITION: &str = "startpos";
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
    /// The words of the last `position`.
    position: String,
    /// The game of the last `position`, or why it has none.
    game: Result<Game, String>,
    /// Owned by the search while one runs.
    state: Option<SearchState>,
    running: Option<RunningSearch>,
    is_debugging: bool,
    /// Whether the remark on endless play was sent.
    has_warned: bool,
}

impl Server {
    fn new(output: impl Write + Send + 'static, settings: Settings) -> Self {
        let lines: Lines = Arc::new(Mutex::new(output));
        let mut server = Self {
            lines,
            position: START_POSITION.to_owned(),
            game: Ok(Game::new(settings.setup())),
            settings,
            state: None,
            running: None,
            is_debugging: false,
            has_warned: false,
        };
        server.start_engine();
        server
    }

    /// Makes the engine. If the system has no memory for its hash table, the table is a smaller one,
    /// and the first handshake says so.
    fn start_engine(&mut self) {
        let mut engine = Engine::new(None, EngineOptions::new().hash_bytes(0));
        if let Err(problem) = self.settings.configure(&mut engine) {
            let refused = self.settings.hash_mib;
            self.settings.hash_mib = DEFAULT_HASH_MIB.min(refused);
            let smaller = self.settings.configure(&mut engine);
            let size = match smaller {
                Ok(()) => format!("{} MiB", self.settings.hash_mib),
                Err(_) => "nothing".to_owned(),
            };
            let text = format!("{problem}: the hash table has {size}");
            let remark = self.settings.remark.take();
            self.settings.remark =
                Some(remark.map_or(text.clone(), |first| format!("{first}; {text}")));
        }
        self.state = Some(SearchState { engine, random: self.random() });
    }

    fn random(&self) -> Pcg64 {
        Pcg64::seed_from_u64(self.settings.seed)
    }

    /// Executes the command of one line. Returns false after `quit`.
    fn execute(&mut self, line: &str) -> io::Result<bool> {
        // The clock of a search starts here.
        let control = Control::new();
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(problem) => {
                self.remark(&problem)?;
                return Ok(true);
            }
        };
        self.join_finished()?;
        match command {
            Command::Uci => self.handshake()?,
            Command::IsReady => send(&self.lines, &Reply::ReadyOk)?,
            Command::Debug(on) => self.is_debugging = on,
            Command::SetOption { name, value } => {
                self.stop()?;
                self.set_option(&name, &value)?;
            }
            Command::NewGame => {
                self.stop()?;
                self.begin_game();
            }
            Command::Position(words) => {
                self.stop()?;
                self.position = words;
                self.read_game()?;
            }
            Command::Go(go) => {
                self.stop()?;
                self.go(&go, control)?;
            }
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
        send(&self.lines, &Reply::Remark(printable(text)))
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

    /// Forgets all searches and begins at the start position.
    fn begin_game(&mut self) {
        START_POSITION.clone_into(&mut self.position);
        self.game = Ok(Game::new(self.settings.setup()));
        self.has_warned = false;
        let random = self.random();
        if let Some(state) = &mut self.state {
            // The hash table has its size already: nothing is allocated, so nothing is refused.
            let _ = self.settings.configure(&mut state.engine);
            state.random = random;
        }
    }

    /// Changes an option. If it changes the rules, the last position is read again by them.
    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let mut settings = self.settings.clone();
        let random = self.random();
        let state = self.state.as_mut().expect("no search runs");
        let changed =
            settings.set(name, value).and_then(|()| settings.configure(&mut state.engine));
        if let Err(problem) = changed {
            return self.remark(&problem);
        }
        state.random = random;
        let before = std::mem::replace(&mut self.settings, settings).setup();
        if self.settings.setup() != before {
            self.read_game()?;
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

    /// Reads the game of the last `position`. If that fails, there is no game: a search of the one
    /// before would answer a question that was not asked.
    fn read_game(&mut self) -> io::Result<()> {
        self.game = read_game(&self.position, self.settings.setup());
        match &self.game {
            Ok(_) => Ok(()),
            Err(problem) => self.remark(problem),
        }
    }

    /// Answers `go`, now or when the search ends.
    fn go(&mut self, go: &Go, control: Control) -> io::Result<()> {
        if !go.skipped.is_empty() {
            self.remark(&format!("go: skipped {}", go.skipped.join(" ")))?;
        }
        let why_not = match &self.game {
            Err(problem) => Some(format!("there is no position: {problem}")),
            Ok(game) => game.end().map(|end| format!("the game is over: {}", end.name())),
        };
        if let Some(why_not) = why_not {
            self.remark(&why_not)?;
            return send(&self.lines, &Reply::no_move());
        }
        let search = self.search_task(go, control)?;
        self.start_search(search)
    }

    /// The search that `go` asks for. Its deadline is set: the time counts from the line on.
    fn search_task(&mut self, go: &Go, control: Control) -> io::Result<SearchTask> {
        let game = self.game.clone().expect("the caller has looked for it");
        let named_time = go.move_time.map(less_overhead).or(go.clock.share(game.turn()));
        let waits_for_stop = go.is_infinite || go.is_pondering;
        let usual = (go.depth.is_none() && go.nodes.is_none()).then_some(DEFAULT_TIME);
        let limits = Limits { depth: go.depth, nodes: go.nodes, time: None };
        let time = if waits_for_stop { None } else { named_time.or(usual) };
        if let Some(time) = time {
            control.stop_after(time.saturating_sub(control.elapsed()));
        }
        if self.is_debugging {
            self.remark(&format!("searching {} with {limits:?} for {time:?}", game.position()))?;
        }
        let state = self.state.take().expect("no search runs");
        if state.engine.holds_board(&game)
            && game.setup().repetition == Repetition::OwnSide
            && !std::mem::replace(&mut self.has_warned, true)
        {
            self.remark(
                "table values share endless play evenly, this game by rows: a repetition may be worth more or less than they say",
            )?;
        }
        Ok(SearchTask {
            state,
            game,
            limits,
            strength: self.settings.strength,
            waits_for_stop,
            time_after_hit: named_time.unwrap_or(DEFAULT_TIME),
            control: Arc::new(control),
            lines: Arc::clone(&self.lines),
            has_answer: Arc::new(AtomicBool::new(false)),
        })
    }

    /// Runs a search on a thread of its own. Without a thread, which could be stopped, it runs here
    /// and takes a short time.
    fn start_search(&mut self, search: SearchTask) -> io::Result<()> {
        let (control, has_answer) = (Arc::clone(&search.control), Arc::clone(&search.has_answer));
        let (time_after_hit, waits_for_stop) = (search.time_after_hit, search.waits_for_stop);
        let waiting = Arc::new(Mutex::new(Some(search)));
        let task = Arc::clone(&waiting);
        let take = |task: &Mutex<Option<SearchTask>>| {
            task.lock().unwrap_or_else(PoisonError::into_inner).take()
        };
        let run = move || take(&task).expect("taken once").run();
        match std::thread::Builder::new().name("search".to_owned()).spawn(run) {
            Ok(thread) => {
                self.running = Some(RunningSearch {
                    control,
                    time_after_hit,
                    waits_for_stop,
                    has_answer,
                    thread,
                });
                Ok(())
            }
            Err(error) => {
                self.remark(&format!("cannot start a thread for the search: {error}"))?;
                let search = take(&waiting).expect("not taken by a thread");
                control.stop_after(time_after_hit.min(DEFAULT_TIME));
                let (state, written) = SearchTask { waits_for_stop: false, ..search }.run();
                self.state = Some(state);
                written
            }
        }
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
            Err(_) => {
                self.start_engine();
                self.remark("the search failed: this is a fault of the program")?;
                send(&self.lines, &Reply::no_move())
            }
        }
    }
}

/// Reads the words after `position`.
fn read_game(position: &str, setup: GameSetup) -> Result<Game, String> {
    let Position { start, moves } = Position::parse(position)?;
    let mut game = Game::from_position(setup, start).map_err(|error| error.to_string())?;
    if game.total_seeds() != MAX_SEEDS {
        let seeds = game.total_seeds();
        return Err(format!("fen: {seeds} seeds where a game has {MAX_SEEDS}"));
    }
    let pits = parse_moves(&moves, game.turn()).map_err(|error| error.to_string())?;
    for (ply, pit) in (1..).zip(pits) {
        game.go_on(pit).map_err(|error| format!("move {ply}: {error}"))?;
    }
    Ok(game)
}

/// A search and its arguments.
struct SearchTask {
    state: SearchState,
    game: Game,
    limits: Limits,
    strength: Strength,
    waits_for_stop: bool,
    time_after_hit: Duration,
    control: Arc<Control>,
    lines: Lines,
    has_answer: Arc<AtomicBool>,
}

impl SearchTask {
    /// Searches and writes the answer.
    fn run(self) -> (SearchState, io::Result<()>) {
        let Self { mut state, game, limits, strength, waits_for_stop, control, lines, .. } = self;
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
        self.has_answer.store(true, Ordering::Release);
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
