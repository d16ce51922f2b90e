//! Games: public games end as recorded, endings hand out every seed, undo and redo lose nothing.

use oware::game::{Game, GameEnd, GameError, GameSetup, HalfSeeds, Repetition, Score, moves_text};
use oware::rules::{Board, End, GameString, Pit, Rules, Side};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn score(south: u8, north: u8) -> Score {
    Score { south: HalfSeeds::from_seeds(south), north: HalfSeeds::from_seeds(north) }
}

fn at(setup: GameSetup, position: &str) -> Game {
    Game::from_position(setup, position.parse().expect(position)).expect(position)
}

#[test]
fn public_abapa_games_are_legal_and_end_as_recorded() {
    let games = [
        (
            "FfCbBcFfAaAdCcBdFaCbAfAcBeAaDcAfAeAbCcDeEdBfEdBeCcDdAeDaBbEdFeCaEbDdEeBcCfDeAaCbDdEfBeAb\
             DaFeEaCdBeDcEeCdDbEcFeAbBaCfBdAeBcCbEeDdEcFfBeAbCdEaBeDcEbC",
            GameEnd::Repetition,
            score(23, 25),
        ),
        (
            "EdFcDfBeAaCfEdAeBbFfEaCcDdEeAcEdDeFfEbFcBeFdEaAfDeFfEaFbCcDdEaFfAaBbCcDdEeAfFaAbBcCdDeEf",
            GameEnd::Repetition,
            score(25, 23),
        ),
        (
            "DdFbEeBcCbAaFaAeAfAdAbFcBdCfDaAbBeEbDaBfCcEbFbDcEdF",
            GameEnd::NoMove(End::CannotFeed),
            score(24, 24),
        ),
    ];
    for (moves, end, expected) in games {
        let mut game = Game::new(GameSetup::new(Rules::Abapa));
        game.play_text(moves).expect("every ply is legal");
        assert_eq!(game.end(), Some(end), "{moves}");
        assert_eq!(game.score(), expected, "{moves}");
        assert_eq!(moves_text(Side::South, game.moves()), moves);
    }
}

#[test]
fn a_position_may_come_back_once_and_no_more() {
    // Two seeds that chase each other: after 12 plies the board is back.
    let mut game = at(GameSetup::new(Rules::Awari), "0-0-0-0-0-1-0-0-0-0-0-1-20-21-S");
    let mut plies = 0;
    while game.end().is_none() {
        let (pit, _) = game.legal_moves()[0];
        game.play(pit).expect("legal");
        plies += 1;
    }
    assert_eq!(plies, 12, "the two seeds need 12 plies to come round");
    assert_eq!((game.end(), game.score()), (Some(GameEnd::Repetition), score(21, 22)));
}

#[test]
fn a_repetition_shares_the_rest_by_the_rule_agreed() {
    let setup = GameSetup { plays_on: true, ..GameSetup::new(Rules::Awari) };
    let mut game = shuffling_game(setup);
    let rest = game.board().seeds();
    assert_eq!(rest % 2, 1);
    let before = game.position();
    let halves = Score {
        south: HalfSeeds::new(2 * before.south_store + rest),
        north: HalfSeeds::new(2 * before.north_store + rest),
    };
    assert_eq!(game.score(), halves);
    assert!(halves.south.to_string().ends_with(".5"));
    let own_side = GameSetup { repetition: Repetition::OwnSide, ..setup };
    let mut same = Game::new(own_side);
    same.play_all(game.moves()).expect("the same game");
    let (south_row, north_row) = match before.turn {
        Side::South => (before.board.mover(), before.board.opponent()),
        Side::North => (before.board.opponent(), before.board.mover()),
    };
    let rows =
        score(before.south_store + south_row.seeds(), before.north_store + north_row.seeds());
    assert_eq!(same.score(), rows);
    assert!(game.undo() && game.end().is_none() && game.redo());
    assert_eq!(game.score(), halves);
}

/// A game that ends by repetition with an odd number of seeds on the board.
fn shuffling_game(setup: GameSetup) -> Game {
    for seed in 0..2000 {
        let game = random_game(setup, &mut Pcg64::seed_from_u64(seed));
        if game.end() == Some(GameEnd::Repetition) && game.board().seeds() % 2 == 1 {
            return game;
        }
    }
    panic!("no game of 2000 random ones ended so");
}

