//! A cluster: the distribution that a set of contexts shares.
//!
//! Numbers are coded relative to the context's prediction. A cluster lists up to 15 differences,
//! the most frequent first, and an escape, after which the number itself is coded with equal
//! frequencies. The list's starts stand in one cache line: which entry owns a slot is a count of
//! the starts up to it, without a branch.

use super::rans::{Reader, SCALE, Slots, Symbol, frequencies};
use crate::rules::MAX_SEEDS;

/// Entries of a cluster, the escape among them.
const MOST_ENTRIES: usize = 16;
/// Differences of two numbers: −96..=96.
const SPREAD: usize = 4 * MAX_SEEDS as usize + 1;
/// Slots of a number after an escape.
const RAW_FREQUENCY: u16 = 32;
const RAW_OFFSET: u16 = 64;

/// Counts of differences; entry `difference + 128`.
pub(super) type Counts = [u64; 256];

/// The place of a difference in [`Counts`].
pub(super) const fn place(difference: i16) -> u8 {
    (difference + 128).to_le_bytes()[0]
}

/// A distribution of differences.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Cluster {
    /// First slot of each entry; [`SCALE`] past the last, one more at the end.
    starts: [i16; MOST_ENTRIES + 1],
    /// The difference of each entry; the last entry is the escape.
    differences: [i8; MOST_ENTRIES],
    entries: u8,
}

impl Cluster {
    /// A cluster of differences in the order given, with their frequencies and the escape's at the end;
    /// `None` unless there are 2 to 16 frequencies that are not 0 and sum to the scale.
    fn new(differences: &[i8], frequencies: &[u16]) -> Option<Self> {
        let entries = frequencies.len();
        let sum: u32 = frequencies.iter().map(|&frequency| u32::from(frequency)).sum();
        if !(2..=MOST_ENTRIES).contains(&entries)
            || differences.len() + 1 != entries
            || sum != SCALE
            || frequencies.contains(&0)
        {
            return None;
        }
        let full = i16::try_from(SCALE).ok()?;
        let mut cluster = Self {
            starts: [full; MOST_ENTRIES + 1],
            differences: [0; MOST_ENTRIES],
            entries: u8::try_from(entries).ok()?,
        };
        let mut start = 0;
        for (slot, &frequency) in cluster.starts.iter_mut().zip(frequencies) {
            *slot = start;
            start += frequency.cast_signed();
        }
        cluster.differences[..differences.len()].copy_from_slice(differences);
        Some(cluster)
    }

    /// The cluster that serves best where these differences were counted.
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

    /// Appends the cluster's bytes: entries, differences, all frequencies but the last.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let entries = usize::from(self.entries);
        out.push(self.entries);
        out.extend(self.differences[..entries - 1].iter().map(|d| d.cast_unsigned()));
        out.extend((0..entries - 1).flat_map(|entry| self.slots(entry).frequency.to_le_bytes()));
    }

    /// Reads a cluster and moves `bytes` past it; `None` when they are none.
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
        let frequency = (self.starts[entry + 1] - start).cast_unsigned();
        Slots { start: start.cast_unsigned(), frequency }
    }

    /// Reads a number near `near`.
    #[inline]
    pub(super) fn decode(&self, reader: &mut Reader<'_>, near: i8) -> i8 {
        let slot = reader.slot().cast_signed();
        let starts = self.starts.first_chunk::<MOST_ENTRIES>().expect("one less than all");
        // The sign of each difference, summed: minus the number of starts up to the slot. Entry 0
        // starts at 0, so there is one.
        let up_to: i16 = starts.iter().map(|&start| (start - slot - 1) >> 15).sum();
        let entry = (-1 - up_to).cast_unsigned() as usize & (MOST_ENTRIES - 1);
        reader.advance(self.slots(entry));
        if entry + 1 == usize::from(self.entries) {
            let raw = reader.slot() / RAW_FREQUENCY;
            reader.advance(Slots { start: raw * RAW_FREQUENCY, frequency: RAW_FREQUENCY });
            return i8::try_from(raw.cast_signed() - RAW_OFFSET.cast_signed()).unwrap_or(i8::MAX);
        }
        near.wrapping_add(self.differences[entry])
    }

    /// Differences from the most frequent on.
    #[inline]
    pub(super) fn differences(&self) -> &[i8] {
        &self.differences[..usize::from(self.entries) - 1]
    }

    /// How a writer codes each difference.
    pub(super) fn codes(&self) -> Codes {
        let escape = self.entries - 1;
        let mut entries = [[escape; SPREAD]; 2];
        let known = (0..escape).zip(self.differences());
        for (entry, &difference) in known.rev() {
            let at = code_place(i16::from(difference));
            if at < SPREAD {
                entries[0][at] = entry;
                // Entries come in order of frequency: earlier ones overwrite.
                entries[1][at..].fill(entry);
            }
        }
        let symbols = std::array::from_fn(|entry| {
            let slots =
                if entry <= usize::from(escape) { self.slots(entry) } else { self.slots(0) };
            slots.into()
        });
        Codes { entries, differences: self.differences, escape, symbols }
    }
}

/// A cluster as a writer needs it.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    /// The entry for each difference that must be kept, and the likeliest for each that may be
    /// lowered.
    entries: [[u8; SPREAD]; 2],
    differences: [i8; MOST_ENTRIES],
    escape: u8,
    symbols: [Symbol; MOST_ENTRIES],
}

impl Codes {
    /// The number to store for a value near `near`, at least `least`, and its entry. A free value
    /// may be lowered.
    #[inline]
    pub(super) fn choose(&self, value: i8, near: i8, is_free: bool, least: i8) -> (i8, u8) {
        let difference = code_place(i16::from(value) - i16::from(near));
        let entry = self.entries[usize::from(is_free)][difference];
        if entry == self.escape {
            return (value, entry);
        }
        let number = near.wrapping_add(self.differences[usize::from(entry) % MOST_ENTRIES]);
        if number < least { self.choose(value, near, false, i8::MIN) } else { (number, entry) }
    }

    /// Whether an entry is the escape, after which [`raw_symbol`] is due.
    #[inline]
    pub(super) const fn is_escape(&self, entry: u8) -> bool {
        entry == self.escape
    }

    #[inline]
    pub(super) fn symbol(&self, entry: u8) -> Symbol {
        self.symbols[usize::from(entry) % MOST_ENTRIES]
    }
}

/// The symbol of a number after an escape.
pub(super) fn raw_symbol(number: i8) -> Symbol {
    let raw = (i16::from(number) + RAW_OFFSET.cast_signed()).cast_unsigned();
    Slots { start: raw * RAW_FREQUENCY, frequency: RAW_FREQUENCY }.into()
}

const fn code_place(difference: i16) -> usize {
    (difference + 2 * MAX_SEEDS as i16) as usize
}
