//! An engine that probes tables at the leaves of its search: a small alpha-beta that plays the start
//! position's next moves, exact wherever a line reaches a level that the tables hold.
//!
//! ```sh
//! oware build --seeds 12 --rules abapa
//! cargo run --release --no-default-features --example engine_leaves -- tables
//! ```

use oware::database::Database;
use oware::rules::{Board, Outcome, Pit, Rules, Value};
use std::error::Error;
use std::io::{self, Write};

const PLIES: u32 = 10;
/// A position with 16 seeds: four more than the tables of the example.
const BOARD: &str = "1 0 2 3 0 1 | 2 1 0 3 1 2";

struct Search<'d> {
    database: &'d Database,
    nodes: u64,
    probes: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "tables".to_owned());
    let database = Database::open(&folder, Rules::Abapa)?;
    let board: Board = BOARD.parse()?;
    let mut search = Search { database: &database, nodes: 0, probes: 0 };
    for (pit, outcome) in database.rules().moves(board) {
        let score = search.gain(outcome, PLIES, -48, 48)?;
        writeln!(io::stdout(), "{pit}  {score:+}")?;
    }
    let Search { nodes, probes, .. } = search;
    writeln!(io::stdout(), "{nodes} nodes, {probes} leaves from the tables")?;
    Ok(())
}

impl Search<'_> {
    /// The seeds that the mover gains from here on, within a window.
    fn score(
        &mut self,
        board: Board,
        plies: u32,
        mut alpha: i8,
        beta: i8,
    ) -> Result<i8, Box<dyn Error>> {
        self.nodes += 1;
        if self.database.has_level(board.level()) {
            self.probes += 1;
            return Ok(self.database.value(board)?.get());
        }
        let rules = self.database.rules();
        if let Some(end) = rules.end(board) {
            return Ok(end.value(board.seeds()).get());
        }
        if plies == 0 {
            return Ok(guess(board));
        }
        let mut best = i8::MIN;
        for (_, outcome) in ordered(rules, board) {
            let score = self.gain(outcome, plies - 1, alpha, beta)?;
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The same for one move, the seeds that it captures included.
    fn gain(
        &mut self,
        outcome: Outcome,
        plies: u32,
        alpha: i8,
        beta: i8,
    ) -> Result<i8, Box<dyn Error>> {
        match outcome {
            Outcome::Moved { captured, next } => {
                let captured = captured.cast_signed();
                let child = self.score(next, plies, captured - beta, captured - alpha)?;
                Ok(captured - child)
            }
            Outcome::Ended { captured, left } => Ok(captured.cast_signed() - left.cast_signed()),
            Outcome::Illegal => Ok(Value::EVEN.get()),
        }
    }
}

/// Captures first.
fn ordered(rules: Rules, board: Board) -> Vec<(Pit, Outcome)> {
    let captured = |outcome: &Outcome| match outcome {
        Outcome::Moved { captured, .. } | Outcome::Ended { captured, .. } => *captured,
        Outcome::Illegal => 0,
    };
    let mut moves: Vec<_> = rules.moves(board).collect();
    moves.sort_by_key(|(_, outcome)| std::cmp::Reverse(captured(outcome)));
    moves
}

/// Half of the difference between the rows.
fn guess(board: Board) -> i8 {
    (board.mover().seeds().cast_signed() - board.opponent().seeds().cast_signed()) / 2
}
