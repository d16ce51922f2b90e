//! Grading against exact values: the counts, the built-in players, and engines that misbehave.

use oware::database::Database;
use oware::grade::{
    Entrant, ExactMoves, GradeHeader, GradeReport, GradedMove, MAX_FAILED_STARTS, MAX_FAILURES,
    Response, Responses, RunSettings, SamplePlan, collect_responses, sample,
};
use oware::index::LevelIndex;
use oware::rules::{Board, GameString, Outcome, Pit, Rules, Seeds, Side};
use oware::search::Aim;
use oware::solve::solve_in_memory;
use oware::uci::{CommandLine, FailureKind, Limit, RunningEngines, Timeouts};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static AWARI: LazyLock<Database> = LazyLock::new(|| solved(Rules::Awari, 10));
static ABAPA: LazyLock<Database> = LazyLock::new(|| solved(Rules::Abapa, 8));

fn solved(rules: Rules, seeds: u8) -> Database {
    Database::from_levels(rules, solve_in_memory(rules, Seeds::of(seeds)).expect("memory"))
}

fn fake(behaviour: &[&str]) -> Entrant {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake_engine.sh");
    let arguments = std::iter::once(&script).chain(behaviour);
    Entrant::Program {
        command: CommandLine {
            program: "sh".to_owned(),
            arguments: arguments.map(|text| (*text).to_owned()).collect(),
        },
        options: vec![("Hash".to_owned(), "1".to_owned())],
    }
}

/// Longer than a busy machine needs to run a script.
const PATIENT: Timeouts = Timeouts::new()
    .handshake(Duration::from_secs(20))
    .ready(Duration::from_secs(20))
    .answer(Duration::from_secs(20))
    .quit(Duration::from_millis(50));

/// For engines that will not answer; their other answers come in time on a busy machine too.
const IMPATIENT: Timeouts = PATIENT.answer(Duration::from_millis(2500));

fn settings(rules: Rules, jobs: usize) -> RunSettings {
    RunSettings::new(rules, Limit::Depth(1)).jobs(jobs).timeouts(PATIENT)
}

fn positions(rules: Rules, levels: std::ops::RangeInclusive<u8>, count: usize) -> Vec<GameString> {
    sample(&SamplePlan::new(rules, levels, count))
}

fn header(aim: Aim) -> GradeHeader {
    GradeHeader::new(Rules::Awari, aim, "engine", "uniform")
}

/// Asks a fake engine about abapa boards.
fn ask_fake(behaviour: &[&str], count: usize, timeouts: Timeouts) -> (Vec<GameString>, Responses) {
    let positions = positions(Rules::Abapa, 5..=8, count);
    let settings = settings(Rules::Abapa, 1).timeouts(timeouts);
    let asked = collect_responses(&fake(behaviour), &positions, &settings, &|_, _| {});
    (positions, asked.expect("sh starts"))
}

/// What the fake engine plays when it behaves.
fn fake_choice(board: Board) -> Pit {
    let pits = board.mover().pits();
    let reaching = (0..6).find(|&place| usize::from(pits[place]) >= 6 - place);
    let place = reaching.or_else(|| (0..6).find(|&place| pits[place] > 0));
    Pit::new(place.expect("not ended")).expect("below 6")
}

fn kinds(responses: &[Response]) -> Vec<Option<FailureKind>> {
    let kind = |response: &Response| match response {
        Response::Failed(failure) => Some(failure.kind),
        Response::Move(_) => None,
        Response::NotAsked => panic!("every question is asked"),
    };
    responses.iter().map(kind).collect()
}

fn grade(
    database: &Database,
    positions: &[GameString],
    responses: Vec<Response>,
) -> Vec<GradedMove> {
    let exact = |position: &GameString| {
        ExactMoves::look_up(database, *position).expect("levels are there").expect("not ended")
    };
    let truths = positions.iter().map(exact);
    truths.zip(responses).map(|(exact, response)| GradedMove::new(exact, response)).collect()
}

