//! Openings of matches: random legal moves from the start position.

use crate::game::{Game, GameSetup};
use crate::rules::Pit;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use std::collections::HashSet;

/// The number of draws before a repeated opening is accepted.
const TRIES: usize = 100;

/// Draws `count` openings of `plies` moves, distinct as long as there are enough. The same seed gives
/// the same openings. An opening stops before a move that would end the game.
pub(super) fn openings(setup: GameSetup, count: usize, plies: usize, seed: u64) -> Vec<Vec<Pit>> {
    let mut rng = Pcg64::new(seed.into(), 0);
    let mut seen = HashSet::new();
    let mut openings = Vec::with_capacity(count);
    for _ in 0..count {
        let mut opening = Vec::new();
        for _ in 0..TRIES {
            opening = draw(setup, plies, &mut rng);
            if seen.insert(opening.clone()) {
                break;
            }
        }
        openings.push(opening);
    }
    openings
}

fn draw(setup: GameSetup, plies: usize, rng: &mut Pcg64) -> Vec<Pit> {
    let mut game = Game::new(setup);
    for _ in 0..plies {
        let moves: Vec<Pit> = game.legal_moves().into_iter().map(|(pit, _)| pit).collect();
        let Some(&pit) = moves.choose(rng) else { break };
        game.play(pit).expect("a legal move");
        if game.end().is_some() {
            game.undo();
            break;
        }
    }
    game.moves().to_vec()
}
