//! The rules read literally: twelve pits in an array, one seed dropped at a time, one question
//! after the other. Slow, and shares nothing with the library but the names of the rule sets.
//!
//! Places 0 to 5 are the mover's pits A to F, 6 to 11 the opponent's a to f.

use oware::rules::Rules;

/// Seeds in each of the twelve pits, the mover's row first.
pub(crate) type Pits = [u8; 12];

/// What playing a pit comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Played {
    /// Not allowed.
    Illegal,
    /// The game goes on with `next`, seen by the other player.
    On { captured: u8, next: Pits },
    /// The game is over; the other player takes the `left` seeds still on the board.
    Over { captured: u8, left: u8 },
}

/// Where the seeds of the mover's pit `pit` go, one place a seed.
fn path(rules: Rules, pit: usize, seeds: u8) -> impl Iterator<Item = usize> {
    const THERE: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    const BACK_AND_THERE: &[usize] = &[5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let after = if rules == Rules::TwoLap { BACK_AND_THERE } else { THERE };
    let places = THERE.iter().chain(after.iter().cycle()).copied();
    places.skip(pit + 1).filter(move |&place| place != pit).take(usize::from(seeds))
}

fn seeds_of_opponent(pits: &Pits) -> u8 {
    pits[6..].iter().sum()
}

fn seeds_of_mover(pits: &Pits) -> u8 {
    pits[..6].iter().sum()
}

/// Plays the mover's pit `pit` (0..6).
pub(crate) fn play(rules: Rules, before: &Pits, pit: usize) -> Played {
    if before[pit] == 0 {
        return Played::Illegal;
    }
    let opponent_was_empty = seeds_of_opponent(before) == 0;

    // Sow.
    let mut pits = *before;
    pits[pit] = 0;
    let mut last = pit;
    for place in path(rules, pit, before[pit]) {
        pits[place] += 1;
        last = place;
    }

    // What would be captured: the last seed's pit first, then back along the opponent's row.
    let mut run = Vec::new();
    let mut place = last;
    while place >= 6 && (pits[place] == 2 || pits[place] == 3) {
        run.push(place);
        place -= 1;
    }

    // A slam would take every seed that the opponent has after the sowing.
    let in_run: u8 = run.iter().map(|&place| pits[place]).sum();
    let slam = in_run > 0 && in_run == seeds_of_opponent(&pits);
    let mut over = false;
    if slam {
        match rules {
            Rules::Awari | Rules::TwoLap => return Played::Illegal,
            Rules::Abapa => run.clear(),
            Rules::LeaveLast => drop(run.remove(0)),
            Rules::LeaveFirst => drop(run.pop()),
            Rules::OpponentTakesRest => over = true,
            Rules::Wari => {}
        }
    }
    let mut captured = 0;
    for place in run {
        captured += pits[place];
        pits[place] = 0;
    }

    // The move is complete: judge it.
    if opponent_was_empty && seeds_of_opponent(&pits) == 0 {
        return Played::Illegal;
    }
    if over {
        return Played::Over { captured, left: seeds_of_mover(&pits) };
    }
    let [own @ .., a, b, c, d, e, f] = pits;
    let mut next = [a, b, c, d, e, f, 0, 0, 0, 0, 0, 0];
    next[6..].copy_from_slice(&own);
    Played::On { captured, next }
}

/// Why nothing can be played and what the mover then gets, the seeds the opponent gets taken off.
pub(crate) fn end(rules: Rules, pits: &Pits) -> Option<(&'static str, i8)> {
    let seeds = i8::try_from(pits.iter().sum::<u8>()).expect("at most 48 seeds");
    if seeds_of_mover(pits) == 0 {
        return Some(("no-seeds", -seeds));
    }
    if (0..6).any(|pit| play(rules, pits, pit) != Played::Illegal) {
        return None;
    }
    if seeds_of_opponent(pits) == 0 {
        return Some(("cannot-feed", seeds));
    }
    Some(("only-slams", seeds))
}

/// Every board with `seeds` seeds.
pub(crate) fn all_boards(seeds: u8) -> Vec<Pits> {
    fn fill(pits: &mut Pits, place: usize, left: u8, found: &mut Vec<Pits>) {
        if place == 11 {
            pits[place] = left;
            found.push(*pits);
            return;
        }
        for here in 0..=left {
            pits[place] = here;
            fill(pits, place + 1, left - here, found);
        }
    }
    let mut found = Vec::new();
    fill(&mut [0; 12], 0, seeds, &mut found);
    found
}
