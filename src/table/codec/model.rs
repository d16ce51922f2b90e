//! Blocks coded with a model of the level: what a number is likely to be, given its neighbours and
//! what the rules say of the board.
//!
//! A board's context is made of
//! - `near`, the number of the board with one seed of the mover's first pit moved on (or of its
//!   first filled pit, when pit A is empty): the prediction;
//! - how two further boards of that kind differ from it, −2..=2 or not at hand;
//! - the class of the mover's greatest capture, of the opponent's, and of the filled pits
//!   (see [`features`](super::features)).
//!
//! Neighbours are taken from the same block only, so that blocks stand alone. Contexts by the
//! hundred thousand share at most 256 [`Distribution`]s; the model is the map from contexts to distributions
//! and the distributions. A block is a stream of the [entropy coder](super::rans), and can be read up to any of its
//! boards: its check is made before.

use super::distribution::Distribution;
use super::features::{
    BoardFeatures, CAPTURE_CLASSES, FeatureTable, FeatureWeights, MOVES_CLASSES, THREAT_CLASSES,
};
use super::lanes::{BEFORE, Frame, PAD};
use super::pack::{pack, unpack};
use std::hint::select_unpredictable;
use std::sync::LazyLock;

/// Classes of a neighbour's difference: −2 or less, −1, 0, 1, 2 or more, not at hand.
const DIFFERENCES: usize = 6;

/// How much of a board makes its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The capture, and whether the prediction is near.
    Capture,
    /// And the prediction.
    Near,
    /// And further neighbours, threats, moves.
    Full,
}

impl Detail {
    pub(super) const fn for_boards(boards: u64) -> Self {
        match boards {
            0..4_000 => Self::Capture,
            4_000..300_000 => Self::Near,
            _ => Self::Full,
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::Capture => 0,
            Self::Near => 1,
            Self::Full => 2,
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        [Self::Capture, Self::Near, Self::Full].into_iter().find(|detail| detail.code() == code)
    }
}

/// The contexts of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contexts {
    pub(super) seeds: u8,
    pub(super) detail: Detail,
}

impl Contexts {
    /// How many there are.
    pub(super) const fn count(self) -> usize {
        let near = 2 * self.seeds as usize + 1;
        match self.detail {
            Detail::Capture => CAPTURE_CLASSES * 2,
            Detail::Near => near * CAPTURE_CLASSES * 2,
            Detail::Full => near * DIFFERENCES * DIFFERENCES * FEATURE_CONTEXTS,
        }
    }

    /// What the features add to a context.
    pub(super) fn feature_table(self) -> &'static FeatureTable {
        static COARSE: LazyLock<FeatureTable> =
            LazyLock::new(|| FeatureTable::new(FeatureWeights { capture: 2, threat: 0, own: 1 }));
        static FULL: LazyLock<FeatureTable> = LazyLock::new(|| {
            FeatureTable::new(FeatureWeights { capture: 4 * 3 * 2, threat: 3 * 2, own: 7 })
        });
        const { assert!(THREAT_CLASSES == 4 && MOVES_CLASSES == 3) }
        match self.detail {
            Detail::Capture | Detail::Near => &COARSE,
            Detail::Full => &FULL,
        }
    }

    /// What the neighbours add to a context.
    fn weights(self) -> NeighbourWeights {
        let (near, second, third) = match self.detail {
            Detail::Capture => (0, 0, 0),
            Detail::Near => (CAPTURE_CLASSES * 2, 0, 0),
            Detail::Full => (6 * 6 * FEATURE_CONTEXTS, 6 * FEATURE_CONTEXTS, FEATURE_CONTEXTS),
        };
        const { assert!(DIFFERENCES == 6) }
        let [near, second, third] =
            [near, second, third].map(|step| i32::try_from(step).unwrap_or(i32::MAX));
        let from_zero = near * i32::from(self.seeds);
        let second = classes(second).map(|class| class + from_zero);
        NeighbourWeights { near, second, third: classes(third) }
    }
}

