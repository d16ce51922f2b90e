//! Distributions of the differences between numbers and their predictions. Many contexts share one.
//!
//! A distribution has up to 15 entries for differences, the most frequent first, and one for the
//! escape, after which the number itself is coded with equal frequencies. The first slots of the
//! entries are in one cache line. The entry of a slot is the number of entries that start at or
//! before it, less 1; it is counted without a branch.

use super::rans::{Reader, SCALE, Slots, Symbol, frequencies};
use crate::rules::MAX_SEEDS;

/// The most entries of a distribution, the escape included.
pub(super) const MOST_ENTRIES: usize = 16;
/// The frequency of each number after an escape.
const RAW_FREQUENCY: u16 = 32;
const RAW_OFFSET: u16 = 64;
/// Stands for the difference of the escape. No two numbers differ by it.
const ESCAPE: i8 = i8::MIN;

/// Counts of differences, at the [places](place) `difference + 128`.
pub(super) type Counts = [u64; 256];

/// The place of a difference in [`Counts`].
pub(super) const fn place(difference: i16) -> u8 {
    (difference + 128).to_le_bytes()[0]
}

/// A distribution of differences.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Distribution {
    /// The first slot of each entry; [`SCALE`] after the last.
    starts: [u16; MOST_ENTRIES + 1],
    /// The difference of each entry; [`ESCAPE`] from the last entry on.
    differences: [i8; MOST_ENTRIES],
    entries: u8,
}

impl Distribution {
    /// A distribution from its differences and their frequencies, that of the escape last; `None`
    /// unless there are 2 to 16 frequencies, none of them 0, that sum to [`SCALE`].
    fn new(differences: &[i8], frequencies: &[u16]) -> Option<Self> {
        let entries = frequencies.len();
        let sum: u32 = frequencies.iter().map(|&frequency| u32::from(frequency)).sum();
        if !(2..=MOST_ENTRIES).contains(&entries)
            || differences.len() + 1 != entries
            || sum != SCALE
            || frequencies.contains(&0)
            || differences.contains(&ESCAPE)
        {
            return None;
        }
        let full = u16::try_from(SCALE).ok()?;
        let mut distribution = Self {
            starts: [full; MOST_ENTRIES + 1],
            differences: [ESCAPE; MOST_ENTRIES],
            entries: u8::try_from(entries).ok()?,
        };
        let mut start = 0;
        for (slot, &frequency) in distribution.starts.iter_mut().zip(frequencies) {
            *slot = start;
            start += frequency;
        }
        distribution.differences[..differences.len()].copy_from_slice(differences);
        Some(distribution)
    }

    /// The distribution for contexts with these counts of differences.
    pub(super) fn of_counts(counts: &Counts) -> Self {
        let mut order: Vec<i16> =
            (-96..=96).filter(|&d| counts[usize::from(place(d))] > 0).collect();
        order.sort_by_key(|&d| (std::cmp::Reverse(counts[usize::from(place(d))]), d));
        if order.is_empty() {
            order.push(0);
        }
        let kept = order.len().min(MOST_ENTRIES - 1);
        let rare: u64 = order[kept..].iter().map(|&d| counts[usize::from(place(d))]).sum();
        let kept = &order[..kept];
        let mut counted: Vec<u64> =
            kept.iter().map(|&d| counts[usize::from(place(d))].max(1)).collect();
        counted.push(rare.max(1));
        let narrow = |&d| i8::try_from(d).expect("a difference is in -96..=96");
        let differences: Vec<i8> = kept.iter().map(narrow).collect();
        let frequencies = frequencies(&counted);
        Self::new(&differences, &frequencies).expect("2 to 16 frequencies scaled to the sum")
    }

