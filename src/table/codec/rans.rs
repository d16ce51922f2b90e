//! The entropy coder: range asymmetric numeral systems (Duda 2013), 32-bit state, 16-bit words.
//!
//! A symbol owns `frequency` of [`SCALE`] slots from `start` on. Symbols come out in the reverse of the
//! order they went in, so the writer goes backwards.
//!
//! ```text
//! write: state = 1 at first
//!        if state ≥ frequency · 2^20: put down the low 16 bits, state >>= 16
//!        state = (state / frequency) · 4096 + state mod frequency + start
//! read:  slot = state mod 4096; find start ≤ slot < start + frequency
//!        state = frequency · (state / 4096) + slot − start
//!        if state < 2^16 and words are left: state = state · 2^16 + next word
//! ```
//!
//! The writer's state never falls from one symbol to the next but where it puts a word down, and is then
//! at least 2^16 after the symbol: the reader knows from its state alone when a word is due. The first symbols
//! written, before any word, are the exception: no words are left when the reader comes to them. Starting
//! from 1 rather than 2^16 costs the reader nothing and saves some 7 bits a stream.

use std::hint::select_unpredictable;

/// Slots in all.
pub(super) const SCALE: u32 = 1 << SCALE_BITS;
const SCALE_BITS: u32 = 12;
/// The state below which a word is due.
const LEAST_STATE: u32 = 1 << 16;
/// The state that a writer starts from, and a reader ends with.
const FIRST_STATE: u32 = 1;

/// The slots of a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots {
    pub(super) start: u16,
    pub(super) frequency: u16,
}

/// A symbol as the writer needs it: division by the frequency turned into a multiplication.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Symbol {
    /// 2^64 / frequency, rounded up; 2^64 − 1 for frequency 1.
    inverse: u64,
    /// The start; for frequency 1, whose quotient comes out one too low, what makes up for it.
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

/// Codes symbols, the last first; keeps its buffer from stream to stream.
#[derive(Debug, Default)]
pub(super) struct Writer {
    words: Vec<u16>,
}

/// Streams being written side by side.
#[derive(Debug)]
pub(super) struct Coders<'w, const L: usize> {
    states: [u32; L],
    /// The streams' words one stream after the other, each filled from its end.
    words: &'w mut [u16],
    /// The place of each stream's first word so far.
    first: [usize; L],
    most_words: usize,
}

impl Writer {
    /// Begins streams of at most `symbols` symbols.
    pub(super) fn begin<const L: usize>(&mut self, symbols: usize) -> Coders<'_, L> {
        // A word is put down before it is known to be needed: one more.
        let most_words = symbols + 1;
        self.words.resize(L * most_words, 0);
        let first = std::array::from_fn(|lane| (lane + 1) * most_words);
        Coders { states: [FIRST_STATE; L], words: &mut self.words, first, most_words }
    }
}

impl<const L: usize> Coders<'_, L> {
    /// Puts a symbol before those put so far in a lane. Without a branch: whether a word is due is
    /// as good as random.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, symbol: Symbol) {
        let Symbol { inverse, bias, frequency } = symbol;
        let state = self.states[lane];
        let is_due = state >= frequency << 20;
        let next = self.first[lane] - 1;
        self.words[next] = (state & 0xffff) as u16;
        self.first[lane] = if is_due { next } else { next + 1 };
        let state = if is_due { state >> 16 } else { state };
        // The product's high half is the exact quotient: state · frequency < 2^64.
        #[expect(clippy::cast_possible_truncation, reason = "no quotient is above the state")]
        let quotient = ((u128::from(state) * u128::from(inverse)) >> 64) as u32;
        self.states[lane] = (quotient << SCALE_BITS) + (state - quotient * frequency) + bias;
    }

    /// Appends a lane's stream to `out`.
    pub(super) fn finish(&self, lane: usize, out: &mut Vec<u8>) {
        out.extend(self.states[lane].to_le_bytes());
        let words = &self.words[self.first[lane]..(lane + 1) * self.most_words];
        out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
}

/// Reads symbols back.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reader<'b> {
    state: u32,
    words: &'b [[u8; 2]],
    /// Words that were read.
    read: usize,
}

impl<'b> Reader<'b> {
    /// Starts on the bytes of a stream; `None` when they cannot be.
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

    /// Takes the symbol that owns the slot away. Without a branch that cannot be foretold: whether a
    /// word is due is as good as random.
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

    /// Whether everything was read and the state is the one that the writer started from.
    pub(super) const fn has_ended(&self) -> bool {
        self.read == self.words.len() && self.state == FIRST_STATE
    }
}

/// Scales counts to frequencies that sum to [`SCALE`], at least 1 for every count, at least two
/// of them. `counts` hold 2 to 2048 numbers, none 0.
pub(super) fn frequencies(counts: &[u64]) -> Vec<u16> {
    debug_assert!((2..=2048).contains(&counts.len()) && !counts.contains(&0));
    let total: u64 = counts.iter().sum();
    let spare = u64::from(SCALE) - counts.len() as u64;
    // Below a half of the scale in all and each at least 1, so the sum never passes the scale.
    #[expect(clippy::cast_possible_truncation, reason = "at most the spare slots")]
    let mut scaled: Vec<u64> = counts
        .iter()
        .map(|&count| 1 + (u128::from(count) * u128::from(spare) / u128::from(total)) as u64)
        .collect();
    let rest = u64::from(SCALE) - scaled.iter().sum::<u64>();
    if let Some(most) = scaled.iter_mut().max() {
        *most += rest;
    }
    scaled.into_iter().map(|count| u16::try_from(count).unwrap_or(u16::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_come_back_in_order_and_the_end_is_known() {
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
        // From any symbol on, so that rare ones stand at the end too; and streams of no word.
        for (first, len) in (0..6).flat_map(|first| (0..40).map(move |len| (first, len))) {
            let numbers: Vec<_> = (0..len).map(|i| (i * i + first) % slots.len()).collect();
            come_back(&slots, &numbers);
        }
        let numbers: Vec<_> = (0..5000usize).map(|i| i * i % 31 % slots.len()).collect();
        come_back(&slots, &numbers);
    }

    fn come_back(slots: &[Slots], numbers: &[usize]) {
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
