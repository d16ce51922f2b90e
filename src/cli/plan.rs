//! `oware plan`: the resources of a build, without building.

use super::options::Options;
use super::output::Output;
use super::size::Size;
use indicatif::HumanDuration;
use oware::build::{BuildOptions, LevelPlan, Plan, plan};
use oware::rules::Seeds;
use std::io::{self, Write};
use std::time::Duration;

/// The arguments of `plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Largest level of the build
    #[arg(long, value_name = "N")]
    seeds: Seeds,

    /// Memory to use at most, with K, M or G [default: the free memory, less a reserve]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

    /// With distance tables
    #[arg(long)]
    distances: bool,

    /// With tables of bounds; with --distances also of ranks
    #[arg(long)]
    bounds: bool,
}

const EXAMPLES: &str = "\
Examples:
  oware plan --seeds 30
  oware plan --seeds 48 --memory 14G --json

Memory, disk and time are estimates for this machine, whose speed is measured on a few small levels.
The columns give the memory with all smaller levels in memory, and the least memory with smaller
levels loaded from disk. Sizes are in powers of 1024.";

/// Prints the plan.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let build = BuildOptions::new(options.rules, arguments.seeds, &options.tables)
        .memory_bytes(arguments.memory.map(|size| size.bytes))
        .distances(arguments.distances)
        .bounds(arguments.bounds);
    let plan = plan(&build)?;
    if options.json {
        return output.json(&plan);
    }
    show(&plan, options, output)?;
    Ok(())
}

fn show(plan: &Plan, options: &Options, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} in {}\n", plan.rules, options.tables.display())?;
    writeln!(out, "seeds           boards    memory  at least      disk  time")?;
    for level in &plan.levels {
        let LevelPlan { seeds, boards, memory_bytes, least_memory_bytes, disk_bytes, .. } = *level;
        let [memory, least, disk] =
            [memory_bytes, least_memory_bytes, disk_bytes].map(|bytes| Size { bytes });
        let time = if level.exists { "is there".to_owned() } else { duration(level.seconds) };
        writeln!(out, "{seeds:>5} {boards:>16} {memory:>9} {least:>9} {disk:>9}  {time}")?;
    }
    let [tables, working, memory] =
        [plan.disk_bytes, plan.working_bytes, plan.memory_bytes].map(|bytes| Size { bytes });
    writeln!(out, "\nto build: {tables} of tables, {}", duration(plan.seconds))?;
    if plan.working_bytes > 0 {
        writeln!(out, "working copies of smaller levels take {working} more until the build ends")?;
    }
    writeln!(out, "memory:   {memory} may be used")?;
    if let Some(bytes) = plan.disk_free_bytes {
        writeln!(out, "disk:     {} free", Size { bytes })?;
    }
    writeln!(out, "largest level that fits: {} seeds", plan.largest_seeds)
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..10.0 => format!("{seconds:.1} s"),
        _ => Duration::try_from_secs_f64(seconds)
            .map_or_else(|_| "for ever".to_owned(), |time| HumanDuration(time).to_string()),
    }
}
