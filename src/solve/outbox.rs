//! What one thread has to say to boards all over the level, put down by slab, so that whoever works
//! on a slab next finds it in one place and nobody writes where another thread writes.
//!
//! A list a slab, in chunks of one common store:
//!
//! ```text
//! chunk:  [ cursor of the list before this chunk ][ entry ][ entry ] …
//! cursor: place behind the list's last entry; 0 for an empty list
//! ```
//!
//! A cursor that is a multiple of the chunk's length stands behind a full chunk, or no chunk. The
//! store never grows and is used again after [`clear`](Outbox::clear): putting an entry down is two
//! stores. Whoever puts entries down asks [`is_full`](Outbox::is_full) now and then.

/// Entries a chunk, its link counted: 2 KiB.
const CHUNK: u32 = 512;

/// One thread's entries by slab. See the module's page.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    store: Vec<u32>,
    /// Entries of the store in use, in whole chunks.
    used: u32,
    /// More than this in use, and it counts as full.
    limit: u32,
    /// By slab.
    cursors: Vec<u32>,
}

impl Outbox {
    /// An empty one for so many slabs, that is full from `bytes` bytes on and then has room for
    /// `more` entries.
    pub(super) fn new(slabs: usize, bytes: usize, more: usize) -> Self {
        let limit = u32::try_from(bytes / size_of::<u32>()).unwrap_or(u32::MAX / 2);
        let chunk = CHUNK as usize;
        // Every slab that is addressed begins a chunk.
        let chunks = more.div_ceil(chunk - 1) + slabs.min(more) + 2;
        // Zeroed memory is not taken before it is written to.
        let store = vec![0; limit as usize + chunks * chunk];
        Self { store, used: 0, limit, cursors: vec![0; slabs] }
    }

    pub(super) const fn is_full(&self) -> bool {
        self.used > self.limit
    }

    /// Appends an entry to a slab's list.
    #[inline]
    pub(super) fn put(&mut self, slab: usize, entry: u32) {
        let mut at = self.cursors[slab];
        if at.is_multiple_of(CHUNK) {
            at = self.begin_chunk(at);
        }
        self.store[at as usize] = entry;
        self.cursors[slab] = at + 1;
    }

    /// Appends the first `len` of some entries to a slab's list.
    #[inline]
    pub(super) fn put_some<const MOST: usize>(
        &mut self,
        slab: usize,
        entries: [u32; MOST],
        len: u8,
    ) {
        let at = self.cursors[slab];
        let in_chunk = at % CHUNK;
        if in_chunk == 0 || in_chunk as usize + MOST > CHUNK as usize {
            return entries.iter().take(len.into()).for_each(|&entry| self.put(slab, entry));
        }
        // All are written, for they fit in the chunk; `len` of them count.
        if let Some(places) = self.store[at as usize..].first_chunk_mut() {
            *places = entries;
        }
        self.cursors[slab] = at + u32::from(len);
    }

    /// Takes a new chunk for a list that ends at `cursor`; returns the place of its first entry.
    #[inline]
    fn begin_chunk(&mut self, cursor: u32) -> u32 {
        let start = self.used;
        self.store[start as usize] = cursor;
        self.used += CHUNK;
        start + 1
    }

    /// A slab's entries by chunks, the newest chunk first.
    pub(super) fn chunks(&self, slab: usize) -> impl Iterator<Item = &[u32]> {
        let mut cursor = self.cursors[slab];
        std::iter::from_fn(move || {
            let start = (cursor.checked_sub(1)? / CHUNK * CHUNK) as usize;
            let entries = &self.store[start + 1..cursor as usize];
            cursor = self.store[start];
            Some(entries)
        })
    }

    /// Empties every list.
    pub(super) fn clear(&mut self) {
        self.cursors.fill(0);
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_from_their_slab() {
        let mut outbox = Outbox::new(7, 1000, 100_000);
        for round in 1..4u32 {
            let entries = |slab: u32| (0..slab * slab * 100).map(move |at| at * round + slab);
            for at in 0..3600 {
                for slab in 0..7u32 {
                    entries(slab).nth(at).into_iter().for_each(|entry| {
                        let few = [entry, 1, 2, 3, 4];
                        outbox.put_some(slab as usize, few, [0, 1, 2][at % 3]);
                        outbox.put(slab as usize, entry);
                    });
                }
            }
            for slab in 0..7 {
                let mut found: Vec<u32> = outbox.chunks(slab as usize).flatten().copied().collect();
                found.sort_unstable();
                let put = |(at, entry)| [entry, 1].into_iter().take(at % 3).chain([entry]);
                let mut expected: Vec<u32> = entries(slab).enumerate().flat_map(put).collect();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
            outbox.clear();
            assert!((0..7).all(|slab| outbox.chunks(slab).next().is_none()));
        }
    }
}
