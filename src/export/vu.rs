//! The Vrije Universiteit's format: `scores.N` has a signed byte for each reachable board of a
//! level, without a header, in the order of [`vu_boards`](crate::index::vu_boards).

use super::ExportError;
use crate::database::{Database, DatabaseError};
use crate::index::vu_boards;
use std::io::Write;

/// Bytes written at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// Writes a level as a `scores.N` file; returns the number of bytes, one a board. The level and
/// the smaller ones are expanded in memory for it, a byte a board.
///
/// # Errors
/// When the level or a smaller one is missing or damaged, or `out` fails.
pub fn write_vu(database: &Database, seeds: u8, out: &mut impl Write) -> Result<u64, ExportError> {
    let mut levels = database.plain_levels(seeds)?;
    let Some(level) = levels.pop() else { return Ok(0) };
    drop(levels);
    let mut chunk = Vec::with_capacity(CHUNK_BYTES);
    let mut written = 0;
    for board in vu_boards(seeds) {
        // Every board of that order is in the level.
        let missing = || DatabaseError::MissingLevel {
            rules: database.rules(),
            seeds,
            folder: std::path::PathBuf::new(),
        };
        let value = level.value(board).ok_or_else(missing)?;
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
