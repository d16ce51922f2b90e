//! Reading blocks: numbers from coded bytes, one block or several side by side.

use super::block_check;
use super::model::Model;
use super::rans::{Reader, end_state};
use super::sheet::{LANES, PAD, Sheet, for_each_lane};
use crate::index::LevelIndex;

/// Which block, and its boards.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct BlockPlace {
    pub(in crate::table) identity: u64,
    pub(in crate::table) block: u32,
    pub(in crate::table) from: u64,
    pub(in crate::table) boards: usize,
}

/// Buffers of a thread that decodes.
#[derive(Debug, Default)]
pub(in crate::table) struct ModelScratch {
    one: Sheet<1>,
    several: Sheet<LANES>,
    numbers: Vec<i8>,
}

impl Model {
    /// Appends a block's numbers to `stored`; `None` when the block is damaged.
    pub(in crate::table) fn decode(
        &self,
        index: &LevelIndex,
        place: BlockPlace,
        coded: &[u8],
        scratch: &mut ModelScratch,
        stored: &mut Vec<i8>,
    ) -> Option<()> {
        let ModelScratch { one, numbers, .. } = scratch;
        self.decode_lanes(index, &[place], [coded], one, numbers, stored).ok()
    }

    /// Appends the numbers of several blocks to `stored`, quicker than one by one; or the number of
    /// a damaged block.
    pub(in crate::table) fn decode_several(
        &self,
        index: &LevelIndex,
        places: &[BlockPlace],
        coded: &[&[u8]],
        scratch: &mut ModelScratch,
        stored: &mut Vec<i8>,
    ) -> Result<(), u32> {
        let ModelScratch { one, several, numbers } = scratch;
        for (places, coded) in places.chunks(LANES).zip(coded.chunks(LANES)) {
            match (<&[_; LANES]>::try_from(places), <[&[u8]; LANES]>::try_from(coded)) {
                (Ok(places), Ok(coded)) if places.iter().all(|p| p.boards == places[0].boards) => {
                    self.decode_lanes(index, places, coded, several, numbers, stored)?;
                }
                _ => {
                    for (&place, &coded) in places.iter().zip(coded) {
                        self.decode_lanes(index, &[place], [coded], one, numbers, stored)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Decodes blocks of as many boards side by side.
    fn decode_lanes<const L: usize>(
        &self,
        index: &LevelIndex,
        places: &[BlockPlace; L],
        coded: [&[u8]; L],
        sheet: &mut Sheet<L>,
        buffer: &mut Vec<i8>,
        stored: &mut Vec<i8>,
    ) -> Result<(), u32> {
        sheet.lay(
            self.contexts.fact_table(),
            index,
            places.map(|place| place.from),
            places[0].boards,
        );
        let readers = coded.map(|coded| Reader::new(coded).unwrap_or_default());
        let readers = self.read_numbers(readers, sheet);
        for (lane, (place, reader)) in places.iter().zip(readers).enumerate() {
            sheet.copy_lane(lane, buffer);
            let most = self.contexts.seeds;
            let sound =
                buffer.iter().fold(true, |sound, number| sound & (number.unsigned_abs() <= most));
            let bytes = as_bytes(buffer);
            let end = end_state(block_check(place.identity, place.block, &bytes));
            if !sound || !reader.ended_with(end) {
                return Err(place.block);
            }
            stored.extend_from_slice(buffer);
        }
        Ok(())
    }

    /// Reads the numbers of a sheet, and returns the readers past them.
    fn read_numbers<'b, const L: usize>(
        &self,
        mut readers: [Reader<'b>; L],
        sheet: &mut Sheet<L>,
    ) -> [Reader<'b>; L] {
        let (weights, map, clusters) = (&self.weights, self.map.as_slice(), &*self.clusters);
        let (facts, numbers) = sheet.parts();
        let mut before = [0; L];
        for (at, facts) in facts.iter().enumerate() {
            let Some(frame) = numbers[at..].first_chunk_mut() else { break };
            for_each_lane!(L, |lane| {
                let (context, near) = weights.context(frame, lane, &facts[lane], before[lane]);
                let cluster = map.get(context).copied().unwrap_or(0);
                let number = clusters[usize::from(cluster)].decode(&mut readers[lane], near);
                frame[PAD][lane] = number;
                before[lane] = number;
            });
        }
        readers
    }
}

/// The bytes of numbers.
pub(super) fn as_bytes(numbers: &[i8]) -> Vec<u8> {
    numbers.iter().map(|number| number.cast_unsigned()).collect()
}
