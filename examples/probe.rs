//! Probes a million random boards, one by one, in one batch and from an array, and prints the rates.
//!
//! ```sh
//! oware build --seeds 12
//! cargo run --release --no-default-features --example probe -- tables
//! ```

use oware::database::Database;
use oware::index::LevelIndex;
use oware::rules::{Board, Rules, Seeds};
use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

const BOARDS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "tables".to_owned());
    let database = Database::open(&folder, Rules::Awari)?;
    let levels = database.levels();
    let boards = spread_boards(levels.last().copied().ok_or("there are no tables")?);

    let start = Instant::now();
    let mut sum = 0;
    for &board in &boards {
        sum += i64::from(database.value(board)?.get());
    }
    let one_by_one = boards.len() as f64 / start.elapsed().as_secs_f64();

    let start = Instant::now();
    let mut batch_sum = 0;
    for value in database.values(&boards) {
        batch_sum += i64::from(value?.get());
    }
    let batch = boards.len() as f64 / start.elapsed().as_secs_f64();

    let pits: Vec<[u8; 12]> = boards.iter().map(|board| board.pits()).collect();
    let mut values = vec![0; pits.len()];
    let start = Instant::now();
    database.values_into(&pits, &mut values)?;
    let into = boards.len() as f64 / start.elapsed().as_secs_f64();
    let into_sum: i64 = values.into_iter().map(i64::from).sum();

    if sum != batch_sum || sum != into_sum {
        return Err("all ways must give the same values".into());
    }
    let mean = sum as f64 / boards.len() as f64;
    writeln!(io::stdout(), "one by one  {one_by_one:>10.0} boards/s")?;
    writeln!(io::stdout(), "batch       {batch:>10.0} boards/s")?;
    writeln!(io::stdout(), "from arrays {into:>10.0} boards/s")?;
    writeln!(io::stdout(), "mean value  {mean:>10.3}")?;
    Ok(())
}

/// Boards of a level, evenly spread by a multiplicative step so that no two neighbours share a
/// block.
fn spread_boards(seeds: Seeds) -> Vec<Board> {
    let level = LevelIndex::new(seeds);
    let indices =
        (0..BOARDS as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) % level.boards());
    indices.filter_map(|index| level.board(index)).collect()
}
