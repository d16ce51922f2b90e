//! The score files of the Vrije Universiteit Amsterdam: `scores.N` has one signed byte per
//! reachable board of N seeds in the order of [`vu_boards`](crate::index::vu_boards), without a
//! header.

use super::ExportError;
use crate::database::Database;
use crate::index::vu_boards;
use crate::rules::Seeds;
use std::io::Write;

/// Bytes per write.
const CHUNK_BYTES: usize = 1 << 16;

/// Writes a level as a `scores.N` file. Returns the number of bytes, which is one per board. The
/// level and all smaller ones are expanded in memory first, with one byte per board.
///
/// # Errors
/// When the level or a smaller one is missing or damaged, or `out` fails.
#[expect(clippy::missing_panics_doc, reason = "a level has every board of the other order")]
pub fn write_vu(
    database: &Database,
    seeds: Seeds,
    out: &mut impl Write,
) -> Result<u64, ExportError> {
    let level = database.level_values(seeds)?;
    let mut chunk = Vec::with_capacity(CHUNK_BYTES);
    let mut written = 0;
    for board in vu_boards(seeds) {
        let value = level.value(board).expect("both orders have the same boards");
        chunk.push(value.get().cast_unsigned());
        if chunk.len() == CHUNK_BYTES {
            out.write_all(&chunk)?;
            written += chunk.len() as u64;
            chunk.clear();
        }
    }
    out.write_all(&chunk)?;
    Ok(written + chunk.len() as u64)
}