#[test]
fn a_well_behaved_engine_is_heard_right_on_every_board() {
    let (positions, asked) = ask_fake(&["well"], 60, PATIENT);
    assert_eq!(asked.identity.name.as_deref(), Some("Fake well"));
    assert_eq!(asked.identity.author.as_deref(), Some("Nobody"));
    assert!(positions.iter().any(|of| of.turn == Side::North));
    for (position, response) in positions.iter().zip(&asked.responses) {
        let Response::Move(answer) = response else { panic!("{position}: {response:?}") };
        assert_eq!(answer.pit, fake_choice(position.board), "{position}");
    }
}

#[test]
fn each_way_to_misbehave_is_named_shown_and_survived() {
    // Third question of each copy; a copy that dies or loses step is replaced by a fresh one.
    for (behaviour, kind, last_words) in [
        ("crash", FailureKind::Crash, "! panic: no such pit"),
        ("hang", FailureKind::Hang, "> go depth 1"),
        ("close", FailureKind::ClosedOutput, "> go depth 1"),
        ("flood", FailureKind::Hang, "< info depth 1 score cp 0 pv A"),
        ("mute-flood", FailureKind::Hang, "> go depth 1"),
        ("moan", FailureKind::Hang, "! warning: something"),
    ] {
        let (_, asked) = ask_fake(&[behaviour, "3"], 5, IMPATIENT);
        let fails = |at: usize| (at % 3 == 2).then_some(kind);
        let expected: Vec<_> = (0..5).map(fails).collect();
        assert_eq!(kinds(&asked.responses), expected, "{behaviour}");
        let Response::Failed(failure) = &asked.responses[2] else { panic!("{behaviour}") };
        let transcript = &failure.transcript;
        assert!(transcript.iter().any(|line| line.contains(last_words)), "{transcript:?}");
        assert_eq!(transcript[0], "> uci");
        assert!(transcript.len() < 30, "{behaviour}");
    }
}

#[test]
fn an_engine_that_answers_nonsense_is_named_and_asked_on() {
    for (behaviour, kind) in [
        ("illegal", FailureKind::IllegalMove),
        ("other-side", FailureKind::IllegalMove),
        ("garbage", FailureKind::Garbage),
        ("empty", FailureKind::Garbage),
        ("no-move", FailureKind::NoMove),
    ] {
        let (_, asked) = ask_fake(&[behaviour, "2"], 5, PATIENT);
        // The same copy answers the rest: only its second question fails.
        let expected = [None, Some(kind), None, None, None];
        assert_eq!(kinds(&asked.responses), expected, "{behaviour}");
        let Response::Failed(failure) = &asked.responses[1] else { panic!("{behaviour}") };
        let last = failure.transcript.last().expect("lines");
        assert!(last.starts_with("< bestmove"), "{last}");
    }
}

#[test]
fn odd_habits_that_harm_nobody_are_no_failures() {
    for behaviour in [&["binary"][..], &["twice"], &["stay"], &["slow", "1"]] {
        let (positions, asked) = ask_fake(behaviour, 6, PATIENT);
        for (position, response) in positions.iter().zip(&asked.responses) {
            let Response::Move(answer) = response else { panic!("{behaviour:?}: {response:?}") };
            assert_eq!(answer.pit, fake_choice(position.board), "{behaviour:?}, {position}");
        }
    }
}

#[test]
fn a_hopeless_engine_is_given_up_and_the_rest_counts_nowhere() {
    for (behaviour, asked_before) in
        [("crash", MAX_FAILURES), ("dead", MAX_FAILED_STARTS), ("no-handshake", MAX_FAILED_STARTS)]
    {
        let positions = positions(Rules::Abapa, 5..=8, 40);
        let handshake =
            Duration::from_millis(if behaviour == "no-handshake" { 300 } else { 20_000 });
        let timeouts = PATIENT.handshake(handshake);
        let settings = settings(Rules::Abapa, 1).timeouts(timeouts);
        let asked = collect_responses(&fake(&[behaviour]), &positions, &settings, &|_, _| {})
            .expect("sh starts");
        let graded = grade(&ABAPA, &positions, asked.responses);
        let report = GradeReport::new(header(Aim::Margin), &graded);
        assert_eq!(report.failures.len(), asked_before, "{behaviour}");
        assert_eq!(report.not_asked, 40 - asked_before as u64);
        assert_eq!(report.metrics.positions, asked_before as u64);
        assert_eq!(report.metrics.perfect, 0);
        assert!(report.failures.iter().any(|of| of.transcript.is_some()));
    }
}

