//! Arguments with a few names as values, which the scripts of `completions` offer.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use oware::game::Repetition;
use oware::play::PlayerKind;
use oware::rules::Rules;
use oware::search::{Aim, Strength};
use std::ffi::OsStr;

/// A parser whose values have names to offer. A mistake has the message of the parser.
#[derive(Clone, Debug)]
pub(crate) struct Names<Parser> {
    offered: Vec<&'static str>,
    parser: Parser,
}

impl<Parser: TypedValueParser> TypedValueParser for Names<Parser> {
    type Value = Parser::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Parser::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.offered.iter().copied().map(PossibleValue::new)))
    }
}

/// Offers these names.
pub(crate) fn offering<Parser: TypedValueParser>(
    offered: impl IntoIterator<Item = &'static str>,
    parser: Parser,
) -> Names<Parser> {
    Names { offered: offered.into_iter().collect(), parser }
}

pub(crate) fn rules() -> impl TypedValueParser<Value = Rules> {
    offering(Rules::ALL.map(Rules::name), str::parse::<Rules>)
}

pub(crate) fn aims() -> impl TypedValueParser<Value = Aim> {
    offering(Aim::ALL.map(Aim::name), str::parse::<Aim>)
}

pub(crate) fn repetitions() -> impl TypedValueParser<Value = Repetition> {
    offering(Repetition::ALL.map(Repetition::name), str::parse::<Repetition>)
}

/// Levels of play; of `depth-N` one as an example.
const STRENGTHS: [&str; 7] = ["random", "greedy", "easy", "medium", "hard", "depth-8", "perfect"];

pub(crate) fn strengths() -> impl TypedValueParser<Value = Strength> {
    offering(STRENGTHS, str::parse::<Strength>)
}

pub(crate) fn players() -> impl TypedValueParser<Value = PlayerKind> {
    offering(["person"].into_iter().chain(STRENGTHS), str::parse::<PlayerKind>)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_are_read(parser: &impl TypedValueParser) {
        let command = Command::new("oware");
        let offered: Vec<_> = parser.possible_values().into_iter().flatten().collect();
        assert!(offered.len() > 1, "{offered:?}");
        for name in &offered {
            let read = parser.parse_ref(&command, None, name.get_name().as_ref());
            assert!(read.is_ok(), "{name:?}");
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
