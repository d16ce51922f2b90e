//! Moves and un-moves of whole levels, by the public functions (the solver's kernels work on rows
//! of boards and are measured with it). Figures are per board.

use divan::Bencher;
use divan::counter::ItemsCount;
use oware::index::LevelIndex;
use oware::rules::{Board, Outcome, Rules, Seeds};

fn main() {
    divan::main();
}

const SEEDS: Seeds = Seeds::of(10);

/// The reachable boards of the measured level.
fn boards() -> Vec<Board> {
    LevelIndex::new(SEEDS).boards_from(0).collect()
}

/// Moves without a capture and captures, over the reachable boards of 10 seeds. Un-moves list the
/// same moves without a capture from the other end, and those of unreachable boards besides.
const COUNTS: [(Rules, u64, u64); 3] = [
    (Rules::Awari, 891_701, 103_226),
    (Rules::Abapa, 895_259, 103_226),
    (Rules::TwoLap, 891_701, 103_226),
];

fn rule_sets() -> [Rules; 3] {
    COUNTS.map(|(rules, _, _)| rules)
}

fn counts(rules: Rules) -> (u64, u64) {
    let found = COUNTS.into_iter().find(|(counted, _, _)| *counted == rules);
    found.map(|(_, plain, capturing)| (plain, capturing)).expect("one of the three")
}

#[divan::bench(args = rule_sets())]
fn moves(bencher: Bencher, rules: Rules) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        let mut found = (0, 0);
        for &board in &boards {
            for (_, outcome) in rules.moves(board) {
                let captures = !matches!(outcome, Outcome::Moved { captured: 0, .. });
                found.0 += u64::from(!captures);
                found.1 += u64::from(captures);
            }
        }
        assert_eq!(found, counts(rules));
    });
}

#[divan::bench(args = rule_sets())]
fn unmoves(bencher: Bencher, rules: Rules) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        let reachable = |board: &Board| u64::from(board.is_reachable());
        let unmoves = |board: &Board| -> u64 {
            rules.unmoves(*board).iter().map(|(_, parent)| reachable(parent)).sum()
        };
        assert_eq!(boards.iter().map(unmoves).sum::<u64>(), counts(rules).0);
    });
}

/// Boards of 10 seeds on which `awari` is over: the mover's row is empty on 2,877 of them.
const ENDED: usize = 2_988;

#[divan::bench]
fn ends(bencher: Bencher) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        let ended = boards.iter().filter(|board| Rules::Awari.end(**board).is_some()).count();
        assert_eq!(ended, ENDED);
    });
}
