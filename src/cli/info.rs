//! `oware info`: the tables in the folder, from their headers.

use super::advice;
use super::boards;
use super::failure::{AlreadyReported, warn};
use super::options::Options;
use super::output::Output;
use super::tables;
use oware::folder::FolderStatus;
use oware::index::LevelIndex;
use oware::level::{BoundsHistogram, Histogram};
use oware::rules::{BOARD_PITS, Board, Rules, Seeds};
use oware::table::{Backend, BlockScratch, Table, TableError, TableHeader, TableId};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// The arguments of `info`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Only the level of this many seeds, with its histogram
    #[arg(long, value_name = "N")]
    level: Option<Seeds>,

    /// Number of boards of each value, for every level
    #[arg(long)]
    histogram: bool,
}

const EXAMPLES: &str = "\
Examples:
  oware info                     size of each level, and how often the mover wins
  oware info --level 12          one level with its histogram
  oware info --level 24          also a board of the longest distance, for a large level
  oware info --json --rules abapa

Reads headers, and small distance tables to find a board of the longest distance, in no noticeable
time; `oware verify` checks every byte. Bits per board count the whole file.";

/// Larger levels are searched for a board of the longest distance only on request: this many boards
/// take a second at most.
const SEARCHED_BOARDS: u64 = 100_000_000;

/// The tables of a rule set, as `info --json` prints them.
#[derive(Debug, Serialize)]
struct Info {
    rules: &'static str,
    levels: Vec<LevelInfo>,
}

#[derive(Debug, Serialize)]
struct LevelInfo {
    seeds: Seeds,
    boards: u64,
    bytes: u64,
    bits_per_board: f64,
    #[serde(serialize_with = "by_value")]
    values: Histogram,
    #[serde(serialize_with = "by_value_if_counted")]
    all_values: Option<Histogram>,
    values_digest: String,
    codec: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_distance: Option<LongestDistance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<BoundsInfo>,
    /// Reachable boards by lower and upper bound.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "by_bounds")]
    bounds_values: Option<BoundsHistogram>,
    /// The counts of `values` and `all_values` side by side, if the histogram was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<Vec<ValueCount>>,
}

/// The number of boards of one value; `all_boards` is `null` in tables that do not count them.
#[derive(Debug, Serialize)]
struct ValueCount {
    value: i8,
    reachable_boards: u64,
    all_boards: Option<u64>,
}

/// The table of bounds of a level.
#[derive(Debug, Serialize)]
struct BoundsInfo {
    bytes: u64,
    digest: String,
    bits_per_board: f64,
    /// Boards whose value does not depend on what settles endless play.
    exact_boards: u64,
    mean_contested: f64,
}

/// The longest distance of a level, and the first board that has it. In a large level the board is
/// searched only if the level is requested alone.
#[derive(Debug, Serialize)]
struct LongestDistance {
    plies: u32,
    board: Option<[u8; BOARD_PITS]>,
}

/// Prints the tables.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let status = tables::status(options)?;
    let (mut info, mut all_whole) = gather(&status, options.rules, arguments.level);
    for level in &mut info.levels {
        if (arguments.level.is_some() || level.boards <= SEARCHED_BOARDS)
            && let Err(error) = level.find_example(options)
        {
            warn(advice::explain(&error));
            all_whole = false;
        }
    }
    if arguments.histogram || arguments.level.is_some() {
        info.levels.iter_mut().for_each(|level| level.histogram = Some(level.counts()));
    }
    if options.json {
        output.json(&info)?;
    } else {
        show(&info, arguments, options, output)?;
        show_other_rules(&status, options.rules, output)?;
    }
    if all_whole { Ok(()) } else { Err(AlreadyReported.into()) }
}

/// The chosen levels, and whether all their tables are whole. Reports those that are not.
fn gather(status: &FolderStatus, rules: Rules, level: Option<Seeds>) -> (Info, bool) {
    let mut info = Info { rules: rules.name(), levels: Vec::new() };
    let mut all_whole = true;
    let levels = status.rules(rules).into_iter().flat_map(|status| &status.levels);
    for status in levels.filter(|status| level.is_none_or(|seeds| seeds == status.seeds())) {
        for error in status.tables().filter_map(|table| table.state.error()) {
            warn(advice::explain(error));
            all_whole = false;
        }
        let Some(header) = status.values.state.header() else { continue };
        let mut level = LevelInfo::of(header);
        if let Some(distances) = status.distances.state.header() {
            level.distance_bytes = distances.file_bytes();
            level.longest_distance =
                Some(LongestDistance { plies: distances.most_plies, board: None });
        }
        if let Some(header) = status.bounds.state.header() {
            level.add_bounds(header);
        }
        info.levels.push(level);
    }
    (info, all_whole)
}

