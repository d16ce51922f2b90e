//! The statistical model of a level: the probability of a number, given the context of its board.
//!
//! The context consists of
//! - the prediction: the number of the first neighbour, which is the board with one seed of pit A
//!   moved to the next pit (if pit A is empty, one seed of the first filled pit);
//! - the classes of the differences between the numbers of two more neighbours and the prediction;
//! - the classes of the greatest capture of the mover, of that of the opponent, and of the number
//!   of filled pits (see [`features`](super::features)).
//!
//! Neighbours are boards of the same block, so blocks are independent. There are up to half a
//! million contexts, which share at most 256 [`Distribution`]s. A model is the distributions and
//! the map from contexts to them. A block is a stream of the [entropy coder](super::rans), which
//! can be decoded up to any of its boards, since its checksum covers its bytes.

use super::distribution::Distribution;
use super::features::{
    BoardFeatures, CAPTURE_CLASSES, FeatureTable, FeatureWeights, MOVES_CLASSES, THREAT_CLASSES,
};
use super::lanes::{BEFORE, Frame, PAD};
use super::pack::{pack, unpack};
use std::hint::select_unpredictable;
use std::sync::LazyLock;

/// The number of classes of a neighbour's difference: −2 or less, −1, 0, 1, 2 or more, no
/// neighbour.
const DIFFERENCES: usize = 6;

/// The parts of a board's context. Smaller levels have too few boards for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The greatest capture, and whether pit A has seeds.
    Capture,
    /// Also the prediction.
    Prediction,
    /// Also the other neighbours, the greatest capture of the opponent, and the filled pits.
    Full,
}

impl Detail {
    pub(super) const fn for_boards(boards: u64) -> Self {
        match boards {
            0..4_000 => Self::Capture,
            4_000..300_000 => Self::Prediction,
            _ => Self::Full,
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::Capture => 0,
            Self::Prediction => 1,
            Self::Full => 2,
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        [Self::Capture, Self::Prediction, Self::Full]
            .into_iter()
            .find(|detail| detail.code() == code)
    }
}

/// The contexts of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contexts {
    pub(super) seeds: u8,
    pub(super) detail: Detail,
}

impl Contexts {
    /// The number of contexts.
    pub(super) const fn count(self) -> usize {
        let prediction = 2 * self.seeds as usize + 1;
        match self.detail {
            Detail::Capture => CAPTURE_CLASSES * 2,
            Detail::Prediction => prediction * CAPTURE_CLASSES * 2,
            Detail::Full => prediction * DIFFERENCES * DIFFERENCES * FEATURE_CONTEXTS,
        }
    }

    /// The table of what the features of a board add to its context.
    pub(super) fn feature_table(self) -> &'static FeatureTable {
        static COARSE: LazyLock<FeatureTable> = LazyLock::new(|| {
            FeatureTable::new(FeatureWeights { capture: 2, threat: 0, mover_mask: 1 })
        });
        static FULL: LazyLock<FeatureTable> = LazyLock::new(|| {
            FeatureTable::new(FeatureWeights { capture: 4 * 3 * 2, threat: 3 * 2, mover_mask: 7 })
        });
        const { assert!(THREAT_CLASSES == 4 && MOVES_CLASSES == 3) }
        match self.detail {
            Detail::Capture | Detail::Prediction => &COARSE,
            Detail::Full => &FULL,
        }
    }

    /// The weights of the neighbours of a board in its context.
    fn weights(self) -> NeighbourWeights {
        let (prediction, second, third) = match self.detail {
            Detail::Capture => (0, 0, 0),
            Detail::Prediction => (CAPTURE_CLASSES * 2, 0, 0),
            Detail::Full => (6 * 6 * FEATURE_CONTEXTS, 6 * FEATURE_CONTEXTS, FEATURE_CONTEXTS),
        };
        const { assert!(DIFFERENCES == 6) }
        let [prediction, second, third] = [prediction, second, third]
            .map(|step| i32::try_from(step).expect("at most half a million contexts"));
        let from_zero = prediction * i32::from(self.seeds);
        let second = classes(second).map(|class| class + from_zero);
        NeighbourWeights { prediction, second, third: classes(third) }
    }
}

/// The weights of the neighbours of a board in its context.
#[derive(Clone, Debug)]
pub(super) struct NeighbourWeights {
    /// The number of contexts per prediction.
    prediction: i32,
    /// By the difference to the prediction, as a byte. Includes the constant that makes the least
    /// prediction count as 0.
    second: [i32; 256],
    third: [i32; 256],
}

impl NeighbourWeights {
    /// The context and the prediction of the board at the end of a frame, in one of its lanes.
    /// `before` is the number of the board before. If a number is out of range, the context may be
    /// too.
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
        // A single lane waits for each number. That of the board before is still in a register.
        let prediction = if L == 1 {
            select_unpredictable(features.first == BEFORE, before, first)
        } else {
            first
        };
        let difference = |number: i8| usize::from(number.wrapping_sub(prediction).cast_unsigned());
        let context = i32::from(prediction) * self.prediction
            + self.second[difference(second)]
            + self.third[difference(third)]
            + i32::from(features.context);
        (context.cast_unsigned() as usize, prediction)
    }
}

/// The number of combinations of features.
const FEATURE_CONTEXTS: usize = CAPTURE_CLASSES * THREAT_CLASSES * MOVES_CLASSES * 2;

/// By the difference of a neighbour, as a byte: its class times `step`. Differences from 80 on,
/// either way, count as no neighbour; that of [`NONE`](super::lanes::NONE) to any number is one of
/// them.
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

/// The statistical model of a level.
#[derive(Clone, Debug)]
pub(in crate::table) struct Model {
    pub(super) contexts: Contexts,
    pub(super) weights: NeighbourWeights,
    /// The distribution of each context.
    pub(super) map: Vec<u8>,
    /// One per byte: those in use, then copies of the first.
    pub(super) distributions: Box<[Distribution; 256]>,
    /// The number of the last distribution in use.
    last: u8,
}

impl Model {
    /// A model from its map and its 1 to 256 distributions.
    pub(super) fn new(contexts: Contexts, map: Vec<u8>, distributions: &[Distribution]) -> Self {
        debug_assert!(map.len() == contexts.count());
        let all =
            std::array::from_fn(|at| distributions.get(at).unwrap_or(&distributions[0]).clone());
        let last = u8::try_from(distributions.len() - 1).expect("1 to 256 distributions");
        let weights = contexts.weights();
        Self { contexts, weights, map, distributions: Box::new(all), last }
    }

    /// The distributions of the map.
    pub(super) fn distributions_in_use(&self) -> &[Distribution] {
        &self.distributions[..=usize::from(self.last)]
    }

    /// The bytes of the model: detail, number of distributions − 1, each distribution, packed map.
    pub(in crate::table) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.contexts.detail.code(), self.last];
        self.distributions_in_use().iter().for_each(|distribution| distribution.write(&mut bytes));
        pack(&self.map, &mut bytes);
        bytes
    }

    /// Parses a model of the level of `seeds` seeds; `None` if the bytes are not one.
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
