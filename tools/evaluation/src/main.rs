//! Fits the evaluation's coefficients to exact values, and measures what they are worth.
//!
//! ```text
//! oware-evaluation fit      > src/search/coefficients.rs     least squares on boards of levels 6–14
//! oware-evaluation measure                                   loss a move, and games against counting
//! ```
//!
//! Boards are drawn evenly from a level, then a few random moves are played, so that they look like
//! boards of games. The fit is ridge regression; seeds (rules `awari`) and samples are fixed, so the
//! same coefficients come out every time.

use oware::database::Database;
use oware::game::{Game, GameSetup};
use oware::index::LevelIndex;
use oware::rules::{Board, GameString, Outcome, Rules, Seeds, Side};
use oware::search::{Control, Engine, EngineOptions, Evaluation, FEATURES, Limits, features};
use oware::solve::solve_in_memory;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::io::{self, Write};

const RULES: Rules = Rules::Awari;
const LEAST_SEEDS: u8 = 6;
const MOST_SEEDS: u8 = 14;
const SAMPLES: usize = 1_500_000;
/// Added to the diagonal: pulls coefficients that few boards speak of to 0.
const RIDGE: f64 = 200.0;
/// Classes of a pit's seeds; the last two share a coefficient, no board here reaching the last.
const CLASSES: usize = 12;

fn main() -> io::Result<()> {
    let levels = solve_in_memory(RULES, Seeds::of(MOST_SEEDS))?;
    let database = Database::from_levels(RULES, levels);
    let mut output = io::stdout().lock();
    match std::env::args().nth(1).as_deref() {
        Some("fit") => write_coefficients(&mut output, &fit(&database)),
        Some("measure") => measure(&mut output, &database),
        _ => Err(io::Error::other("say fit or measure")),
    }
}

/// A board drawn evenly from a level, then up to seven random moves on.
fn sample(random: &mut impl Rng) -> Board {
    loop {
        let level = LevelIndex::new(Seeds::of(random.random_range(LEAST_SEEDS..=MOST_SEEDS)));
        let Some(mut board) = level.board(random.random_range(0..level.boards())) else { continue };
        let mut is_over = false;
        for _ in 0..random.random_range(0..8) {
            let moves: Vec<_> = RULES.moves(board).collect();
            match moves.get(random.random_range(0..moves.len().max(1))) {
                Some((_, Outcome::Moved { next, .. })) => board = *next,
                _ => is_over = true,
            }
        }
        if !is_over && RULES.end(board).is_none() {
            return board;
        }
    }
}

/// Coefficients in hundredths of a seed, by ridge regression.
fn fit(database: &Database) -> Vec<f64> {
    let mut random = Pcg64::seed_from_u64(1);
    let mut products = vec![[0.0; FEATURES]; FEATURES];
    let mut targets = [0.0; FEATURES];
    let mut squares = 0.0;
    for _ in 0..SAMPLES {
        let board = sample(&mut random);
        let Ok(value) = database.value(board) else { continue };
        let value = f64::from(value.get()) * 100.0;
        let amounts = features(RULES, board);
        let used: Vec<(usize, f64)> = amounts
            .iter()
            .enumerate()
            .filter(|(_, amount)| **amount != 0)
            .map(|(feature, amount)| (feature, f64::from(*amount)))
            .collect();
        for &(one, amount) in &used {
            targets[one] += amount * value;
            for &(other, by) in &used {
                products[one][other] += amount * by;
            }
        }
        squares += value * value;
    }
    for (feature, row) in products.iter_mut().enumerate() {
        row[feature] += RIDGE;
    }
    let mut found = solve(products.clone(), targets);
    let explained: f64 = found.iter().zip(&targets).map(|(one, two)| one * two).sum();
    eprintln!("explains {:.3} of the squared values", explained / squares);
    for pit in 0..12 {
        found[pit * CLASSES + CLASSES - 1] = found[pit * CLASSES + CLASSES - 2];
    }
    found
}

/// Solves a symmetric positive system by elimination.
fn solve(mut rows: Vec<[f64; FEATURES]>, mut right: [f64; FEATURES]) -> Vec<f64> {
    for pivot in 0..FEATURES {
        let pivot_row = rows[pivot];
        for below in pivot + 1..FEATURES {
            let factor = rows[below][pivot] / pivot_row[pivot];
            if factor != 0.0 {
                for (entry, by) in rows[below].iter_mut().zip(&pivot_row).skip(pivot) {
                    *entry -= factor * by;
                }
                right[below] -= factor * right[pivot];
            }
        }
    }
    let mut found = vec![0.0; FEATURES];
    for at in (0..FEATURES).rev() {
        let known: f64 = (at + 1..FEATURES).map(|later| rows[at][later] * found[later]).sum();
        found[at] = (right[at] - known) / rows[at][at];
    }
    found
}

