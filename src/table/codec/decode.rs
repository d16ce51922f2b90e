//! The decoder of blocks: one block or several side by side, whole or their first boards.

use super::lanes::{LANES, Lanes, PAD, for_each_lane};
use super::model::Model;
use super::rans::Reader;
use crate::index::LevelIndex;

/// The boards of a block, or its first boards.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct BlockBoards {
    /// The index of the first board.
    pub(in crate::table) from: u64,
    /// The number of boards.
    pub(in crate::table) boards: usize,
    /// Whether these are all boards of the block.
    pub(in crate::table) is_whole: bool,
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(in crate::table) struct ModelScratch {
    one: Lanes<1>,
    several: Lanes<LANES>,
    numbers: Vec<i8>,
}

impl Model {
    /// Decodes blocks. Calls `decoded` once per block in order, with its numbers, or `None` if its
    /// bytes are not encoded numbers of the level. Blocks with the same number of boards are
    /// decoded side by side, several times faster than one after the other.
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

    /// Decodes blocks with the same number of boards side by side.
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
        lanes.reset(self.contexts.feature_table(), index, from, blocks[0].boards);
        let readers = coded.map(Reader::new);
        // Bytes that are not a stream are read as an empty stream. Their block is reported below.
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

    /// Decodes the numbers of all lanes, and returns the readers after them.
    fn read_numbers<'b, const L: usize>(
        &self,
        mut readers: [Reader<'b>; L],
        lanes: &mut Lanes<L>,
    ) -> [Reader<'b>; L] {
        let (weights, map, distributions) =
            (&self.weights, self.map.as_slice(), &*self.distributions);
        let (features, numbers) = lanes.features_and_numbers();
        let mut before = [0; L];
        for (at, features) in features.iter().enumerate() {
            let frame = numbers[at..].first_chunk_mut().expect("a line for each board");
            for_each_lane!(L, |lane| {
                let (context, prediction) =
                    weights.context(frame, lane, &features[lane], before[lane]);
                // Damaged bytes may give numbers, and thus contexts, that are out of range.
                let distribution = map.get(context).copied().unwrap_or(0);
                let number =
                    distributions[usize::from(distribution)].decode(&mut readers[lane], prediction);
                frame[PAD][lane] = number;
                before[lane] = number;
            });
        }
        readers
    }
}
