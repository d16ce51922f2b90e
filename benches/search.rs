//! Search: nodes a second from the start and above tables, perfect choice, perft.

use divan::counter::ItemsCount;
use oware::database::Database;
use oware::game::{Game, GameSetup, Repetition, perft};
use oware::rules::{Board, GameString, Rules, Seeds, Side};
use oware::search::{Control, Conversion, Engine, EngineOptions, Limits, PerfectPlayer};
use oware::solve::solve_in_memory;
use std::sync::Arc;

fn main() {
    divan::main();
}

fn game_on(board: &str, rules: Rules) -> Game {
    let setup = GameSetup { rules, repetition: Repetition::Split, plays_on: true };
    let board: Board = board.parse().expect(board);
    let start = GameString { board, south_store: 0, north_store: 0, turn: Side::South };
    Game::from_position(setup, start).expect("at most 48 seeds")
}

/// Nodes that a search to a depth takes; the same every time.
fn nodes(engine: &mut Engine, game: &Game, depth: u32) -> u64 {
    let choice = engine.choose(game, Limits::depth(depth), &Control::new(), &mut |_| {});
    choice.expect("not over").nodes
}

#[divan::bench(sample_count = 5)]
fn from_the_start_12_plies(bencher: divan::Bencher<'_, '_>) {
    let mut engine = Engine::new(None, EngineOptions::default());
    let game = Game::new(GameSetup::new(Rules::Abapa));
    let expected = nodes(&mut engine, &game, 12);
    bencher.counter(ItemsCount::new(expected)).bench_local(|| {
        assert_eq!(nodes(&mut engine, &game, 12), expected);
    });
}

#[divan::bench(sample_count = 5)]
fn above_tables_of_10_seeds_16_plies(bencher: divan::Bencher<'_, '_>) {
    let levels = solve_in_memory(Rules::Awari, Seeds::of(10)).expect("small levels");
    let database = Arc::new(Database::from_levels(Rules::Awari, levels));
    let mut engine = Engine::new(Some(database), EngineOptions::default());
    let game = game_on("1 1 1 1 1 2 4 2 3 0 0 0", Rules::Awari);
    let expected = nodes(&mut engine, &game, 16);
    bencher.counter(ItemsCount::new(expected)).bench_local(|| {
        let choice = engine.choose(&game, Limits::depth(16), &Control::new(), &mut |_| {});
        assert_eq!(choice.expect("not over").nodes, expected);
    });
}

#[divan::bench(sample_count = 5)]
fn perfect_choice_without_distance_tables(bencher: divan::Bencher<'_, '_>) {
    let levels = solve_in_memory(Rules::Awari, Seeds::of(10)).expect("small levels");
    let database = Arc::new(Database::from_levels(Rules::Awari, levels));
    let game = game_on("0 1 2 0 0 1 1 0 0 3 0 2", Rules::Awari);
    let value = database.value(game.board()).expect("held");
    bencher.bench_local(|| {
        // A new player remembers nothing.
        let mut player = PerfectPlayer::new(Arc::clone(&database));
        let best = player.choose(&game, &Control::new()).expect("held").expect("not over");
        assert_eq!(best.value, value);
        assert_ne!(best.conversion, Conversion::Unproved);
    });
}

#[divan::bench(sample_count = 5)]
fn perft_8_from_the_start(bencher: divan::Bencher<'_, '_>) {
    let expected = perft(Rules::Abapa, Board::START, 8);
    assert_eq!(perft(Rules::Abapa, Board::START, 1), 6);
    bencher.counter(ItemsCount::new(expected)).bench_local(|| {
        assert_eq!(perft(Rules::Abapa, divan::black_box(Board::START), 8), expected);
    });
}
