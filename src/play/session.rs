//! A session: reads commands, plays games and series of games, and prints.

use super::commands::{HELP, PlayCommand};
use super::drawing::draw;
use super::files::{self, GameFile, LoadedGame};
use super::input::PlayInput;
use super::players::{Engines, PlayerKind, Players};
use super::series::Series;
use super::words::{end_of_game, name, value};
use crate::database::Database;
use crate::game::{Game, GameSetup, Record, Repetition, move_letter, moves_text};
use crate::rules::{
    BoardError, BoardLines, BoardText, MAX_SEEDS, Outcome, Pit, Side, parse_board_text,
};
use crate::search::{Aim, Strength};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The options of a session.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The player who starts as South.
    pub south: PlayerKind,
    /// The player who starts as North.
    pub north: PlayerKind,
    /// The setup of the games.
    pub setup: GameSetup,
    /// A board to start from, in the format of the command `setup`.
    pub board: Option<String>,
    /// What machines maximize.
    pub aim: Aim,
    /// Time per move of a perfect player.
    pub time: Duration,
    /// Seeds that a player needs to win a series of games; `None` for no series.
    pub series: Option<u32>,
    /// The seed of random choices.
    pub seed: u64,
}

/// Plays until the person leaves. Without a person it plays until the game or series is over.
///
/// # Errors
/// When input cannot be read or output cannot be written, and with
/// [`InvalidInput`](io::ErrorKind::InvalidInput) if the board to start from is invalid.
pub fn play(
    input: &mut dyn PlayInput,
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
    let is_attended = players.has_person();
    let mut session = Session {
        input,
        output,
        engines,
        players,
        game,
        below,
        is_attended,
        has_noted_rule: false,
        loaded: None,
    };
    session.greet()?;
    match options.series {
        None => session.games(),
        Some(target) => session.series(target),
    }
}

/// A game from a board as text.
fn set_up(setup: GameSetup, text: &str) -> Result<Game, String> {
    game_from(setup, parse_board_text(text))
}

fn game_from(setup: GameSetup, read: Result<BoardText, BoardError>) -> Result<Game, String> {
    let start = read.map_err(|error| error.to_string())?.position();
    Game::from_position(setup, start).map_err(|error| error.to_string())
}

/// How play of a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// The game is over.
    Over,
    /// The person left, or the input ended.
    Quit,
}

/// What a person did at the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Typed {
    /// The game or its players changed.
    Change,
    /// A new game began.
    New,
    /// An empty line, after the end of a game.
    Nothing,
    /// The person left, or the input ended.
    Quit,
}

struct Session<'a> {
    input: &'a mut dyn PlayInput,
    output: &'a mut dyn Write,
    engines: Engines,
    players: Players,
    game: Game,
    /// The side that is drawn at the bottom.
    below: Side,
    /// Whether a person was there at the beginning, and decides when to leave.
    is_attended: bool,
    /// Whether the note about table values and the repetition rule was printed.
    has_noted_rule: bool,
    /// The file that a game was loaded from.
    loaded: Option<GameFile>,
}

