//! Scans all boards of a level with their values: the histogram of values, and how often the side
//! with more seeds in its own row is ahead.
//!
//! ```sh
//! oware build --seeds 12
//! cargo run --release --no-default-features --example scan_level -- tables 12
//! ```

use oware::database::Database;
use oware::level::Histogram;
use oware::rules::Rules;
use std::error::Error;
use std::io::{self, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "tables".to_owned());
    let database = Database::open(&folder, Rules::Awari)?;
    let largest = database.levels().last().copied().ok_or("there are no tables")?;
    let seeds = arguments.next().map_or(Ok(largest), |text| text.parse())?;

    let level = database.level_values(seeds)?;
    let mut histogram = Histogram::new(seeds);
    let (mut agree, mut decided) = (0u64, 0u64);
    for (board, value) in level.iter() {
        histogram.add(value.get(), 1);
        let lead = i16::from(board.mover().seeds()) - i16::from(board.opponent().seeds());
        if value.get() != 0 && lead != 0 {
            decided += 1;
            agree += u64::from((value.get() > 0) == (lead > 0));
        }
    }
    let mut out = io::stdout().lock();
    for (value, boards) in histogram.iter() {
        writeln!(out, "{value:>+4} {boards:>12}")?;
    }
    let share = 100.0 * agree as f64 / decided.max(1) as f64;
    writeln!(out, "the fuller row is ahead on {share:.1} % of {decided} boards")?;
    Ok(())
}