#[test]
fn a_program_that_is_not_there_is_an_error_at_once() {
    let entrant = Entrant::Program {
        command: CommandLine { program: "./no-such-engine".to_owned(), arguments: Vec::new() },
        options: Vec::new(),
    };
    let positions = positions(Rules::Abapa, 5..=8, 4);
    let failure = collect_responses(&entrant, &positions, &settings(Rules::Abapa, 2), &|_, _| {})
        .expect_err("nothing to start");
    assert_eq!(failure.kind, FailureKind::NoStart);
    assert!(failure.to_string().contains("./no-such-engine"), "{failure}");
}

#[test]
fn a_hanging_engine_costs_no_more_than_our_patience() {
    let began = Instant::now();
    let (_, asked) = ask_fake(&["quiet"], 1, IMPATIENT);
    assert_eq!(kinds(&asked.responses), [Some(FailureKind::Hang)]);
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[test]
fn an_engine_that_does_not_read_is_a_hang_and_named_so() {
    let limit = Duration::from_secs(1);
    let timeouts = PATIENT.ready(limit).answer(limit);
    // More than a pipe holds, in lines of any length that the protocol allows.
    let long = ("Book".to_owned(), "x".repeat(1 << 18));
    for (behaviour, options) in
        [("deaf", vec![]), ("deaf", vec![long.clone(); 3]), ("asleep", vec![long; 3])]
    {
        let Entrant::Program { command, .. } = fake(&[behaviour]) else { panic!("a program") };
        let reads_nothing = !options.is_empty();
        let entrant = Entrant::Program { command, options };
        let positions = positions(Rules::Abapa, 5..=8, 1);
        let settings = settings(Rules::Abapa, 1).timeouts(timeouts);
        let began = Instant::now();
        let asked =
            collect_responses(&entrant, &positions, &settings, &|_, _| {}).expect("sh starts");
        assert!(began.elapsed() < Duration::from_secs(15), "{behaviour}: {:?}", began.elapsed());
        if reads_nothing {
            assert_eq!(kinds(&asked.responses), [Some(FailureKind::Hang)], "{behaviour}");
            let Response::Failed(failure) = &asked.responses[0] else { panic!("{behaviour}") };
            assert!(failure.message.contains("does not read its input"), "{}", failure.message);
        }
    }
}

#[test]
fn what_an_engine_writes_cannot_change_a_terminal() {
    let (_, asked) = ask_fake(&["colour", "1"], 1, PATIENT);
    assert_eq!(asked.identity.name.as_deref(), Some("?[31mRed? Engine"));
    let author = asked.identity.author.expect("an author");
    assert!(author.starts_with("?]0;title?000") && author.chars().count() <= 101, "{author}");
    let Response::Failed(failure) = &asked.responses[0] else { panic!("garbage") };
    assert!(failure.message.starts_with("'bestmove ?[2J000"), "{}", failure.message);
    let lines = failure.transcript.iter().chain([&failure.message, &author]);
    assert!(lines.clone().all(|line| !line.contains(char::is_control)));
    assert!(lines.clone().all(|line| line.chars().count() < 200));
}

#[test]
fn an_engine_is_told_the_rules_that_it_has_options_for() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let told = folder.path().join("told");
    let told = told.to_str().expect("a plain path");
    let ask = |behaviour: &[&str], rules: Rules, options: &[(&str, &str)]| {
        let _ = std::fs::remove_file(told);
        let Entrant::Program { command, .. } = fake(behaviour) else { panic!("a program") };
        let text = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let entrant = Entrant::Program { command, options: options.iter().map(text).collect() };
        let positions = positions(rules, 5..=8, 1);
        let asked = collect_responses(&entrant, &positions, &settings(rules, 1), &|_, _| {});
        let lines = std::fs::read_to_string(told).unwrap_or_default();
        (lines, asked.expect("sh starts").identity.untold)
    };
    let rules = ["rules", told];
    for (of, name) in [(Rules::Awari, "Awari"), (Rules::Abapa, "Abapa")] {
        let (lines, untold) = ask(&rules, of, &[]);
        let expected = format!(
            "name rules value {name}\nname Repetition value split\nname PlayOn value false\n"
        );
        assert_eq!((lines, untold), (expected, Vec::new()));
    }
    // The options that the user gives come instead.
    let (lines, _) = ask(&rules, Rules::Awari, &[("RULES", "Wari"), ("Hash", "1")]);
    assert!(!lines.contains("Awari") && lines.contains("name RULES value Wari"), "{lines}");
    assert_eq!(ask(&["well"], Rules::Awari, &[]).1, ["Rules awari"]);
    assert_eq!(ask(&["other-rules"], Rules::Wari, &[]).1, ["Rules wari"]);
    assert_eq!(ask(&["well"], Rules::Abapa, &[]).1, ["Rules abapa", "Repetition split"]);
}