impl Session<'_> {
    /// What is played, by whom, how far the tables reach, and where more is explained.
    fn greet(&mut self) -> io::Result<()> {
        let GameSetup { rules, repetition, .. } = self.game.setup();
        let shared = match repetition {
            Repetition::Split => "both sides share what is left evenly",
            Repetition::OwnSide => "each side takes its own row",
        };
        self.print(&format!("Rules: {rules}; when a position comes back, {shared}."))?;
        let Players { south, north } = self.players;
        self.print(&format!("South: {south}. North: {north}."))?;
        self.print(&match self.engines.reach(rules) {
            Some(seeds) => format!(
                "Tables: exact play and values with up to {seeds} seeds on the board, above that a search."
            ),
            None => "Tables: none, moves and values come from a search.".to_owned(),
        })?;
        if self.is_attended {
            self.print("Type the letter of a pit to sow it, or help for all commands.")?;
        }
        Ok(())
    }

    /// Plays games until the person leaves. Without a person it plays one game.
    fn games(&mut self) -> io::Result<()> {
        if self.game_to_end()? == Exit::Quit || !self.is_attended {
            return Ok(());
        }
        self.games_after_end()
    }

    /// Obeys commands after the end of a game, and plays the games that they start, until the person
    /// leaves.
    fn games_after_end(&mut self) -> io::Result<()> {
        loop {
            // All commands except moves also work after the end.
            match self.person()? {
                Typed::Quit => return Ok(()),
                Typed::Nothing => {}
                Typed::New | Typed::Change => {
                    if self.game_to_end()? == Exit::Quit {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Plays until the game is over or the person leaves.
    fn game_to_end(&mut self) -> io::Result<Exit> {
        self.draw()?;
        while self.game.end().is_none() {
            match self.players.of(self.game.turn()) {
                PlayerKind::Person => {
                    if self.person()? == Typed::Quit {
                        return Ok(Exit::Quit);
                    }
                }
                PlayerKind::Machine(strength) => self.machine(strength)?,
            }
        }
        let words = end_of_game(&self.game).expect("the game is over");
        self.print(&words)?;
        Ok(Exit::Over)
    }

    fn print(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn draw(&mut self) -> io::Result<()> {
        writeln!(self.output)?;
        draw(self.output, &self.game, self.below)?;
        writeln!(self.output)
    }

    /// Plays the move of a machine.
    fn machine(&mut self, strength: Strength) -> io::Result<()> {
        let turn = self.game.turn();
        if strength == Strength::Perfect {
            self.note_repetition_rule()?;
        }
        let choice = self
            .engines
            .choose(strength, &self.game)
            .expect("machines move while the game goes on");
        if let Some(problem) = &choice.problem {
            self.print(&format!("(tables: {problem})"))?;
        }
        self.play(turn, choice.pit)
    }

    /// Prints a note, once, if table values and the game's repetition rule differ.
    fn note_repetition_rule(&mut self) -> io::Result<()> {
        let differs = self.game.setup().repetition == Repetition::OwnSide;
        if !differs || self.has_noted_rule || !self.engines.holds_board(&self.game) {
            return Ok(());
        }
        self.has_noted_rule = true;
        self.print(
            "(Table values share endless play evenly; in this game each side takes its own row.)",
        )
    }

    /// Plays and prints a move, or prints why it is illegal.
    fn play(&mut self, turn: Side, pit: Pit) -> io::Result<()> {
        match self.game.play(pit) {
            Ok(outcome) => {
                let captured = match outcome {
                    Outcome::Moved { captured, .. } | Outcome::Ended { captured, .. } => captured,
                    Outcome::Illegal => unreachable!("a game plays legal moves only"),
                };
                let captures = match captured {
                    0 => String::new(),
                    1 => " and captures 1 seed".to_owned(),
                    more => format!(" and captures {more} seeds"),
                };
                let letter = move_letter(turn, pit);
                self.print(&format!("{} plays {letter}{captures}.", name(turn)))?;
                self.draw()
            }
            Err(error) => self.print(&format!("{error}.")),
        }
    }

    /// Reads and executes commands until one changes the game or its players, the person leaves, or
    /// an empty line goes on after the end of a game.
    fn person(&mut self) -> io::Result<Typed> {
        loop {
            let prompt = match self.game.end() {
                None => name(self.game.turn()),
                Some(_) => "over",
            };
            let Some(line) = self.input.line(&format!("{prompt}> "), self.output)? else {
                return Ok(Typed::Quit);
            };
            let command = match PlayCommand::parse(&line) {
                Ok(PlayCommand::Quit) => return Ok(Typed::Quit),
                Ok(PlayCommand::Empty) if self.game.end().is_some() => return Ok(Typed::Nothing),
                Ok(command) => command,
                Err(problem) => {
                    self.print(&format!("{problem}."))?;
                    continue;
                }
            };
            let is_new = command == PlayCommand::New;
            let before = (self.game.clone(), self.players.south, self.players.north);
            self.execute(command)?;
            if is_new {
                return Ok(Typed::New);
            }
            if before != (self.game.clone(), self.players.south, self.players.north) {
                return Ok(Typed::Change);
            }
        }
    }

    fn execute(&mut self, command: PlayCommand) -> io::Result<()> {
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
                let text = moves_text(self.game.start().turn, self.game.moves());
                let shown = if text.is_empty() { "no moves yet" } else { &text };
                self.print(shown)
            }
            PlayCommand::New => self.start(Game::new(self.game.setup())),
            PlayCommand::SetUp(board) => self.set_up(&board),
            PlayCommand::SetPlayer(side, player) => {
                self.players.set(side, player);
                self.print(&format!("{} is played by {player}.", name(side)))
            }
            PlayCommand::Save { file, replaces } => {
                let message = match self.save(&file, replaces) {
                    Ok(()) => format!("The game is in {}.", file.display()),
                    Err(problem) => format!("Not saved: {problem}."),
                };
                self.print(&message)
            }
            PlayCommand::Load(file) => self.load(&file, None),
            PlayCommand::GoToGame(number) => {
                match self.loaded.as_ref().map(|loaded| loaded.path().to_owned()) {
                    Some(file) => self.load(&file, Some(number)),
                    None => self.print("There is no file of games: load FILE opens one."),
                }
            }
            PlayCommand::Help => self.print(HELP),
            PlayCommand::Quit | PlayCommand::Empty => Ok(()),
        }
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.game.end().is_some() {
            return self.print("The game is over: there are no moves.");
        }
        self.note_repetition_rule()?;
        let turn = self.game.turn();
        for (pit, value) in self.engines.hints(&self.game) {
            self.print(&format!("  {}  {value}", move_letter(turn, pit)))?;
        }
        Ok(())
    }

    fn value(&mut self) -> io::Result<()> {
        self.note_repetition_rule()?;
        let words = match end_of_game(&self.game) {
            Some(words) => words,
            None => match self.engines.analyze(&self.game) {
                Some(choice) => value(self.game.turn(), choice.value),
                None => "There are no moves.".to_owned(),
            },
        };
        self.print(&words)
    }

    /// Undoes moves until a person is to move.
    fn undo(&mut self) -> io::Result<()> {
        let mut undone = 0;
        let played = self.game.moves().len();
        while self.game.undo() {
            undone += 1;
            if self.players.of(self.game.turn()) == PlayerKind::Person {
                return self.draw();
            }
        }
        // None of these moves is a person's.
        for _ in 0..undone {
            self.game.redo();
        }
        debug_assert_eq!(self.game.moves().len(), played);
        self.print("There is no move to take back.")
    }

    /// Redoes moves until a person is to move or the game is over.
    fn redo(&mut self) -> io::Result<()> {
        if !self.game.redo() {
            return self.print("There is no move to play again.");
        }
        while self.game.end().is_none()
            && self.players.of(self.game.turn()) != PlayerKind::Person
            && self.game.redo()
        {}
        self.draw()
    }

    /// Starts a game that is not from a file, and draws it.
    fn start(&mut self, game: Game) -> io::Result<()> {
        self.replace_game(game);
        self.draw()
    }

    fn replace_game(&mut self, game: Game) {
        self.game = game;
        if let Some(loaded) = &mut self.loaded {
            loaded.leave_game();
        }
    }

    /// Sets a board up, which may take further lines if it is drawn.
    fn set_up(&mut self, first_line: &str) -> io::Result<()> {
        let mut lines = BoardLines::default();
        let mut found = lines.push(first_line).next();
        while found.is_none() {
            let Some(line) = self.input.line("board> ", self.output)? else {
                return self.print("setup needs a board after it, or in the next lines.");
            };
            found = lines.push(&line).next();
        }
        let read = found.map_or(Err(BoardError::WrongCount { found: 0 }), |(_, read)| read);
        match game_from(self.game.setup(), read) {
            Ok(game) => self.start(game),
            Err(problem) => self.print(&format!("{problem}.")),
        }
    }

    fn load(&mut self, file: &Path, wanted: Option<usize>) -> io::Result<()> {
        match files::load(file, wanted, self.game.setup()) {
            Ok(LoadedGame { game, file, notes }) => {
                self.game = game;
                self.loaded = Some(file);
                notes.iter().try_for_each(|note| self.print(note))?;
                self.draw()
            }
            Err(problem) => self.print(&format!("{}: {problem}.", file.display())),
        }
    }

    fn save(&mut self, file: &Path, replaces: bool) -> Result<(), String> {
        let seeds = self.game.total_seeds();
        if seeds != MAX_SEEDS {
            return Err(format!(
                "game files hold games of {MAX_SEEDS} seeds, this one has {seeds}"
            ));
        }
        let loaded = self.loaded.as_ref().and_then(|loaded| loaded.record_of(&self.game));
        let mut record = loaded.unwrap_or_else(|| Record::of_game(&self.game));
        for (name, player) in [("South", self.players.south), ("North", self.players.north)] {
            if record.tag(name).is_none() {
                record.set_tag(name, &player.to_string());
            }
        }
        files::save(&record, &self.game, &mut self.loaded, file, replaces)
    }

    /// Plays games until a player has collected `target` seeds, then games as without a series.
    fn series(&mut self, target: u32) -> io::Result<()> {
        let mut series = Series::new(target);
        loop {
            self.print(&series.beginning(self.players))?;
            let Some(after) = self.game_of_series(series)? else { return Ok(()) };
            if after.is_over() {
                return if self.is_attended { self.games_after_end() } else { Ok(()) };
            }
            let Some(changes) = self.sides_change(series.loser(&self.game))? else {
                return Ok(());
            };
            series = after;
            series.next(changes);
            if changes {
                self.players = Players { south: self.players.north, north: self.players.south };
            }
            self.replace_game(Game::new(self.game.setup()));
        }
    }

    /// Plays a game of a series to its end, again if the person takes moves back or sets another up,
    /// and gives the series with its seeds; `None` if the person leaves.
    fn game_of_series(&mut self, series: Series) -> io::Result<Option<Series>> {
        loop {
            if self.game_to_end()? == Exit::Quit {
                return Ok(None);
            }
            let after = series.with(&self.game);
            self.print(&after.standing(self.players))?;
            if !self.is_attended {
                return Ok(Some(after));
            }
            if after.is_over() {
                self.print("new starts a game without a series, quit leaves.")?;
            } else {
                self.print("Enter goes on to the next game; the other commands work too.")?;
            }
            match self.person()? {
                Typed::Quit => return Ok(None),
                Typed::Nothing | Typed::New => return Ok(Some(after)),
                Typed::Change => {}
            }
        }
    }

    /// Whether the players change sides; `None` if the person leaves.
    ///
    /// The player with fewer seeds chooses a side. A machine chooses South, which moves first. After
    /// a draw the players change sides.
    fn sides_change(&mut self, loser: Option<Side>) -> io::Result<Option<bool>> {
        let Some(chooser) = loser else {
            self.print("Both players have as many seeds, so they change sides.")?;
            return Ok(Some(true));
        };
        if self.players.of(chooser) != PlayerKind::Person {
            return Ok(Some(chooser != Side::South));
        }
        loop {
            let question =
                format!("{} had fewer seeds and chooses: south or north? ", name(chooser));
            let Some(line) = self.input.line(&question, self.output)? else { return Ok(None) };
            match line.trim().to_lowercase().as_str() {
                "south" | "s" => return Ok(Some(chooser != Side::South)),
                "north" | "n" => return Ok(Some(chooser != Side::North)),
                "quit" | "exit" => return Ok(None),
                _ => self.print("Type south (moves first), north, or quit.")?,
            }
        }
    }
}
