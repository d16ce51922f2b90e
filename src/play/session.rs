//! From the first prompt to the last word: games, and series of games.

use super::commands::{HELP, PlayCommand};
use super::drawing::draw;
use super::players::{Engines, PlayerKind, Players};
use super::words::{end_of_game, name, value};
use crate::database::Database;
use crate::game::{Game, GameSetup, Record, Repetition, move_letter, moves_text, read_records};
use crate::rules::{GameString, MAX_SEEDS, Outcome, Pit, Side, parse_board};
use crate::search::{Aim, Strength};
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How a session begins.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// PlayerKind plays South first.
    pub south: PlayerKind,
    /// PlayerKind plays North first.
    pub north: PlayerKind,
    /// What is agreed before the games.
    pub setup: GameSetup,
    /// A board to start from, as `setup` takes it.
    pub board: Option<String>,
    /// What the machine wants most.
    pub aim: Aim,
    /// Time for a move of a machine that plays as well as it can.
    pub time: Duration,
    /// Seeds to collect over several games.
    pub series: Option<u32>,
    /// Makes random choices repeatable.
    pub seed: u64,
}

/// Plays until the person leaves, or, of machines alone, until the game or series is over.
///
/// # Errors
/// When input cannot be read or output not be written, and (`InvalidInput`) when the board to
/// start from is none.
pub fn play(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    options: &PlayOptions,
    database: Option<Arc<Database>>,
) -> io::Result<()> {
    let players = Players { south: options.south, north: options.north };
    let engines = Engines::new(database, options.aim, options.seed, options.time);
    let mut game = Game::new(options.setup);
    if let Some(board) = &options.board {
        let invalid = |problem| io::Error::new(io::ErrorKind::InvalidInput, problem);
        game = set_up(options.setup, board).map_err(invalid)?;
    }
    let below = if players.south != PlayerKind::Person && players.north == PlayerKind::Person {
        Side::North
    } else {
        Side::South
    };
    let mut session = Session { input, output, engines, players, game, below, has_warned: false };
    match options.series {
        None => session.games().map(|_| ()),
        Some(target) => session.series(target),
    }
}

/// A game from a board as people write it. Seeds that twelve numbers leave out are put in the
/// stores evenly, so that the game is still open.
fn set_up(setup: GameSetup, text: &str) -> Result<Game, String> {
    let start = match text.trim().parse::<GameString>() {
        Ok(start) => start,
        Err(_) => {
            let board = parse_board(text).map_err(|error| error.to_string())?;
            let missing = MAX_SEEDS - board.seeds();
            let south_store = missing / 2;
            let north_store = missing - south_store;
            GameString { board, south_store, north_store, turn: Side::South }
        }
    };
    Game::from_position(setup, start).map_err(|error| error.to_string())
}

/// How a game was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// It is over.
    Over,
    /// The person left, or the input ended.
    Quit,
}

struct Session<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    engines: Engines,
    players: Players,
    game: Game,
    /// The side drawn below.
    below: Side,
    /// Whether it was said that tables share endless play evenly.
    has_warned: bool,
}

