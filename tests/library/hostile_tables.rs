//! Tables that were damaged, cut, mixed up, or written by a failing disk: every block decodes to what was
//! written or is refused with an error, and what bears a table's name is whole.
//!
//! Run with `--nocapture` to see how many cases were tried and where they were noticed.
#![expect(clippy::print_stdout, reason = "the counts are the test's report")]

use crate::layout::{layout, repair_header, u32_at};
use oware::folder::{FolderFiles, FolderLock};
use oware::level::{Digest, LevelValues};
use oware::rules::{Rules, Seeds};
use oware::solve::solve_in_memory;
use oware::table::{
    Backend, BlockScratch, Codec, Disk, DiskFile, SystemDisk, Table, TableContents, TableError,
    TableErrorKind, TableId, WriteOptions, write_table,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const BACKENDS: [Backend; 3] = [Backend::Mapped, Backend::Read, Backend::Memory];

/// Where damage was noticed.
#[derive(Debug, Default)]
struct Tally {
    tried: u32,
    at_opening: u32,
    in_a_block: u32,
    /// All blocks decode to what was written; only the digest of the file tells.
    harmless: u32,
    wrong: u32,
}

/// A table's bytes and what its blocks hold.
struct Original {
    bytes: Vec<u8>,
    blocks: Vec<Vec<i8>>,
}

fn write(folder: &Path, rules: Rules, levels: &[LevelValues], options: &WriteOptions<'_>) {
    fs::create_dir_all(folder).expect("a folder");
    let mut digests: Vec<Digest> = Vec::new();
    for level in levels {
        let contents = TableContents::new(rules, level, &digests);
        digests.push(write_table(folder, &contents, options).expect("written").values_digest);
    }
}

fn original(path: &Path) -> Original {
    let table = Table::open(path, Backend::Memory).expect("an undamaged table");
    Original {
        bytes: fs::read(path).expect("its bytes"),
        blocks: decode_all(&table).expect("sound"),
    }
}

fn decode_all(table: &Table) -> Result<Vec<Vec<i8>>, TableError> {
    let mut scratch = BlockScratch::default();
    (0..table.header().blocks())
        .map(|block| {
            let mut numbers = Vec::new();
            table.decode(block, &mut scratch, &mut numbers).map(|()| numbers)
        })
        .collect()
}

impl Original {
    /// Opens and decodes a changed copy of the table.
    fn probe(&self, path: &Path, changed: &[u8], backend: Backend, tally: &mut Tally) {
        // A new file each time: an open mapping keeps the old one.
        let _none_yet = fs::remove_file(path);
        fs::write(path, changed).expect("a changed copy");
        tally.tried += 1;
        let Ok(table) = Table::open(path, backend) else {
            tally.at_opening += 1;
            return;
        };
        let mut scratch = BlockScratch::default();
        let mut numbers = Vec::new();
        let mut noticed = false;
        for (block, written) in (0..).zip(&self.blocks) {
            match table.decode(block, &mut scratch, &mut numbers) {
                Ok(()) if numbers == *written => {}
                Ok(()) => tally.wrong += 1,
                Err(_) => noticed = true,
            }
        }
        tally.in_a_block += u32::from(noticed);
        tally.harmless += u32::from(!noticed);
        assert!(table.check_file().is_err(), "the digest of the file tells");
    }
}

fn levels(rules: Rules, seeds: u8) -> Vec<LevelValues> {
    solve_in_memory(rules, Seeds::of(seeds)).expect("small levels")
}

fn small_blocks(codec: Codec) -> WriteOptions<'static> {
    WriteOptions::default().codec(codec).block_boards(100)
}

#[test]
fn every_bit_of_a_small_table_matters() {
    for codec in Codec::ALL {
        let place = tempfile::tempdir().expect("a temporary folder");
        write(place.path(), Rules::Awari, &levels(Rules::Awari, 3), &small_blocks(codec));
        let original = original(&place.path().join("awari-03.oware"));
        let mut tally = Tally::default();
        let mut changed = original.bytes.clone();
        for bit in 0..8 * changed.len() {
            changed[bit / 8] ^= 1 << (bit % 8);
            let path = place.path().join("changed");
            original.probe(&path, &changed, BACKENDS[bit % 3], &mut tally);
            changed[bit / 8] ^= 1 << (bit % 8);
        }
        println!("{codec}: every bit of {} bytes: {tally:?}", changed.len());
        assert_eq!(tally.wrong, 0);
        assert_eq!(tally.tried as usize, 8 * changed.len());
        // Only the digest at the end is not needed for decoding.
        assert_eq!(tally.harmless, 8 * 16);
    }
}

