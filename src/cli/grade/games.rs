//! Recorded games: every move is an answer of its player.

use super::left_out::LeftOut;
use super::outputs::Outputs;
use crate::cli::failure::warn;
use anyhow::Context;
use oware::database::Database;
use oware::grade::{
    AnswerReport, GradeCounts, GradeHeader, GradeReport, RecordedMoves, look_up_games,
};
use oware::search::Aim;
use oware::uci::RunningEngines;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Grades the games of a file.
pub(super) fn grade(
    file: &Path,
    database: &Database,
    aim: Aim,
    outputs: &Outputs,
    engines: &RunningEngines,
) -> anyhow::Result<GradeReport> {
    let cannot = || format!("cannot grade the games of {}", file.display());
    let input = BufReader::with_capacity(1 << 16, File::open(file).with_context(cannot)?);
    let mut counts = GradeCounts::new(aim);
    let mut left_out = LeftOut::new(file, "games");
    let mut notes = GameNotes::default();
    for game in look_up_games(database, input) {
        let game = game.with_context(cannot)?;
        let place = format!("line {}, game {}", game.line, game.number);
        match game.moves {
            Err(error) => left_out.add(&place, error),
            Ok(moves) => {
                notes.add(game.number, &moves);
                for graded in &moves.graded {
                    counts.add(graded);
                    outputs.log(|| AnswerReport::of(graded, aim, "", None, 0))?;
                }
            }
        }
        if engines.have_ended() {
            break;
        }
    }
    notes.report();
    let left_out = left_out.finish(notes.games)?;
    let source = file.display().to_string();
    let header = GradeHeader::new(database.rules(), aim, "recorded games", source)
        .left_out(Some(left_out))
        .stopped(engines.have_ended());
    Ok(counts.report(header))
}

/// What there is to say about games that were graded.
#[derive(Default)]
struct GameNotes {
    games: u64,
    above_tables: usize,
    /// Games that went on after their end, and the first of them.
    went_on: u64,
    first: Option<String>,
}

impl GameNotes {
    fn add(&mut self, number: usize, moves: &RecordedMoves) {
        self.games += 1;
        self.above_tables += moves.above_tables;
        if let Some((plies, end)) = moves.went_on {
            self.went_on += 1;
            let first = || format!("game {number} after move {plies}, {}", end.name());
            self.first.get_or_insert_with(first);
        }
    }

    fn report(&self) {
        if let Some(first) = &self.first {
            let went_on = self.went_on;
            warn(format!(
                "games that went on after a repetition or past half of the seeds, \
                 read to their last move: {went_on} (the first: {first})"
            ));
        }
        if self.above_tables > 0 {
            warn(format!("moves on boards above the tables, left out: {}", self.above_tables));
        }
    }
}
