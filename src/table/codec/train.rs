//! Making a level's model: count differences by context in a sample of blocks, then gather contexts
//! into clusters so that the coded numbers are short.
//!
//! The clustering is Lloyd's: every context goes to the cluster whose distribution codes its
//! counts in the fewest bits, then clusters take the distribution of what they got. Free boards
//! take the likeliest number that is allowed, which depends on the model, so sampling and
//! clustering are done twice.
//!
//! Invariant: the same level gives the same model on every machine. Sums are of integers, or of
//! floats in a fixed order, and logarithms are computed here by plain arithmetic.

use super::cluster::{Cluster, Counts};
use super::model::{Contexts, Detail, Model, ModelScratch, ModelWriter};
use crate::index::LevelIndex;
use rayon::prelude::*;

/// How much work goes into a model.
#[derive(Clone, Copy, Debug)]
pub(in crate::table) struct Effort {
    /// Boards of the first and of the second sample: the level's divided by the first number, but
    /// within the others.
    samples: [(u64, u64, u64); 2],
    /// Rounds of clustering after each sampling.
    rounds: u32,
}

impl Effort {
    /// A fraction of what coding the blocks takes.
    pub(in crate::table) const QUICK: Self =
        Self { samples: [(16, 1 << 19, 1 << 21), (4, 1 << 21, 1 << 23)], rounds: 6 };
    /// As much as coding the blocks, or more.
    pub(in crate::table) const THOROUGH: Self =
        Self { samples: [(8, 1 << 20, 1 << 23), (1, 1 << 22, 1 << 26)], rounds: 16 };
}

/// Levels get a cluster for so many boards, up to 256.
const BOARDS_A_CLUSTER: u64 = 4096;
const MOST_CLUSTERS: u64 = 256;
/// Bits of a difference that a cluster did not see.
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
    first[usize::from(super::cluster::place(0))] = 1;
    let clusters = vec![Cluster::of_counts(&first)];
    let mut model = Model { contexts, map: vec![0; contexts.count()], clusters };
    let most_clusters = (boards / BOARDS_A_CLUSTER + 1).min(MOST_CLUSTERS);
    let mut groups: Option<Groups> = None;
    for (share, least, most) in effort.samples {
        let sample_boards = (boards / share).clamp(least, most);
        let cells = sample(&model, index, plain, block_boards, sample_boards);
        let mut next = match groups {
            Some(groups) => groups.on(cells),
            None => Groups::first(cells, usize::try_from(most_clusters).unwrap_or(1)),
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

/// Counts differences by context in every so-manieth block; contexts in order.
fn sample(
    model: &Model,
    index: &LevelIndex,
    plain: &[u8],
    block_boards: u32,
    sample_boards: u64,
) -> Vec<Cells> {
    let writer = ModelWriter::new(model, index, plain);
    let block = u64::from(block_boards);
    let stride = (index.boards() / sample_boards).max(1) * block;
    let blocks = index.boards().div_ceil(stride);
    let mut keys: Vec<u32> = (0..blocks)
        .into_par_iter()
        .map_init(ModelScratch::default, |scratch, number| {
            let from = number * stride;
            let boards = usize::try_from(block.min(index.boards() - from)).unwrap_or(0);
            let chosen = writer.choose(from, boards, scratch);
            let keys = chosen.iter().map(|board| {
                let difference = i16::from(board.number) - i16::from(board.near);
                // At most 502,848 contexts: 19 bits.
                board.context << 8 | u32::from(super::cluster::place(difference))
            });
            keys.collect::<Vec<_>>()
        })
        .flatten_iter()
        .collect();
    keys.par_sort_unstable();
    let of_context = keys.chunk_by(|a, b| a >> 8 == b >> 8);
    of_context
        .map(|keys| Cells {
            context: keys[0] >> 8,
            boards: keys.len() as u64,
            counts: keys
                .chunk_by(|a, b| a == b)
                .map(|same| ((same[0] & 0xff) as u8, u32::try_from(same.len()).unwrap_or(u32::MAX)))
                .collect(),
        })
        .collect()
}

/// Contexts in clusters.
struct Groups {
    cells: Vec<Cells>,
    /// The cluster of each context of `cells`.
    assigned: Vec<usize>,
    /// What each cluster's contexts counted together.
    counts: Vec<Counts>,
}

impl Groups {
    /// A cluster around each of the contexts with the most boards.
    fn first(cells: Vec<Cells>, most: usize) -> Self {
        let mut order: Vec<usize> = (0..cells.len()).collect();
        order.sort_by_key(|&at| (std::cmp::Reverse(cells[at].boards), cells[at].context));
        let seeds = &order[..most.min(order.len())];
        let counts = seeds.iter().map(|&at| sum_of(std::iter::once(&cells[at]))).collect();
        Self { assigned: vec![0; cells.len()], cells, counts }
    }

    /// The same clusters, to be filled by other contexts.
    fn on(self, cells: Vec<Cells>) -> Self {
        Self { assigned: vec![0; cells.len()], cells, counts: self.counts }
    }

    /// Moves each context to its best cluster, and takes the clusters' counts anew.
    fn regroup(&mut self) {
        let clusters = self.counts.len();
        let bits = bits_by_difference(&self.counts);
        self.assigned = self
            .cells
            .par_iter()
            .map_init(
                || vec![0f32; clusters],
                |sums, cells| {
                    sums.fill(0.0);
                    for &(place, count) in &cells.counts {
                        let row = &bits[usize::from(place) * clusters..][..clusters];
                        #[expect(clippy::cast_precision_loss, reason = "a weight")]
                        let count = count as f32;
                        sums.iter_mut().zip(row).for_each(|(sum, bits)| *sum += count * bits);
                    }
                    let best = sums.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
                    best.map_or(0, |(cluster, _)| cluster)
                },
            )
            .collect();
        let mut counts = vec![[0; 256]; clusters];
        for (cells, &cluster) in self.cells.iter().zip(&self.assigned) {
            add(&mut counts[cluster], cells);
        }
        self.counts = counts;
    }

    /// The model of these clusters. A context that the sample has not is like the one before.
    fn model(&self, contexts: Contexts) -> Model {
        let mut map = vec![0; contexts.count()];
        let mut from = 0;
        let mut cluster = 0;
        for (cells, &assigned) in self.cells.iter().zip(&self.assigned) {
            let at = cells.context as usize;
            map[from..at].fill(cluster);
            cluster = u8::try_from(assigned).unwrap_or(u8::MAX);
            from = at;
        }
        map[from..].fill(cluster);
        Model { contexts, map, clusters: self.counts.iter().map(Cluster::of_counts).collect() }
    }
}

fn add(counts: &mut Counts, cells: &Cells) {
    cells.counts.iter().for_each(|&(place, count)| counts[usize::from(place)] += u64::from(count));
}

fn sum_of<'c>(cells: impl Iterator<Item = &'c Cells>) -> Counts {
    let mut counts = [0; 256];
    cells.for_each(|cells| add(&mut counts, cells));
    counts
}

/// The bits that each cluster needs for each difference: entry `place * clusters + cluster`.
fn bits_by_difference(counts: &[Counts]) -> Vec<f32> {
    let mut bits = vec![0.0; 256 * counts.len()];
    for (cluster, counted) in counts.iter().enumerate() {
        let total = log2(counted.iter().sum::<u64>() + 1);
        for (place, &count) in counted.iter().enumerate() {
            let at = place * counts.len() + cluster;
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
