//! The entropy coder: range asymmetric numeral systems (Duda 2013), 32-bit state, 16-bit words.
//!
//! A symbol owns `frequency` of [`SCALE`] slots from `start` on. The state stays in
//! 2^16..2^32. Symbols come out in the reverse of the order they went in, so the writer goes
//! backwards. The state that the writer starts from is the one that the reader ends with: it
//! carries 32 bits of the caller's choice at no cost, a check of what was decoded.
//!
//! ```text
//! write: while state ≥ frequency · 2^20: emit the low 16 bits, state >>= 16
//!        state = (state / frequency) · 4096 + state mod frequency + start
//! read:  slot = state mod 4096; find start ≤ slot < start + frequency
//!        state = frequency · (state / 4096) + slot − start; if state < 2^16: state = state · 2^16 + next word
//! ```

/// Slots in all.
pub(super) const SCALE: u32 = 1 << SCALE_BITS;
const SCALE_BITS: u32 = 12;
const LEAST_STATE: u32 = 1 << 16;

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
    /// Begins streams of at most `symbols` symbols whose readers end with the states `ends` (see
    /// [`end_state`]).
    pub(super) fn begin<const L: usize>(
        &mut self,
        ends: [u32; L],
        symbols: usize,
    ) -> Coders<'_, L> {
        debug_assert!(ends.iter().all(|&end| end >= LEAST_STATE));
        // A word is put down before it is known to be needed: one more.
        let most_words = symbols + 1;
        self.words.resize(L * most_words, 0);
        let first = std::array::from_fn(|lane| (lane + 1) * most_words);
        Coders { states: ends, words: &mut self.words, first, most_words }
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

/// A state that carries a 32-bit check.
pub(super) const fn end_state(check: u32) -> u32 {
    if check < LEAST_STATE { check + LEAST_STATE } else { check }
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
    /// Starts on the bytes of a [`Writer`]; `None` when they cannot be.
    pub(super) fn new(bytes: &'b [u8]) -> Option<Self> {
        let (state, rest) = bytes.split_first_chunk()?;
        let (words, odd) = rest.as_chunks();
        let state = u32::from_le_bytes(*state);
        (odd.is_empty() && state >= LEAST_STATE).then_some(Self { state, words, read: 0 })
    }

    /// The slot of the next symbol.
    #[inline(always)]
    pub(super) const fn slot(&self) -> u16 {
        (self.state & (SCALE - 1)) as u16
    }

    /// Takes the symbol that owns the slot away. Without a branch: whether a word is due is as good
    /// as random. Past the last word the state is filled with zeros: the end check then fails.
    #[inline(always)]
    pub(super) fn advance(&mut self, slots: Slots) {
        let past = u32::from(self.slot()).wrapping_sub(u32::from(slots.start));
        let state =
            u32::from(slots.frequency).wrapping_mul(self.state >> SCALE_BITS).wrapping_add(past);
        let word = self.words.get(self.read).map_or(0, |&word| u16::from_le_bytes(word));
        let is_due = state < LEAST_STATE;
        self.state = if is_due { state << 16 | u32::from(word) } else { state };
        self.read += usize::from(is_due);
    }

    /// Whether everything was read and the state is the one the writer started from.
    pub(super) fn ended_with(&self, end: u32) -> bool {
        self.read == self.words.len() && self.state == end
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
    fn symbols_come_back_in_order_and_the_end_state_tells() {
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
        let numbers: Vec<_> = (0..5000usize).map(|i| i * i % 31 % slots.len()).collect();
        let mut writer = Writer::default();
        let mut coders = writer.begin([end_state(77)], numbers.len());
        numbers.iter().rev().for_each(|&number| coders.put(0, slots[number].into()));
        let mut bytes = Vec::new();
        coders.finish(0, &mut bytes);
        let mut reader = Reader::new(&bytes).expect("a state and words");
        for &number in &numbers {
            let slot = reader.slot();
            let found = slots.iter().position(|s| (s.start..s.start + s.frequency).contains(&slot));
            assert_eq!(found, Some(number));
            reader.advance(slots[number]);
        }
        assert!(reader.ended_with(end_state(77)) && !reader.ended_with(end_state(78)));
    }
}
