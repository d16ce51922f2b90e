//! Training: the model of a level.
//!
//! A sample of blocks gives the counts of differences per context. The contexts are then clustered
//! by Lloyd's algorithm. Each round assigns every context to the distribution that codes its counts
//! in the fewest bits, and then replaces each distribution by that of the contexts assigned to it.
//! The numbers stored for free boards depend on the model, so sampling and clustering are done
//! twice.
//!
//! Invariant: the same level gives the same model on every machine. Sums are sums of integers, or
//! of floats in a fixed order, and the logarithm is computed here by plain arithmetic.

use super::distribution::{Counts, Distribution, place};
use super::encode::ModelWriter;
use super::lanes::{LANES, Lanes};
use super::model::{Contexts, Detail, Model};
use crate::index::LevelIndex;
use rayon::prelude::*;
use std::cmp::Ordering;

/// The amount of work for a model.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct Effort {
    /// Boards of the first and of the second sample, as `(divisor, least, most)`: those of the
    /// level divided by `divisor`, clamped to `least..=most`.
    samples: [(u64, u64, u64); 2],
    /// Rounds of clustering after each sample.
    rounds: u32,
}

impl Effort {
    /// A fraction of the time to encode the blocks.
    pub(in crate::table) const QUICK: Self =
        Self { samples: [(32, 1 << 18, 1 << 20), (12, 1 << 21, 1 << 23)], rounds: 4 };
    /// The time to encode the blocks, or more.
    pub(in crate::table) const THOROUGH: Self =
        Self { samples: [(8, 1 << 20, 1 << 23), (1, 1 << 22, 1 << 26)], rounds: 16 };
}

/// The number of boards per distribution, about, as long as there are at most 256 distributions.
const DISTRIBUTION_BOARDS: u64 = 4096;
const MOST_DISTRIBUTIONS: u64 = 256;
/// The number of contexts per family. The contexts of a family are consecutive and differ only in
/// the classes of threat and of filled pits, and in whether pit A has seeds.
const FAMILY_CONTEXTS: u32 = 24;
/// The weight, in boards, of its family in the counts of each context. A context with few boards is
/// thus assigned as its family is.
const FAMILY_BOARDS: f32 = 16.0;
/// Additional bits of a difference that no context of a distribution has.
const UNSEEN_BITS: f32 = 10.0;

/// The model of a level, from its plain bytes, for blocks of `block_boards` boards.
pub(in crate::table) fn train(
    index: &LevelIndex,
    plain: &[u8],
    block_boards: u32,
    effort: Effort,
) -> Model {
    let boards = index.boards();
    let contexts = Contexts { seeds: index.seeds().get(), detail: Detail::for_boards(boards) };
    // In the first model, every free board repeats its prediction if that is allowed.
    let mut first = [0; 256];
    first[usize::from(place(0))] = 1;
    let mut model =
        Model::new(contexts, vec![0; contexts.count()], &[Distribution::of_counts(&first)]);
    let most_distributions = (boards / DISTRIBUTION_BOARDS + 1).min(MOST_DISTRIBUTIONS);
    let most_distributions = usize::try_from(most_distributions).expect("at most 256");
    let mut clustering: Option<Clustering> = None;
    for (divisor, least, most) in effort.samples {
        let sample_boards = (boards / divisor).clamp(least, most);
        let sampled = sample(&model, index, plain, block_boards, sample_boards);
        let mut next = match clustering {
            Some(clustering) => clustering.with_sample(sampled),
            None => Clustering::new(sampled, most_distributions),
        };
        for _ in 0..effort.rounds {
            next.reassign();
        }
        model = next.model(contexts);
        clustering = Some(next);
    }
    model
}

/// The counts of one context in a sample.
struct ContextCounts {
    context: u32,
    boards: u64,
    /// The differences that occur, as places of [`Counts`], with their counts.
    counts: Vec<(u8, u32)>,
}

/// Boards per portion of a sample, about. It bounds the memory of training to some tens of megabytes,
/// whatever the sample and the threads.
const PORTION_BOARDS: usize = 1 << 22;

/// Counts the differences per context in every nth block. Returns the contexts that occur, in
/// order.
fn sample(
    model: &Model,
    index: &LevelIndex,
    plain: &[u8],
    block_boards: u32,
    sample_boards: u64,
) -> Vec<ContextCounts> {
    let writer = ModelWriter::new(model, index, plain);
    let stride = (index.boards() / sample_boards).max(1) * u64::from(block_boards);
    let blocks: Vec<(u64, usize)> = (0..index.boards().div_ceil(stride))
        .map(|number| {
            let from = number * stride;
            let boards = (index.boards() - from).min(u64::from(block_boards));
            (from, usize::try_from(boards).expect("at most the boards of a block"))
        })
        .collect();
    let mut counted = Vec::new();
    let portion = (PORTION_BOARDS / block_boards as usize).next_multiple_of(LANES);
    for blocks in blocks.chunks(portion) {
        let keys = keys_of(&writer, blocks, block_boards);
        counted = sum(counted, count_keys(&keys, model.map.len()));
    }
    counted
}

