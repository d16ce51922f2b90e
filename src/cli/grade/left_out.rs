//! Items of a file that cannot be used: reported, counted, and left out.

use crate::cli::failure::{chain, warn};
use std::path::Path;

/// The items that are reported one by one; further ones are counted.
const REPORTED: u64 = 20;

/// The items of a file that are left out.
pub(super) struct LeftOut<'file> {
    file: &'file Path,
    /// `games`, `boards`.
    items: &'static str,
    count: u64,
}

impl<'file> LeftOut<'file> {
    pub(super) const fn new(file: &'file Path, items: &'static str) -> Self {
        Self { file, items, count: 0 }
    }

    /// Leaves an item out. `place` is its line or number, `reason` what is wrong with it.
    pub(super) fn add(&mut self, place: &str, reason: impl Into<anyhow::Error>) {
        self.count += 1;
        if self.count <= REPORTED {
            let reason = chain(&reason.into());
            warn(format!("{}, {place}: {reason}", self.file.display()));
        }
    }

    /// Reports the count, and returns it.
    ///
    /// # Errors
    /// If nothing was used.
    pub(super) fn finish(self, used: u64) -> anyhow::Result<u64> {
        let Self { file, items, count } = self;
        if count > 0 {
            warn(format!("{}: {items} left out: {count} of {}", file.display(), count + used));
        }
        anyhow::ensure!(used > 0, "{}: there are no {items} in it to grade", file.display());
        Ok(count)
    }
}
