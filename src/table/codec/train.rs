//! Making a level's model: count differences by context in a sample of blocks, then gather contexts
//! into distributions so that the coded numbers are short.
//!
//! The distributioning is Lloyd's: every context goes to the distribution whose distribution codes its
//! counts in the fewest bits, then distributions take the distribution of what they got. Free boards
//! take the likeliest number that is allowed, which depends on the model, so sampling and
//! distributioning are done twice.
//!
//! Invariant: the same level gives the same model on every machine. Sums are of integers, or of
//! floats in a fixed order, and logarithms are computed here by plain arithmetic.

use super::distribution::{Counts, Distribution, place};
use super::encode::ModelWriter;
use super::lanes::{LANES, Lanes};
use super::model::{Contexts, Detail, Model};
use crate::index::LevelIndex;
use rayon::prelude::*;

/// How much work goes into a model.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct Effort {
    /// Boards of the first and of the second sample: the level's divided by the first number, but
    /// within the others.
    samples: [(u64, u64, u64); 2],
    /// Rounds of distributioning after each sampling.
    rounds: u32,
}

impl Effort {
    /// A fraction of what coding the blocks takes.
    pub(in crate::table) const QUICK: Self =
        Self { samples: [(32, 1 << 18, 1 << 20), (12, 1 << 21, 1 << 23)], rounds: 4 };
    /// As much as coding the blocks, or more.
    pub(in crate::table) const THOROUGH: Self =
        Self { samples: [(8, 1 << 20, 1 << 23), (1, 1 << 22, 1 << 26)], rounds: 16 };
}

/// Levels get a distribution for so many boards, up to 256.
const BOARDS_A_DISTRIBUTION: u64 = 4096;
const MOST_DISTRIBUTIONS: u64 = 256;
/// Contexts that differ in threat, moves and inner alone are a family, in order.
const FAMILY_CONTEXTS: u32 = 24;
/// As many boards of its family are added to each context's, so that one with few boards of its own goes where its
/// family does.
const FAMILY_BOARDS: f32 = 16.0;
/// Bits of a difference that a distribution did not see.
const UNSEEN_BITS: f32 = 10.0;

/// The model of a level's plain bytes, to be coded in blocks of `block_boards` boards.
pub(in crate::table) fn train(
    index: &LevelIndex,
    plain: &[u8],
    block_boards: u32,
    effort: Effort,
) -> Model {
    let boards = index.boards();
    let contexts = Contexts { seeds: index.seeds(), detail: Detail::for_boards(boards) };
    // To begin with, every free board repeats its prediction where it may.
    let mut first = [0; 256];
    first[usize::from(place(0))] = 1;
    let mut model =
        Model::new(contexts, vec![0; contexts.count()], &[Distribution::of_counts(&first)]);
    let most_distributions = (boards / BOARDS_A_DISTRIBUTION + 1).min(MOST_DISTRIBUTIONS);
    let mut groups: Option<Groups> = None;
    for (share, least, most) in effort.samples {
        let sample_boards = (boards / share).clamp(least, most);
        let cells = sample(&model, index, plain, block_boards, sample_boards);
        let mut next = match groups {
            Some(groups) => groups.on(cells),
            None => Groups::first(cells, usize::try_from(most_distributions).unwrap_or(1)),
        };
        for _ in 0..effort.rounds {
            next.regroup();
        }
        model = next.model(contexts);
        groups = Some(next);
    }
    model
}

/// What was counted of one context: differences (as places of [`Counts`]) and how often.
struct Cells {
    context: u32,
    boards: u64,
    counts: Vec<(u8, u32)>,
}

/// Counts differences by context in every nth block; contexts in order.
fn sample(
    model: &Model,
    index: &LevelIndex,
    plain: &[u8],
    block_boards: u32,
    sample_boards: u64,
) -> Vec<Cells> {
    let writer = ModelWriter::new(model, index, plain);
    let stride = (index.boards() / sample_boards).max(1) * u64::from(block_boards);
    let blocks: Vec<(u64, usize)> = (0..index.boards().div_ceil(stride))
        .map(|number| {
            let left = index.boards() - number * stride;
            (number * stride, left.min(u64::from(block_boards)))
        })
        .map(|(from, boards)| (from, usize::try_from(boards).unwrap_or(0)))
        .collect();
    let keys: Vec<u32> = blocks
        .par_chunks(LANES)
        .map_init(LaneBuffers::default, |LaneBuffers { one, several }, blocks| {
            let mut keys = Vec::with_capacity(LANES * block_boards as usize);
            // Only the level's last block may have fewer boards.
            match <[_; LANES]>::try_from(blocks) {
                Ok(blocks) if blocks[0].1 == blocks[LANES - 1].1 => {
                    let from = blocks.map(|(from, _)| from);
                    collect_keys(&writer, from, blocks[0].1, several, &mut keys);
                }
                _ => {
                    for &(from, boards) in blocks {
                        collect_keys(&writer, [from], boards, one, &mut keys);
                    }
                }
            }
            keys
        })
        .flatten_iter()
        .collect();
    cells_of(&keys, model.map.len())
}

