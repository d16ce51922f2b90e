//! The entropy coder: range asymmetric numeral systems (Duda 2013), 32-bit state, 16-bit words.
//!
//! Each symbol has `frequency` of [`SCALE`] slots, from `start` on. Symbols are decoded in the
//! reverse of the order in which they were encoded, so the writer encodes the last symbol first.
//!
//! ```text
//! write: state = 1 at first
//!        if state ≥ frequency · 2^20: write the low 16 bits as a word, state >>= 16
//!        state = (state / frequency) · 4096 + state mod frequency + start
//! read:  slot = state mod 4096; find start ≤ slot < start + frequency
//!        state = frequency · (state / 4096) + slot − start
//!        if state < 2^16 and words are left: state = state · 2^16 + next word
//! ```
//!
//! The state of the writer decreases only where it writes a word, and is then at least 2^16 after
//! the symbol. The reader therefore reads a word whenever its state is below 2^16. The symbols
//! encoded before the first word are the exception: when the reader decodes them, no words are
//! left. A first state of 1 instead of 2^16 saves some 7 bits per stream.

use std::hint::select_unpredictable;

/// The number of slots.
pub(super) const SCALE: u32 = 1 << SCALE_BITS;
const SCALE_BITS: u32 = 12;
/// The reader reads a word if its state is below this.
const LEAST_STATE: u32 = 1 << 16;
/// The state that the writer starts with, and the reader ends with.
const FIRST_STATE: u32 = 1;

/// The slots of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots {
    pub(super) start: u16,
    pub(super) frequency: u16,
}

/// The slots of a symbol for the writer, which replaces the division by the frequency by a
/// multiplication.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Symbol {
    /// 2^64 / frequency, rounded up; 2^64 − 1 for frequency 1.
    inverse: u64,
    /// The start. For frequency 1, the quotient is one too low, and this corrects it.
    bias: u32,
    frequency: u32,
}

impl From<Slots> for Symbol {
    fn from(slots: Slots) -> Self {
        let (start, frequency) = (u32::from(slots.start), u32::from(slots.frequency));
        debug_assert!(frequency > 0 && frequency < SCALE);
        if frequency == 1 {
            return Self { inverse: u64::MAX, bias: start + SCALE - 1, frequency };
        }
        Self { inverse: u64::MAX / u64::from(frequency) + 1, bias: start, frequency }
    }
}

/// Encodes symbols, the last first. Its buffer is reused by the next streams.
#[derive(Debug, Default)]
pub(super) struct Writer {
    words: Vec<u16>,
}

/// Streams written side by side.
#[derive(Debug)]
pub(super) struct Coders<'w, const L: usize> {
    states: [u32; L],
    /// The words of each stream in turn, filled from the end.
    words: &'w mut [u16],
    /// The place of the first word of each stream so far.
    first: [usize; L],
    most_words: usize,
}

impl Writer {
    /// Begins streams of at most `symbols` symbols.
    pub(super) fn begin<const L: usize>(&mut self, symbols: usize) -> Coders<'_, L> {
        // A word is stored before it is known to be needed, so there is one more.
        let most_words = symbols + 1;
        self.words.resize(L * most_words, 0);
        let first = std::array::from_fn(|lane| (lane + 1) * most_words);
        Coders { states: [FIRST_STATE; L], words: &mut self.words, first, most_words }
    }
}

impl<const L: usize> Coders<'_, L> {
    /// Encodes a symbol, which precedes those encoded so far in the lane. There is no branch,
    /// because it would be unpredictable whether a word is written.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, symbol: Symbol) {
        let Symbol { inverse, bias, frequency } = symbol;
        let state = self.states[lane];
        let is_due = state >= frequency << 20;
        let next = self.first[lane] - 1;
        self.words[next] = (state & 0xffff) as u16;
        self.first[lane] = if is_due { next } else { next + 1 };
        let state = if is_due { state >> 16 } else { state };
        // The high half of the product is the exact quotient, since state · frequency < 2^64.
        #[expect(clippy::cast_possible_truncation, reason = "no quotient is above the state")]
        let quotient = ((u128::from(state) * u128::from(inverse)) >> 64) as u32;
        self.states[lane] = (quotient << SCALE_BITS) + (state - quotient * frequency) + bias;
    }

    /// Appends the stream of a lane to `out`.
    pub(super) fn finish(&self, lane: usize, out: &mut Vec<u8>) {
        out.extend(self.states[lane].to_le_bytes());
        let words = &self.words[self.first[lane]..(lane + 1) * self.most_words];
        out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
}

