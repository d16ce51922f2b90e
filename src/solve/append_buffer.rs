//! A vector that is appended to without a branch.
//!
//! The buffer keeps its own count of entries in use. An entry is always written behind the last
//! one, and the count grows by 0 or 1: a condition becomes an addition instead of a branch that the
//! processor must predict.

/// See the module's page.
#[derive(Debug, Default)]
pub(crate) struct AppendBuffer<T> {
    entries: Vec<T>,
    used: usize,
}

impl<T: Copy + Default> AppendBuffer<T> {
    /// Entries in use.
    pub(super) const fn len(&self) -> usize {
        self.used
    }

    /// Removes all entries and keeps the memory.
    pub(super) const fn clear(&mut self) {
        self.used = 0;
    }

    /// Makes room for `more` entries behind those in use.
    #[inline]
    fn reserve(&mut self, more: usize) {
        if self.entries.len() < self.used + more {
            self.entries.resize(2 * (self.used + more), T::default());
        }
    }

    /// Calls `fill` to append up to `more` entries.
    #[inline]
    pub(super) fn append_up_to(&mut self, more: usize, fill: impl FnOnce(&mut FreeSlots<'_, T>)) {
        self.reserve(more);
        let slots = &mut self.entries[self.used..self.used + more];
        let mut slots = FreeSlots { slots, used: 0 };
        fill(&mut slots);
        self.used += slots.used;
    }

    /// Appends one entry.
    pub(super) fn push(&mut self, entry: T) {
        self.append_up_to(1, |slots| slots.put(entry, 1));
    }

    /// Appends the entries of another buffer.
    pub(super) fn extend(&mut self, other: &Self) {
        self.reserve(other.used);
        self.entries[self.used..self.used + other.used].copy_from_slice(other.as_slice());
        self.used += other.used;
    }

    /// Moves the entries from position `from` on that match to the end of `to`.
    #[inline]
    pub(super) fn drain_matching(
        &mut self,
        from: usize,
        to: &mut Self,
        matches: impl Fn(T) -> bool,
    ) {
        let Some(entries) = self.entries.get_mut(from..self.used) else { return };
        let mut kept = 0;
        to.append_up_to(entries.len(), |moved| {
            for at in 0..entries.len() {
                let entry = entries[at];
                let is_moved = matches(entry);
                entries[kept] = entry;
                kept += usize::from(!is_moved);
                moved.put(entry, is_moved.into());
            }
        });
        self.used = from + kept;
    }

    /// The entries in use.
    pub(super) fn as_slice(&self) -> &[T] {
        &self.entries[..self.used]
    }

    /// The entries as a vector of just their size.
    pub(super) fn into_vec(mut self) -> Vec<T> {
        self.entries.truncate(self.used);
        self.entries.shrink_to_fit();
        self.entries
    }
}

/// The slots behind the entries of a buffer.
#[derive(Debug)]
pub(super) struct FreeSlots<'buffer, T> {
    slots: &'buffer mut [T],
    used: usize,
}

impl<T: Copy> FreeSlots<'_, T> {
    /// Writes an entry into the next slot, and keeps it if `counts` is 1. If `counts` is 0, the next
    /// call overwrites it.
    #[inline]
    pub(super) fn put(&mut self, entry: T, counts: u8) {
        self.slots[self.used] = entry;
        self.used += usize::from(counts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_entries_move_and_the_others_keep_their_order() {
        let (mut buffer, mut moved) = (AppendBuffer::default(), AppendBuffer::default());
        (0..10).for_each(|entry| buffer.push(entry));
        buffer.drain_matching(3, &mut moved, |entry| entry % 2 == 0);
        assert_eq!(buffer.as_slice(), [0, 1, 2, 3, 5, 7, 9]);
        assert_eq!(moved.as_slice(), [4, 6, 8]);
        buffer.append_up_to(2, |slots| {
            (20..30).for_each(|entry| slots.put(entry, u8::from(entry == 25)))
        });
        buffer.extend(&moved);
        assert_eq!(buffer.into_vec(), [0, 1, 2, 3, 5, 7, 9, 25, 4, 6, 8]);
    }
}
