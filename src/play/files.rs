//! Game files: a game is loaded from a file of games, and saved among the others.
//!
//! Invariant: what a file held when a game of it was loaded is in every file that the game is saved to:
//! the other games byte for byte, and the comments, variations, tags and annotations of this one.

use crate::game::{Game, GameSetup, Record, RecordReader};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The file that a game was loaded from.
#[derive(Debug)]
pub(super) struct GameFile {
    path: PathBuf,
    /// The game in it that is played; `None` after a new game was begun, which is added at the end.
    game: Option<GameInFile>,
}

#[derive(Debug)]
struct GameInFile {
    /// The place among the texts of the file.
    place: usize,
    bytes: Vec<u8>,
    record: Record,
}

/// A game that was loaded.
pub(super) struct LoadedGame {
    pub(super) game: Game,
    pub(super) file: GameFile,
    /// What there is to say about the file and the game.
    pub(super) notes: Vec<String>,
}

/// Loads a game of a file: the game `wanted`, counted from 1, or else the first that can be played.
pub(super) fn load(
    path: &Path,
    wanted: Option<usize>,
    setup: GameSetup,
) -> Result<LoadedGame, String> {
    let mut loaded = None;
    let mut notes = Vec::new();
    let mut number = 0;
    for (place, text) in texts(path)?.enumerate() {
        let text = text.map_err(|error| error.to_string())?;
        let is_wanted = wanted.map_or(loaded.is_none(), |wanted| wanted == number + 1);
        if !is_wanted {
            number += usize::from(text.holds_a_game());
            continue;
        }
        let Some(parsed) = text.parse().transpose() else { continue };
        number += 1;
        match parsed.map_err(|error| error.to_string()).and_then(|record| replay(record, setup)) {
            Ok((game, record)) => {
                loaded = Some((number, game, GameInFile { place, bytes: text.bytes, record }));
            }
            Err(problem) if wanted.is_some() => return Err(format!("game {number}: {problem}")),
            Err(problem) => notes.push(format!("Game {number} is left out: {problem}.")),
        }
    }
    let Some((at, game, in_file)) = loaded else {
        return Err(match (number, wanted) {
            (0, _) => "there is no game in it".to_owned(),
            (_, Some(wanted)) => format!("there is no game {wanted} in it, but {number}"),
            (_, None) => format!("no game in it can be played. {}", notes.join(" ")),
        });
    };
    notes.truncate(MAX_NOTES);
    if number > 1 {
        notes.push(format!("Game {at} of {number} in the file (game N goes to another)."));
    }
    if let Some((plies, end)) = game.went_on() {
        notes.push(format!(
            "The game went on after move {plies}, where it would be over here ({}).",
            end.name()
        ));
    }
    let file = GameFile { path: path.to_owned(), game: Some(in_file) };
    Ok(LoadedGame { game, file, notes })
}

/// The most games that are named as left out.
const MAX_NOTES: usize = 10;

fn texts(path: &Path) -> Result<RecordReader<BufReader<File>>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    Ok(RecordReader::new(BufReader::with_capacity(1 << 16, file)))
}

fn replay(record: Record, setup: GameSetup) -> Result<(Game, Record), String> {
    let game = record.replay(record.setup(setup)).map_err(|error| error.to_string())?;
    Ok((game, record))
}

impl GameFile {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Notes that another game than that of the file is played from here on.
    pub(super) fn leave_game(&mut self) {
        self.game = None;
    }

    /// The record of the game that is played, if it came from the file.
    pub(super) fn record_of(&self, game: &Game) -> Option<Record> {
        self.game.as_ref().map(|in_file| in_file.record.updated(game))
    }

    /// Writes the file with the text of the game in its place. Returns that place.
    fn copy_with(&self, text: &str, out: &mut dyn Write) -> Result<usize, String> {
        let written = |result: io::Result<()>| result.map_err(|error| error.to_string());
        let mut places = 0;
        let mut replaced = None;
        let mut end = Vec::new();
        for (place, found) in texts(&self.path)?.enumerate() {
            let found = found.map_err(|error| error.to_string())?;
            places += 1;
            written(out.write_all(blank_line_after(&end).as_bytes()))?;
            match &self.game {
                Some(game) if game.place == place => {
                    if found.bytes.trim_ascii_end() != game.bytes.trim_ascii_end() {
                        break;
                    }
                    replaced = Some(place);
                    written(out.write_all(text.as_bytes()))?;
                    end = text.as_bytes().to_vec();
                }
                _ if found.is_too_long => {
                    return Err(format!("the game at line {} is too long to be kept", found.line));
                }
                _ => {
                    written(out.write_all(&found.bytes))?;
                    end = found.bytes;
                }
            }
        }
        match (&self.game, replaced) {
            (Some(_), None) => {
                Err(format!("{} has changed since the game was loaded", self.path.display()))
            }
            (Some(_), Some(place)) => Ok(place),
            (None, _) => {
                written(out.write_all(blank_line_after(&end).as_bytes()))?;
                written(out.write_all(text.as_bytes()))?;
                Ok(places)
            }
        }
    }
}

/// What is missing after a game to separate it from the next.
fn blank_line_after(end: &[u8]) -> &'static str {
    let end: Vec<u8> = end.iter().copied().filter(|&byte| byte != b'\r').collect();
    match &end[..] {
        [] | [.., b'\n', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    }
}

/// The file that a link leads to, which is replaced instead of the link; any other path as it is.
fn target_of(path: &Path) -> PathBuf {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    is_file.then(|| fs::canonicalize(path).ok()).flatten().unwrap_or_else(|| path.to_owned())
}

/// Saves a game: to a file of its own, or with the other games of the file that it was loaded from.
pub(super) fn save(
    record: &Record,
    game: &Game,
    loaded: &mut Option<GameFile>,
    path: &Path,
    replaces: bool,
) -> Result<(), String> {
    let text = record.to_text(game.setup().rules);
    let mut place = 0;
    let mut write = |file: File| {
        let mut out = BufWriter::new(file);
        match loaded {
            Some(loaded) => place = loaded.copy_with(&text, &mut out)?,
            None => out.write_all(text.as_bytes()).map_err(|error| error.to_string())?,
        }
        out.into_inner().map_err(|error| error.error().to_string())
    };
    let target = target_of(path);
    let path = target.as_path();
    let is_special = fs::symlink_metadata(path).is_ok_and(|found| !found.is_file());
    if replaces && is_special {
        // Writes through a device or a pipe instead of replacing it.
        File::create(path).map_err(|error| error.to_string()).and_then(write)?;
        return Ok(());
    }
    if !replaces {
        // Claims the name, so that no file is replaced that appears meanwhile.
        File::create_new(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => "the file is there already (save! replaces it)".into(),
            _ => error.to_string(),
        })?;
    }
    // Writes to a temporary file first, so that the old file survives a full disk.
    let temporary = path.with_extension("ogn.tmp");
    let written = File::create(&temporary)
        .map_err(|error| error.to_string())
        .and_then(&mut write)
        .and_then(|file| {
            let named = file.sync_all().and_then(|()| fs::rename(&temporary, path));
            named.map_err(|error| error.to_string())
        });
    if let Err(problem) = written {
        let _ = fs::remove_file(&temporary);
        if !replaces {
            let _ = fs::remove_file(path);
        }
        return Err(problem);
    }
    if let Some(loaded) = loaded {
        let game = GameInFile { place, bytes: text.into_bytes(), record: record.clone() };
        *loaded = GameFile { path: path.to_owned(), game: Some(game) };
    }
    Ok(())
}