#[test]
fn three_thousand_flipped_bits_of_a_larger_table_are_noticed() {
    for codec in Codec::ALL {
        let place = tempfile::tempdir().expect("a temporary folder");
        write(place.path(), Rules::Abapa, &levels(Rules::Abapa, 7), &small_blocks(codec));
        let original = original(&place.path().join("abapa-07.oware"));
        let mut random = Pcg64::seed_from_u64(3000);
        let mut tally = Tally::default();
        let mut changed = original.bytes.clone();
        for number in 0..3000 {
            let bit = random.random_range(0..8 * changed.len());
            changed[bit / 8] ^= 1 << (bit % 8);
            let path = place.path().join("changed");
            original.probe(&path, &changed, BACKENDS[number % 3], &mut tally);
            changed[bit / 8] ^= 1 << (bit % 8);
        }
        println!("{codec}: 3000 bits of {} bytes: {tally:?}", changed.len());
        assert_eq!(tally.wrong, 0);
    }
}

#[test]
fn a_cut_or_lengthened_table_does_not_open() {
    for codec in Codec::ALL {
        let place = tempfile::tempdir().expect("a temporary folder");
        write(place.path(), Rules::Wari, &levels(Rules::Wari, 7), &small_blocks(codec));
        let original = original(&place.path().join("wari-07.oware"));
        let layout = layout(&original.bytes);
        let mut random = Pcg64::seed_from_u64(7);
        let mut lengths = layout.block_starts;
        lengths.extend(0..=layout.header_bytes + 1);
        lengths.extend((0..500).map(|_| random.random_range(0..original.bytes.len())));
        lengths.push(original.bytes.len() - 1);
        let path = place.path().join("changed");
        for (number, &length) in lengths.iter().enumerate() {
            fs::write(&path, &original.bytes[..length]).expect("a cut copy");
            let opened = Table::open(&path, BACKENDS[number % 3]);
            assert!(opened.is_err(), "{codec} cut to {length} bytes");
        }
        for more in [1, 16, 4096] {
            let mut longer = original.bytes.clone();
            longer.resize(longer.len() + more, 0);
            fs::write(&path, longer).expect("a longer copy");
            let opened = Table::open(&path, Backend::Mapped);
            let kind = opened.expect_err("too long").kind;
            assert!(matches!(kind, TableErrorKind::WrongLength { .. }));
        }
        println!("{codec}: {} lengths tried, none opened", lengths.len() + 3);
    }
}

#[test]
fn a_table_that_shrinks_while_it_is_read_is_an_error() {
    let place = tempfile::tempdir().expect("a temporary folder");
    write(place.path(), Rules::Awari, &levels(Rules::Awari, 6), &WriteOptions::default());
    let path = place.path().join("awari-06.oware");
    let table = Table::open(&path, Backend::Read).expect("opened");
    let file = fs::OpenOptions::new().write(true).open(&path).expect("the file");
    file.set_len(1000).expect("cut");
    let decoded = table.decode(20, &mut BlockScratch::default(), &mut Vec::new());
    let kind = decoded.expect_err("cut").kind;
    assert!(matches!(kind, TableErrorKind::Io { .. }));
    assert!(table.check_file().is_err());
}

#[test]
fn swapped_blocks_are_noticed_whether_swapped_themselves_or_in_the_index() {
    for codec in Codec::ALL {
        let place = tempfile::tempdir().expect("a temporary folder");
        write(place.path(), Rules::TwoLap, &levels(Rules::TwoLap, 6), &small_blocks(codec));
        let original = original(&place.path().join("two-lap-06.oware"));
        let starts = layout(&original.bytes).block_starts;
        let mut tally = Tally::default();
        let mut swaps = 0;
        for one in 1..starts.len() - 1 {
            for other in one + 1..starts.len() - 1 {
                let length = starts[one + 1] - starts[one];
                if starts[other + 1] - starts[other] != length || swaps == 300 {
                    continue;
                }
                swaps += 1;
                let mut changed = original.bytes.clone();
                for offset in 0..length {
                    changed.swap(starts[one] + offset, starts[other] + offset);
                }
                if changed == original.bytes {
                    continue;
                }
                original.probe(&place.path().join("changed"), &changed, Backend::Read, &mut tally);
            }
        }
        println!("{codec}: swapped blocks: {tally:?}");
        assert!(
            tally.tried > 20 && tally.in_a_block == tally.tried && tally.wrong == 0,
            "{tally:?}"
        );
    }
}

#[test]
fn blocks_of_another_table_are_noticed_although_every_checksum_is_repaired() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let mut tables: Vec<(PathBuf, Original)> = Vec::new();
    for rules in [Rules::Awari, Rules::Abapa] {
        let folder = place.path().join(rules.name());
        write(&folder, rules, &levels(rules, 5), &small_blocks(Codec::Model));
        let path = folder.join(TableId::values(rules, Seeds::of(5)).file_name());
        tables.push((path.clone(), original(&path)));
    }
    let [(_, host), (_, guest)] = &tables[..] else { panic!("two tables") };
    let mut tally = Tally::default();
    // The host's identity and histograms, the guest's lengths, checksums and body.
    let mut changed = guest.bytes.clone();
    changed[..64].copy_from_slice(&host.bytes[..64]);
    let header_bytes = u32_at(&changed, 72);
    changed[128..header_bytes - 8].copy_from_slice(&host.bytes[128..header_bytes - 8]);
    repair_header(&mut changed);
    host.probe(&place.path().join("changed"), &changed, Backend::Read, &mut tally);
    println!("spliced rule sets: {tally:?}");
    assert_eq!((tally.in_a_block, tally.wrong), (1, 0));
    let blocks = host.blocks.len();
    let table = Table::open(place.path().join("changed"), Backend::Mapped).expect("it opens");
    let refused = (0..u32::try_from(blocks).expect("few"))
        .filter(|&block| {
            table.decode(block, &mut BlockScratch::default(), &mut Vec::new()).is_err()
        })
        .count();
    assert_eq!(refused, blocks, "every block of the other rule set is refused");
}