impl LevelInfo {
    fn of(header: &TableHeader) -> Self {
        let seeds = header.id.seeds;
        let boards = header.boards;
        let bytes = header.file_bytes().expect("the length of a file that is there");
        Self {
            seeds,
            boards,
            bytes,
            bits_per_board: bits(bytes, boards),
            values: header.values.clone(),
            all_values: header.all_values.clone(),
            values_digest: header.values_digest.to_string(),
            codec: header.codec.to_string(),
            distance_bytes: None,
            longest_distance: None,
            bounds: None,
            bounds_values: None,
            histogram: None,
        }
    }

    /// The number of boards of every value that occurs.
    fn counts(&self) -> Vec<ValueCount> {
        let counted = self.all_values.as_ref().unwrap_or(&self.values);
        let count = |(value, boards)| ValueCount {
            value,
            reachable_boards: self.values.count(value),
            all_boards: self.all_values.as_ref().map(|_| boards),
        };
        counted.iter().map(count).collect()
    }

    fn add_bounds(&mut self, header: &TableHeader) {
        let bytes = header.file_bytes().expect("the length of a file that is there");
        self.bounds_values.clone_from(&header.bounds);
        self.bounds = header.bounds.as_ref().map(|histogram| BoundsInfo {
            bytes,
            digest: header.contents_digest.to_string(),
            bits_per_board: bits(bytes, header.boards),
            exact_boards: histogram.exact_boards(),
            mean_contested: histogram.mean_contested(),
        });
    }

    /// Searches the distance table for a board of the longest distance.
    fn find_example(&mut self, options: &Options) -> Result<(), TableError> {
        let Some(longest) = self.longest_distance.as_mut() else { return Ok(()) };
        let id = TableId::distances(options.rules, self.seeds);
        let table = Table::open_in(&options.tables, id, Backend::Read)?;
        longest.board = board_at_distance(&table, longest.plies)?.map(Board::pits);
        Ok(())
    }

    /// The share of boards whose value has this sign, in percent.
    fn percent(&self, has_sign: impl Fn(i8) -> bool) -> f64 {
        let of_sign = self.values.iter().filter(|(value, _)| has_sign(*value));
        100.0 * of_sign.map(|(_, boards)| boards).sum::<u64>() as f64 / self.boards as f64
    }
}

/// The first board of a distance table with a distance; `None` if no board has it.
fn board_at_distance(table: &Table, plies: u32) -> Result<Option<Board>, TableError> {
    let header = table.header();
    let place_in = |(scratch, distances): &mut (BlockScratch, Vec<_>), block| {
        table.decode_distances(block, scratch, distances)?;
        Ok(distances.iter().position(|found: &Option<u16>| found.map(u32::from) == Some(plies)))
    };
    let found = (0..header.blocks())
        .into_par_iter()
        .map_init(Default::default, |buffers, block| {
            place_in(buffers, block).map(|place| place.map(|place| (block, place))).transpose()
        })
        .find_map_first(|found| found)
        .transpose()?;
    Ok(found.and_then(|(block, place)| {
        let before = u64::from(block) * u64::from(header.block_boards);
        LevelIndex::new(header.id.seeds).board(before + place as u64)
    }))
}

fn bits(bytes: u64, boards: u64) -> f64 {
    bytes as f64 * 8.0 / boards as f64
}

fn show(
    info: &Info,
    arguments: &Arguments,
    options: &Options,
    out: &mut impl Write,
) -> io::Result<()> {
    let Info { rules, levels } = info;
    if levels.is_empty() {
        let folder = options.tables.display();
        return match arguments.level {
            Some(seeds) => {
                let way = advice::way_to_level(options.rules, seeds, &options.tables);
                writeln!(out, "no {rules} table of {seeds} seeds in {folder}: {way}")
            }
            None => {
                let command = options.build_command(Seeds::of(12), "");
                writeln!(out, "no {rules} tables in {folder}: build with `{command}`")
            }
        };
    }
    writeln!(out, "{rules} tables in {}\n", options.tables.display())?;
    writeln!(
        out,
        "seeds          boards           bytes  bits/board    won   even   lost  distances"
    )?;
    for level in levels {
        show_level(level, out)?;
    }
    if levels.len() > 1 {
        let boards = levels.iter().map(|level| level.boards).sum();
        let bytes = levels.iter().map(|level| level.bytes).sum();
        writeln!(out, "total {boards:>15} {bytes:>15}  {:>10.3}", bits(bytes, boards))?;
    }
    show_bounds(levels, out)?;
    levels.iter().try_for_each(|level| show_histogram(level, out))?;
    Ok(())
}

