//! The packed map of a model. The symbol of an entry is 0 if it repeats the entry before (0 before
//! the first), otherwise the entry plus 1. All symbols are coded with one distribution.
//!
//! ```text
//! [ number of symbols in use, 2 bytes ]
//! [ symbol, 2 bytes ][ frequency, 2 bytes ]    once per symbol in use
//! [ coded stream ]
//! ```

use super::rans::{Reader, SCALE, Slots, Writer, frequencies};

/// The number of symbols: 0, and every byte plus 1.
const SYMBOLS: usize = 257;

/// Appends the packed entries.
pub(super) fn pack(entries: &[u8], out: &mut Vec<u8>) {
    let mut before = 0;
    let symbols: Vec<usize> = entries
        .iter()
        .map(|&entry| {
            let symbol = if entry == before { 0 } else { usize::from(entry) + 1 };
            before = entry;
            symbol
        })
        .collect();
    let mut counts = [0u64; SYMBOLS];
    symbols.iter().for_each(|&symbol| counts[symbol] += 1);
    // There are at least two symbols, since no frequency may be the whole scale.
    counts[0] += 1;
    counts[1] += 1;
    let used: Vec<u16> =
        (0u16..).zip(counts).filter(|&(_, count)| count > 0).map(|(s, _)| s).collect();
    let frequencies =
        frequencies(&used.iter().map(|&symbol| counts[usize::from(symbol)]).collect::<Vec<_>>());
    out.extend(u16::try_from(used.len()).expect("at most 257 symbols").to_le_bytes());
    let mut slots = [Slots::default(); SYMBOLS];
    let mut start = 0;
    for (&symbol, frequency) in used.iter().zip(frequencies) {
        out.extend(symbol.to_le_bytes());
        out.extend(frequency.to_le_bytes());
        slots[usize::from(symbol)] = Slots { start, frequency };
        start += frequency;
    }
    let mut writer = Writer::default();
    let mut coders = writer.begin::<1>(symbols.len());
    symbols.into_iter().rev().for_each(|symbol| coders.put(0, slots[symbol].into()));
    coders.finish(0, out);
}

/// Unpacks `count` entries from all of `bytes`; `None` if the bytes are not packed entries.
pub(super) fn unpack(bytes: &[u8], count: usize) -> Option<Vec<u8>> {
    let (used, mut rest) = bytes.split_first_chunk()?;
    let mut by_slot: Vec<(u16, Slots)> = Vec::with_capacity(SCALE as usize);
    for _ in 0..u16::from_le_bytes(*used) {
        let (&[s0, s1, f0, f1], after) = rest.split_first_chunk()?;
        rest = after;
        let start = u16::try_from(by_slot.len()).ok()?;
        let slots = Slots { start, frequency: u16::from_le_bytes([f0, f1]) };
        let end = by_slot.len() + usize::from(slots.frequency);
        if end > SCALE as usize {
            return None;
        }
        by_slot.resize(end, (u16::from_le_bytes([s0, s1]), slots));
    }
    let mut reader = Reader::new(rest)?;
    let mut before = 0;
    let mut entries = Vec::with_capacity(count);
    for _ in 0..count {
        let &(symbol, slots) = by_slot.get(usize::from(reader.slot()))?;
        reader.advance(slots);
        if let Some(entry) = symbol.checked_sub(1) {
            before = u8::try_from(entry).ok()?;
        }
        entries.push(before);
    }
    reader.has_ended().then_some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip() {
        let varied: Vec<u8> = (0..3000u32).map(|i| (i / 7 * i / 50).to_le_bytes()[0]).collect();
        for entries in [&[][..], &[0], &[255], &[3; 100], &varied] {
            let mut bytes = Vec::new();
            pack(entries, &mut bytes);
            assert_eq!(unpack(&bytes, entries.len()).as_deref(), Some(entries));
            assert_eq!(unpack(&bytes[..bytes.len() - 1], entries.len()), None);
        }
    }
}
