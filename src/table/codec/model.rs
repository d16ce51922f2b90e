//! Blocks coded with a model of the level: what a number is likely to be, given its neighbours and
//! what the rules say of the board.
//!
//! A board's context is made of
//! - `near`, the number of the board with one seed of the mover's first pit moved on (or of its
//!   first filled pit, when pit A is empty): the prediction;
//! - how two further boards of that kind differ from it, −2..=2 or not at hand;
//! - the class of the mover's greatest capture, of the opponent's, and of the filled pits
//!   (see [`facts`](super::facts)).
//!
//! Neighbours are taken from the same block only, so that blocks stand alone. Contexts by the
//! hundred thousand share at most 256 [`Cluster`]s; the model is the map from contexts to clusters
//! and the clusters. A block is
//!
//! ```text
//! [ state, 4 bytes ][ words, 2 bytes each ]
//! ```
//!
//! and the state that reading ends with carries the block's check, taken over the numbers.

use super::block_check;
use super::cluster::{Cluster, Codes, raw_symbol};
use super::facts::{
    CAPTURE_CLASSES, MOST_BACK, MOVES_CLASSES, MoverFacts, OpponentFacts, THREAT_CLASSES, Takes,
    takes,
};
use super::pack::{pack, unpack};
use super::rans::{Reader, Writer, end_state};
use crate::index::{LevelIndex, gapped_unrank, next_gapped_row, row_count};
use crate::rules::Row;
use crate::table::plain::{plain_is_free, plain_value};

/// Classes of a neighbour's difference: −2 or less, −1, 0, 1, 2 or more, not at hand.
const DIFFERENCES: usize = 6;

/// How much of a board makes its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// The capture, and whether the prediction is near.
    Capture,
    /// And the prediction.
    Near,
    /// And further neighbours, threats, moves.
    Full,
}

impl Detail {
    pub(super) const fn for_boards(boards: u64) -> Self {
        match boards {
            0..4_000 => Self::Capture,
            4_000..300_000 => Self::Near,
            _ => Self::Full,
        }
    }

    const fn code(self) -> u8 {
        match self {
            Self::Capture => 0,
            Self::Near => 1,
            Self::Full => 2,
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        [Self::Capture, Self::Near, Self::Full].into_iter().find(|detail| detail.code() == code)
    }
}

/// The contexts of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contexts {
    pub(super) seeds: u8,
    pub(super) detail: Detail,
}

impl Contexts {
    /// How many there are.
    pub(super) const fn count(self) -> usize {
        let near = 2 * self.seeds as usize + 1;
        match self.detail {
            Detail::Capture => CAPTURE_CLASSES * 2,
            Detail::Near => near * CAPTURE_CLASSES * 2,
            Detail::Full => near * DIFFERENCES * DIFFERENCES * FACT_CONTEXTS,
        }
    }

    /// The context of the board at the end of a [`Window`], and its prediction; `before` is the
    /// number before it.
    #[inline(always)]
    fn of(
        self,
        window: &Window,
        before: i8,
        mover: &MoverFacts,
        opponent: &OpponentFacts<'_>,
    ) -> (usize, i8) {
        let [first, second] = mover.back.map(|back| window[PAD - usize::from(back)]);
        // Most boards' first neighbour is the board before, which is still in a register.
        let first = if mover.back[0] == 1 { before } else { first };
        let near = if first == NONE { before } else { first };
        let near = if near == NONE { 0 } else { near };
        let inner = usize::from(mover.is_inner() & (before != NONE));
        let shifted = (i16::from(near) + i16::from(self.seeds)).cast_unsigned() as usize;
        let capture = opponent.capture(mover);
        let context = match self.detail {
            Detail::Capture => capture * 2 + inner,
            Detail::Near => (shifted * CAPTURE_CLASSES + capture) * 2 + inner,
            Detail::Full => {
                let third = window[PAD - usize::from(mover.third).min(PAD)];
                let facts = (capture * THREAT_CLASSES + opponent.threat(mover)) * MOVES_CLASSES
                    + mover.moves();
                let away = |number: i8| usize::from(number.wrapping_sub(near).cast_unsigned());
                shifted * (DIFFERENCES * DIFFERENCES * FACT_CONTEXTS)
                    + usize::from(SECOND_CLASSES[away(second)])
                    + usize::from(THIRD_CLASSES[away(third)])
                    + (facts * 2 + inner)
            }
        };
        (context, near)
    }
}

/// A number that is not at hand.
const NONE: i8 = i8::MIN;

/// Contexts a class of the second neighbour, and of the third.
const SECOND_STEP: u16 = 6 * THIRD_STEP;
const THIRD_STEP: u16 = 6 * 4 * 3 * 2;
const FACT_CONTEXTS: usize = CAPTURE_CLASSES * THREAT_CLASSES * MOVES_CLASSES * 2;
const _: () = assert!(THIRD_STEP as usize == FACT_CONTEXTS && DIFFERENCES == 6);

