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
    fn reserve(&mut self, more: usize) {
        if self.entries.len() < self.used + more {
            self.entries.resize(2 * (self.used + more), T::default());
        }
    }

    /// Has up to `more` entries appended.
    #[inline]
    pub(super) fn fill(&mut self, more: usize, fill: impl FnOnce(&mut Room<'_, T>)) {
        self.reserve(more);
        let mut room = Room { entries: &mut self.entries[self.used..self.used + more], used: 0 };
        fill(&mut room);
        self.used += room.used;
    }

    /// Appends one entry.
    pub(super) fn append_one(&mut self, entry: T) {
        self.fill(1, |room| room.put(entry, 1));
    }

    /// Appends what is in use of another list.
    pub(super) fn append(&mut self, other: &Self) {
        self.reserve(other.used);
        self.entries[self.used..self.used + other.used].copy_from_slice(other.in_use());
        self.used += other.used;
    }

    /// Moves the entries from place `from` on that are asked for to another list.
    #[inline]
    pub(super) fn part(&mut self, from: usize, to: &mut Self, is_asked: impl Fn(T) -> bool) {
        let Some(entries) = self.entries.get_mut(from..self.used) else { return };
        let mut kept = 0;
        to.fill(entries.len(), |parted| {
            for at in 0..entries.len() {
                let entry = entries[at];
                let asked = is_asked(entry);
                entries[kept] = entry;
                kept += usize::from(!asked);
                parted.put(entry, asked.into());
            }
        });
        self.used = from + kept;
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

/// Places past the entries of a list, to be filled one by one.
#[derive(Debug)]
pub(super) struct Room<'list, T> {
    entries: &'list mut [T],
    used: usize,
}

impl<T: Copy> Room<'_, T> {
    /// Writes an entry past those in use, and counts it if `counts` is 1 and not if it is 0.
    #[inline]
    pub(super) fn put(&mut self, entry: T, counts: u8) {
        self.entries[self.used] = entry;
        self.used += usize::from(counts);
    }
}