/// Decodes symbols.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reader<'b> {
    state: u32,
    words: &'b [[u8; 2]],
    /// The number of words read.
    read: usize,
}

impl<'b> Reader<'b> {
    /// A reader of the bytes of a stream; `None` if they are not the length of one.
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        let (state, rest) = bytes.split_first_chunk()?;
        let (words, odd) = rest.as_chunks();
        odd.is_empty().then_some(Self { state: u32::from_le_bytes(*state), words, read: 0 })
    }

    /// The slot of the next symbol.
    #[inline(always)]
    pub(super) const fn slot(&self) -> u16 {
        (self.state & (SCALE - 1)) as u16
    }

    /// Advances past the symbol with these slots. There is no unpredictable branch on whether a
    /// word is read.
    #[inline(always)]
    pub(super) fn advance(&mut self, slots: Slots) {
        let past = u32::from(self.slot()).wrapping_sub(u32::from(slots.start));
        self.state =
            u32::from(slots.frequency).wrapping_mul(self.state >> SCALE_BITS).wrapping_add(past);
        if let Some(&word) = self.words.get(self.read) {
            let is_due = self.state < LEAST_STATE;
            let filled = self.state << 16 | u32::from(u16::from_le_bytes(word));
            self.state = select_unpredictable(is_due, filled, self.state);
            self.read += usize::from(is_due);
        }
    }

    /// Whether all words were read and the state is the one that the writer started with.
    pub(super) const fn has_ended(&self) -> bool {
        self.read == self.words.len() && self.state == FIRST_STATE
    }
}

/// Scales 2 to 2048 counts, none of them 0, to frequencies of at least 1 that sum to [`SCALE`].
pub(super) fn frequencies(counts: &[u64]) -> Vec<u16> {
    debug_assert!((2..=2048).contains(&counts.len()) && !counts.contains(&0));
    let total: u64 = counts.iter().sum();
    let spare = u64::from(SCALE) - counts.len() as u64;
    // Each count gets one slot and its share, rounded down, of the slots that are left.
    #[expect(clippy::cast_possible_truncation, reason = "at most the spare slots")]
    let mut scaled: Vec<u64> = counts
        .iter()
        .map(|&count| 1 + (u128::from(count) * u128::from(spare) / u128::from(total)) as u64)
        .collect();
    let rest = u64::from(SCALE) - scaled.iter().sum::<u64>();
    *scaled.iter_mut().max().expect("at least two counts") += rest;
    let frequency = |count| u16::try_from(count).expect("the sum is the scale, 4096");
    scaled.into_iter().map(frequency).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_round_trip_and_the_end_is_recognised() {
        let counts = [1, 1000, 20, 7, 500_000, 3];
        let frequencies = frequencies(&counts);
        assert_eq!(frequencies.iter().map(|&f| u32::from(f)).sum::<u32>(), SCALE);
        let mut start = 0;
        let slots: Vec<_> = frequencies
            .iter()
            .map(|&frequency| {
                start += frequency;
                Slots { start: start - frequency, frequency }
            })
            .collect();
        // Streams that end with each symbol, rare ones included, and streams without words.
        for (first, len) in (0..6).flat_map(|first| (0..40).map(move |len| (first, len))) {
            let numbers: Vec<_> = (0..len).map(|i| (i * i + first) % slots.len()).collect();
            round_trip(&slots, &numbers);
        }
        let numbers: Vec<_> = (0..5000usize).map(|i| i * i % 31 % slots.len()).collect();
        round_trip(&slots, &numbers);
    }

    fn round_trip(slots: &[Slots], numbers: &[usize]) {
        let mut writer = Writer::default();
        let mut coders = writer.begin::<1>(numbers.len());
        numbers.iter().rev().for_each(|&number| coders.put(0, slots[number].into()));
        let mut bytes = Vec::new();
        coders.finish(0, &mut bytes);
        let mut reader = Reader::new(&bytes).expect("a state and words");
        for &number in numbers {
            let slot = reader.slot();
            let found = slots.iter().position(|s| (s.start..s.start + s.frequency).contains(&slot));
            assert_eq!(found, Some(number), "{numbers:?}");
            reader.advance(slots[number]);
        }
        assert!(reader.has_ended(), "{numbers:?}");
    }
}