impl Session<'_> {
    /// One game after the other, as long as a person asks for more.
    fn games(&mut self) -> io::Result<Left> {
        loop {
            if self.game_to_end()? == Left::Quit || !self.players.has_person() {
                return Ok(Left::Quit);
            }
            // After the end all commands but moves still work.
            if self.person()? == Left::Quit {
                return Ok(Left::Quit);
            }
        }
    }

    /// Plays until the game is over.
    fn game_to_end(&mut self) -> io::Result<Left> {
        self.draw()?;
        while self.game.end().is_none() {
            match self.players.of(self.game.turn()) {
                PlayerKind::Person => {
                    if self.person()? == Left::Quit {
                        return Ok(Left::Quit);
                    }
                }
                PlayerKind::Machine(strength) => self.machine(strength)?,
            }
        }
        let words = end_of_game(&self.game).unwrap_or_default();
        self.say(&words)?;
        Ok(Left::Over)
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn draw(&mut self) -> io::Result<()> {
        writeln!(self.output)?;
        draw(self.output, &self.game, self.below)?;
        writeln!(self.output)
    }

    fn machine(&mut self, strength: Strength) -> io::Result<()> {
        let turn = self.game.turn();
        if strength == Strength::Perfect {
            self.warn_of_sharing()?;
        }
        let choice = self.engines.choose(strength, &self.game);
        let Some(choice) = choice else { return Ok(()) };
        if let Some(problem) = &choice.problem {
            self.say(&format!("(tables: {problem})"))?;
        }
        self.play(turn, choice.pit)
    }

    /// Says once where table values and the game's rule differ.
    fn warn_of_sharing(&mut self) -> io::Result<()> {
        let differs = self.game.setup().repetition == Repetition::OwnSide;
        if !differs || self.has_warned || !self.engines.knows(&self.game) {
            return Ok(());
        }
        self.has_warned = true;
        self.say(
            "(Values from the tables share endless play evenly; in this game each side takes its own row.)",
        )
    }

    fn play(&mut self, turn: Side, pit: Pit) -> io::Result<()> {
        match self.game.play(pit) {
            Ok(outcome) => {
                let captured = match outcome {
                    Outcome::Moved { captured, .. } | Outcome::Ended { captured, .. } => captured,
                    Outcome::Illegal => 0,
                };
                let captures = match captured {
                    0 => String::new(),
                    1 => " and captures 1 seed".to_owned(),
                    more => format!(" and captures {more} seeds"),
                };
                let letter = move_letter(turn, pit);
                self.say(&format!("{} plays {letter}{captures}.", name(turn)))?;
                self.draw()
            }
            Err(error) => self.say(&format!("{error}.")),
        }
    }

    /// Asks the person until the position has changed, or they leave.
    fn person(&mut self) -> io::Result<Left> {
        loop {
            let who = match self.game.end() {
                None => name(self.game.turn()),
                Some(_) => "over",
            };
            let Some(line) = self.ask(&format!("{who}> "))? else {
                writeln!(self.output)?;
                return Ok(Left::Quit);
            };
            let command = match PlayCommand::parse(&line) {
                Ok(PlayCommand::Quit) => return Ok(Left::Quit),
                Ok(command) => command,
                Err(problem) => {
                    self.say(&format!("{problem}."))?;
                    continue;
                }
            };
            let before = (self.game.clone(), self.players.south, self.players.north);
            self.follow(command)?;
            if before != (self.game.clone(), self.players.south, self.players.north) {
                return Ok(Left::Over);
            }
        }
    }

    /// A line of input; `None` at its end.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.output, "{prompt}")?;
        self.output.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()))
    }

    fn follow(&mut self, command: PlayCommand) -> io::Result<()> {
        match command {
            PlayCommand::Move(pit) => self.play(self.game.turn(), pit),
            PlayCommand::Hint => self.hint(),
            PlayCommand::Value => self.value(),
            PlayCommand::Undo => self.undo(),
            PlayCommand::Redo => self.redo(),
            PlayCommand::Flip => {
                self.below = self.below.other();
                self.draw()
            }
            PlayCommand::Moves => {
                let first = self.game.positions().next().map_or(Side::South, |start| start.turn);
                let text = moves_text(first, self.game.moves());
                let shown = if text.is_empty() { "no moves yet" } else { &text };
                self.say(shown)
            }
            PlayCommand::New => {
                self.game = Game::new(self.game.setup());
                self.draw()
            }
            PlayCommand::SetUp(board) => match set_up(self.game.setup(), &board) {
                Ok(game) => {
                    self.game = game;
                    self.draw()
                }
                Err(problem) => self.say(&format!("{problem}.")),
            },
            PlayCommand::Seat(side, who) => {
                self.players.set(side, who);
                self.say(&format!("{} is played by {who}.", name(side)))
            }
            PlayCommand::Save { file, replaces } => {
                let answer = match self.save(&file, replaces) {
                    Ok(()) => format!("The game is in {}.", file.display()),
                    Err(problem) => format!("Not saved: {problem}."),
                };
                self.say(&answer)
            }
            PlayCommand::Load(file) => match load(&file, self.game.setup()) {
                Ok(game) => {
                    self.game = game;
                    self.draw()
                }
                Err(problem) => self.say(&format!("{}: {problem}.", file.display())),
            },
            PlayCommand::Help => self.say(HELP),
            PlayCommand::Quit | PlayCommand::Nothing => Ok(()),
        }
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.game.end().is_some() {
            return self.say("The game is over: there are no moves.");
        }
        self.warn_of_sharing()?;
        let turn = self.game.turn();
        for (pit, value) in self.engines.hints(&self.game) {
            self.say(&format!("  {}  {value}", move_letter(turn, pit)))?;
        }
        Ok(())
    }

    fn value(&mut self) -> io::Result<()> {
        self.warn_of_sharing()?;
        let words = match end_of_game(&self.game) {
            Some(words) => words,
            None => match self.engines.advise(&self.game) {
                Some(choice) => value(self.game.turn(), choice.value),
                None => "There are no moves.".to_owned(),
            },
        };
        self.say(&words)
    }

    /// Takes moves back until a person is to move.
    fn undo(&mut self) -> io::Result<()> {
        let mut undone = 0;
        let played = self.game.moves().len();
        while self.game.undo() {
            undone += 1;
            if self.players.of(self.game.turn()) == PlayerKind::Person {
                return self.draw();
            }
        }
        // A machine moved first: there was no move of a person to take back.
        for _ in 0..undone {
            self.game.redo();
        }
        debug_assert_eq!(self.game.moves().len(), played);
        self.say("There is no move to take back.")
    }

    /// Plays moves again until a person is to move or the game is over.
    fn redo(&mut self) -> io::Result<()> {
        if !self.game.redo() {
            return self.say("There is no move to play again.");
        }
        while self.game.end().is_none()
            && self.players.of(self.game.turn()) != PlayerKind::Person
            && self.game.redo()
        {}
        self.draw()
    }

    fn save(&self, file: &Path, replaces: bool) -> Result<(), String> {
        let seeds = self.game.total_seeds();
        if seeds != MAX_SEEDS {
            return Err(format!(
                "game files hold games of {MAX_SEEDS} seeds, this one has {seeds}"
            ));
        }
        let mut record = Record::of_game(&self.game);
        record.set_tag("South", &self.players.south.to_string());
        record.set_tag("North", &self.players.north.to_string());
        let text = record.to_text(self.game.setup().rules);
        let write = |mut to: File| to.write_all(text.as_bytes()).and_then(|()| to.sync_all());
        let is_special = fs::symlink_metadata(file).is_ok_and(|there| !there.is_file());
        let result = if replaces && is_special {
            // A device, a pipe or a link is written to, not replaced.
            File::create(file).and_then(|mut to| to.write_all(text.as_bytes()))
        } else if replaces {
            // Beside the old file first, so that a full disk leaves the old one.
            let beside = file.with_extension("ogn.tmp");
            let written = File::create(&beside).and_then(write);
            let renamed = written.and_then(|()| fs::rename(&beside, file));
            if renamed.is_err() {
                let _ = fs::remove_file(&beside);
            }
            renamed
        } else {
            File::create_new(file).and_then(write)
        };
        result.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => "the file is there already (save! replaces it)".into(),
            _ => error.to_string(),
        })
    }

    /// Games until one player has collected `target` seeds.
    fn series(&mut self, target: u32) -> io::Result<()> {
        // Half seeds of the players who began as South and as North.
        let mut totals = [0u32; 2];
        let mut first_is_south = true;
        for number in 1.. {
            self.say(&format!("Game {number} of a series to {target} seeds."))?;
            loop {
                if self.game_to_end()? == Left::Quit {
                    return Ok(());
                }
                // Undoing and loading are over once the game counts.
                if self.game.end().is_some() {
                    break;
                }
            }
            let score = self.game.score();
            let sides = if first_is_south {
                [Side::South, Side::North]
            } else {
                [Side::North, Side::South]
            };
            let gained = sides.map(|side| u32::from(score.of(side).get()));
            for (total, gained) in totals.iter_mut().zip(gained) {
                *total += gained;
            }
            let [first, second] = totals.map(|half_seeds| f64::from(half_seeds) / 2.0);
            self.say(&format!("Series: first player {first}, second player {second}."))?;
            if totals.iter().any(|&total| total >= 2 * target) {
                let words = match totals[0].cmp(&totals[1]) {
                    std::cmp::Ordering::Greater => "The first player wins the series.",
                    std::cmp::Ordering::Less => "The second player wins the series.",
                    std::cmp::Ordering::Equal => "The series is drawn.",
                };
                return self.say(words);
            }
            let Some(changes) = self.sides_change(gained, sides)? else { return Ok(()) };
            if changes {
                first_is_south = !first_is_south;
                self.players = Players { south: self.players.north, north: self.players.south };
            }
            self.game = Game::new(self.game.setup());
        }
        Ok(())
    }

    /// Whether the players change sides: who had fewer seeds chooses, a machine South, which moves
    /// first; with as many each they change. `None` when the person leaves.
    fn sides_change(&mut self, gained: [u32; 2], sides: [Side; 2]) -> io::Result<Option<bool>> {
        let chooser = match gained[0].cmp(&gained[1]) {
            std::cmp::Ordering::Less => sides[0],
            std::cmp::Ordering::Greater => sides[1],
            std::cmp::Ordering::Equal => {
                self.say("Both had as many seeds: they change sides.")?;
                return Ok(Some(true));
            }
        };
        if self.players.of(chooser) != PlayerKind::Person {
            return Ok(Some(chooser != Side::South));
        }
        loop {
            let question =
                format!("{} had fewer seeds and chooses: south or north? ", name(chooser));
            let Some(line) = self.ask(&question)? else { return Ok(None) };
            match line.to_lowercase().as_str() {
                "south" | "s" => return Ok(Some(chooser != Side::South)),
                "north" | "n" => return Ok(Some(chooser != Side::North)),
                "quit" => return Ok(None),
                _ => self.say("Type south (moves first) or north.")?,
            }
        }
    }
}

/// The first game of a file.
fn load(file: &Path, setup: GameSetup) -> Result<Game, String> {
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let records =
        read_records(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())?;
    let record = records.first().ok_or("there is no game in it")?;
    record.replay(record.setup(setup)).map_err(|error| error.to_string())
}