/// What a board's neighbours add to its context.
#[derive(Clone, Debug)]
pub(super) struct NeighbourWeights {
    /// Contexts a prediction.
    near: i32,
    /// By the difference to the prediction, as a byte; with what makes predictions count from 0.
    second: [i32; 256],
    third: [i32; 256],
}

impl NeighbourWeights {
    /// The context and the prediction of the board at the end of a frame's lane; `before` is the
    /// number before it. Numbers beyond the level's seeds may give contexts that are none.
    #[inline(always)]
    pub(super) fn context<const L: usize>(
        &self,
        frame: &Frame<L>,
        lane: usize,
        features: &BoardFeatures,
        before: i8,
    ) -> (usize, i8) {
        let [first, second, third] = [features.first, features.second, features.third]
            .map(|line| frame[usize::from(line) & PAD][lane]);
        // Alone, a lane waits for its numbers: that of the board before is still in a register.
        let near = if L == 1 {
            select_unpredictable(features.first == BEFORE, before, first)
        } else {
            first
        };
        let away = |number: i8| usize::from(number.wrapping_sub(near).cast_unsigned());
        let context = i32::from(near) * self.near
            + self.second[away(second)]
            + self.third[away(third)]
            + i32::from(features.context);
        (context.cast_unsigned() as usize, near)
    }
}

const FEATURE_CONTEXTS: usize = CAPTURE_CLASSES * THREAT_CLASSES * MOVES_CLASSES * 2;

/// What a neighbour's difference, as a byte, adds to a context: its class times `step`. 80 and more either
/// way count as not at hand, which the difference of any number to [`NONE`](super::lanes::NONE) is.
fn classes(step: i32) -> [i32; 256] {
    let mut classes = [5 * step; 256];
    for difference in -79i8..80 {
        let class = match difference {
            ..=-2 => 0,
            -1 => 1,
            0 => 2,
            1 => 3,
            2.. => 4,
        };
        classes[usize::from(difference.cast_unsigned())] = class * step;
    }
    classes
}

/// A level's model.
#[derive(Clone, Debug)]
pub(in crate::table) struct Model {
    pub(super) contexts: Contexts,
    pub(super) weights: NeighbourWeights,
    /// The distribution of each context.
    pub(super) map: Vec<u8>,
    /// As many as a byte can name: those in use, then copies of the first.
    pub(super) distributions: Box<[Distribution; 256]>,
    last: u8,
}

impl Model {
    /// A model of a map and the 1 to 256 distributions that it names.
    pub(super) fn new(contexts: Contexts, map: Vec<u8>, distributions: &[Distribution]) -> Self {
        debug_assert!(map.len() == contexts.count());
        let named =
            std::array::from_fn(|at| distributions.get(at).unwrap_or(&distributions[0]).clone());
        let last = u8::try_from(distributions.len() - 1).unwrap_or(u8::MAX);
        let weights = contexts.weights();
        Self { contexts, weights, map, distributions: Box::new(named), last }
    }

    /// The distributions that the map may name.
    pub(super) fn distributions_in_use(&self) -> &[Distribution] {
        &self.distributions[..=usize::from(self.last)]
    }

    /// The model's bytes: detail, distributions − 1, each distribution, the packed map.
    pub(in crate::table) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.contexts.detail.code(), self.last];
        self.distributions_in_use().iter().for_each(|distribution| distribution.write(&mut bytes));
        pack(&self.map, &mut bytes);
        bytes
    }

    /// Reads a model of a level of `seeds` seeds; `None` when the bytes are none.
    pub(in crate::table) fn parse(seeds: u8, bytes: &[u8]) -> Option<Self> {
        let (&[detail, last], mut rest) = bytes.split_first_chunk()?;
        let contexts = Contexts { seeds, detail: Detail::from_code(detail)? };
        let distributions: Vec<_> =
            (0..=last).map(|_| Distribution::read(&mut rest)).collect::<Option<_>>()?;
        let map = unpack(rest, contexts.count())?;
        map.iter()
            .all(|&distribution| distribution <= last)
            .then(|| Self::new(contexts, map, &distributions))
    }
}
