//! Any bytes as a table: opening and decoding them gives numbers in range or an error.
//!
//! Random changes rarely get past a checksum, so those of header, model, block index and blocks are
//! repaired first, where the bytes have room for them: nothing is left between the input and the
//! decoders.
#![no_main]

use libfuzzer_sys::fuzz_target;
use oware::table::{Backend, BlockScratch, Table};
use std::sync::LazyLock;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// One file for each fuzzing process, in memory where the system has such a folder.
static PATH: LazyLock<std::path::PathBuf> = LazyLock::new(|| {
    let memory = std::path::Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    folder.join(format!("oware-fuzz-{}", std::process::id()))
});

fuzz_target!(|data: &[u8]| {
    let mut bytes = data.to_vec();
    repair(&mut bytes);
    std::fs::write(&*PATH, &bytes).expect("a scratch file");
    let Ok(table) = Table::open(&*PATH, Backend::Read) else { return };
    let most = table.header().id.seeds.get();
    let mut scratch = BlockScratch::default();
    let (mut numbers, mut plies) = (Vec::new(), Vec::new());
    for block in 0..table.header().blocks().min(64) {
        if table.decode(block, &mut scratch, &mut numbers).is_ok() {
            assert_eq!(numbers.len(), table.boards_in(block));
            assert!(numbers.iter().all(|number| number.unsigned_abs() <= most));
        }
        if table.decode_distances(block, &mut scratch, &mut plies).is_ok() {
            assert_eq!(plies.len(), table.boards_in(block));
        }
    }
    let _damaged = table.check_file();
});

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at + N)?;
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(field);
    usize::try_from(u64::from_le_bytes(wide)).ok()
}

/// Makes lengths and checksums fit, as docs/format.md places them.
fn repair(bytes: &mut [u8]) -> Option<()> {
    let file_bytes = bytes.len() as u64;
    bytes.get_mut(64..72)?.copy_from_slice(&file_bytes.to_le_bytes());
    let header = number::<4>(bytes, 72)?;
    let model = number::<4>(bytes, 76)?;
    let blocks = number::<8>(bytes, 80)?;
    let index = number::<8>(bytes, 88)?;
    let model_end = header.checked_add(model)?;
    let index_start = model_end.checked_add(blocks)?;
    let model_sum = xxh3_64(bytes.get(header..model_end)?);
    let index_sum = xxh3_64(bytes.get(index_start..index_start.checked_add(index)?)?);
    repair_blocks(bytes, model_end, index_start);
    bytes.get_mut(96..104)?.copy_from_slice(&model_sum.to_le_bytes());
    bytes.get_mut(104..112)?.copy_from_slice(&index_sum.to_le_bytes());
    let end = header.checked_sub(8)?;
    let sum = xxh3_64(bytes.get(..end)?);
    bytes.get_mut(end..header)?.copy_from_slice(&sum.to_le_bytes());
    Some(())
}

/// Makes the checks of the first 64 blocks fit. What follows the header is in no other checksum but
/// the file's digest, which decoding does not ask for.
fn repair_blocks(bytes: &mut [u8], blocks_start: usize, index_start: usize) -> Option<()> {
    let identity = xxh3_64(bytes.get(..64)?);
    let mut start = blocks_start.checked_add(number::<8>(bytes, index_start)?)?;
    for block in 0..64 {
        let end = start.checked_add(number::<2>(bytes, index_start + 8 + 2 * block)?)?;
        let coded = bytes.get(start.checked_add(4)?..end)?;
        let check = xxh3_64_with_seed(coded, identity.wrapping_add(block as u64));
        bytes.get_mut(start..start + 4)?.copy_from_slice(&check.to_le_bytes()[..4]);
        start = end;
    }
    Some(())
}
