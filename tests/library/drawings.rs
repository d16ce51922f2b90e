//! Reads the drawn boards of `docs/rules.md`.
//!
//! A drawing is a fenced block named `board`: columns parted by ` | `, in each some lines of head,
//! then the two rows as South sees them between their pits' letters. The first column is the board
//! before, headed `South: F` (moves, joined) or `South to move`. Each other column is headed
//! `rule sets: result` and shows the board afterwards, if there is one. `all` are all rule sets,
//! `others` those that the drawing's other columns do not name.

use oware::rules::{Rules, Side};

/// Pits A to F, a to f.
pub(crate) type SouthView = [u8; 12];

/// One drawing.
#[derive(Debug)]
pub(crate) struct Drawing {
    pub(crate) turn: Side,
    pub(crate) moves: String,
    pub(crate) before: SouthView,
    pub(crate) results: Vec<Drawn>,
}

/// What some rule sets make of a drawing's board.
#[derive(Debug)]
pub(crate) struct Drawn {
    pub(crate) rule_sets: Vec<Rules>,
    /// As written: `illegal`, `+2`, `no-seeds, North takes 3`, `worth -1`, …
    pub(crate) result: String,
    pub(crate) after: Option<SouthView>,
}

/// All drawings of a page.
pub(crate) fn drawings(page: &str) -> Vec<Drawing> {
    let blocks = page.split("```board\n").skip(1);
    blocks.map(|block| drawing(block.split("```").next().expect("an end"))).collect()
}

fn drawing(block: &str) -> Drawing {
    let lines: Vec<Vec<&str>> =
        block.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    let head = lines.len().checked_sub(4).expect(block);
    let column = |at: usize| -> Vec<&str> {
        lines.iter().map(|cells| cells.get(at).copied().unwrap_or_default()).collect()
    };
    let first = column(0);
    let (turn, moves) = match first[0].split_once(' ').expect(block) {
        ("South:", moves) => (Side::South, moves),
        ("South", "to move") => (Side::South, ""),
        ("North", "to move") => (Side::North, ""),
        _ => panic!("who is to move? {block}"),
    };
    let mut results: Vec<Drawn> =
        (1..lines[0].len()).map(|at| drawn(&column(at), head, block)).collect();
    let named: Vec<Rules> = results.iter().flat_map(|drawn| drawn.rule_sets.clone()).collect();
    for drawn in results.iter_mut().filter(|drawn| drawn.rule_sets.is_empty()) {
        drawn.rule_sets = Rules::ALL.into_iter().filter(|rules| !named.contains(rules)).collect();
    }
    let before = pits(&first[head..]).expect(block);
    Drawing { turn, moves: moves.to_owned(), before, results }
}

/// One column; `others` stays without rule sets here.
fn drawn(column: &[&str], head: usize, block: &str) -> Drawn {
    let words = column[..head].join(" ");
    let (names, result) = words.split_once(':').expect(block);
    let rule_sets = match names {
        "all" => Rules::ALL.to_vec(),
        "others" => Vec::new(),
        _ => names.split(',').map(|name| name.trim().parse().expect(block)).collect(),
    };
    Drawn { rule_sets, result: result.trim().to_owned(), after: pits(&column[head..]) }
}

/// The board of four lines; `None` where they are blank.
fn pits(lines: &[&str]) -> Option<SouthView> {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if words(lines[0]).concat() != "fedcba" || words(lines[3]).concat() != "ABCDEF" {
        return None;
    }
    let north = words(lines[1]).into_iter().rev();
    let pits: Vec<u8> =
        words(lines[2]).into_iter().chain(north).filter_map(|pit| pit.parse().ok()).collect();
    pits.try_into().ok()
}