/// What a neighbour's difference, as a byte, adds to a context.
static SECOND_CLASSES: [u16; 256] = classes(SECOND_STEP);
static THIRD_CLASSES: [u16; 256] = classes(THIRD_STEP);

/// Classes of a difference as a byte, times `step`. 80 and more either way count as not at hand,
/// which the difference of any number to [`NONE`] is.
const fn classes(step: u16) -> [u16; 256] {
    let mut classes = [5 * step; 256];
    let mut difference = -79i16;
    while difference < 80 {
        let class = match difference {
            ..=-2 => 0,
            -1 => 1,
            0 => 2,
            1 => 3,
            2.. => 4,
        };
        classes[(difference & 0xff) as usize] = class * step;
        difference += 1;
    }
    classes
}

/// Entries before a block's numbers, all [`NONE`], so that every distance back leads somewhere. The
/// numbers that are not known yet are `NONE` as well: distance 0 leads to one.
const PAD: usize = MOST_BACK;

/// A board's number at the end and all that its context may look back to.
type Window = [i8; PAD + 1];

#[inline(always)]
fn window(numbers: &[i8], at: usize) -> &Window {
    numbers[at - PAD..].first_chunk().expect("numbers stand after the pad")
}

/// Makes room for a block's numbers.
fn clear(numbers: &mut Vec<i8>, boards: usize) {
    numbers.clear();
    numbers.resize(PAD + boards, NONE);
}

/// A level's model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::table) struct Model {
    pub(super) contexts: Contexts,
    /// The cluster of each context.
    pub(super) map: Vec<u8>,
    /// 1 to 256.
    pub(super) clusters: Vec<Cluster>,
}

impl Model {
    /// The model's bytes: detail, clusters − 1, each cluster, the packed map.
    pub(in crate::table) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.contexts.detail.code()];
        bytes.push(u8::try_from(self.clusters.len() - 1).unwrap_or(u8::MAX));
        self.clusters.iter().for_each(|cluster| cluster.write(&mut bytes));
        pack(&self.map, &mut bytes);
        bytes
    }

    /// Reads a model of a level of `seeds` seeds; `None` when the bytes are none.
    pub(in crate::table) fn parse(seeds: u8, bytes: &[u8]) -> Option<Self> {
        let (&[detail, last], mut rest) = bytes.split_first_chunk()?;
        let contexts = Contexts { seeds, detail: Detail::from_code(detail)? };
        let clusters: Vec<_> =
            (0..=last).map(|_| Cluster::read(&mut rest)).collect::<Option<_>>()?;
        let map = unpack(rest, contexts.count())?;
        map.iter().all(|&cluster| cluster <= last).then_some(Self { contexts, map, clusters })
    }

    /// Fills `stored` with a block's numbers, of boards from index `from` on; `None` when the block
    /// is damaged.
    pub(in crate::table) fn decode(
        &self,
        index: &LevelIndex,
        place: BlockPlace,
        coded: &[u8],
        scratch: &mut ModelScratch,
        stored: &mut Vec<i8>,
    ) -> Option<()> {
        let mut reader = Reader::new(coded)?;
        let most = self.contexts.seeds.cast_signed();
        let ModelScratch { numbers, bytes, .. } = scratch;
        clear(numbers, place.boards);
        let numbers = numbers.as_mut_slice();
        let takes = takes();
        let mut from = PAD;
        let mut sound = true;
        for_each_run(index, place.from, place.boards, |run| {
            let opponent = OpponentFacts::of(takes, run.opponent);
            MoverFacts::visit(run.mover_seeds, run.minor, run.boards, |movers| {
                // Copies, so that the state stays in a register.
                let mut local = reader;
                let mut all_sound = true;
                let mut before = numbers[from - 1];
                for (at, mover) in (from..).zip(movers) {
                    let (context, near) =
                        self.contexts.of(window(numbers, at), before, mover, &opponent);
                    let cluster = &self.clusters[usize::from(self.map[context])];
                    let number = cluster.decode(&mut local, near);
                    all_sound &= number.unsigned_abs() <= most.unsigned_abs();
                    // Kept in range so that contexts stay in theirs.
                    before = number.clamp(-most, most);
                    numbers[at] = before;
                }
                reader = local;
                sound &= all_sound;
                from += movers.len();
            });
        });
        let numbers = &numbers[PAD..];
        let end = end_state(block_check(place.identity, place.block, as_bytes(numbers, bytes)));
        if !sound || !reader.ended_with(end) {
            return None;
        }
        stored.extend_from_slice(numbers);
        Some(())
    }
}

/// The bytes of numbers, in a buffer.
fn as_bytes<'b>(numbers: &[i8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
    buffer.clear();
    buffer.extend(numbers.iter().map(|number| number.cast_unsigned()));
    buffer
}

