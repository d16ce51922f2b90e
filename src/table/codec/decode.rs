//! Reading blocks: numbers from coded bytes, one block or several side by side, whole or up to a
//! board.

use super::lanes::{LANES, Lanes, PAD, for_each_lane};
use super::model::Model;
use super::rans::Reader;
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
    one: Lanes<1>,
    several: Lanes<LANES>,
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
        lanes: &mut Lanes<L>,
        numbers: &mut Vec<i8>,
        decoded: &mut impl FnMut(Option<&[i8]>),
    ) {
        let from = blocks.map(|block| block.from);
        lanes.lay(self.contexts.feature_table(), index, from, blocks[0].boards);
        let readers = coded.map(Reader::new);
        let ends = self.read_numbers(readers.map(Option::unwrap_or_default), lanes);
        let most = self.contexts.seeds;
        for lane in 0..L {
            lanes.copy_lane(lane, numbers);
            let sound =
                numbers.iter().fold(true, |all, number| all & (number.unsigned_abs() <= most));
            let is_whole = !blocks[lane].is_whole || ends[lane].has_ended();
            let is_stream = readers[lane].is_some();
            decoded((is_stream && sound && is_whole).then_some(numbers.as_slice()));
        }
    }

    /// Reads the numbers of a lanes, and returns the readers past them.
    fn read_numbers<'b, const L: usize>(
        &self,
        mut readers: [Reader<'b>; L],
        lanes: &mut Lanes<L>,
    ) -> [Reader<'b>; L] {
        let (weights, map, distributions) =
            (&self.weights, self.map.as_slice(), &*self.distributions);
        let (features, numbers) = lanes.parts();
        let mut before = [0; L];
        for (at, features) in features.iter().enumerate() {
            let Some(frame) = numbers[at..].first_chunk_mut() else { break };
            for_each_lane!(L, |lane| {
                let (context, near) = weights.context(frame, lane, &features[lane], before[lane]);
                let distribution = map.get(context).copied().unwrap_or(0);
                let number =
                    distributions[usize::from(distribution)].decode(&mut readers[lane], near);
                frame[PAD][lane] = number;
                before[lane] = number;
            });
        }
        readers
    }
}