fn random_game(setup: GameSetup, random: &mut Pcg64) -> Game {
    let mut game = Game::new(setup);
    while game.end().is_none() {
        let moves = game.legal_moves();
        let (pit, _) = moves[random.random_range(0..moves.len())];
        game.play(pit).expect("listed as legal");
    }
    game
}

#[test]
fn no_game_loses_or_makes_a_seed_and_every_end_has_its_reason() {
    let mut random = Pcg64::seed_from_u64(5);
    for rules in Rules::ALL {
        for plays_on in [false, true] {
            let setup = GameSetup { plays_on, ..GameSetup::new(rules) };
            for _ in 0..300 {
                let game = random_game(setup, &mut random);
                for position in game.positions() {
                    let stores = position.south_store + position.north_store;
                    assert_eq!(position.board.seeds() + stores, 48);
                }
                let score = game.score();
                let counted = score.south.get() + score.north.get();
                match game.end().expect("over") {
                    GameEnd::MoreThanHalf(side) => {
                        assert!(!plays_on && game.store(side) > 24);
                        assert_eq!(counted, 2 * (48 - game.board().seeds()));
                    }
                    GameEnd::NoMove(end) => {
                        assert_eq!(rules.end(game.board()), Some(end));
                        assert_eq!(counted, 96);
                    }
                    GameEnd::Slam => {
                        assert_eq!(rules, Rules::OpponentTakesRest);
                        assert_eq!(counted, 96);
                    }
                    GameEnd::Repetition => {
                        assert_eq!(counted, 96);
                        let last = game.position();
                        let since: Vec<_> = game.positions_since_capture().collect();
                        assert_eq!(since.iter().filter(|&&earlier| earlier == last).count(), 2);
                    }
                }
            }
        }
    }
}

#[test]
fn undo_and_redo_walk_through_the_same_positions() {
    let mut random = Pcg64::seed_from_u64(6);
    let mut game = random_game(GameSetup::new(Rules::Awari), &mut random);
    let finished = game.clone();
    let positions: Vec<GameString> = game.positions().collect();
    for position in positions.iter().rev().skip(1) {
        assert!(game.undo());
        assert_eq!((game.position(), game.end()), (*position, None));
    }
    assert!(!game.undo());
    for position in &positions[1..] {
        assert!(game.redo());
        assert_eq!(game.position(), *position);
    }
    assert!(!game.redo());
    assert_eq!(game, finished);
    // A new move cuts off what could be redone.
    while game.undo() {}
    let other = game.legal_moves().into_iter().find(|(pit, _)| *pit != finished.moves()[0]);
    game.play(other.expect("the start has six moves").0).expect("legal");
    assert!(!game.redo());
}

#[test]
fn a_wrong_move_is_explained_and_changes_nothing() {
    let mut game = at(GameSetup::new(Rules::Abapa), "1-0-9-0-0-1-0-0-0-0-0-0-0-0-S");
    let before = game.clone();
    let a = Pit::ALL[0];
    assert_eq!(
        game.play(a).expect_err("does not feed").to_string(),
        "A would leave the opponent without seeds: choose one of C, F"
    );
    assert_eq!(
        game.play(Pit::ALL[1]).expect_err("empty").to_string(),
        "B is empty: choose one of C, F"
    );
    assert_eq!(
        game.play_text("c").expect_err("North's").to_string(),
        "move 1, c: it is South's turn, who plays A to F"
    );
    assert_eq!(game, before);
    let mut over = at(GameSetup::new(Rules::Abapa), "1-0-0-0-0-0-0-0-0-0-0-0-25-22-S");
    assert_eq!(over.end(), Some(GameEnd::MoreThanHalf(Side::South)));
    assert!(matches!(over.play(a), Err(GameError::Over { .. })));
    let too_many =
        GameString { board: Board::START, south_store: 1, north_store: 0, turn: Side::South };
    assert_eq!(
        Game::from_position(GameSetup::new(Rules::Awari), too_many),
        Err(GameError::TooManySeeds { seeds: 49 })
    );
}

#[test]
fn half_of_a_small_game_is_half_of_its_own_seeds() {
    let mut game = at(GameSetup::new(Rules::Awari), "1-0-0-0-0-1-1-1-0-0-0-0-0-2-S");
    assert_eq!((game.total_seeds(), game.end()), (6, None));
    game.play_text("F").expect("captures two");
    assert_eq!(game.end(), None, "2 of 6 is not more than half");
}
