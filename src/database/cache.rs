//! A bounded cache of decoded blocks, shared between threads.
//!
//! A hash of its key assigns each block to a shard. Each shard has a lock, which is held for one
//! look-up, and evicts by the clock algorithm: a hand goes around its slots, clears the mark of
//! each block that was used since the last round, and evicts the first block without a mark.
//!
//! Invariant: the blocks of a shard never exceed its share of the bound. A block larger than the
//! share is not cached.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

const MOST_SHARDS: u64 = 64;
/// The least bytes per shard. A smaller one would hold too few blocks to choose between.
const LEAST_SHARD_BYTES: u64 = 256 << 10;
/// Bytes per block beside its own: slot, map entry, allocation.
const OVERHEAD_BYTES: usize = 96;

/// The key of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BlockKey(u64);

impl BlockKey {
    /// The key of block `block` of the table with number `table`.
    pub(super) const fn new(table: u8, block: u32) -> Self {
        Self((table as u64) << 32 | block as u64)
    }

    /// A hash. Keys are consecutive numbers; a multiplication spreads them over the high bits.
    const fn spread(self) -> u64 {
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Hashes keys by one multiplication.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = BlockKey(self.0 ^ key).spread().rotate_left(32);
    }
}

/// A bounded cache of decoded blocks. See the module's page.
#[derive(Debug)]
pub(super) struct BlockCache {
    shards: Box<[Mutex<Shard>]>,
    /// The most bytes per shard.
    shard_bytes: usize,
}

#[derive(Default)]
struct Shard {
    most_bytes: usize,
    bytes: usize,
    places: HashMap<u64, usize, BuildHasherDefault<KeyHasher>>,
    slots: Vec<Slot>,
    hand: usize,
}

struct Slot {
    key: BlockKey,
    used: bool,
    block: Box<[u8]>,
}

impl BlockCache {
    /// A cache of at most `most_bytes` bytes; 0 caches nothing.
    pub(super) fn new(most_bytes: u64) -> Self {
        let shards = (most_bytes / LEAST_SHARD_BYTES).clamp(1, MOST_SHARDS);
        // On 32-bit systems, a bound beyond the address space is no bound.
        let shard_bytes = usize::try_from(most_bytes / shards).unwrap_or(usize::MAX);
        let shard = || Mutex::new(Shard { most_bytes: shard_bytes, ..Shard::default() });
        Self { shards: (0..shards).map(|_| shard()).collect(), shard_bytes }
    }

    /// The result of `read` for a block, if it is cached. `read` runs under the lock of the shard
    /// and should do little more than copy bytes.
    #[inline]
    pub(super) fn get<R>(&self, key: BlockKey, read: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let mut shard = self.shard(key);
        let place = *shard.places.get(&key.0)?;
        let slot = shard.slots.get_mut(place)?;
        slot.used = true;
        Some(read(&slot.block))
    }

    /// Changes a block, if it is cached, under the lock of its shard.
    pub(super) fn update(&self, key: BlockKey, change: impl FnOnce(&mut [u8])) {
        let mut shard = self.shard(key);
        let place = shard.places.get(&key.0).copied();
        if let Some(slot) = place.and_then(|place| shard.slots.get_mut(place)) {
            change(&mut slot.block);
        }
    }

    /// Whether the cache keeps blocks of this many bytes.
    pub(super) fn keeps(&self, block_bytes: usize) -> bool {
        block_bytes.saturating_add(OVERHEAD_BYTES) <= self.shard_bytes
    }

    /// Adds a block, and evicts others to make room.
    pub(super) fn put(&self, key: BlockKey, block: Box<[u8]>) {
        self.shard(key).put(key, block);
    }

