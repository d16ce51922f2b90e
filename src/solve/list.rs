//! Appending without a branch.

/// A list with its own count of what is in use: an entry may be written past it and not counted,
/// which costs no branch.
#[derive(Debug, Default)]
pub(super) struct List<T> {
    entries: Vec<T>,
    pub(super) used: usize,
}

impl<T: Copy + Default> List<T> {
    /// Makes sure that `more` entries can be written past those in use.
    #[inline]
    pub(super) fn reserve(&mut self, more: usize) {
        if self.entries.len() < self.used + more {
            self.entries.resize(2 * (self.used + more), T::default());
        }
    }

    /// Writes an entry past those in use, and counts it if `counts` is 1 and not if it is 0.
    #[inline]
    pub(super) fn put(&mut self, entry: T, counts: u8) {
        self.entries[self.used] = entry;
        self.used += usize::from(counts);
    }

    pub(super) fn in_use(&self) -> &[T] {
        &self.entries[..self.used]
    }

    /// What is in use, as a vector of just that size.
    pub(super) fn into_used(mut self) -> Vec<T> {
        self.entries.truncate(self.used);
        self.entries.shrink_to_fit();
        self.entries
    }
}
