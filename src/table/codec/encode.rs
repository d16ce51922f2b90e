//! Writing blocks: what to store for each board, and its bytes; several blocks side by side.

use super::distribution::{Choices, Distribution, LAST_ENTRY, MOST_ENTRIES, raw_symbol};
use super::lanes::{LANES, Lanes, PAD, for_each_lane};
use super::model::Model;
use super::rans::{Symbol, Writer};
use crate::index::LevelIndex;
use crate::level::{plain_is_free, plain_value};

/// Bits of a distribution's entry in the place of a symbol.
const ENTRY_BITS: u32 = MOST_ENTRIES.trailing_zeros();

/// A level being written with a model.
pub(in crate::table) struct ModelWriter<'a> {
    model: &'a Model,
    index: &'a LevelIndex,
    plain: &'a [u8],
    /// By distribution.
    choices: Vec<Choices>,
    /// [`MOST_ENTRIES`] a distribution.
    symbols: Vec<Symbol>,
}

/// Buffers of a thread that codes blocks.
#[derive(Debug, Default)]
pub(in crate::table) struct WriterScratch {
    one: EncoderLanes<1>,
    several: EncoderLanes<LANES>,
}

/// Buffers for blocks side by side.
#[derive(Debug, Default)]
struct EncoderLanes<const L: usize> {
    lanes: Lanes<L>,
    /// The symbol of each board, as its place in [`ModelWriter::symbols`].
    symbols: Vec<[u16; L]>,
    writer: Writer,
    bytes: Vec<u8>,
}

/// What is stored for a board, and where that stands in the model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen {
    pub(super) context: u32,
    pub(super) near: i8,
    pub(super) number: i8,
    /// The place of the symbol among all distributions'.
    symbol: u16,
}

impl<'a> ModelWriter<'a> {
    pub(in crate::table) fn new(model: &'a Model, index: &'a LevelIndex, plain: &'a [u8]) -> Self {
        let distributions = model.distributions_in_use();
        let choices = distributions.iter().map(Distribution::choices).collect();
        let symbols = distributions.iter().flat_map(Distribution::symbols).collect();
        Self { model, index, plain, choices, symbols }
    }

    /// Codes blocks of `boards` boards from the indices `from` on, and hands the bytes of each to `coded`, in
    /// order.
    pub(in crate::table) fn encode(
        &self,
        from: &[u64],
        boards: usize,
        scratch: &mut WriterScratch,
        mut coded: impl FnMut(&[u8]),
    ) {
        for from in from.chunks(LANES) {
            match <[_; LANES]>::try_from(from) {
                Ok(from) => self.encode_lanes(from, boards, &mut scratch.several, &mut coded),
                Err(_) => {
                    for &from in from {
                        self.encode_lanes([from], boards, &mut scratch.one, &mut coded);
                    }
                }
            }
        }
    }

    fn encode_lanes<const L: usize>(
        &self,
        from: [u64; L],
        boards: usize,
        buffers: &mut EncoderLanes<L>,
        coded: &mut impl FnMut(&[u8]),
    ) {
        let EncoderLanes { lanes, symbols, writer, bytes } = buffers;
        symbols.resize(boards, [0; L]);
        self.choose(from, boards, lanes, |at, lane, chosen| symbols[at][lane] = chosen.symbol);
        let (_, numbers) = lanes.parts();
        let mut coders = writer.begin::<L>(2 * boards);
        for (symbols, numbers) in symbols.iter().zip(&numbers[PAD..]).rev() {
            for_each_lane!(L, |lane| {
                let symbol = usize::from(symbols[lane]);
                if symbol % MOST_ENTRIES == usize::from(LAST_ENTRY) {
                    coders.put(lane, raw_symbol(numbers[lane]));
                }
                coders.put(lane, self.symbols[symbol]);
            });
        }
        for lane in 0..L {
            bytes.clear();
            coders.finish(lane, bytes);
            coded(bytes);
        }
    }

    /// Chooses the numbers to store for blocks of `boards` boards from the indices `from` on, and hands
    /// each to `chosen` with its line and lane.
    ///
    /// A free board takes the likeliest number up to its value. Values of all the level's seeds
    /// are kept, so that an ended board's number is its value.
    #[inline(always)]
    pub(super) fn choose<const L: usize>(
        &self,
        from: [u64; L],
        boards: usize,
        lanes: &mut Lanes<L>,
        mut chosen: impl FnMut(usize, usize, Chosen),
    ) {
        lanes.lay(self.model.contexts.feature_table(), self.index, from, boards);
        let plain = from.map(|from| {
            let from = usize::try_from(from).expect("an index into a level in memory");
            &self.plain[from..from + boards]
        });
        let most = self.index.seeds();
        let least = -most.cast_signed();
        let weights = &self.model.weights;
        let (map, choices) = (self.model.map.as_slice(), self.choices.as_slice());
        let (features, numbers) = lanes.parts();
        let mut before = [0; L];
        for (at, features) in features.iter().enumerate() {
            let frame = numbers[at..].first_chunk_mut().expect("a line for each board");
            for_each_lane!(L, |lane| {
                let (context, near) = weights.context(frame, lane, &features[lane], before[lane]);
                let distribution = map[context];
                let byte = plain[lane][at];
                let value = plain_value(byte);
                let is_free = plain_is_free(byte) & (value.unsigned_abs() != most);
                let choices = &choices[usize::from(distribution)];
                let difference = usize::from(value.wrapping_sub(near).cast_unsigned());
                let mut choice = choices[usize::from(is_free)][difference];
                let mut number = near.wrapping_add(choice.change);
                if number < least {
                    choice = choices[0][difference];
                    number = value;
                }
                frame[PAD][lane] = number;
                before[lane] = number;
                let symbol = u16::from(distribution) << ENTRY_BITS | u16::from(choice.entry);
                #[expect(clippy::cast_possible_truncation, reason = "half a million contexts")]
                let context = context as u32;
                chosen(at, lane, Chosen { context, near, number, symbol });
            });
        }
    }
}