    fn shard(&self, key: BlockKey) -> MutexGuard<'_, Shard> {
        // The high bits of the product choose the shard, the map uses others.
        let shards = self.shards.len() as u128;
        let shard = usize::try_from((u128::from(key.spread()) * shards) >> 64);
        let shard = shard.expect("the product is below 2^64 times the number of shards");
        // A shard is consistent whenever a statement under its lock can panic.
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shard {
    fn put(&mut self, key: BlockKey, block: Box<[u8]>) {
        let cost = block.len() + OVERHEAD_BYTES;
        if cost > self.most_bytes || self.places.contains_key(&key.0) {
            return;
        }
        // While the sum is over the bound, `bytes` is not 0: a block is there to evict.
        while self.bytes + cost > self.most_bytes {
            self.evict();
        }
        self.bytes += cost;
        self.places.insert(key.0, self.slots.len());
        self.slots.push(Slot { key, used: false, block });
    }

    /// Evicts one block, of which there must be one.
    fn evict(&mut self) {
        loop {
            if self.hand >= self.slots.len() {
                self.hand = 0;
            }
            let slot = &mut self.slots[self.hand];
            if !std::mem::take(&mut slot.used) {
                break;
            }
            self.hand += 1;
        }
        let evicted = self.slots.swap_remove(self.hand);
        self.places.remove(&evicted.key.0);
        if let Some(moved) = self.slots.get(self.hand) {
            self.places.insert(moved.key.0, self.hand);
        }
        self.bytes -= evicted.block.len() + OVERHEAD_BYTES;
    }
}

impl std::fmt::Debug for Shard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} blocks, {} of {} bytes", self.slots.len(), self.bytes, self.most_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(fill: u8) -> Box<[u8]> {
        vec![fill; 1000].into()
    }

    fn bytes(cache: &BlockCache) -> usize {
        cache.shards.iter().map(|shard| shard.lock().expect("not poisoned").bytes).sum()
    }

    #[test]
    fn a_block_is_found_until_it_is_evicted_and_the_bound_holds() {
        let cache = BlockCache::new(1 << 20);
        let fill_of = |number: u32| number.to_le_bytes()[0];
        let key_of = |number: u32| BlockKey::new(fill_of(number) % 7, number);
        for number in 0..20_000u32 {
            let (key, fill) = (key_of(number), fill_of(number));
            cache.put(key, block(fill));
            assert_eq!(cache.get(key, |block| block[999]), Some(fill));
            assert!(bytes(&cache) <= 1 << 20);
        }
        let held = (0..20_000u32)
            .filter_map(|number| {
                let found = cache.get(key_of(number), |block| block[0])?;
                assert_eq!(found, fill_of(number));
                Some(())
            })
            .count();
        assert!((800..=1 << 20 >> 10).contains(&held), "{held} of at most 956 blocks");
    }

    #[test]
    fn blocks_in_use_outlive_others() {
        let cache = BlockCache::new(100 << 10);
        let in_use = BlockKey::new(1, 1);
        cache.put(in_use, block(7));
        for number in 0..1000 {
            assert_eq!(cache.get(in_use, |block| block[0]), Some(7));
            cache.put(BlockKey::new(2, number), block(0));
        }
        assert_eq!(cache.get(BlockKey::new(2, 0), |_| ()), None);
    }

    #[test]
    fn nothing_is_cached_without_room() {
        let cache = BlockCache::new(0);
        assert!(!cache.keeps(1000) && BlockCache::new(1 << 20).keeps(1000));
        cache.put(BlockKey::new(0, 0), block(1));
        assert_eq!(cache.get(BlockKey::new(0, 0), |_| ()), None);
    }

    #[test]
    fn threads_read_what_they_put() {
        let cache = BlockCache::new(300 << 10);
        std::thread::scope(|scope| {
            for thread in 0..4u8 {
                let cache = &cache;
                scope.spawn(move || {
                    for number in 0..5000 {
                        let key = BlockKey::new(thread % 2, number % 400);
                        let fill = (number % 400).to_le_bytes()[0];
                        match cache.get(key, |block| block[500]) {
                            Some(found) => assert_eq!(found, fill),
                            None => cache.put(key, block(fill)),
                        }
                    }
                });
            }
        });
        assert!(bytes(&cache) <= 300 << 10);
    }
}
