//! Perfect play: two perfect players get exactly what the tables say, from any board.

use oware::build::{BuildOptions, build};
use oware::database::Database;
use oware::game::{Game, GameEnd, GameSetup, Repetition};
use oware::progress::NoProgress;
use oware::rules::{Board, GameString, Rules, Seeds, Side, Value};
use oware::search::{Control, Conversion, PerfectMove, PerfectPlayer};
use oware::solve::solve_in_memory;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::sync::Arc;

const MOST_SEEDS: u8 = 7;
const BOARDS_A_LEVEL: u32 = 2000;

fn player(rules: Rules) -> PerfectPlayer {
    let levels = solve_in_memory(rules, Seeds::of(MOST_SEEDS)).expect("few levels");
    PerfectPlayer::new(Arc::new(Database::from_levels(rules, levels)))
}

fn random_board(seeds: u8, random: &mut impl Rng) -> Board {
    // Bars between seeds: every board is as likely as any other.
    let mut places: Vec<u8> = (0..seeds + 11).collect();
    let mut bars = Vec::new();
    for _ in 0..11 {
        bars.push(places.swap_remove(random.random_range(0..places.len())));
    }
    bars.sort_unstable();
    let mut pits = [0; 12];
    let mut before = 0;
    for (pit, bar) in pits.iter_mut().zip(bars.iter().copied().chain([seeds + 11])) {
        *pit = bar - before;
        before = bar + 1;
    }
    Board::new(pits).expect("few seeds")
}

fn game_on(board: Board, rules: Rules) -> Game {
    let setup = GameSetup { rules, repetition: Repetition::Split, plays_on: true };
    let start = GameString { board, south_store: 0, north_store: 0, turn: Side::South };
    Game::from_position(setup, start).expect("few seeds")
}

fn choose(player: &mut PerfectPlayer, game: &Game) -> PerfectMove {
    player.choose(game, &Control::new()).expect("all levels").expect("not over")
}

#[test]
fn two_perfect_players_realise_the_value_of_every_board_they_are_given() {
    for rules in Rules::ALL {
        let mut player = player(rules);
        let mut random = Pcg64::seed_from_u64(u64::from(rules.code()));
        for seeds in 0..=MOST_SEEDS {
            for _ in 0..BOARDS_A_LEVEL {
                let board = random_board(seeds, &mut random);
                let mut game = game_on(board, rules);
                while game.end().is_none() {
                    let best = choose(&mut player, &game);
                    assert_ne!(best.conversion, Conversion::Unproved, "{rules} {board}");
                    game.play(best.pit).expect("legal");
                }
                let score = game.score();
                let margin = i32::from(score.south.get()) - i32::from(score.north.get());
                let value = player.database().value(board).expect("held").get();
                assert_eq!(margin, 2 * i32::from(value), "{rules} {board}: {:?}", game.moves());
            }
        }
    }
}

#[test]
fn distance_tables_are_followed_to_the_value() {
    for rules in [Rules::Awari, Rules::Abapa, Rules::OpponentTakesRest, Rules::TwoLap] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut options = BuildOptions::new(rules, Seeds::of(MOST_SEEDS), folder.path());
        options.distances = true;
        build(&options, &NoProgress).expect("small tables");
        let database = Database::open(folder.path(), rules).expect("whole tables");
        assert!(database.has_distances(Seeds::of(MOST_SEEDS)));
        let mut player = PerfectPlayer::new(Arc::new(database));
        let mut random = Pcg64::seed_from_u64(12);
        for _ in 0..500 {
            let board = random_board(MOST_SEEDS, &mut random);
            let value = player.database().value(board).expect("held");
            let mut game = game_on(board, rules);
            let mut promised = None;
            while game.end().is_none() {
                if game.board().seeds() == MOST_SEEDS && value > Value::EVEN {
                    let distance = player.database().distance(game.board()).expect("held");
                    let plies = distance.expect("somebody wins");
                    assert!(promised.is_none_or(|before| plies < before), "{rules} {board}");
                    promised = Some(plies);
                }
                let best = choose(&mut player, &game);
                game.play(best.pit).expect("legal");
            }
            let score = game.score();
            let margin = i32::from(score.south.get()) - i32::from(score.north.get());
            assert_eq!(margin, 2 * i32::from(value.get()), "{rules} {board}: {:?}", game.moves());
        }
    }
}

