//! The encoder of blocks: the number to store for each board, and the bytes of several blocks side
//! by side.

use super::distribution::{Choices, Distribution, ESCAPE_ENTRY, MOST_ENTRIES, raw_symbol};
use super::lanes::{LANES, Lanes, PAD, for_each_lane};
use super::model::Model;
use super::rans::{Symbol, Writer};
use crate::index::LevelIndex;
use crate::level::{plain_is_free, plain_value};

/// Bits of an entry in a symbol's place, `distribution << ENTRY_BITS | entry`.
const ENTRY_BITS: u32 = MOST_ENTRIES.trailing_zeros();

/// The encoder of a level with its model.
pub(in crate::table) struct ModelWriter<'a> {
    model: &'a Model,
    index: &'a LevelIndex,
    plain: &'a [u8],
    /// One per distribution.
    choices: Vec<Choices>,
    /// [`MOST_ENTRIES`] per distribution.
    symbols: Vec<Symbol>,
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(in crate::table) struct WriterScratch {
    one: EncoderLanes<1>,
    several: EncoderLanes<LANES>,
}

/// Buffers for blocks side by side.
#[derive(Debug, Default)]
struct EncoderLanes<const L: usize> {
    lanes: Lanes<L>,
    /// The symbol of each board, as its place in [`ModelWriter::symbols`]. One line per board.
    symbols: Vec<[u16; L]>,
    writer: Writer,
    bytes: Vec<u8>,
}

/// The number to store for a board, with its context and its symbol.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredNumber {
    pub(super) context: u32,
    pub(super) prediction: i8,
    pub(super) number: i8,
    /// The place of the symbol in [`ModelWriter::symbols`].
    symbol: u16,
}

impl<'a> ModelWriter<'a> {
    pub(in crate::table) fn new(model: &'a Model, index: &'a LevelIndex, plain: &'a [u8]) -> Self {
        let distributions = model.distributions_in_use();
        let choices = distributions.iter().map(Distribution::choices).collect();
        let symbols = distributions.iter().flat_map(Distribution::symbols).collect();
        Self { model, index, plain, choices, symbols }
    }

    /// Encodes blocks of `boards` boards, each from an index in `from` on. Calls `coded` with the
    /// bytes of each block, in order.
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
        self.choose(from, boards, lanes, |line, lane, stored| symbols[line][lane] = stored.symbol);
        let (_, numbers) = lanes.features_and_numbers();
        let mut coders = writer.begin::<L>(2 * boards);
        for (symbols, numbers) in symbols.iter().zip(&numbers[PAD..]).rev() {
            for_each_lane!(L, |lane| {
                let symbol = usize::from(symbols[lane]);
                if symbol % MOST_ENTRIES == usize::from(ESCAPE_ENTRY) {
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

    /// Chooses the numbers to store for blocks of `boards` boards, each from an index in `from` on.
    /// Calls `chosen(line, lane, number)` for each board.
    ///
    /// The number of a free board is the most probable one that is at most its value. If the value
    /// is all seeds of the level, for either side, the number is the value: boards on which the
    /// game has ended are stored as they are.
    #[inline(always)]
    pub(super) fn choose<const L: usize>(
        &self,
        from: [u64; L],
        boards: usize,
        lanes: &mut Lanes<L>,
        mut chosen: impl FnMut(usize, usize, StoredNumber),
    ) {
        lanes.reset(self.model.contexts.feature_table(), self.index, from, boards);
        let plain = from.map(|from| {
            let from = usize::try_from(from).expect("the level is in memory");
            &self.plain[from..from + boards]
        });
        let most = self.index.seeds().get();
        let least = -most.cast_signed();
        let weights = &self.model.weights;
        let (map, choices) = (self.model.map.as_slice(), self.choices.as_slice());
        let (features, numbers) = lanes.features_and_numbers();
        let mut before = [0; L];
        for (at, features) in features.iter().enumerate() {
            let frame = numbers[at..].first_chunk_mut().expect("a line for each board");
            for_each_lane!(L, |lane| {
                let (context, prediction) =
                    weights.context(frame, lane, &features[lane], before[lane]);
                let distribution = map[context];
                let byte = plain[lane][at];
                let value = plain_value(byte);
                let is_free = plain_is_free(byte) & (value.unsigned_abs() != most);
                let choices = &choices[usize::from(distribution)];
                let difference = usize::from(value.wrapping_sub(prediction).cast_unsigned());
                let mut choice = choices[usize::from(is_free)][difference];
                let mut number = prediction.wrapping_add(choice.change);
                if number < least {
                    choice = choices[0][difference];
                    number = value;
                }
                frame[PAD][lane] = number;
                before[lane] = number;
                let symbol = u16::from(distribution) << ENTRY_BITS | u16::from(choice.entry);
                #[expect(clippy::cast_possible_truncation, reason = "half a million contexts")]
                let context = context as u32;
                chosen(at, lane, StoredNumber { context, prediction, number, symbol });
            });
        }
    }
}
