//! Secure play: whatever settles endless play, and whatever the opponent does, the secured seeds are
//! collected.

use oware::build::{BuildOptions, build};
use oware::database::Database;
use oware::game::{Game, GameEnd, GameSetup, Repetition};
use oware::index::LevelIndex;
use oware::progress::NoProgress;
use oware::rules::{Board, GameString, Outcome, Pit, Rules, Seeds, Side};
use oware::search::{Control, Conversion, secure_move};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::hash::{DefaultHasher, Hash, Hasher};

const MOST_SEEDS: u8 = 8;

fn database(rules: Rules, with_ranks: bool) -> (tempfile::TempDir, Database) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = BuildOptions::new(rules, Seeds::of(MOST_SEEDS), folder.path());
    build(&options.bounds(true).distances(with_ranks), &NoProgress).expect("built");
    let database = Database::open(folder.path(), rules).expect("whole tables");
    (folder, database)
}

/// What settles a repeated position.
#[derive(Clone, Copy, Debug)]
enum Settlement {
    OpponentTakesAll,
    OwnSide,
    Even,
    /// Any share, by the moves of the game.
    ByHistory,
}

impl Settlement {
    const ALL: [Self; 4] = [Self::OpponentTakesAll, Self::OwnSide, Self::Even, Self::ByHistory];

    /// The margin, for South, of the seeds that are left, doubled.
    fn doubled_margin(self, game: &Game) -> i32 {
        let (board, turn) = (game.board(), game.turn());
        let seeds = i32::from(board.seeds());
        match self {
            Self::OpponentTakesAll => -2 * seeds,
            Self::Even => 0,
            Self::OwnSide => {
                let margin = i32::from(board.mover().seeds()) - i32::from(board.opponent().seeds());
                2 * if turn == Side::South { margin } else { -margin }
            }
            Self::ByHistory => {
                let mut hasher = DefaultHasher::new();
                game.moves().hash(&mut hasher);
                let share = hasher.finish() % u64::from(board.seeds() + 1);
                4 * i32::try_from(share).expect("few seeds") - 2 * seeds
            }
        }
    }
}

/// How the opponent plays.
#[derive(Clone, Copy, Debug)]
enum Opponent {
    Random,
    /// Holds the mover to its lower bound, and delays the next capture for as long as it can.
    Delaying,
    /// Goes back to a position of the game wherever it can.
    Repeating,
}

impl Opponent {
    const ALL: [Self; 3] = [Self::Random, Self::Delaying, Self::Repeating];

    fn choose(self, database: &Database, game: &Game, random: &mut impl Rng) -> Pit {
        let moves = game.legal_moves();
        let any = moves[random.random_range(0..moves.len())].0;
        let history: Vec<Board> = game.positions().map(|at| at.board).collect();
        match self {
            Self::Random => any,
            Self::Repeating => {
                let repeats = |&&(_, outcome): &&(Pit, Outcome)| matches!(outcome, Outcome::Moved { captured: 0, next } if history.contains(&next));
                moves.iter().find(repeats).map_or(any, |found| found.0)
            }
            Self::Delaying => {
                let moves = database.moves(game.board()).expect("held");
                let bounds = database.bounds_of_moves(&moves).expect("held");
                let high = bounds.iter().map(|bounds| bounds.high()).max().expect("a move");
                let plies = |outcome| match outcome {
                    Outcome::Moved { captured: 0, next } => {
                        database.rank(next).ok().flatten().unwrap_or_default()
                    }
                    _ => 0,
                };
                let holding = moves.iter().zip(&bounds).filter(|(_, of)| of.high() == high);
                let longest = holding.max_by_key(|(found, _)| plies(found.outcome));
                longest.expect("one of them").0.pit
            }
        }
    }
}

fn random_board(seeds: u8, random: &mut impl Rng) -> Board {
    let level = LevelIndex::new(Seeds::of(seeds));
    level.board(random.random_range(0..level.boards())).expect("an index of the level")
}

/// Plays on to the end. South plays secure moves.
fn play_out(
    database: &Database,
    board: Board,
    opponent: Opponent,
    settlement: Settlement,
    random: &mut impl Rng,
) {
    let rules = database.rules();
    let setup = GameSetup { rules, repetition: Repetition::Split, plays_on: true };
    let start = GameString { board, south_store: 0, north_store: 0, turn: Side::South };
    let mut game = Game::from_position(setup, start).expect("few seeds");
    let secured = 2 * i32::from(database.bounds(board).expect("held").low().get());
    while game.end().is_none() {
        let pit = if game.turn() == Side::North {
            opponent.choose(database, &game, random)
        } else if let Some(secure) = secure_move(database, &game, &Control::new()).expect("held") {
            let now = game.board();
            assert_ne!(secure.conversion, Conversion::Unproved, "{rules} {board}: {now}");
            secure.pit
        } else {
            let moves = game.legal_moves();
            moves[random.random_range(0..moves.len())].0
        };
        game.play(pit).expect("legal");
    }
    let stores = i32::from(game.store(Side::South)) - i32::from(game.store(Side::North));
    let margin = match game.end() {
        Some(GameEnd::Repetition) => 2 * stores + settlement.doubled_margin(&game),
        _ => i32::from(game.score().south.get()) - i32::from(game.score().north.get()),
    };
    let what = format!("{rules} {board}, {opponent:?}, {settlement:?}: {:?}", game.moves());
    assert!(margin >= secured, "{margin} of {secured}, doubled: {what}");
}

fn play_many(with_ranks: bool, boards: u32) {
    for rules in Rules::ALL {
        let (_folder, database) = database(rules, with_ranks);
        let mut random = Pcg64::seed_from_u64(u64::from(rules.code()));
        for number in 0..boards {
            let board = random_board(2 + (number % 7) as u8, &mut random);
            for settlement in Settlement::ALL {
                for opponent in Opponent::ALL {
                    play_out(&database, board, opponent, settlement, &mut random);
                }
            }
        }
    }
}

#[test]
fn secured_seeds_are_collected_by_ranks_whatever_settles_endless_play() {
    play_many(true, 250);
}

#[test]
fn secured_seeds_are_collected_by_search_whatever_settles_endless_play() {
    play_many(false, 15);
}

/// The example of `docs/bounds.md`: even by the tables, and all six seeds are contested.
#[test]
fn a_board_that_is_even_by_the_tables_may_be_worth_anything_by_another_rule() {
    let board: Board = "0 0 0 0 1 2 | 0 0 0 3 0 0".parse().expect("a board");
    let (_folder, database) = database(Rules::Abapa, false);
    assert_eq!(database.value(board).expect("held").get(), 0);
    let bounds = database.bounds(board).expect("held");
    assert_eq!((bounds.low().get(), bounds.high().get()), (-6, 6));
}
