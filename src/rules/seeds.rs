//! The number of seeds of a level.

use std::fmt;
use std::str::FromStr;

/// The largest number of seeds on a board.
pub const MAX_SEEDS: u8 = 48;

/// The number of seeds of a level: 0 to 48.
///
/// A level is all boards with the same number of seeds. With serde a number of seeds is a number.
///
/// ```
/// use oware::rules::Seeds;
///
/// const NINE: Seeds = Seeds::of(9);
/// assert_eq!(Seeds::new(9), Some(NINE));
/// assert_eq!(Seeds::new(49), None);
/// assert_eq!("9".parse(), Ok(NINE));
/// assert!(NINE.below().eq((0..9).map(Seeds::of)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seeds(u8);

/// The text or the number is not a number of seeds of a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a number of seeds: 0 to {MAX_SEEDS}")]
pub struct NotSeeds(String);

impl Seeds {
    /// No seeds: the smallest level.
    pub const NONE: Self = Self(0);

    /// All seeds of a game: the largest level.
    pub const MAX: Self = Self(MAX_SEEDS);

    /// A number of seeds; `None` over 48.
    #[must_use]
    pub const fn new(seeds: u8) -> Option<Self> {
        if seeds <= MAX_SEEDS { Some(Self(seeds)) } else { None }
    }

    /// A number of seeds that is known to be one, such as a literal.
    ///
    /// # Panics
    /// If `seeds` is over 48.
    #[must_use]
    pub const fn of(seeds: u8) -> Self {
        assert!(seeds <= MAX_SEEDS, "a level has at most 48 seeds");
        Self(seeds)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number as the position of the level in a list of all levels.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All numbers up to this one, from 0 on.
    pub fn up_to(self) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..=self.0).map(Self)
    }

    /// All smaller numbers, from 0 on.
    pub fn below(self) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..self.0).map(Self)
    }

    /// The number after `seeds` seeds are taken away; `None` if there are fewer.
    #[must_use]
    pub const fn checked_sub(self, seeds: u8) -> Option<Self> {
        match self.0.checked_sub(seeds) {
            Some(left) => Some(Self(left)),
            None => None,
        }
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl FromStr for Seeds {
    type Err = NotSeeds;

    /// Parses a number.
    ///
    /// # Errors
    /// When the text is not a number from 0 to 48.
    fn from_str(text: &str) -> Result<Self, NotSeeds> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| NotSeeds(text.to_owned()))
    }
}

impl TryFrom<u8> for Seeds {
    type Error = NotSeeds;

    /// # Errors
    /// When the number is over 48.
    fn try_from(seeds: u8) -> Result<Self, NotSeeds> {
        Self::new(seeds).ok_or_else(|| NotSeeds(seeds.to_string()))
    }
}

impl From<Seeds> for u8 {
    fn from(seeds: Seeds) -> Self {
        seeds.0
    }
}

/// Serializes as a number.
impl serde::Serialize for Seeds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Deserializes from a number.
impl<'de> serde::Deserialize<'de> for Seeds {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(u8::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_over_48_are_refused() {
        assert_eq!(Seeds::new(48), Some(Seeds::MAX));
        for seeds in 49..=255 {
            assert_eq!(Seeds::new(seeds), None);
            assert!(Seeds::try_from(seeds).is_err());
        }
        assert_eq!(serde_json::from_str::<Seeds>("48").ok(), Some(Seeds::MAX));
        assert!(serde_json::from_str::<Seeds>("49").is_err());
        assert_eq!(serde_json::to_string(&Seeds::MAX).ok().as_deref(), Some("48"));
    }

    #[test]
    fn texts_are_numbers_or_an_error_that_names_them() {
        for seeds in Seeds::MAX.up_to() {
            assert_eq!(seeds.to_string().parse(), Ok(seeds));
        }
        for text in ["49", "256", "-1", "x", "", "1.5"] {
            let error = text.parse::<Seeds>().expect_err("not a number of seeds");
            assert_eq!(error.to_string(), format!("'{text}' is not a number of seeds: 0 to 48"));
        }
        assert_eq!(format!("{:02}", Seeds::of(5)), "05");
    }

    #[test]
    fn ranges_and_differences_stay_within_the_levels() {
        let three = Seeds::of(3);
        assert!(three.up_to().map(Seeds::get).eq(0..=3));
        assert!(three.below().rev().map(Seeds::index).eq((0..3).rev()));
        assert_eq!((Seeds::NONE.up_to().len(), Seeds::NONE.below().len()), (1, 0));
        assert_eq!(three.checked_sub(3), Some(Seeds::NONE));
        assert_eq!(three.checked_sub(4), None);
    }
}