    /// Appends the bytes of the distribution: number of entries, differences, and all frequencies
    /// but the last.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let entries = usize::from(self.entries);
        out.push(self.entries);
        out.extend(self.differences[..entries - 1].iter().map(|d| d.cast_unsigned()));
        out.extend((0..entries - 1).flat_map(|entry| self.slots(entry).frequency.to_le_bytes()));
    }

    /// Parses a distribution and advances `bytes` past it; `None` if the bytes are not one.
    pub(super) fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (&entries, rest) = bytes.split_first()?;
        let others = usize::from(entries).checked_sub(1)?;
        let (differences, rest) = rest.split_at_checked(others)?;
        let (words, rest) = rest.split_at_checked(2 * others)?;
        *bytes = rest;
        let differences: Vec<i8> = differences.iter().map(|d| d.cast_signed()).collect();
        let words = words.as_chunks().0.iter();
        let mut frequencies: Vec<u16> = words.map(|&word| u16::from_le_bytes(word)).collect();
        let sum: u32 = frequencies.iter().map(|&frequency| u32::from(frequency)).sum();
        frequencies.push(u16::try_from(SCALE.checked_sub(sum)?).ok()?);
        Self::new(&differences, &frequencies)
    }

    #[inline]
    fn slots(&self, entry: usize) -> Slots {
        let start = self.starts[entry];
        Slots { start, frequency: self.starts[entry + 1].wrapping_sub(start) }
    }

    /// Decodes a number.
    #[inline(always)]
    pub(super) fn decode(&self, reader: &mut Reader<'_>, prediction: i8) -> i8 {
        let entry = self.entry_of(reader.slot());
        reader.advance(self.slots(entry));
        let difference = self.differences[entry];
        if difference == ESCAPE { raw(reader) } else { prediction.wrapping_add(difference) }
    }

    /// The entry of a slot: the last one that starts at or before it.
    #[inline(always)]
    fn entry_of(&self, slot: u16) -> usize {
        let [_, starts @ ..] = &self.starts;
        let ([first, second], _) = starts.as_chunks() else {
            unreachable!("16 starts are two chunks of 8")
        };
        // Most slots are of the first entries.
        let entry = match starts_up_to(first, slot) {
            8 => 8 + starts_up_to(second, slot),
            entry => entry,
        };
        entry % MOST_ENTRIES
    }

    /// The differences of the entries, the most frequent first.
    #[inline]
    pub(super) fn differences(&self) -> &[i8] {
        &self.differences[..usize::from(self.entries) - 1]
    }

    /// The encoding of each difference.
    pub(super) fn choices(&self) -> Choices {
        let escape = Choice { change: 0, entry: ESCAPE_ENTRY };
        let mut choices = [[escape; 256]; 2];
        for difference in -(2 * MAX_SEEDS.cast_signed())..=2 * MAX_SEEDS.cast_signed() {
            let at = usize::from(difference.cast_unsigned());
            for (free, choices) in choices.iter_mut().enumerate() {
                let fits = |&&kept: &&i8| kept == difference || free == 1 && kept < difference;
                let entry = self.differences().iter().position(|kept| fits(&kept));
                choices[at] = match entry {
                    Some(entry) => Choice {
                        change: self.differences[entry],
                        entry: u8::try_from(entry).expect("at most 15 differences"),
                    },
                    None => Choice { change: difference, entry: ESCAPE_ENTRY },
                };
            }
        }
        choices
    }

    /// The symbols of the entries, that of the escape at [`ESCAPE_ENTRY`].
    pub(super) fn symbols(&self) -> [Symbol; MOST_ENTRIES] {
        let escape = usize::from(self.entries) - 1;
        std::array::from_fn(|entry| {
            let entry = if entry == usize::from(ESCAPE_ENTRY) { escape } else { entry };
            // Entries beyond those in use are never chosen.
            self.slots(entry.min(escape)).into()
        })
    }
}

/// A number repeated in each 16-bit lane of a word.
const fn in_four_lanes(number: u16) -> u64 {
    number as u64 * 0x0001_0001_0001_0001
}

/// The number of starts, of eight, at or before a slot. Four subtractions share a word; the top bit
/// of a lane stays set if its difference is not negative. Neither start nor slot uses the top bit.
#[inline(always)]
fn starts_up_to(starts: &[u16; 8], slot: u16) -> usize {
    const TOP: u64 = in_four_lanes(1 << 15);
    let slots = in_four_lanes(slot) | TOP;
    let [a, b, c, d, e, f, g, h] = starts.map(u64::from);
    let first = slots - (a | b << 16 | c << 32 | d << 48);
    let second = slots - (e | f << 16 | g << 32 | h << 48);
    let counts = ((first & TOP) >> 15) + ((second & TOP) >> 15);
    (counts.wrapping_mul(in_four_lanes(1)) >> 48) as usize
}

/// Decodes a number after an escape.
#[cold]
fn raw(reader: &mut Reader<'_>) -> i8 {
    let raw = reader.slot() / RAW_FREQUENCY;
    reader.advance(Slots { start: raw * RAW_FREQUENCY, frequency: RAW_FREQUENCY });
    i8::try_from(raw.cast_signed() - RAW_OFFSET.cast_signed()).expect("4096 slots are 128 numbers")
}

/// The encoding of a difference: the difference to store in its place, and its entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) change: i8,
    pub(super) entry: u8,
}

/// By whether the number may be lowered, then by the difference as a byte: the entry of the
/// difference, or the most frequent entry of those up to it.
pub(super) type Choices = [[Choice; 256]; 2];

/// The entry of the escape in [`Choices`] and symbols, wherever it is in the distribution.
pub(super) const ESCAPE_ENTRY: u8 = 15;
const _: () = assert!(ESCAPE_ENTRY as usize == MOST_ENTRIES - 1);

/// The symbol of a number after an escape.
pub(super) fn raw_symbol(number: i8) -> Symbol {
    let raw = (i16::from(number) + RAW_OFFSET.cast_signed()).cast_unsigned();
    Slots { start: raw * RAW_FREQUENCY, frequency: RAW_FREQUENCY }.into()
}