#[test]
fn a_perfect_player_gets_at_least_the_value_from_a_careless_one() {
    for rules in Rules::ALL {
        let mut player = player(rules);
        let mut random = Pcg64::seed_from_u64(7);
        for _ in 0..500 {
            let board = random_board(MOST_SEEDS, &mut random);
            let mut game = game_on(board, rules);
            while game.end().is_none() {
                let pit = if game.turn() == Side::South {
                    choose(&mut player, &game).pit
                } else {
                    let moves = game.legal_moves();
                    moves[random.random_range(0..moves.len())].0
                };
                game.play(pit).expect("legal");
            }
            let score = game.score();
            let margin = i32::from(score.south.get()) - i32::from(score.north.get());
            let value = player.database().value(board).expect("held").get();
            assert!(margin >= 2 * i32::from(value), "{rules} {board}: {:?}", game.moves());
        }
    }
}

#[test]
fn the_distance_announced_falls_with_every_move_of_the_winner() {
    let mut player = player(Rules::Awari);
    let mut random = Pcg64::seed_from_u64(8);
    let mut longest = 0;
    for _ in 0..2000 {
        let board = random_board(MOST_SEEDS, &mut random);
        let mut game = game_on(board, Rules::Awari);
        let mut announced = u32::MAX;
        while game.end().is_none() && game.positions_since_capture().len() > game.moves().len() {
            let best = choose(&mut player, &game);
            if let Conversion::Within(plies) = best.conversion {
                assert!(plies < announced, "{board}");
                longest = longest.max(plies);
                announced = plies;
            }
            game.play(best.pit).expect("legal");
        }
        if announced != u32::MAX {
            assert!(announced <= 2 || game.end() != Some(GameEnd::Repetition), "{board}");
        }
    }
    assert!(longest > 10, "the boards tried need more than a few plies: {longest}");
}

#[test]
fn a_winner_who_has_shuffled_still_wins_without_repeating_a_position() {
    for rules in [Rules::Awari, Rules::Abapa, Rules::LeaveLast] {
        let mut player = player(rules);
        let mut random = Pcg64::seed_from_u64(11);
        let (mut won, mut unproved) = (0, 0);
        for _ in 0..3000 {
            let board = random_board(MOST_SEEDS, &mut random);
            let value = player.database().value(board).expect("held");
            let mut game = game_on(board, rules);
            // Both keep the value, and nobody makes progress.
            for _ in 0..random.random_range(0..20) {
                let moves = player.database().moves(game.board()).expect("held");
                let quiet: Vec<_> = moves
                    .iter()
                    .filter(|found| found.value == moves[0].value && found.captured == 0)
                    .collect();
                if game.end().is_some() || quiet.is_empty() {
                    break;
                }
                let pit = quiet[random.random_range(0..quiet.len())].pit;
                game.play(pit).expect("legal");
            }
            let winner = if value > Value::EVEN { Side::South } else { Side::North };
            if game.end().is_some() || value == Value::EVEN || game.turn() != winner {
                continue;
            }
            let mut is_proved = true;
            while game.end().is_none() {
                let best = choose(&mut player, &game);
                is_proved &= best.conversion != Conversion::Unproved;
                game.play(best.pit).expect("legal");
            }
            let score = game.score();
            let margin = i32::from(score.south.get()) - i32::from(score.north.get());
            // A loser who can bring back a position of the shuffling has a way out, and says so.
            if is_proved {
                assert_eq!(margin, 2 * i32::from(value.get()), "{rules} {board}");
            }
            won += u32::from(is_proved);
            unproved += u32::from(!is_proved);
        }
        assert!(won > 20 * unproved && won > 500, "{rules}: {won} won, {unproved} unproved");
    }
}
