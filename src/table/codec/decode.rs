//! Reading blocks: numbers from coded bytes, one block or several side by side, whole or up to a
//! board.

use super::model::Model;
use super::rans::Reader;
use super::sheet::{LANES, PAD, Sheet, for_each_lane};
use crate::index::LevelIndex;

/// The boards of a block, or the first of them.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct BlockBoards {
    /// Index of the first.
    pub(in crate::table) from: u64,
    /// How many to read.
    pub(in crate::table) boards: usize,
    /// Whether these are all.
    pub(in crate::table) is_whole: bool,
}

/// Buffers of a thread that decodes.
#[derive(Debug, Default)]
pub(in crate::table) struct ModelScratch {
    one: Sheet<1>,
    several: Sheet<LANES>,
    numbers: Vec<i8>,
}

impl Model {
    /// Decodes blocks, and hands the numbers of each to `decoded` in order, `None` for a block that is not
    /// what a writer makes. Blocks of as many boards are read side by side, several times quicker than one.
    pub(in crate::table) fn decode(
        &self,
        index: &LevelIndex,
        blocks: &[BlockBoards],
        coded: &[&[u8]],
        scratch: &mut ModelScratch,
        mut decoded: impl FnMut(Option<&[i8]>),
    ) {
        let ModelScratch { one, several, numbers } = scratch;
        for (blocks, coded) in blocks.chunks(LANES).zip(coded.chunks(LANES)) {
            match (<[_; LANES]>::try_from(blocks), <[_; LANES]>::try_from(coded)) {
                (Ok(blocks), Ok(coded)) if blocks.iter().all(|b| b.boards == blocks[0].boards) => {
                    self.decode_lanes(index, blocks, coded, several, numbers, &mut decoded);
                }
                _ => {
                    for (&block, &coded) in blocks.iter().zip(coded) {
                        self.decode_lanes(index, [block], [coded], one, numbers, &mut decoded);
                    }
                }
            }
        }
    }

    /// Decodes as many boards of each block side by side.
    fn decode_lanes<const L: usize>(
        &self,
        index: &LevelIndex,
        blocks: [BlockBoards; L],
        coded: [&[u8]; L],
        sheet: &mut Sheet<L>,
        numbers: &mut Vec<i8>,
        decoded: &mut impl FnMut(Option<&[i8]>),
    ) {
        let from = blocks.map(|block| block.from);
        sheet.lay(self.contexts.fact_table(), index, from, blocks[0].boards);
        let readers = coded.map(Reader::new);
        let ends = self.read_numbers(readers.map(Option::unwrap_or_default), sheet);
        let most = self.contexts.seeds;
        for lane in 0..L {
            sheet.copy_lane(lane, numbers);
            let sound =
                numbers.iter().fold(true, |all, number| all & (number.unsigned_abs() <= most));
            let is_whole = !blocks[lane].is_whole || ends[lane].has_ended();
            let is_stream = readers[lane].is_some();
            decoded((is_stream && sound && is_whole).then_some(numbers.as_slice()));
        }
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
