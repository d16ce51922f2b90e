//! The conversation: commands come in on one thread, a search runs on another.

use super::clock::less_overhead;
use super::command::{Command, Go};
use super::settings::Settings;
use crate::game::{Game, GameEnd, GameError, Repetition, move_letter, moves_text, parse_moves};
use crate::rules::{GameString, MAX_SEEDS, Pit, Side};
use crate::search::{
    Certainty, Choice, ChoiceSource, Control, Engine, Limits, SearchInfo, Strength,
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time for a move when `go` names none.
const USUAL_TIME: Duration = Duration::from_secs(1);
/// How often a search that has its answer looks whether it may give it.
const PATIENCE: Duration = Duration::from_millis(2);

/// Answers commands from `input` on `output` until `quit` or the end of input.
///
/// # Errors
/// When input cannot be read or output not be written.
pub fn serve(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    settings: Settings,
) -> io::Result<()> {
    let mut server = Server::new(output, settings);
    for line in input.split(b'\n') {
        let line = line?;
        if !server.answer(&String::from_utf8_lossy(&line))? {
            break;
        }
    }
    server.stop()
}

/// What is written by both threads.
type Lines = Arc<Mutex<dyn Write + Send>>;

fn say(lines: &Lines, line: &str) -> io::Result<()> {
    // A thread that panicked while it wrote leaves at worst a broken line.
    let mut output = lines.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{line}")?;
    output.flush()
}

/// What a search needs and gives back.
struct Player {
    engine: Engine,
    random: Pcg64,
}

/// A search that runs.
struct Thinking {
    control: Arc<Control>,
    /// Time from `ponderhit` on.
    time_after_hit: Duration,
    waits_for_stop: bool,
    /// Set before the answer is written: whoever reads it may ask again at once.
    has_answer: Arc<AtomicBool>,
    thread: JoinHandle<(Player, io::Result<()>)>,
}

struct Server {
    lines: Lines,
    settings: Settings,
    /// `None` after a position that makes no sense.
    game: Option<Game>,
    /// Made at the first `go`, lent to the search while it runs.
    player: Option<Player>,
    thinking: Option<Thinking>,
    is_debugging: bool,
    /// Whether it was said that tables share endless play evenly.
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
            player: None,
            thinking: None,
            is_debugging: false,
            has_warned: false,
        }
    }

    /// Answers a line; false after `quit`.
    fn answer(&mut self, line: &str) -> io::Result<bool> {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(problem) => {
                self.remark(&problem)?;
                return Ok(true);
            }
        };
        self.forget_finished()?;
        let needs_rest = matches!(
            command,
            Command::SetOption { .. }
                | Command::NewGame
                | Command::Position { .. }
                | Command::Go(_)
        );
        if needs_rest && self.thinking.is_some() {
            self.remark("a search is under way: send stop first")?;
            return Ok(true);
        }
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => say(&self.lines, "readyok")?,
            Command::Debug(on) => self.is_debugging = on,
            Command::SetOption { name, value } => self.set_option(&name, &value)?,
            Command::NewGame => {
                self.game = Some(Game::new(self.settings.setup()));
                self.player = None;
                self.has_warned = false;
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
            Command::Go(asked) => self.go(&asked)?,
            Command::Stop => self.stop()?,
            Command::PonderHit => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.control.stop_after(thinking.time_after_hit);
                    thinking.waits_for_stop = false;
                }
            }
            Command::Wait => self.wait()?,
            Command::Quit => return Ok(false),
            Command::Nothing => {}
        }
        Ok(true)
    }

    fn remark(&self, text: &str) -> io::Result<()> {
        say(&self.lines, &format!("info string {text}"))
    }

    fn introduce(&mut self) -> io::Result<()> {
        say(&self.lines, concat!("id name Oware ", env!("CARGO_PKG_VERSION")))?;
        say(&self.lines, "id author the oware authors")?;
        for option in self.settings.describe() {
            say(&self.lines, &option)?;
        }
        if let Some(remark) = self.settings.remark.take() {
            self.remark(&remark)?;
        }
        say(&self.lines, "uciok")
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let before = self.settings.setup();
        match self.settings.set(name, value) {
            Ok(()) => self.player = None,
            Err(problem) => return self.remark(&problem),
        }
        // Positions of other rules make no sense any more.
        if self.settings.setup() != before {
            self.game = Some(Game::new(self.settings.setup()));
        }
        let of_rules = |database: &Arc<_>| database_serves(database, &self.settings);
        if name.eq_ignore_ascii_case("rules")
            && self.settings.database.as_ref().is_some_and(|database| !of_rules(database))
        {
            self.remark("the tables are of other rules: start with --rules to use tables")?;
        }
        Ok(())
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &str) -> io::Result<()> {
        match self.read_position(fen, moves) {
            Ok(game) => self.game = Some(game),
            Err(problem) => {
                // Better no answer than one to another position.
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
            game = play_on(game, pit).map_err(|error| format!("move {ply}: {error}"))?;
        }
        Ok(game)
    }

    fn go(&mut self, asked: &Go) -> io::Result<()> {
        let Some(game) = self.game.clone().filter(|game| game.end().is_none()) else {
            return say(&self.lines, "bestmove 0000");
        };
        let turn = game.turn();
        let named_time = asked.move_time.map(less_overhead).or(asked.clock.share(turn));
        let waits_for_stop = asked.is_infinite || asked.is_pondering;
        let usual = asked.depth.is_none().then_some(USUAL_TIME);
        let time = if waits_for_stop { None } else { named_time.or(usual) };
        let limits = Limits { depth: asked.depth, time };
        if self.is_debugging {
            self.remark(&format!("searching {} with {limits:?}", game.position()))?;
        }
        let player = self.player.take().unwrap_or_else(|| Player {
            engine: self.settings.engine(),
            random: Pcg64::seed_from_u64(self.settings.seed),
        });
        if player.engine.holds_board(&game)
            && game.setup().repetition == Repetition::OwnSide
            && !std::mem::replace(&mut self.has_warned, true)
        {
            self.remark(
                "table values share endless play evenly, this game by rows: a repetition may be worth more or less than they say",
            )?;
        }
        let control = Arc::new(Control::new());
        let has_answer = Arc::new(AtomicBool::new(false));
        let search = Search {
            game,
            limits,
            strength: self.settings.strength,
            waits_for_stop,
            control: Arc::clone(&control),
            lines: Arc::clone(&self.lines),
            has_answer: Arc::clone(&has_answer),
        };
        let time_after_hit = named_time.unwrap_or(USUAL_TIME);
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || search.run(player))?;
        self.thinking =
            Some(Thinking { control, time_after_hit, waits_for_stop, has_answer, thread });
        Ok(())
    }

    /// Ends the search, if one runs, after its answer.
    fn stop(&mut self) -> io::Result<()> {
        if let Some(thinking) = &self.thinking {
            thinking.control.stop();
        }
        self.join()
    }

    fn wait(&mut self) -> io::Result<()> {
        if self.thinking.as_ref().is_some_and(|thinking| thinking.waits_for_stop) {
            return self.remark("the search goes on until stop: there is nothing to wait for");
        }
        self.join()
    }

    /// Takes back what a search that has ended was lent.
    fn forget_finished(&mut self) -> io::Result<()> {
        let has_ended = |thinking: &Thinking| {
            thinking.has_answer.load(Ordering::Acquire) || thinking.thread.is_finished()
        };
        if self.thinking.as_ref().is_some_and(has_ended) {
            self.join()?;
        }
        Ok(())
    }

    fn join(&mut self) -> io::Result<()> {
        let Some(thinking) = self.thinking.take() else { return Ok(()) };
        match thinking.thread.join() {
            Ok((player, written)) => {
                self.player = Some(player);
                written
            }
            Err(_) => Err(io::Error::other("the search ended without an answer")),
        }
    }
}