#[test]
fn numbers_in_a_header_that_do_not_fit_are_refused_although_the_checksum_fits() {
    let place = tempfile::tempdir().expect("a temporary folder");
    write(place.path(), Rules::Awari, &levels(Rules::Awari, 4), &WriteOptions::default());
    let original = original(&place.path().join("awari-04.oware"));
    let mut tally = Tally::default();
    let mut random = Pcg64::seed_from_u64(4);
    for at in 8..128 {
        for _ in 0..20 {
            let mut changed = original.bytes.clone();
            changed[at] ^= random.random_range(1..=255u8);
            repair_header_if_it_has_one(&mut changed);
            original.probe(&place.path().join("changed"), &changed, Backend::Memory, &mut tally);
        }
    }
    println!("headers with repaired checksums: {tally:?}");
    assert_eq!((tally.wrong, tally.harmless), (0, 0), "{tally:?}");
}

fn repair_header_if_it_has_one(bytes: &mut [u8]) {
    if (136..bytes.len()).contains(&u32_at(bytes, 72)) {
        repair_header(bytes);
    }
}

/// A disk whose n-th call fails, some of an append's bytes already written.
#[derive(Debug)]
struct FailingDisk {
    calls_left: &'static AtomicU32,
}

#[derive(Debug)]
struct FailingFile {
    file: Box<dyn DiskFile>,
    calls_left: &'static AtomicU32,
}

fn spend(calls_left: &AtomicU32) -> io::Result<()> {
    let spent =
        calls_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
    spent.map(drop).map_err(|_| io::Error::from(io::ErrorKind::StorageFull))
}

impl Disk for FailingDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        spend(self.calls_left)?;
        let file = SystemDisk.create(path)?;
        Ok(Box::new(FailingFile { file, calls_left: self.calls_left }))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        spend(self.calls_left)?;
        SystemDisk.rename(from, to)
    }
    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        spend(self.calls_left)
    }
}

impl DiskFile for FailingFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        spend(self.calls_left).or_else(|error| {
            self.file.append(&bytes[..bytes.len() / 2])?;
            Err(error)
        })?;
        self.file.append(bytes)
    }
    fn overwrite_first(&mut self, bytes: &[u8]) -> io::Result<()> {
        spend(self.calls_left).or_else(|error| {
            self.file.overwrite_first(&bytes[..bytes.len() / 2])?;
            Err(error)
        })?;
        self.file.overwrite_first(bytes)
    }
    fn sync(&mut self) -> io::Result<()> {
        spend(self.calls_left)
    }
}

#[test]
fn whichever_call_to_the_disk_fails_what_bears_the_name_is_whole() {
    static CALLS_LEFT: AtomicU32 = AtomicU32::new(0);
    let levels = levels(Rules::Awari, 6);
    let level = &levels[6];
    let smaller: Vec<Digest> = levels[..6].iter().map(Digest::of_values).collect();
    let contents = TableContents::new(Rules::Awari, level, &smaller);
    let disk = FailingDisk { calls_left: &CALLS_LEFT };
    // Blocks of one board, in place of a whole table in blocks of 100: many appends.
    let options = WriteOptions::default().block_boards(1).disk(&disk);
    for was_there in [false, true] {
        let place = tempfile::tempdir().expect("a temporary folder");
        let folder = FolderLock::acquire(place.path()).expect("held");
        let path = folder.table_path(TableId::values(Rules::Awari, Seeds::of(6)));
        let mut failed = 0;
        loop {
            if was_there {
                write_table(folder.path(), &contents, &small_blocks(Codec::Model))
                    .expect("written");
            } else {
                let _none_yet = fs::remove_file(&path);
            }
            let before = fs::read(&path).ok();
            CALLS_LEFT.store(failed, Ordering::Relaxed);
            let written = write_table(folder.path(), &contents, &options);
            let listing = FolderFiles::list(place.path()).expect("a listing");
            assert!(listing.unfinished.is_empty(), "nothing is left over");
            if let Ok(table) = Table::open(&path, Backend::Memory) {
                table.check_file().expect("whole");
            } else {
                assert!(!path.exists(), "call {failed} left half a table");
            }
            if written.is_ok() {
                break;
            }
            let after = fs::read(&path).ok();
            let is_new =
                Table::open(&path, Backend::Read).is_ok_and(|t| t.header().block_boards == 1);
            assert!(after == before || is_new, "call {failed} changed the table before");
            failed += 1;
        }
        println!("a table there before: {was_there}; {failed} failing calls tried");
        assert!(failed > 8);
    }
}