fn show_level(level: &LevelInfo, out: &mut impl Write) -> io::Result<()> {
    let LevelInfo { seeds, boards, bytes, bits_per_board, .. } = level;
    let won = level.percent(|value| value > 0);
    let even = level.percent(|value| value == 0);
    let lost = level.percent(|value| value < 0);
    write!(
        out,
        "{seeds:>5} {boards:>15} {bytes:>15}  {bits_per_board:>10.3} {won:>5.1}% {even:>5.1}% {lost:>5.1}%"
    )?;
    match &level.longest_distance {
        Some(LongestDistance { plies, board: Some(board) }) => {
            writeln!(out, "  to {plies} plies: {}", boards::to_arguments(board))
        }
        // All boards are even: the empty board.
        Some(LongestDistance { plies: 0, .. }) => writeln!(out),
        Some(LongestDistance { plies, board: None }) => {
            writeln!(out, "  to {plies} plies: a board by --level {seeds}")
        }
        None => writeln!(out),
    }
}

/// The tables of bounds: how often the value does not depend on what settles endless play.
fn show_bounds(levels: &[LevelInfo], out: &mut impl Write) -> io::Result<()> {
    let mut is_first = true;
    for level in levels {
        let Some(BoundsInfo { bytes, bits_per_board, exact_boards, mean_contested, .. }) =
            &level.bounds
        else {
            continue;
        };
        if std::mem::take(&mut is_first) {
            writeln!(out, "\nbounds, which hold whatever settles endless play:")?;
            writeln!(
                out,
                "seeds           bytes  bits/board   exact  contested seeds, on average"
            )?;
        }
        let exact = 100.0 * *exact_boards as f64 / level.boards as f64;
        writeln!(
            out,
            "{:>5} {bytes:>15}  {bits_per_board:>10.3}  {exact:>5.1}%  {mean_contested:.2}",
            level.seeds
        )?;
    }
    Ok(())
}

fn show_histogram(level: &LevelInfo, out: &mut impl Write) -> io::Result<()> {
    let Some(histogram) = &level.histogram else { return Ok(()) };
    show_values(level, histogram, out)?;
    let Some(bounds) = &level.bounds_values else { return Ok(()) };
    writeln!(out, "\n  low   high  reachable boards")?;
    let mut counts = bounds.iter();
    counts.try_for_each(|(bounds, boards)| {
        writeln!(out, "{:>+5}  {:>+5}  {boards:>16}", bounds.low().get(), bounds.high().get())
    })
}

fn show_values(
    level: &LevelInfo,
    histogram: &[ValueCount],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "\n{} seeds, digest {}", level.seeds, level.values_digest)?;
    if let Some(LongestDistance { plies, board: Some(board) }) = &level.longest_distance {
        writeln!(out, "longest distance {plies} plies: {}", boards::to_arguments(board))?;
    }
    let has_all = level.all_values.is_some();
    writeln!(out, "value  reachable boards{}", if has_all { "       all boards" } else { "" })?;
    for ValueCount { value, reachable_boards, all_boards } in histogram {
        write!(out, "{value:>+5}  {reachable_boards:>16}")?;
        match all_boards {
            Some(all_boards) => writeln!(out, " {all_boards:>16}")?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}

/// Names the tables of other rule sets in the folder.
fn show_other_rules(status: &FolderStatus, rules: Rules, out: &mut impl Write) -> io::Result<()> {
    let others = status.rules.iter().map(|other| other.rules).filter(|&other| other != rules);
    let names: Vec<_> = others.map(Rules::name).collect();
    if names.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nalso here, with --rules: {}", names.join(", "))
}

fn by_value<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(histogram.iter())
}

fn by_value_if_counted<S: Serializer>(
    histogram: &Option<Histogram>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match histogram {
        Some(histogram) => by_value(histogram, serializer),
        None => serializer.serialize_none(),
    }
}

/// `{"-3,3": 12}`: the lower and the upper bound.
fn by_bounds<S: Serializer>(
    histogram: &Option<BoundsHistogram>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let pairs = histogram.iter().flat_map(BoundsHistogram::iter);
    serializer.collect_map(pairs.map(|(bounds, boards)| {
        (format!("{},{}", bounds.low().get(), bounds.high().get()), boards)
    }))
}
