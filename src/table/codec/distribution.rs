//! A distribution: the distribution that a set of contexts shares.
//!
//! Numbers are coded relative to the context's prediction. A distribution lists up to 15 differences,
//! the most frequent first, and an escape, after which the number itself is coded with equal
//! frequencies. The list's starts stand in one cache line: which entry owns a slot is a count of
//! the starts up to it, without a branch.

use super::rans::{Reader, SCALE, Slots, Symbol, frequencies};
use crate::rules::MAX_SEEDS;

/// Entries of a distribution, the escape among them.
pub(super) const MOST_ENTRIES: usize = 16;
/// Slots of a number after an escape.
const RAW_FREQUENCY: u16 = 32;
const RAW_OFFSET: u16 = 64;
/// Stands for a difference at the escape; no two numbers differ by it.
const ESCAPE: i8 = i8::MIN;

/// Counts of differences; entry `difference + 128`.
pub(super) type Counts = [u64; 256];

/// The place of a difference in [`Counts`].
pub(super) const fn place(difference: i16) -> u8 {
    (difference + 128).to_le_bytes()[0]
}

/// A distribution of differences.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Distribution {
    /// First slot of each entry; [`SCALE`] past the last, one more at the end.
    starts: [u16; MOST_ENTRIES + 1],
    /// The difference of each entry; [`ESCAPE`] from the last entry on.
    differences: [i8; MOST_ENTRIES],
    entries: u8,
}

impl Distribution {
    /// A distribution of differences in the order given, with their frequencies and the escape's at the end;
    /// `None` unless there are 2 to 16 frequencies that are not 0 and sum to the scale.
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

    /// The distribution that serves best where these differences were counted.
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
        let differences: Vec<i8> = kept.iter().filter_map(|&d| i8::try_from(d).ok()).collect();
        let frequencies = frequencies(&counted);
        Self::new(&differences, &frequencies).expect("2 to 16 frequencies scaled to the sum")
    }

    /// Appends the distribution's bytes: entries, differences, all frequencies but the last.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let entries = usize::from(self.entries);
        out.push(self.entries);
        out.extend(self.differences[..entries - 1].iter().map(|d| d.cast_unsigned()));
        out.extend((0..entries - 1).flat_map(|entry| self.slots(entry).frequency.to_le_bytes()));
    }

    /// Reads a distribution and moves `bytes` past it; `None` when they are none.
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

    /// Reads a number near `near`.
    #[inline(always)]
    pub(super) fn decode(&self, reader: &mut Reader<'_>, near: i8) -> i8 {
        let entry = self.owner(reader.slot());
        reader.advance(self.slots(entry));
        let difference = self.differences[entry];
        if difference == ESCAPE { raw(reader) } else { near.wrapping_add(difference) }
    }

    /// The entry that owns a slot: the last to start up to it.
    #[inline(always)]
    fn owner(&self, slot: u16) -> usize {
        let [_, starts @ ..] = &self.starts;
        let ([first, second], _) = starts.as_chunks() else { return 0 };
        // Most slots belong to the first entries.
        let entry = match starts_up_to(first, slot) {
            8 => 8 + starts_up_to(second, slot),
            entry => entry,
        };
        entry % MOST_ENTRIES
    }

    /// Differences from the most frequent on.
    #[inline]
    pub(super) fn differences(&self) -> &[i8] {
        &self.differences[..usize::from(self.entries) - 1]
    }

    /// How a writer codes each difference.
    pub(super) fn choices(&self) -> Choices {
        let escape = Choice { change: 0, entry: LAST_ENTRY };
        let mut choices = [[escape; 256]; 2];
        for difference in -(2 * MAX_SEEDS.cast_signed())..=2 * MAX_SEEDS.cast_signed() {
            let at = usize::from(difference.cast_unsigned());
            for (free, choices) in choices.iter_mut().enumerate() {
                let fits = |&&kept: &&i8| kept == difference || free == 1 && kept < difference;
                let entry = self.differences().iter().position(|kept| fits(&kept));
                choices[at] = match entry {
                    Some(entry) => Choice {
                        change: self.differences[entry],
                        entry: u8::try_from(entry).unwrap_or(LAST_ENTRY),
                    },
                    None => Choice { change: difference, entry: LAST_ENTRY },
                };
            }
        }
        choices
    }

    /// The symbols of a writer: one an entry, the escape's last.
    pub(super) fn symbols(&self) -> [Symbol; MOST_ENTRIES] {
        let escape = usize::from(self.entries) - 1;
        std::array::from_fn(|entry| {
            let entry = if entry == usize::from(LAST_ENTRY) { escape } else { entry };
            // Entries that are not there are not chosen.
            self.slots(entry.min(escape)).into()
        })
    }
}

/// A number in each of four lanes of 16 bits.
const fn in_four_lanes(number: u16) -> u64 {
    number as u64 * 0x0001_0001_0001_0001
}

/// How many of eight starts are not above a slot: four differences a word, whose top bits say which
/// are not negative. Neither start nor slot uses the top bit.
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

/// Reads a number after an escape.
#[cold]
fn raw(reader: &mut Reader<'_>) -> i8 {
    let raw = reader.slot() / RAW_FREQUENCY;
    reader.advance(Slots { start: raw * RAW_FREQUENCY, frequency: RAW_FREQUENCY });
    i8::try_from(raw.cast_signed() - RAW_OFFSET.cast_signed()).unwrap_or(i8::MAX)
}

/// What a writer does about a difference: the difference to store in its place, and its entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) change: i8,
    pub(super) entry: u8,
}

/// By whether the number may be lowered, then by the difference as a byte: the entry of that
/// difference, or the likeliest of those up to it.
pub(super) type Choices = [[Choice; 256]; 2];

/// The entry that stands for the escape among a writer's, whichever it is in the distribution.
pub(super) const LAST_ENTRY: u8 = 15;
const _: () = assert!(LAST_ENTRY as usize == MOST_ENTRIES - 1);

/// The symbol of a number after an escape.
pub(super) fn raw_symbol(number: i8) -> Symbol {
    let raw = (i16::from(number) + RAW_OFFSET.cast_signed()).cast_unsigned();
    Slots { start: raw * RAW_FREQUENCY, frequency: RAW_FREQUENCY }.into()
}