#[test]
fn ending_the_engines_ends_the_run_with_the_answers_so_far() {
    let positions = positions(Rules::Abapa, 5..=8, 40);
    let engines = RunningEngines::new();
    let answered = AtomicUsize::new(0);
    let end_after_three = |_: usize, _: &Response| {
        if answered.fetch_add(1, Ordering::Relaxed) == 2 {
            engines.end();
        }
    };
    let settings = settings(Rules::Abapa, 1).engines(engines.clone());
    let asked = collect_responses(&fake(&["well"]), &positions, &settings, &end_after_three);
    let responses = asked.expect("sh starts").responses;
    let moves = responses.iter().take_while(|of| matches!(of, Response::Move(_))).count();
    assert_eq!(moves, 3);
    assert!(responses[3..].iter().all(|of| matches!(of, Response::NotAsked)));
    // An engine under question is ended too, and has not failed.
    let engines = RunningEngines::new();
    let settings = settings.engines(engines.clone());
    let asked = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(700));
            engines.end();
        });
        collect_responses(&fake(&["quiet"]), &positions, &settings, &|_, _| {})
    });
    let responses = asked.expect("sh starts").responses;
    assert!(responses.iter().all(|of| matches!(of, Response::NotAsked)));
}

#[test]
fn answers_do_not_depend_on_the_number_of_jobs() {
    let positions = positions(Rules::Awari, 6..=9, 200);
    for entrant in [Entrant::Random, Entrant::Greedy] {
        let moves = |jobs| {
            let answered = AtomicUsize::new(0);
            let count = |_: usize, _: &Response| {
                answered.fetch_add(1, Ordering::Relaxed);
            };
            let asked =
                collect_responses(&entrant, &positions, &settings(Rules::Awari, jobs), &count);
            assert_eq!(answered.into_inner(), 200);
            let responses = asked.expect("built in").responses;
            let pit = |response: &Response| match response {
                Response::Move(answer) => answer.pit,
                other => panic!("{other:?}"),
            };
            responses.iter().map(pit).collect::<Vec<_>>()
        };
        assert_eq!(moves(1), moves(3));
    }
}

/// The expected accuracy of a uniformly random player over all boards of a level whose moves are
/// not all equal, computed from values alone.
fn expected_of_chance(database: &Database, seeds: u8) -> f64 {
    let (mut boards, mut expected) = (0u32, 0.0);
    for board in LevelIndex::new(Seeds::of(seeds)).boards_from(0) {
        let values: Vec<i16> = database
            .rules()
            .moves(board)
            .map(|(_, outcome)| match outcome {
                Outcome::Moved { captured, next } => {
                    i16::from(captured) - i16::from(database.value(next).expect("solved").get())
                }
                Outcome::Ended { captured, left } => i16::from(captured) - i16::from(left),
                Outcome::Illegal => panic!("{board}: illegal moves are no moves"),
            })
            .collect();
        let best = values.iter().filter(|&value| Some(value) == values.iter().max()).count();
        if best < values.len() {
            boards += 1;
            expected += f64::from(u8::try_from(best).expect("at most 6"))
                / f64::from(u8::try_from(values.len()).expect("at most 6"));
        }
    }
    expected / f64::from(boards)
}

