//! Arguments with a few names as values, which the scripts of `completions` offer.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use oware::game::Repetition;
use oware::play::PlayerKind;
use oware::rules::Rules;
use oware::search::{Aim, Strength};
use std::error;
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

/// Parses a value by its own `FromStr`, so that a mistake has the message of the library.
#[derive(Clone, Debug)]
pub(crate) struct Names<T> {
    offered: Vec<&'static str>,
    parsed: PhantomData<T>,
}

impl<T> Names<T> {
    fn new(offered: impl IntoIterator<Item = &'static str>) -> Self {
        Self { offered: offered.into_iter().collect(), parsed: PhantomData }
    }
}

impl<T> TypedValueParser for Names<T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: error::Error + Send + Sync,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let parse: fn(&str) -> Result<T, T::Err> = str::parse;
        parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.offered.iter().copied().map(PossibleValue::new)))
    }
}

pub(crate) fn rules() -> Names<Rules> {
    Names::new(Rules::ALL.map(Rules::name))
}

pub(crate) fn aims() -> Names<Aim> {
    Names::new(Aim::ALL.map(Aim::name))
}

pub(crate) fn repetitions() -> Names<Repetition> {
    Names::new(Repetition::ALL.map(Repetition::name))
}

/// Levels of play; of `depth-N` one as an example.
const STRENGTHS: [&str; 7] = ["random", "greedy", "easy", "medium", "hard", "depth-8", "perfect"];

pub(crate) fn strengths() -> Names<Strength> {
    Names::new(STRENGTHS)
}

pub(crate) fn players() -> Names<PlayerKind> {
    Names::new(["person"].into_iter().chain(STRENGTHS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_are_read<T: FromStr>(names: &Names<T>) {
        assert!(!names.offered.is_empty());
        for name in &names.offered {
            assert!(name.parse::<T>().is_ok(), "{name}");
        }
    }

    #[test]
    fn every_name_that_is_offered_is_read() {
        all_are_read(&rules());
        all_are_read(&aims());
        all_are_read(&repetitions());
        all_are_read(&strengths());
        all_are_read(&players());
    }
}
