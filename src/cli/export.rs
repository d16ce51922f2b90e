//! `oware export`: values for other programs.

use super::options::Options;
use super::output::Output;
use super::tables::Reading;
use anyhow::Context;
use oware::export::{Fields, sample, write_npy, write_npy_level, write_vu};
use oware::index::reachable_boards;
use oware::rules::Seeds;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

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

    /// npy: seed of the draw; the same seed draws the same boards
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,

    /// File to write [default: scores.N or RULES-N.npy here]
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

The fields of the NumPy array are 'board' (12 bytes, mover's row first) and 'value' (a signed byte),
and where bounds are built also 'low' and 'high'.";

/// Writes the file and reports it.
pub(crate) fn run(
    arguments: &Arguments,
    options: &Options,
    output: &mut Output,
) -> anyhow::Result<()> {
    let level = arguments.level;
    let database = arguments.reading.open(options)?;
    let path = arguments.output.clone().unwrap_or_else(|| match arguments.to {
        Format::Vu => format!("scores.{level}").into(),
        Format::Npy => format!("{}-{level:02}.npy", options.rules).into(),
    });
    let boards = write_whole(&path, |out| match arguments.to {
        Format::Vu => Ok(write_vu(&database, level, out)?),
        Format::Npy => {
            let fields = if database.has_bounds(level) { Fields::Bounds } else { Fields::Values };
            match arguments.sample {
                Some(count) if count < reachable_boards(level) => {
                    let boards = sample(level, count, arguments.seed);
                    write_npy(&database, &boards, fields, out)?;
                    Ok(count)
                }
                _ => Ok(write_npy_level(&database, level, fields, out)?),
            }
        }
    })?;
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

/// Writes a file that gets its name when it is whole; a failure leaves nothing. An existing path that
/// is not a plain file (a device, a pipe, a link such as `/dev/stdout`) is written to, not replaced.
fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<u64>,
) -> anyhow::Result<u64> {
    let is_replaced = fs::symlink_metadata(path).map_or(true, |there| there.is_file());
    let mut temporary = path.as_os_str().to_owned();
    if is_replaced {
        temporary.push(".tmp");
    }
    let temporary = PathBuf::from(temporary);
    let cannot = || format!("cannot write {}", path.display());
    let file = File::create(&temporary).with_context(cannot)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let result = write(&mut out).and_then(|boards| {
        out.flush().with_context(cannot)?;
        if is_replaced {
            fs::rename(&temporary, path).with_context(cannot)?;
        }
        Ok(boards)
    });
    if result.is_err() && is_replaced {
        // If it cannot be removed, it stays.
        let _ = fs::remove_file(&temporary);
    }
    result
}
