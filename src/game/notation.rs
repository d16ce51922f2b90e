//! Moves as text: South's pits in upper case, North's in lower case, `F f E c` or `FfEc`.

use crate::rules::{Pit, Side};

/// Why a text is not a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// A character that is not a pit.
    #[error("'{found}' is not a move: South plays A to F, North a to f")]
    NotAPit {
        /// The character.
        found: char,
    },
    /// A pit of the side that is not to move.
    #[error("move {ply}, {letter}: it is {}'s turn, who plays {}", side_name(*.turn), range(*.turn))]
    WrongTurn {
        /// The number of the move, from 1.
        ply: usize,
        /// The letter.
        letter: char,
        /// The side to move.
        turn: Side,
    },
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::South => "South",
        Side::North => "North",
    }
}

const fn range(side: Side) -> &'static str {
    match side {
        Side::South => "A to F",
        Side::North => "a to f",
    }
}

/// The letter of a move: `A`–`F` for South, `a`–`f` for North.
#[must_use]
pub const fn move_letter(side: Side, pit: Pit) -> char {
    match side {
        Side::South => pit.letter(),
        Side::North => pit.letter().to_ascii_lowercase(),
    }
}

/// The text of moves without separators, `FfEc`. The side `first` moves first.
#[must_use]
pub fn moves_text(first: Side, pits: &[Pit]) -> String {
    let turns = std::iter::successors(Some(first), |side| Some(side.other()));
    turns.zip(pits).map(|(side, &pit)| move_letter(side, pit)).collect()
}

/// Parses moves, with or without spaces or commas between them. The side `first` moves first.
///
/// # Errors
/// [`MoveError`] for the first character that is not a move of the side to move.
pub fn parse_moves(text: &str, first: Side) -> Result<Vec<Pit>, MoveError> {
    let mut turn = first;
    let mut pits = Vec::new();
    for letter in text.chars().filter(|mark| !mark.is_whitespace() && *mark != ',') {
        let pit = Pit::from_letter(letter).ok_or(MoveError::NotAPit { found: letter })?;
        if move_letter(turn, pit) != letter {
            return Err(MoveError::WrongTurn { ply: pits.len() + 1, letter, turn });
        }
        pits.push(pit);
        turn = turn.other();
    }
    Ok(pits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_parse_with_and_without_separators() {
        for text in ["FfEc", "F f E c", "F, f, E, c", " Ff Ec\n"] {
            let pits = parse_moves(text, Side::South).expect(text);
            assert_eq!(moves_text(Side::South, &pits), "FfEc");
        }
        let pits = parse_moves("fFa", Side::North).expect("North first");
        assert_eq!(moves_text(Side::North, &pits), "fFa");
        assert_eq!(parse_moves("", Side::South), Ok(Vec::new()));
    }

    #[test]
    fn a_letter_of_the_wrong_side_or_no_pit_is_an_error() {
        let wrong_turn = MoveError::WrongTurn { ply: 2, letter: 'E', turn: Side::North };
        assert_eq!(parse_moves("FE", Side::South), Err(wrong_turn));
        assert_eq!(parse_moves("Fg", Side::South), Err(MoveError::NotAPit { found: 'g' }));
        assert_eq!(parse_moves("F.", Side::South), Err(MoveError::NotAPit { found: '.' }));
    }
}