fn write_coefficients(output: &mut impl Write, found: &[f64]) -> io::Result<()> {
    writeln!(
        output,
        "//! Coefficients of the evaluation, fitted to exact values of boards with {LEAST_SEEDS} to {MOST_SEEDS} seeds"
    )?;
    writeln!(output, "//! (`{RULES}`) by `cargo run --release -p oware-evaluation -- fit`.")?;
    writeln!(output)?;
    writeln!(output, "/// Hundredths of a seed per unit of each feature.")?;
    writeln!(output, "#[rustfmt::skip]")?;
    writeln!(output, "pub(super) const COEFFICIENTS: [i16; {FEATURES}] = [")?;
    for line in found.chunks(CLASSES) {
        let numbers: Vec<String> =
            line.iter().map(|number| format!("{:.0},", number.round() + 0.0)).collect();
        writeln!(output, "    {}", numbers.join(" "))?;
    }
    writeln!(output, "];")
}

fn engine(evaluation: Evaluation) -> Engine {
    let options = EngineOptions::new().evaluation(evaluation).hash_bytes(4 << 20);
    Engine::new(None, options)
}

/// Prints the loss a move by depth, and a match between the two evaluations.
fn measure(output: &mut impl Write, database: &Database) -> io::Result<()> {
    writeln!(output, "mean seeds lost a move, boards of {MOST_SEEDS} seeds whose moves differ")?;
    writeln!(output, "depth  fitted  counting")?;
    for depth in [1, 2, 4, 6, 8] {
        let [fitted, counting] = [Evaluation::Fitted, Evaluation::SeedCount]
            .map(|evaluation| mean_loss(&mut engine(evaluation), database, depth));
        writeln!(output, "{depth:>5}  {fitted:.4}  {counting:.4}")?;
    }
    let mut fitted = engine(Evaluation::Fitted);
    let started = std::time::Instant::now();
    let game = Game::new(GameSetup::new(RULES));
    let choice = fitted.choose(&game, Limits::depth(15), &Control::new(), &mut |_| {});
    if let Some(choice) = choice {
        let rate = choice.nodes as f64 / started.elapsed().as_secs_f64() / 1e6;
        writeln!(
            output,
            "15 plies from the start: {} nodes, {rate:.2} million a second",
            choice.nodes
        )?;
    }
    for depth in [4, 8] {
        let (won, drawn, lost) = games(depth);
        writeln!(
            output,
            "fitted against counting at depth {depth}, from the start: {won} won, {drawn} drawn, {lost} lost"
        )?;
    }
    Ok(())
}

fn mean_loss(engine: &mut Engine, database: &Database, depth: u32) -> f64 {
    let mut random = Pcg64::seed_from_u64(2);
    let setup = GameSetup { plays_on: true, ..GameSetup::new(RULES) };
    let (mut lost, mut boards) = (0, 0);
    while boards < 2000 {
        let board = sample(&mut random);
        let Ok(moves) = database.moves(board) else { continue };
        if board.seeds() != MOST_SEEDS || moves.iter().all(|found| found.value == moves[0].value) {
            continue;
        }
        let start = GameString { board, south_store: 0, north_store: 0, turn: Side::South };
        let Ok(game) = Game::from_position(setup, start) else { continue };
        let choice = engine.choose(&game, Limits::depth(depth), &Control::new(), &mut |_| {});
        let played = moves.iter().find(|found| choice.as_ref().is_some_and(|c| c.pit == found.pit));
        if let Some(played) = played {
            lost += i32::from(moves[0].value.get()) - i32::from(played.value.get());
            boards += 1;
        }
    }
    f64::from(lost) / f64::from(boards)
}

/// Games from all openings of three moves, both sides each: won, drawn and lost by the fitted one.
fn games(depth: u32) -> (u32, u32, u32) {
    let setup = GameSetup::new(RULES);
    let mut engines = [engine(Evaluation::Fitted), engine(Evaluation::SeedCount)];
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for opening in 0..216 {
        let mut start = Game::new(setup);
        let is_legal = [opening / 36, opening / 6 % 6, opening % 6]
            .into_iter()
            .all(|place| oware::rules::Pit::new(place).is_some_and(|pit| start.play(pit).is_ok()));
        if !is_legal || opening % 3 != 0 {
            continue;
        }
        for fitted_side in [Side::South, Side::North] {
            let mut game = start.clone();
            while game.end().is_none() {
                let player = usize::from(game.turn() != fitted_side);
                let choice = engines[player].choose(
                    &game,
                    Limits::depth(depth),
                    &Control::new(),
                    &mut |_| {},
                );
                if choice.is_none_or(|choice| game.play(choice.pit).is_err()) {
                    break;
                }
            }
            match game.score().winner() {
                None => drawn += 1,
                Some(side) if side == fitted_side => won += 1,
                Some(_) => lost += 1,
            }
        }
    }
    (won, drawn, lost)
}