/// The keys of some blocks.
fn keys_of(writer: &ModelWriter<'_>, blocks: &[(u64, usize)], block_boards: u32) -> Vec<u32> {
    blocks
        .par_chunks(LANES)
        .map_init(LaneBuffers::default, |LaneBuffers { one, several }, blocks| {
            let mut keys = Vec::with_capacity(LANES * block_boards as usize);
            // Only the last block of the level may have fewer boards.
            match <[_; LANES]>::try_from(blocks) {
                Ok(blocks) if blocks[0].1 == blocks[LANES - 1].1 => {
                    let from = blocks.map(|(from, _)| from);
                    collect_keys(writer, from, blocks[0].1, several, &mut keys);
                }
                _ => {
                    for &(from, boards) in blocks {
                        collect_keys(writer, [from], boards, one, &mut keys);
                    }
                }
            }
            keys
        })
        .flatten_iter()
        .collect()
}

/// The sums of the counts of two samples, each in order of contexts.
fn sum(one: Vec<ContextCounts>, other: Vec<ContextCounts>) -> Vec<ContextCounts> {
    let mut sums: Vec<ContextCounts> = Vec::with_capacity(one.len().max(other.len()));
    let (mut one, mut other) = (one.into_iter().peekable(), other.into_iter().peekable());
    let context = |counts: Option<&ContextCounts>| counts.map_or(u32::MAX, |counts| counts.context);
    loop {
        let next = match context(one.peek()).cmp(&context(other.peek())) {
            Ordering::Less => one.next(),
            Ordering::Greater => other.next(),
            Ordering::Equal => match (one.next(), other.next()) {
                (Some(one), Some(other)) => Some(one.plus(&other)),
                _ => return sums,
            },
        };
        sums.extend(next);
    }
}

/// Buffers of one thread.
#[derive(Default)]
struct LaneBuffers {
    one: Lanes<1>,
    several: Lanes<LANES>,
}

/// Appends one key per board of some blocks: its context times 256, plus the place of its
/// difference.
fn collect_keys<const L: usize>(
    writer: &ModelWriter<'_>,
    from: [u64; L],
    boards: usize,
    lanes: &mut Lanes<L>,
    keys: &mut Vec<u32>,
) {
    writer.choose(from, boards, lanes, |_, _, chosen| {
        let difference = i16::from(chosen.number) - i16::from(chosen.prediction);
        // At most 502,848 contexts: 19 bits.
        keys.push(chosen.context << 8 | u32::from(place(difference)));
    });
}

/// Counts keys by context. Each task goes through all keys for a range of contexts.
fn count_keys(keys: &[u32], contexts: usize) -> Vec<ContextCounts> {
    let range = contexts.div_ceil(rayon::current_num_threads());
    let firsts: Vec<usize> = (0..contexts).step_by(range).collect();
    firsts.into_par_iter().flat_map_iter(|first| count_range(keys, first, range)).collect()
}

/// Counts the keys of `range` contexts from `first` on, after a counting sort by context.
fn count_range(keys: &[u32], first: usize, range: usize) -> Vec<ContextCounts> {
    let context_of = |key: u32| ((key >> 8) as usize).wrapping_sub(first);
    let in_range = || keys.iter().copied().filter(|&key| context_of(key) < range);
    let mut ends = vec![0; range + 1];
    in_range().for_each(|key| ends[context_of(key) + 1] += 1);
    for at in 0..range {
        ends[at + 1] += ends[at];
    }
    let mut places = vec![0; ends[range]];
    for key in in_range() {
        let end = &mut ends[context_of(key)];
        places[*end] = key.to_le_bytes()[0];
        *end += 1;
    }
    let mut from = 0;
    let contexts = (first..).zip(&ends[..range]).filter_map(|(context, &end)| {
        let places = &places[from..end];
        from = end;
        let context = u32::try_from(context).expect("at most half a million contexts");
        (!places.is_empty()).then(|| ContextCounts::new(context, places))
    });
    contexts.collect()
}

impl ContextCounts {
    /// The counts of two samples of the same context.
    fn plus(self, other: &Self) -> Self {
        let mut counts = [0u32; 256];
        for &(place, count) in self.counts.iter().chain(&other.counts) {
            counts[usize::from(place)] += count;
        }
        let boards = self.boards + other.boards;
        Self { boards, ..Self::of_counts(self.context, &counts) }
    }

    fn of_counts(context: u32, counts: &[u32; 256]) -> Self {
        let counts = (0u8..=255).zip(*counts).filter(|&(_, count)| count > 0).collect();
        Self { context, boards: 0, counts }
    }

    fn new(context: u32, places: &[u8]) -> Self {
        let mut counts = [0u32; 256];
        places.iter().for_each(|&place| counts[usize::from(place)] += 1);
        Self { boards: places.len() as u64, ..Self::of_counts(context, &counts) }
    }
}

/// The assignment of contexts to distributions.
struct Clustering {
    sampled: Vec<ContextCounts>,
    /// The distribution of each context of `sampled`.
    assigned: Vec<usize>,
    /// By distribution: the sum of the counts of its contexts.
    counts: Vec<Counts>,
    /// The best distribution of each family.
    of_families: Vec<usize>,
}

