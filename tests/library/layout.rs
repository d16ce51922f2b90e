//! Where things are in a table, as `docs/format.md` says, for tests that change a few bytes.

use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

/// Where blocks start.
#[derive(Debug)]
pub(crate) struct Layout {
    /// First byte of each block, and of what follows the last.
    pub(crate) block_starts: Vec<usize>,
    pub(crate) header_bytes: usize,
}

fn u64_at(bytes: &[u8], at: usize) -> usize {
    usize::try_from(u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")))
        .expect("small")
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes")) as usize
}

pub(crate) fn layout(bytes: &[u8]) -> Layout {
    let header_bytes = u32_at(bytes, 72);
    let blocks_start = header_bytes + u32_at(bytes, 76);
    let blocks = u64_at(bytes, 16).div_ceil(u32_at(bytes, 24));
    let mut at = blocks_start + u64_at(bytes, 80);
    let mut block_starts = vec![blocks_start];
    for block in 0..blocks {
        if block % 64 == 0 {
            assert_eq!(blocks_start + u64_at(bytes, at), block_starts[block]);
            at += 8;
        }
        let length = u16::from_le_bytes(bytes[at..at + 2].try_into().expect("2 bytes"));
        block_starts.push(block_starts[block] + usize::from(length));
        at += 2;
    }
    assert_eq!(at + 16, bytes.len());
    Layout { block_starts, header_bytes }
}

/// Makes the header's checksum fit what stands before it.
pub(crate) fn repair_header(bytes: &mut [u8]) {
    let end = u32_at(bytes, 72) - 8;
    let checksum = xxh3_64(&bytes[..end]);
    bytes[end..end + 8].copy_from_slice(&checksum.to_le_bytes());
}

/// Makes every checksum of a table fit after bytes of its header were changed: those of the header,
/// the blocks, which are bound to its first 64 bytes, and the file. `layout` is that of the table
/// before the change.
pub(crate) fn repair_all(bytes: &mut [u8], layout: &Layout) {
    let header = layout.header_bytes;
    let checksum = xxh3_64(&bytes[..header - 8]);
    bytes[header - 8..header].copy_from_slice(&checksum.to_le_bytes());
    let identity = xxh3_64(&bytes[..64]);
    for (block, place) in (0u64..).zip(layout.block_starts.windows(2)) {
        let coded = &bytes[place[0] + 4..place[1]];
        let check = xxh3_64_with_seed(coded, identity.wrapping_add(block)).to_le_bytes();
        bytes[place[0]..place[0] + 4].copy_from_slice(&check[..4]);
    }
    let end = bytes.len() - 16;
    let mut digest = Xxh3Default::new();
    digest.update(&bytes[header..end]);
    digest.update(&bytes[..header]);
    bytes[end..].copy_from_slice(&digest.digest128().to_le_bytes());
}