/// Buffers of a thread that samples.
#[derive(Default)]
struct LaneBuffers {
    one: Lanes<1>,
    several: Lanes<LANES>,
}

/// Appends a key for each board of some blocks: its context, times 256, and the place of its difference.
fn collect_keys<const L: usize>(
    writer: &ModelWriter<'_>,
    from: [u64; L],
    boards: usize,
    lanes: &mut Lanes<L>,
    keys: &mut Vec<u32>,
) {
    writer.choose(from, boards, lanes, |_, _, chosen| {
        let difference = i16::from(chosen.number) - i16::from(chosen.near);
        // At most 502,848 contexts: 19 bits.
        keys.push(chosen.context << 8 | u32::from(place(difference)));
    });
}

/// Gathers keys by context. Each thread takes a range of contexts and looks at all keys.
fn cells_of(keys: &[u32], contexts: usize) -> Vec<Cells> {
    let range = contexts.div_ceil(rayon::current_num_threads());
    let firsts: Vec<usize> = (0..contexts).step_by(range).collect();
    firsts.into_par_iter().flat_map_iter(|first| cells_in_range(keys, first, range)).collect()
}

/// Gathers the keys of `range` contexts from `first` on, by counting where each context's begin.
fn cells_in_range(keys: &[u32], first: usize, range: usize) -> Vec<Cells> {
    let context_of = |key: u32| ((key >> 8) as usize).wrapping_sub(first);
    let mine = || keys.iter().copied().filter(|&key| context_of(key) < range);
    let mut ends = vec![0; range + 1];
    mine().for_each(|key| ends[context_of(key) + 1] += 1);
    for at in 0..range {
        ends[at + 1] += ends[at];
    }
    let mut places = vec![0; ends[range]];
    for key in mine() {
        let end = &mut ends[context_of(key)];
        places[*end] = key.to_le_bytes()[0];
        *end += 1;
    }
    let mut from = 0;
    let contexts = (first..).zip(&ends[..range]).filter_map(|(context, &end)| {
        let places = &places[from..end];
        from = end;
        let context = u32::try_from(context).unwrap_or(u32::MAX);
        (!places.is_empty()).then(|| Cells::new(context, places))
    });
    contexts.collect()
}

impl Cells {
    fn new(context: u32, places: &[u8]) -> Self {
        let mut counts = [0u32; 256];
        places.iter().for_each(|&place| counts[usize::from(place)] += 1);
        let counts = (0u8..=255).zip(counts).filter(|&(_, count)| count > 0).collect();
        Self { context, boards: places.len() as u64, counts }
    }
}

/// Contexts in distributions.
struct Groups {
    cells: Vec<Cells>,
    /// The distribution of each context of `cells`.
    assigned: Vec<usize>,
    /// What each distribution's contexts counted together.
    counts: Vec<Counts>,
    /// The best distribution of each family.
    of_families: Vec<usize>,
}