impl Clustering {
    /// One distribution for each of the `most` contexts with the most boards. No context is
    /// assigned.
    fn new(sampled: Vec<ContextCounts>, most: usize) -> Self {
        let mut order: Vec<usize> = (0..sampled.len()).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(sampled[at].boards), sampled[at].context));
        let largest = &order[..most.min(order.len())];
        let counts_of = |&at: &usize| {
            let mut counts = [0; 256];
            add(&mut counts, &sampled[at]);
            counts
        };
        let counts = largest.iter().map(counts_of).collect();
        Self { assigned: Vec::new(), sampled, counts, of_families: Vec::new() }
    }

    /// The same distributions for the contexts of another sample. No context is assigned.
    fn with_sample(self, sampled: Vec<ContextCounts>) -> Self {
        Self { sampled, ..self }
    }

    /// Assigns each context to its best distribution, and sums the counts of each distribution
    /// anew.
    fn reassign(&mut self) {
        let distributions = self.counts.len();
        let bits = bits_by_difference(&self.counts);
        let families: Vec<_> = self.sampled.chunk_by(|a, b| family(a) == family(b)).collect();
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
        for (context, &distribution) in self.sampled.iter().zip(&self.assigned) {
            add(&mut counts[distribution], context);
        }
        self.counts = counts;
    }

    /// The model with these distributions. A context that is not in the sample gets the
    /// distribution of its family, or that of the family before if the whole family is not in the
    /// sample.
    fn model(&self, contexts: Contexts) -> Model {
        let to_byte = |distribution| u8::try_from(distribution).expect("at most 256");
        let mut map = vec![0; contexts.count()];
        let families = self.sampled.chunk_by(|a, b| family(a) == family(b));
        let mut assigned = self.assigned.iter();
        let mut from = 0;
        let mut before = 0;
        for (family, &of_family) in families.zip(&self.of_families) {
            let first = (self::family(&family[0]) * FAMILY_CONTEXTS) as usize;
            map[from..first].fill(before);
            before = to_byte(of_family);
            from = map.len().min(first + FAMILY_CONTEXTS as usize);
            map[first..from].fill(before);
            for (sampled, &distribution) in family.iter().zip(assigned.by_ref()) {
                map[sampled.context as usize] = to_byte(distribution);
            }
        }
        map[from..].fill(before);
        let distributions: Vec<_> = self.counts.iter().map(Distribution::of_counts).collect();
        Model::new(contexts, map, &distributions)
    }
}

/// The best distribution of each context of a family, and of the whole family.
#[expect(clippy::cast_precision_loss, reason = "weights")]
fn best_distributions(
    family: &[ContextCounts],
    bits: &[f32],
    distributions: usize,
    sums: &mut Vec<f32>,
) -> (Vec<usize>, usize) {
    sums.clear();
    sums.resize((family.len() + 1) * distributions, 0.0);
    let (of_family, of_contexts) = sums.split_at_mut(distributions);
    for (context, sums) in family.iter().zip(of_contexts.chunks_mut(distributions)) {
        for &(place, count) in &context.counts {
            let row = &bits[usize::from(place) * distributions..][..distributions];
            let count = count as f32;
            sums.iter_mut().zip(row).for_each(|(sum, bits)| *sum += count * bits);
        }
        of_family.iter_mut().zip(sums).for_each(|(all, sum)| *all += *sum);
    }
    let boards: u64 = family.iter().map(|context| context.boards).sum();
    let share = FAMILY_BOARDS / boards as f32;
    let assigned = of_contexts.chunks_mut(distributions).map(|sums| {
        sums.iter_mut().zip(of_family.iter()).for_each(|(sum, all)| *sum += share * all);
        least(sums)
    });
    (assigned.collect(), least(of_family))
}

/// The place of the first of the least numbers.
fn least(numbers: &[f32]) -> usize {
    let least = numbers.iter().fold(f32::INFINITY, |least, &number| least.min(number));
    numbers.iter().position(|&number| number == least).expect("the least is one of the numbers")
}

const fn family(context: &ContextCounts) -> u32 {
    context.context / FAMILY_CONTEXTS
}

fn add(sums: &mut Counts, ContextCounts { counts, .. }: &ContextCounts) {
    counts.iter().for_each(|&(place, count)| sums[usize::from(place)] += u64::from(count));
}

/// The bits that each distribution takes for each difference, at
/// `place * distributions + distribution`.
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

/// The binary logarithm of a number above 0, to about 0.001, by plain arithmetic.
#[expect(clippy::cast_precision_loss, reason = "24 bits are plenty")]
fn log2(number: u64) -> f32 {
    let exponent = number.ilog2();
    let fraction = (number as f32) / ((1u64 << exponent) as f32) - 1.0;
    // log2(1 + x) by a cubic that is exact at both ends.
    exponent as f32 + fraction * (1.419_5 + fraction * (-0.574_7 + fraction * 0.155_2))
}