#[test]
fn a_random_player_reaches_what_the_tables_expect_of_chance() {
    for seeds in [6, 8, 10] {
        let positions = positions(Rules::Awari, seeds..=seeds, 20_000);
        let asked =
            collect_responses(&Entrant::Random, &positions, &settings(Rules::Awari, 2), &|_, _| {});
        let graded = grade(&AWARI, &positions, asked.expect("built in").responses);
        let metrics = GradeReport::new(header(Aim::Margin), &graded).metrics;
        let expected = expected_of_chance(&AWARI, seeds);
        let accuracy = metrics.accuracy.expect("graded");
        let of_sample = metrics.random_accuracy.expect("graded");
        // Five standard errors of a share near one half, over more than 2000 graded positions.
        let trials = f64::from(u32::try_from(metrics.graded).expect("small"));
        let allowed = 5.0 * 0.5 / trials.sqrt();
        assert!(trials > 2000.0, "{seeds}: {trials}");
        assert!((accuracy - expected).abs() < allowed, "{seeds}: {accuracy}, {expected}");
        assert!((of_sample - expected).abs() < allowed, "{seeds}: {of_sample}, {expected}");
    }
}

#[test]
fn counts_equal_a_plain_recount() {
    let positions = positions(Rules::Awari, 4..=10, 700);
    let asked =
        collect_responses(&Entrant::Greedy, &positions, &settings(Rules::Awari, 1), &|_, _| {});
    let graded = grade(&AWARI, &positions, asked.expect("built in").responses);
    for aim in [Aim::Margin, Aim::Result] {
        let report = GradeReport::new(header(aim), &graded);
        let (mut equal, mut perfect, mut kept, mut lost) = (0, 0, 0, 0u64);
        for (each, position) in graded.iter().zip(&positions) {
            let Response::Move(answer) = &each.response else { panic!("built in") };
            let own_lead = match position.turn {
                Side::South => i16::from(position.south_store) - i16::from(position.north_store),
                Side::North => i16::from(position.north_store) - i16::from(position.south_store),
            };
            let best = i16::from(AWARI.value(position.board).expect("solved").get());
            let value = |pit| match Rules::Awari.play(position.board, pit) {
                Outcome::Moved { captured, next } => {
                    i16::from(captured) - i16::from(AWARI.value(next).expect("solved").get())
                }
                other => panic!("{position}: {other:?}"),
            };
            let good = |value: i16| match aim {
                Aim::Margin | Aim::Secure => value == best,
                Aim::Result => (value + own_lead).signum() == (best + own_lead).signum(),
            };
            if Rules::Awari.moves(position.board).all(|(pit, _)| good(value(pit))) {
                equal += 1;
                continue;
            }
            let found = value(answer.pit);
            perfect += u64::from(good(found));
            kept += u64::from((found + own_lead).signum() == (best + own_lead).signum());
            lost += u64::from((best - found).unsigned_abs());
        }
        let metrics = &report.metrics;
        assert_eq!((metrics.all_equal, metrics.perfect), (equal, perfect), "{aim:?}");
        assert_eq!(metrics.graded + metrics.all_equal, 700);
        let near = |found: Option<f64>, count: u64| {
            let graded = u32::try_from(metrics.graded).expect("small");
            let share = f64::from(u32::try_from(count).expect("small")) / f64::from(graded);
            (found.expect("graded") - share).abs() < 1e-9
        };
        assert!(near(metrics.accuracy, perfect) && near(metrics.keeps_result, kept));
        assert!(near(metrics.loss_mean, lost));
        let of_levels: u64 = report.by_level.iter().map(|of| of.metrics.perfect).sum();
        let of_choices: u64 = report.by_perfect_moves.iter().map(|of| of.metrics.perfect).sum();
        let of_losses: u64 = report.losses.iter().map(|of| of.answers).sum();
        assert_eq!((of_levels, of_choices, of_losses), (perfect, perfect, metrics.graded));
        let worst: Vec<_> = report.worst.iter().map(|of| (!of.keeps_result, of.loss)).collect();
        let by_aim = |of: &(bool, u8)| (aim == Aim::Result && of.0, of.1);
        assert!(worst.is_sorted_by_key(|of| std::cmp::Reverse(by_aim(of))), "{worst:?}");
    }
}
