//! `oware export`: values for other programs.

use super::failure::WrongUsage;
use super::files::WholeFile;
use super::options::Options;
use super::output::Output;
use super::tables::Reading;
use oware::export::{Fields, sample, write_npy, write_npy_level, write_vu};
use oware::index::reachable_boards;
use oware::rules::Seeds;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Format: vu (the Vrije Universiteit's scores.N: one signed byte per board) or npy (NumPy: boards and values)
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    to: Format,

    /// The level
    #[arg(long, value_name = "N")]
    level: Seeds,

    /// npy: number of boards, drawn at random [default: the whole level]
    #[arg(long, value_name = "BOARDS")]
    sample: Option<u64>,

    /// npy: seed of the draw; the same seed draws the same boards [default: 1]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,

    /// File to write, or - for standard output [default: scores.N or RULES-N.npy here]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    reading: Reading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The Vrije Universiteit's score files.
    Vu,
    /// NumPy.
    Npy,
}

const EXAMPLES: &str = "\
Examples:
  oware export --to vu --level 12                      scores.12, as the published database has it
  oware export --to npy --level 12 --sample 100000     awari-12.npy, for numpy.load
  oware export --to vu --level 12 --output - | zstd    the file on standard output, and nothing else

The fields of the NumPy array are 'board' (12 bytes, mover's row first) and 'value' (a signed byte),
and where bounds are built also 'low' and 'high'.";

/// Writes the file and reports it.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let level = arguments.level;
    if arguments.to == Format::Vu && (arguments.sample.is_some() || arguments.seed.is_some()) {
        let why =
            "--sample and --seed draw boards for npy: a vu file holds all boards of its level";
        return Err(WrongUsage(why.to_owned()).into());
    }
    let database = arguments.reading.open(options)?;
    let path = arguments.output.clone().unwrap_or_else(|| match arguments.to {
        Format::Vu => format!("scores.{level}").into(),
        Format::Npy => format!("{}-{level:02}.npy", options.rules).into(),
    });
    let file = WholeFile::prepare(&path, true)?;
    let is_silent = file.is_standard_output();
    let boards = file.write(output, |mut out| match arguments.to {
        Format::Vu => Ok(write_vu(&database, level, &mut out)?),
        Format::Npy => {
            let fields = if database.has_bounds(level) { Fields::Bounds } else { Fields::Values };
            match arguments.sample {
                Some(count) if count < reachable_boards(level) => {
                    let boards = sample(level, count, arguments.seed.unwrap_or(1));
                    write_npy(&database, &boards, fields, &mut out)?;
                    Ok(count)
                }
                _ => Ok(write_npy_level(&database, level, fields, &mut out)?),
            }
        }
    })?;
    if is_silent {
        return Ok(());
    }
    let bytes = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    if options.json {
        return output.json(&serde_json::json!({
            "file": path.display().to_string(),
            "seeds": level,
            "boards": boards,
            "bytes": bytes,
        }));
    }
    writeln!(output, "{}: {boards} boards, {bytes} bytes", path.display())?;
    Ok(())
}
