//! Errors of boards, pits and values from text or numbers.

/// The reason why a text, or an array of pits, is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A field is not a number.
    #[error("'{field}' is not a number of seeds: a board is 12 numbers, the mover's row first")]
    NotANumber {
        /// The field as written.
        field: String,
    },
    /// There is a separator in the place of a number.
    #[error(
        "'{text}' has a stray separator: write blanks, commas, slashes or dashes between numbers"
    )]
    StraySeparator {
        /// The whole text.
        text: String,
    },
    /// Neither 12 nor 15 fields.
    #[error("{found} {} where a board has 12 numbers (or a game string 15 fields)", if *found == 1 { "field" } else { "fields" })]
    WrongCount {
        /// Fields found.
        found: usize,
    },
    /// A drawn board that is not whole, or not clear.
    #[error("this is no drawn board: {why}")]
    BadDrawing {
        /// What is wrong.
        why: &'static str,
    },
    /// A JSON object without a board.
    #[error("a JSON object holds a board in its field 'board' or 'position': {why}")]
    BadObject {
        /// What is wrong.
        why: String,
    },
    /// A `|` is not between the rows.
    #[error("'|' stands between the two rows only, after the sixth number")]
    MisplacedBar,
    /// More than 48 seeds.
    #[error("{seeds} seeds: pits and stores together hold at most 48")]
    TooManySeeds {
        /// Seeds found.
        seeds: u32,
    },
    /// A number that no pit or store can hold.
    #[error("'{field}' is not a number of seeds: pits and stores together hold at most 48")]
    HugeNumber {
        /// The field as written.
        field: String,
    },
    /// The last field of a game string is not `S` or `N`.
    #[error("'{turn}' is not a turn: the last field of a game string is S or N")]
    BadTurn {
        /// The field as written.
        turn: String,
    },
}

/// The text is not the letter of a pit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a pit: the mover's pits are A to F")]
pub struct UnknownPit(pub(super) String);

/// The number or text is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a value: a value is a whole number from -48 to 48")]
pub struct NotAValue(pub(super) String);
