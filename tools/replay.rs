//! Replays games for other programs to compare with: reads one game a line, writes one line back.
//!
//! A line is a rule set, a 15-field game string and the moves, joined: `abapa 4-4-…-0-0-S FfCb`.
//! The answer holds every position of the game as `game-string:legal-moves` (none once the game is
//! over), then why it ended (`on` when it goes on) and the score: `… end=repetition 23-25`. A line
//! that cannot be played is answered by `error …`.

use oware::game::{Game, GameSetup, move_letter};
use std::error::Error;
use std::io::{self, BufRead, Write};

fn replay(line: &str) -> Result<String, Box<dyn Error>> {
    let mut words = line.split_whitespace();
    let rules = words.next().ok_or("no rule set")?.parse()?;
    let start = words.next().ok_or("no game string")?.parse()?;
    let moves = words.next().unwrap_or_default();
    let mut game = Game::from_position(GameSetup::new(rules), start)?;
    let mut answer = position(&game);
    for letter in moves.chars() {
        game.play_text(letter.encode_utf8(&mut [0; 4]))?;
        answer.push_str(&position(&game));
    }
    let end = game.end().map_or("on", |end| end.name());
    Ok(format!("{answer}end={end} {}", game.score()))
}

fn position(game: &Game) -> String {
    let side = game.turn();
    let legal: String = game.legal_moves().iter().map(|(pit, _)| move_letter(side, *pit)).collect();
    format!("{}:{legal} ", game.position())
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match replay(&line?) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(error) => writeln!(out, "error {error}")?,
        }
        out.flush()?;
    }
    Ok(())
}
