//! Search: proofs agree with the tables, the answer does not depend on luck, looking further
//! plays better.

use oware::database::Database;
use oware::game::{Game, GameSetup, Repetition};
use oware::index::LevelIndex;
use oware::rules::{Board, GameString, Rules, Seeds, Side};
use oware::search::{
    Aim, Certainty, Choice, ChoiceSource, Control, Engine, EngineOptions, Evaluation, Limits,
};
use oware::solve::solve_in_memory;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::sync::Arc;

const SMALL_HASH: usize = 1 << 20;

fn database(rules: Rules, most: u8) -> Database {
    Database::from_levels(rules, solve_in_memory(rules, Seeds::of(most)).expect("few levels"))
}

fn engine(database: Option<Database>, evaluation: Evaluation) -> Engine {
    let options = EngineOptions::new().evaluation(evaluation).hash_bytes(SMALL_HASH);
    Engine::new(database.map(Arc::new), options)
}

fn random_board(seeds: u8, random: &mut impl Rng) -> Board {
    let level = LevelIndex::new(Seeds::of(seeds));
    level.board(random.random_range(0..level.boards())).expect("below the count")
}

fn game_on(board: Board, rules: Rules) -> Game {
    let setup = GameSetup { rules, repetition: Repetition::Split, plays_on: true };
    let start = GameString { board, south_store: 0, north_store: 0, turn: Side::South };
    Game::from_position(setup, start).expect("few seeds")
}

fn choose(engine: &mut Engine, game: &Game, limits: Limits) -> Choice {
    engine.choose(game, limits, &Control::new(), &mut |_| {}).expect("not over")
}

#[test]
fn whatever_a_search_proves_is_so() {
    for rules in Rules::ALL {
        let truth = database(rules, 8);
        let mut random = Pcg64::seed_from_u64(u64::from(rules.code()));
        let mut proved = 0;
        for above in [None, Some(6)] {
            let mut engine = engine(above.map(|most| database(rules, most)), Evaluation::Fitted);
            for _ in 0..300 {
                let game = game_on(random_board(8, &mut random), rules);
                if game.end().is_some() {
                    continue;
                }
                let found = choose(&mut engine, &game, Limits::depth(9)).value;
                let value = 100 * i32::from(truth.value(game.board()).expect("held").get());
                let is_so = match found.certainty {
                    Certainty::Exact => value == found.hundredths,
                    Certainty::AtLeast => value >= found.hundredths,
                    Certainty::AtMost => value <= found.hundredths,
                    Certainty::Estimate => true,
                };
                assert!(is_so, "{rules} {}: {found:?}, truth {value}", game.board());
                proved += u32::from(found.certainty != Certainty::Estimate);
            }
        }
        assert!(proved > 20, "{rules}: of 600 values only {proved} are exact or bounds");
    }
}

#[test]
fn the_answer_at_a_depth_does_not_depend_on_what_was_searched_before() {
    let mut random = Pcg64::seed_from_u64(3);
    let mut used = engine(None, Evaluation::Fitted);
    for _ in 0..20 {
        let game = game_on(random_board(20, &mut random), Rules::Awari);
        if game.end().is_some() {
            continue;
        }
        let fresh = choose(&mut engine(None, Evaluation::Fitted), &game, Limits::depth(8));
        assert_eq!(choose(&mut used, &game, Limits::depth(8)), fresh);
    }
}

/// Mean seeds that an engine's moves lose on boards of a level.
fn mean_loss(engine: &mut Engine, truth: &Database, seeds: u8, depth: u32) -> f64 {
    let mut random = Pcg64::seed_from_u64(4);
    let (mut lost, mut boards) = (0, 0);
    while boards < 400 {
        let game = game_on(random_board(seeds, &mut random), Rules::Awari);
        let moves = truth.moves(game.board()).expect("held");
        if moves.iter().all(|found| found.value == moves[0].value) {
            continue;
        }
        let pit = choose(engine, &game, Limits::depth(depth)).pit;
        let played = moves.iter().find(|found| found.pit == pit).expect("legal");
        lost += i32::from(moves[0].value.get()) - i32::from(played.value.get());
        boards += 1;
    }
    f64::from(lost) / f64::from(boards)
}

#[test]
fn the_fitted_evaluation_beats_counting_seeds_and_looking_further_beats_both() {
    let truth = database(Rules::Awari, 11);
    let mut fitted = engine(None, Evaluation::Fitted);
    let mut counting = engine(None, Evaluation::SeedCount);
    let mut losses = Vec::new();
    for depth in [1, 2, 4, 7] {
        let by_fit = mean_loss(&mut fitted, &truth, 11, depth);
        let by_count = mean_loss(&mut counting, &truth, 11, depth);
        assert!(by_fit < by_count, "depth {depth}: {by_fit} and {by_count} seeds a move");
        losses.push(by_fit);
    }
    assert!(losses[3] < 0.8 * losses[0], "seeds a move by depth: {losses:?}");
}

#[test]
fn with_the_board_in_the_database_the_choice_is_exact_and_without_it_the_search_probes() {
    let mut random = Pcg64::seed_from_u64(9);
    let truth = database(Rules::Abapa, 8);
    let mut engine = engine(Some(database(Rules::Abapa, 7)), Evaluation::Fitted);
    for _ in 0..200 {
        for seeds in [7, 8] {
            let game = game_on(random_board(seeds, &mut random), Rules::Abapa);
            if game.end().is_some() {
                continue;
            }
            let choice = choose(&mut engine, &game, Limits::depth(4));
            if seeds == 7 {
                assert!(matches!(choice.source, ChoiceSource::Database(_)));
                let best = truth.moves(game.board()).expect("held");
                let played = best.iter().find(|found| found.pit == choice.pit).expect("legal");
                assert_eq!(played.value, best[0].value, "{}", game.board());
            } else {
                assert_eq!(choice.source, ChoiceSource::Search);
            }
        }
    }
}

#[test]
fn a_stopped_search_still_answers() {
    let game = Game::new(GameSetup::new(Rules::Abapa));
    let control = Control::new();
    control.stop();
    let mut engine = engine(None, Evaluation::Fitted);
    let choice = engine.choose(&game, Limits::default(), &control, &mut |_| {}).expect("a move");
    assert!(game.legal_moves().iter().any(|(pit, _)| *pit == choice.pit));
}

#[test]
fn who_wants_the_result_takes_a_sure_win_over_more_seeds() {
    // With exact values to choose from the two aims agree; the search must not lose that.
    let truth = database(Rules::Awari, 7);
    let mut random = Pcg64::seed_from_u64(10);
    let options = EngineOptions::new().aim(Aim::Result).hash_bytes(SMALL_HASH);
    let mut engine = Engine::new(Some(Arc::new(database(Rules::Awari, 6))), options);
    let mut compared = 0;
    for _ in 0..300 {
        let game = game_on(random_board(7, &mut random), Rules::Awari);
        if game.end().is_some() {
            continue;
        }
        let choice = choose(&mut engine, &game, Limits::depth(12));
        if choice.value.certainty == Certainty::Exact {
            let value = truth.value(game.board()).expect("held").get();
            assert_eq!(choice.value.hundredths, 100 * i32::from(value), "{}", game.board());
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared} proved");
}
