//! Matches: openings, sides, scores, forfeits and records.

use oware::game::{GameSetup, Repetition, read_records};
use oware::grade::{Entrant, Match, MatchGame, MatchPlan, play_match};
use oware::rules::{Rules, Side};
use oware::uci::{CommandLine, FailureKind, Identity, Limit, Timeouts};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn plan(rules: Rules, pairs: usize, jobs: usize) -> MatchPlan {
    MatchPlan::new(GameSetup::new(rules), pairs, [Limit::Depth(1); 2])
        .opening_plies(4)
        .jobs(jobs)
        .timeouts(Timeouts::new().answer(Duration::from_secs(2)))
}

fn names() -> [String; 2] {
    ["first".to_owned(), "second".to_owned()]
}

fn fake(behaviour: &[&str]) -> Entrant {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake_engine.sh");
    let arguments = std::iter::once(&script).chain(behaviour);
    Entrant::Program {
        command: CommandLine {
            program: "sh".to_owned(),
            arguments: arguments.map(|text| (*text).to_owned()).collect(),
        },
        options: Vec::new(),
    }
}

fn played(entrants: [&Entrant; 2], plan: &MatchPlan) -> Match {
    let count = AtomicUsize::new(0);
    let counting = |_: &MatchGame, _: &[Identity; 2]| {
        count.fetch_add(1, Ordering::Relaxed);
    };
    let played = play_match(entrants, plan, &counting).expect("both start");
    assert_eq!(count.into_inner(), 2 * plan.pairs);
    assert_eq!(played.games.len(), 2 * plan.pairs);
    played
}

#[test]
fn pairs_share_an_opening_swap_sides_and_differ_from_other_pairs() {
    let plan = plan(Rules::Awari, 20, 1);
    let played = played([&Entrant::Greedy, &Entrant::Random], &plan);
    let mut openings = HashSet::new();
    for pair in played.games.chunks(2) {
        let [first, second] = pair else { panic!("pairs") };
        let opening = |of: &MatchGame| of.game.moves()[..of.opening_plies].to_vec();
        assert_eq!(opening(first), opening(second));
        assert_eq!((first.south, second.south), (0, 1));
        assert_eq!((first.entrant(Side::South), first.entrant(Side::North)), (0, 1));
        assert_eq!((second.entrant(Side::South), second.entrant(Side::North)), (1, 0));
        assert!(openings.insert(opening(first)));
        assert!(first.game.end().is_some() && second.game.end().is_some());
    }
}

#[test]
fn a_match_depends_on_its_plan_and_not_on_the_number_of_jobs() {
    let moves = |jobs: usize, seed: u64| -> Vec<_> {
        let plan = plan(Rules::Wari, 12, jobs).seed(seed);
        let played = played([&Entrant::Greedy, &Entrant::Random], &plan);
        played.games.iter().map(|of| of.game.moves().to_vec()).collect()
    };
    assert_eq!(moves(1, 1), moves(3, 1));
    assert_ne!(moves(1, 1), moves(1, 2));
}

#[test]
fn taking_seeds_beats_chance_and_the_score_turns_round_with_the_names() {
    let plan = plan(Rules::Awari, 100, 2);
    let report =
        |entrants: [&Entrant; 2]| played(entrants, &plan).report(&plan, entrants, &names());
    let there = report([&Entrant::Greedy, &Entrant::Random]);
    let back = report([&Entrant::Random, &Entrant::Greedy]);
    for (of, ahead) in [(&there, true), (&back, false)] {
        assert_eq!(of.games, 200);
        assert_eq!(of.wins + of.draws + of.losses, 200);
        assert_eq!(of.score.expect("games") > 0.5, ahead);
        let interval = of.score_interval.expect("games");
        assert!(interval.contains(of.score.expect("games")) && !interval.contains(0.5));
        assert_eq!(of.margin_mean.expect("games") > 0.0, ahead);
        assert_eq!(of.forfeits, [0, 0]);
    }
}

#[test]
fn a_player_against_itself_scores_even() {
    // The same dice on both sides would make the games of a pair mirror images.
    let plan = plan(Rules::Abapa, 200, 2);
    let entrants = [&Entrant::Random, &Entrant::Random];
    let report = played(entrants, &plan).report(&plan, entrants, &names());
    assert!(report.score_interval.expect("games").contains(0.5), "{:?}", report.score);
    assert!(report.wins > 0 && report.losses > 0);
}

#[test]
fn records_replay_to_their_results() {
    let plan = plan(Rules::Abapa, 3, 2);
    let played = played([&Entrant::Random, &Entrant::Greedy], &plan);
    let mut text = String::new();
    for game in &played.games {
        assert!(game.failure.is_none(), "{:?}", game.failure);
        text += &game.record(&names()).to_text(Rules::Abapa);
        text.push('\n');
    }
    let records = read_records(&text).expect("our own files");
    assert_eq!(records.len(), 6);
    for (record, game) in records.iter().zip(&played.games) {
        let replayed = record.replay(record.setup(plan.setup)).expect("legal moves");
        assert_eq!(replayed.moves(), game.game.moves());
        assert_eq!(replayed.score().to_string(), record.tag("Result").expect("a result"));
        assert_eq!(replayed.setup().repetition, Repetition::OwnSide);
        let south = if game.south == 0 { "first" } else { "second" };
        assert_eq!(record.tag("South"), Some(south));
    }
}

#[test]
fn whoever_fails_loses_that_game_and_the_match_goes_on() {
    let plan = plan(Rules::Abapa, 2, 1);
    for (behaviour, kind) in [
        ("crash", FailureKind::Crash),
        ("garbage", FailureKind::Garbage),
        ("dead", FailureKind::Crash),
    ] {
        let bad = fake(&[behaviour]);
        let entrants = [&Entrant::Greedy, &bad];
        let played = played(entrants, &plan);
        let report = played.report(&plan, entrants, &names());
        assert_eq!(report.forfeits, [0, 4], "{behaviour}");
        assert_eq!(report.wins, 4);
        for failed in &report.failures {
            assert_eq!(failed.failure.kind, kind, "{behaviour}");
            assert_eq!(failed.engine, "second");
        }
        for game in played.games.iter().filter(|game| game.failure.is_some()) {
            assert_eq!(game.winner(), Some(0));
            let record = game.record(&names());
            let south_won = game.south == 0;
            assert_eq!(record.tag("Result"), Some(if south_won { "1-0" } else { "0-1" }));
            assert!(record.tag("Termination").is_some());
            // Still a file that can be read.
            assert!(read_records(&record.to_text(Rules::Abapa)).is_ok());
        }
    }
}
