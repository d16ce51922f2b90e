//! What `docs/rules.md` says that boards are worth.

use crate::drawings::drawings;
use crate::naive;
use oware::rules::{Rules, Side};

const PAGE: &str = include_str!("../../../docs/rules.md");
const MOST_SEEDS: u8 = 3;

#[test]
fn boards_of_the_rules_page_are_worth_what_it_says() {
    let mut shown = 0;
    for rules in Rules::ALL {
        let values = naive::solve(rules, MOST_SEEDS);
        for drawing in drawings(PAGE) {
            let of_this = drawing.results.iter().filter(|drawn| drawn.rule_sets.contains(&rules));
            for drawn in of_this {
                let Some(worth) = drawn.result.strip_prefix("worth ") else { continue };
                assert_eq!((drawing.turn, drawn.after), (Side::South, None), "{drawing:?}");
                assert!(drawing.moves.is_empty(), "{drawing:?}");
                let value = values[&drawing.before];
                assert_eq!(worth.parse(), Ok(value), "{rules}: {drawing:?}");
                shown += 1;
            }
        }
    }
    assert_eq!(shown, 14, "values on the page");
}
