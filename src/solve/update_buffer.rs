//! The updates that one thread sends to boards all over the level, grouped by the slab of the
//! board.
//!
//! Threads write to their own buffers and never to each other's. When the updates are applied, each
//! slab reads its own list from every buffer. A list is a chain of chunks in one common store:
//!
//! ```text
//! chunk:  [ cursor of the list before this chunk ][ update ][ update ] …
//! cursor: position behind the last update of the list; 0 for an empty list
//! ```
//!
//! A cursor that is a multiple of the chunk length stands behind a full chunk, or before the first
//! chunk. The store never grows, and [`clear`](UpdateBuffer::clear) makes it empty again: sending an
//! update costs two stores. The sender checks [`is_full`](UpdateBuffer::is_full) from time to time.

/// A board of a slab, and whether its mover wins (`s`) or loses (`−s`) in the step under way.
///
/// On a frontier, the board is decided so. As an update, it is what one child gives the board.
///
/// ```text
/// bit  31    1  0
///      [place][won]      place: number of the board in its slab
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Update(u32);

impl Update {
    #[inline]
    pub(super) const fn new(place: u32, won: bool) -> Self {
        Self(place << 1 | won as u32)
    }

    #[inline]
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) const fn place(self) -> u32 {
        self.0 >> 1
    }

    #[inline]
    pub(super) const fn won(self) -> bool {
        self.0 & 1 != 0
    }
}

/// Entries per chunk, its link included: 2 KiB.
const CHUNK: u32 = 512;

/// The updates of one thread by slab. See the module's page.
#[derive(Debug, Default)]
pub(super) struct UpdateBuffer {
    store: Vec<u32>,
    /// Entries of the store in use, in whole chunks.
    used: u32,
    /// The buffer counts as full when more entries than this are in use.
    limit: u32,
    /// By slab.
    cursors: Vec<u32>,
}

impl UpdateBuffer {
    /// An empty buffer for a number of slabs. It counts as full from `bytes` bytes on, and then has
    /// room for `more` updates.
    pub(super) fn new(slabs: usize, bytes: usize, more: usize) -> Self {
        let limit = u32::try_from(bytes / size_of::<u32>())
            .expect("the caller gives all buffers of a level at most 2^30 bytes");
        let chunk = CHUNK as usize;
        // Every slab that gets an update begins a chunk.
        let chunks = more.div_ceil(chunk - 1) + slabs.min(more) + 2;
        // The system gives zeroed memory when it is first written to.
        let store = vec![0; limit as usize + chunks * chunk];
        Self { store, used: 0, limit, cursors: vec![0; slabs] }
    }

    pub(super) const fn is_full(&self) -> bool {
        self.used > self.limit
    }

    /// Appends an update, as its bits, to the list of a slab.
    #[inline]
    pub(super) fn send(&mut self, slab: usize, update: u32) {
        let mut at = self.cursors[slab];
        if at.is_multiple_of(CHUNK) {
            at = self.begin_chunk(at);
        }
        self.store[at as usize] = update;
        self.cursors[slab] = at + 1;
    }

    /// Appends the first `len` of some updates to the list of a slab.
    #[inline]
    pub(super) fn send_first<const MOST: usize>(
        &mut self,
        slab: usize,
        updates: [u32; MOST],
        len: u8,
    ) {
        let at = self.cursors[slab];
        let in_chunk = at % CHUNK;
        if in_chunk == 0 || in_chunk as usize + MOST > CHUNK as usize {
            return updates.iter().take(len.into()).for_each(|&update| self.send(slab, update));
        }
        // All of them fit into the chunk and are written; the first `len` are kept.
        if let Some(slots) = self.store[at as usize..].first_chunk_mut() {
            *slots = updates;
        }
        self.cursors[slab] = at + u32::from(len);
    }

    /// Takes a new chunk for a list that ends at `cursor`, and returns the position of its first
    /// update.
    #[inline]
    fn begin_chunk(&mut self, cursor: u32) -> u32 {
        let start = self.used;
        self.store[start as usize] = cursor;
        self.used += CHUNK;
        start + 1
    }

    /// The updates of a slab by chunks, the newest chunk first.
    pub(super) fn chunks(&self, slab: usize) -> impl Iterator<Item = &[u32]> {
        let mut cursor = self.cursors[slab];
        std::iter::from_fn(move || {
            let start = (cursor.checked_sub(1)? / CHUNK * CHUNK) as usize;
            let updates = &self.store[start + 1..cursor as usize];
            cursor = self.store[start];
            Some(updates)
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
    fn every_slab_gets_its_own_updates() {
        let mut buffer = UpdateBuffer::new(7, 1000, 100_000);
        for round in 1..4u32 {
            let updates = |slab: u32| (0..slab * slab * 100).map(move |at| at * round + slab);
            for at in 0..3600 {
                for slab in 0..7u32 {
                    updates(slab).nth(at).into_iter().for_each(|update| {
                        let some = [update, 1, 2, 3, 4];
                        buffer.send_first(slab as usize, some, [0, 1, 2][at % 3]);
                        buffer.send(slab as usize, update);
                    });
                }
            }
            for slab in 0..7 {
                let mut found: Vec<u32> = buffer.chunks(slab as usize).flatten().copied().collect();
                found.sort_unstable();
                let sent = |(at, update)| [update, 1].into_iter().take(at % 3).chain([update]);
                let mut expected: Vec<u32> = updates(slab).enumerate().flat_map(sent).collect();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
            buffer.clear();
            assert!((0..7).all(|slab| buffer.chunks(slab).next().is_none()));
        }
    }
}