/// Which block, and its boards.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct BlockPlace {
    pub(in crate::table) identity: u64,
    pub(in crate::table) block: u32,
    pub(in crate::table) from: u64,
    pub(in crate::table) boards: usize,
}

/// Boards in index order with one opponent's row.
struct Run {
    opponent: Row,
    mover_seeds: u8,
    minor: u32,
    boards: usize,
}

/// Calls `visit` for each run of `boards` boards from index `from` on.
fn for_each_run(index: &LevelIndex, from: u64, boards: usize, mut visit: impl FnMut(Run)) {
    let Some((mut mover_seeds, major, mut minor)) = index.place(from) else { return };
    let mut opponent = gapped_unrank(index.seeds() - mover_seeds, major);
    let mut left = boards;
    loop {
        let in_row = (row_count(mover_seeds) - minor) as usize;
        let boards = in_row.min(left);
        visit(Run { opponent, mover_seeds, minor, boards });
        left -= boards;
        if left == 0 {
            return;
        }
        minor = 0;
        opponent = match next_gapped_row(opponent) {
            Some(next) => next,
            None if mover_seeds < index.seeds() => {
                mover_seeds += 1;
                gapped_unrank(index.seeds() - mover_seeds, 0)
            }
            None => return,
        };
    }
}

/// A level being written with a model.
pub(in crate::table) struct ModelWriter<'a> {
    model: &'a Model,
    index: &'a LevelIndex,
    plain: &'a [u8],
    codes: Vec<Codes>,
    takes: &'static Takes,
}

/// Buffers of a thread that codes or decodes blocks.
#[derive(Debug, Default)]
pub(in crate::table) struct ModelScratch {
    numbers: Vec<i8>,
    bytes: Vec<u8>,
    chosen: Vec<Chosen>,
    writer: Writer,
}

/// What is stored for a board, and where that stands in the model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen {
    pub(super) context: u32,
    pub(super) near: i8,
    pub(super) number: i8,
    cluster: u8,
    entry: u8,
}

impl<'a> ModelWriter<'a> {
    pub(in crate::table) fn new(model: &'a Model, index: &'a LevelIndex, plain: &'a [u8]) -> Self {
        let codes = model.clusters.iter().map(Cluster::codes).collect();
        Self { model, index, plain, codes, takes: takes() }
    }

    /// Appends a coded block to `out`.
    pub(in crate::table) fn encode(
        &self,
        place: BlockPlace,
        scratch: &mut ModelScratch,
        out: &mut Vec<u8>,
    ) {
        self.choose(place.from, place.boards, scratch);
        let ModelScratch { numbers, bytes, chosen, writer } = scratch;
        let check = block_check(place.identity, place.block, as_bytes(&numbers[PAD..], bytes));
        let mut coder = writer.begin(end_state(check), 2 * chosen.len());
        for board in chosen.iter().rev() {
            let codes = &self.codes[usize::from(board.cluster)];
            if codes.is_escape(board.entry) {
                coder.put(raw_symbol(board.number));
            }
            coder.put(codes.symbol(board.entry));
        }
        coder.finish(out);
    }

    /// Chooses the numbers to store for a block, and lists them.
    ///
    /// A free board takes the likeliest number up to its value. Values of all the level's seeds
    /// are kept, so that an ended board's number is its value.
    pub(super) fn choose<'s>(
        &self,
        from: u64,
        boards: usize,
        scratch: &'s mut ModelScratch,
    ) -> &'s [Chosen] {
        let most = self.index.seeds();
        let least = -most.cast_signed();
        let ModelScratch { numbers, chosen, .. } = scratch;
        clear(numbers, boards);
        chosen.resize(boards, Chosen::default());
        let numbers = numbers.as_mut_slice();
        let first = usize::try_from(from).unwrap_or(usize::MAX);
        let mut boards_left = self.plain[first..first + boards].iter().zip(chosen.iter_mut());
        let mut from = PAD;
        for_each_run(self.index, first as u64, boards, |run| {
            let opponent = OpponentFacts::of(self.takes, run.opponent);
            MoverFacts::visit(run.mover_seeds, run.minor, run.boards, |movers| {
                let mut before = numbers[from - 1];
                let places = (from..).zip(movers).zip(boards_left.by_ref());
                for ((at, mover), (&byte, chosen)) in places {
                    let contexts = self.model.contexts;
                    let (context, near) =
                        contexts.of(window(numbers, at), before, mover, &opponent);
                    let cluster = self.model.map[context];
                    let value = plain_value(byte);
                    let is_free = plain_is_free(byte) & (value.unsigned_abs() != most);
                    let codes = &self.codes[usize::from(cluster)];
                    let (number, entry) = codes.choose(value, near, is_free, least);
                    numbers[at] = number;
                    before = number;
                    #[expect(clippy::cast_possible_truncation, reason = "half a million contexts")]
                    let context = context as u32;
                    *chosen = Chosen { context, near, number, cluster, entry };
                }
                from += movers.len();
            });
        });
        chosen
    }
}