fn database_serves(database: &crate::database::Database, settings: &Settings) -> bool {
    database.rules() == settings.rules
}

/// Plays a move. A game that is over by count or repetition goes on from where it is, because the
/// other program says so.
fn play_on(mut game: Game, pit: Pit) -> Result<Game, GameError> {
    if let Some(GameEnd::MoreThanHalf(_) | GameEnd::Repetition) = game.end() {
        let setup = crate::game::GameSetup { plays_on: true, ..game.setup() };
        game = Game::from_position(setup, game.position())?;
    }
    game.play(pit)?;
    Ok(game)
}

/// One search on its own thread.
struct Search {
    game: Game,
    limits: Limits,
    strength: Strength,
    waits_for_stop: bool,
    control: Arc<Control>,
    lines: Lines,
    has_answer: Arc<AtomicBool>,
}

impl Search {
    /// Searches and says the answer.
    fn run(self, mut player: Player) -> (Player, io::Result<()>) {
        let Self { game, limits, strength, waits_for_stop, control, lines, has_answer } = self;
        let mut written = Ok(());
        let turn = game.turn();
        let mut report = |report: &SearchInfo<'_>| {
            if written.is_ok() {
                written = say(&lines, &info_line(report, turn));
            }
        };
        let Player { engine, random } = &mut player;
        let choice = strength.choose(engine, random, &game, limits, &control, &mut report);
        while waits_for_stop && !control.is_over() {
            std::thread::sleep(PATIENCE);
        }
        has_answer.store(true, Ordering::Release);
        let written = written.and_then(|()| say_choice(&lines, &game, choice.as_ref()));
        (player, written)
    }
}

fn say_choice(lines: &Lines, game: &Game, choice: Option<&Choice>) -> io::Result<()> {
    let Some(choice) = choice else { return say(lines, "bestmove 0000") };
    if let Some(problem) = &choice.problem {
        say(lines, &format!("info string tables: {problem}"))?;
    }
    if choice.source == ChoiceSource::Database(crate::search::Conversion::Unproved) {
        say(lines, "info string the value is exact, the way to it was not found in time")?;
    }
    let turn = game.turn();
    let best = move_letter(turn, choice.pit);
    match choice.line.get(1) {
        Some(&reply) => {
            let reply = move_letter(turn.other(), reply);
            say(lines, &format!("bestmove {best} ponder {reply}"))
        }
        None => say(lines, &format!("bestmove {best}")),
    }
}

fn info_line(report: &SearchInfo<'_>, turn: Side) -> String {
    let bound = match report.value.certainty {
        Certainty::AtLeast => " lowerbound",
        Certainty::AtMost => " upperbound",
        Certainty::Exact | Certainty::Estimate => "",
    };
    let millis = report.elapsed.as_millis();
    let per_second = u128::from(report.nodes) * 1000 / millis.max(1);
    format!(
        "info depth {} score cp {}{bound} nodes {} nps {per_second} tbhits {} hashfull {} time {millis} pv {}",
        report.depth.max(1),
        report.value.hundredths,
        report.nodes,
        report.table_hits,
        report.hash_filled,
        moves_text(turn, report.line),
    )
}