impl Groups {
    /// A distribution around each of the contexts with the most boards.
    fn first(cells: Vec<Cells>, most: usize) -> Self {
        let mut order: Vec<usize> = (0..cells.len()).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(cells[at].boards), cells[at].context));
        let seeds = &order[..most.min(order.len())];
        let counts = seeds.iter().map(|&at| sum_of(std::iter::once(&cells[at]))).collect();
        Self { assigned: vec![0; cells.len()], cells, counts, of_families: Vec::new() }
    }

    /// The same distributions, to be filled by other contexts.
    fn on(self, cells: Vec<Cells>) -> Self {
        Self { cells, ..self }
    }

    /// Moves each context to its best distribution, and takes the distributions' counts anew.
    fn regroup(&mut self) {
        let distributions = self.counts.len();
        let bits = bits_by_difference(&self.counts);
        let families: Vec<_> = self.cells.chunk_by(|a, b| family(a) == family(b)).collect();
        let found: Vec<(Vec<usize>, usize)> = families
            .into_par_iter()
            .map_init(Vec::new, |sums, family| {
                best_distributions(family, &bits, distributions, sums)
            })
            .collect();
        self.assigned.clear();
        self.of_families.clear();
        for (assigned, of_family) in found {
            self.of_families.push(of_family);
            self.assigned.extend(assigned);
        }
        let mut counts = vec![[0; 256]; distributions];
        for (cells, &distribution) in self.cells.iter().zip(&self.assigned) {
            add(&mut counts[distribution], cells);
        }
        self.counts = counts;
    }

    /// The model of these distributions. A context that the sample has not is like its family, or like the one before
    /// where the sample has none of the family.
    fn model(&self, contexts: Contexts) -> Model {
        let mut map = vec![0; contexts.count()];
        let families = self.cells.chunk_by(|a, b| family(a) == family(b));
        let mut assigned = self.assigned.iter();
        let mut from = 0;
        let mut before = 0;
        for (family, &of_family) in families.zip(&self.of_families) {
            let first = (self::family(&family[0]) * FAMILY_CONTEXTS) as usize;
            map[from..first].fill(before);
            before = u8::try_from(of_family).unwrap_or(u8::MAX);
            from = map.len().min(first + FAMILY_CONTEXTS as usize);
            map[first..from].fill(before);
            for (cells, &distribution) in family.iter().zip(assigned.by_ref()) {
                map[cells.context as usize] = u8::try_from(distribution).unwrap_or(u8::MAX);
            }
        }
        map[from..].fill(before);
        let distributions: Vec<_> = self.counts.iter().map(Distribution::of_counts).collect();
        Model::new(contexts, map, &distributions)
    }
}

/// The best distribution of each of a family's contexts, and of all together.
#[expect(clippy::cast_precision_loss, reason = "weights")]
fn best_distributions(
    family: &[Cells],
    bits: &[f32],
    distributions: usize,
    sums: &mut Vec<f32>,
) -> (Vec<usize>, usize) {
    sums.clear();
    sums.resize((family.len() + 1) * distributions, 0.0);
    let (of_family, of_cells) = sums.split_at_mut(distributions);
    for (cells, sums) in family.iter().zip(of_cells.chunks_mut(distributions)) {
        for &(place, count) in &cells.counts {
            let row = &bits[usize::from(place) * distributions..][..distributions];
            let count = count as f32;
            sums.iter_mut().zip(row).for_each(|(sum, bits)| *sum += count * bits);
        }
        of_family.iter_mut().zip(sums).for_each(|(all, sum)| *all += *sum);
    }
    let boards: u64 = family.iter().map(|cells| cells.boards).sum();
    let share = FAMILY_BOARDS / boards as f32;
    let assigned = of_cells.chunks_mut(distributions).map(|sums| {
        sums.iter_mut().zip(of_family.iter()).for_each(|(sum, all)| *sum += share * all);
        least(sums)
    });
    (assigned.collect(), least(of_family))
}

/// The place of the least of some numbers, the first of them.
fn least(numbers: &[f32]) -> usize {
    let least = numbers.iter().fold(f32::INFINITY, |least, &number| least.min(number));
    numbers.iter().position(|&number| number == least).unwrap_or(0)
}

const fn family(cells: &Cells) -> u32 {
    cells.context / FAMILY_CONTEXTS
}

fn add(counts: &mut Counts, cells: &Cells) {
    cells.counts.iter().for_each(|&(place, count)| counts[usize::from(place)] += u64::from(count));
}

fn sum_of<'c>(cells: impl Iterator<Item = &'c Cells>) -> Counts {
    let mut counts = [0; 256];
    cells.for_each(|cells| add(&mut counts, cells));
    counts
}

/// The bits that each distribution needs for each difference: entry `place * distributions + distribution`.
fn bits_by_difference(counts: &[Counts]) -> Vec<f32> {
    let mut bits = vec![0.0; 256 * counts.len()];
    for (distribution, counted) in counts.iter().enumerate() {
        let total = log2(counted.iter().sum::<u64>() + 1);
        for (place, &count) in counted.iter().enumerate() {
            let at = place * counts.len() + distribution;
            bits[at] = if count > 0 { total - log2(count) } else { total.max(1.0) + UNSEEN_BITS };
        }
    }
    bits
}

/// The binary logarithm of a number above 0, to about 0.001, by sums and products alone.
#[expect(clippy::cast_precision_loss, reason = "24 bits are plenty")]
fn log2(number: u64) -> f32 {
    let exponent = number.ilog2();
    let fraction = (number as f32) / ((1u64 << exponent) as f32) - 1.0;
    // ln(1 + x) / ln 2 by a cubic that is exact at both ends.
    exponent as f32 + fraction * (1.419_5 + fraction * (-0.574_7 + fraction * 0.155_2))
}
