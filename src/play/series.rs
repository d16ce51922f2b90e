//! A series of games: the seeds that each player has collected, whoever sat where.

use super::players::{PlayerKind, Players};
use super::words::name;
use crate::game::Game;
use crate::rules::Side;
use std::cmp::Ordering;

/// A series between player 1, who starts as South, and player 2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// Seeds that a player needs to win.
    target: u32,
    /// In half seeds, of players 1 and 2.
    totals: [u32; 2],
    /// The sides of players 1 and 2 in the game under way.
    sides: [Side; 2],
    /// The number of the game under way.
    number: u32,
}

impl Series {
    pub(super) const fn new(target: u32) -> Self {
        Self { target, totals: [0; 2], sides: [Side::South, Side::North], number: 1 }
    }

    /// The line before a game.
    pub(super) fn beginning(&self, players: Players) -> String {
        let who = [0, 1].map(|at| {
            format!("player {} ({}) is {}", at + 1, self.kind(at, players), name(self.sides[at]))
        });
        format!("Game {} of a series to {} seeds: {}.", self.number, self.target, who.join(", "))
    }

    /// The series with the seeds of the game under way, which is over.
    pub(super) fn with(mut self, game: &Game) -> Self {
        let gained = self.gained(game);
        self.totals = [0, 1].map(|at| self.totals[at] + gained[at]);
        self
    }

    /// The line after a game, with the result of the series if it is over.
    pub(super) fn standing(&self, players: Players) -> String {
        let seeds = self.totals.map(|half_seeds| f64::from(half_seeds) / 2.0);
        let who = |at: usize| format!("player {} ({})", at + 1, self.kind(at, players));
        let standing = format!(
            "The series after game {}: {} has {} seeds, {} has {}.",
            self.number,
            who(0),
            seeds[0],
            who(1),
            seeds[1]
        );
        let winner = match self.totals[0].cmp(&self.totals[1]) {
            _ if !self.is_over() => return standing,
            Ordering::Equal => return format!("{standing} The series is drawn."),
            Ordering::Greater => 0,
            Ordering::Less => 1,
        };
        format!("{standing} Player {} ({}) wins it.", winner + 1, self.kind(winner, players))
    }

    pub(super) fn is_over(&self) -> bool {
        self.totals.iter().any(|&total| total >= 2 * self.target)
    }

    /// The side that had fewer seeds in a game of the series; `None` if both had as many.
    pub(super) fn loser(&self, game: &Game) -> Option<Side> {
        let [first, second] = self.gained(game);
        match first.cmp(&second) {
            Ordering::Less => Some(self.sides[0]),
            Ordering::Greater => Some(self.sides[1]),
            Ordering::Equal => None,
        }
    }

    /// Goes on to the next game.
    pub(super) fn next(&mut self, sides_change: bool) {
        self.number += 1;
        if sides_change {
            self.sides.swap(0, 1);
        }
    }

    fn kind(&self, at: usize, players: Players) -> PlayerKind {
        players.of(self.sides[at])
    }

    /// Half seeds of players 1 and 2 in a game that is over.
    fn gained(&self, game: &Game) -> [u32; 2] {
        let score = game.score();
        self.sides.map(|side| u32::from(score.of(side).get()))
    }
}
