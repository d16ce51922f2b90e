//! Tables of another level of the same rule set where a level's own belongs, whole or block by
//! block, with and without checksums that fit: every probe gives the right value or an error.
//!
//! Run with `--nocapture` to see how many cases were tried and how they went.
#![expect(clippy::print_stdout, reason = "the counts are the test's report")]

use crate::layout::{layout, repair_header, u32_at};
use oware::database::{Database, DatabaseError};
use oware::level::{Digest, LevelDistances, LevelValues};
use oware::progress::{NoProgress, StopFlag};
use oware::rules::{Board, Rules, Seeds};
use oware::solve::solve_with_distances;
use oware::table::{
    Backend, BlockScratch, Codec, Contents, Part, Table, TableContents, TableErrorKind, TableId,
    WriteOptions, write_distances, write_table,
};
use oware::verify::{Depth, VerifyOptions, verify};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

const RULES: Rules = Rules::Awari;
const MOST_SEEDS: u8 = 8;

type Solved = Vec<(LevelValues, LevelDistances)>;

/// How cases went; `wrong` counts answers.
#[derive(Debug, Default)]
struct Tally {
    tried: u32,
    /// Some probe gave an error.
    noticed: u32,
    /// Every probe gave the right answer.
    harmless: u32,
    wrong: u32,
}

impl Tally {
    fn count(&mut self, errors: usize, wrong: usize) {
        self.tried += 1;
        if errors > 0 {
            self.noticed += 1;
        } else if wrong == 0 {
            self.harmless += 1;
        }
        self.wrong += u32::try_from(wrong).expect("few");
    }
}

fn solve() -> Solved {
    solve_with_distances(RULES, Seeds::of(MOST_SEEDS)).expect("memory")
}

/// A folder of sound tables.
fn write(solved: &Solved, codec: Codec) -> TempDir {
    let place = tempfile::tempdir().expect("a temporary folder");
    let options = WriteOptions::default().codec(codec);
    let mut digests: Vec<Digest> = Vec::new();
    for (level, distances) in solved {
        let contents = TableContents::new(RULES, level, &digests);
        let header = write_table(place.path(), &contents, &options).expect("written");
        write_distances(place.path(), &header, distances, &options).expect("written");
        digests.push(header.values_digest);
    }
    place
}

/// Puts other bytes under a table's name; a mapping of the old ones keeps them.
fn put(folder: &Path, subject: TableId, bytes: &[u8]) {
    let path = folder.join(subject.file_name());
    fs::remove_file(&path).expect("removed");
    fs::write(path, bytes).expect("written");
}

/// Asks for values and distances of boards: how many answers were errors, how many wrong.
fn probe(folder: &Path, solved: &Solved, boards: &[Board]) -> (usize, usize) {
    let database = Database::open(folder, RULES).expect("tables are looked at one by one");
    let (mut errors, mut wrong) = (0, 0);
    for (&board, batched) in boards.iter().zip(database.values(boards)) {
        let (values, distances) = &solved[usize::from(board.seeds())];
        let value = values.value(board).expect("a reachable board");
        for found in [batched, database.value(board)] {
            errors += usize::from(found.is_err());
            wrong += usize::from(found.is_ok_and(|found| found != value));
        }
        let distance = database.distance(board);
        let right = match RULES.end(board) {
            Some(_) => Some(0),
            None => distances.distance(board).map(u32::from),
        };
        errors += usize::from(distance.is_err());
        wrong += usize::from(distance.is_ok_and(|distance| distance != right));
    }
    (errors, wrong)
}

/// Some boards of each level, all of the smallest.
fn sample(solved: &Solved) -> Vec<Board> {
    let of_level = |(level, _): &(LevelValues, LevelDistances)| {
        let step = level.bytes().len() / 60 + 1;
        level.index().boards_from(0).step_by(step).collect::<Vec<_>>()
    };
    solved.iter().flat_map(of_level).collect()
}

#[test]
fn a_table_under_the_name_of_another_is_never_read_wrong() {
    let solved = solve();
    let boards = sample(&solved);
    let (mut as_they_are, mut relabelled) = (Tally::default(), Tally::default());
    for codec in Codec::ALL {
        let place = write(&solved, codec);
        let folder = place.path();
        assert_eq!(probe(folder, &solved, &boards), (0, 0), "sound tables");
        let subjects: Vec<TableId> = (0..=MOST_SEEDS)
            .flat_map(|seeds| {
                [
                    TableId::values(RULES, Seeds::of(seeds)),
                    TableId::distances(RULES, Seeds::of(seeds)),
                ]
            })
            .collect();
        let read = |subject: &TableId| fs::read(folder.join(subject.file_name())).expect("a table");
        let files: Vec<Vec<u8>> = subjects.iter().map(read).collect();
        for (&subject, own) in subjects.iter().zip(&files) {
            for (&other, bytes) in subjects.iter().zip(&files) {
                if other == subject {
                    continue;
                }
                put(folder, subject, bytes);
                let opened = Table::open_in(folder, subject, Backend::Read);
                let Err(TableErrorKind::OtherTable { found, expected }) =
                    opened.map_err(|error| error.kind)
                else {
                    panic!("{other:?} was taken for {subject:?}");
                };
                assert_eq!((found, expected), (other, subject));
                let (errors, wrong) = probe(folder, &solved, &boards);
                as_they_are.count(errors, wrong);

                put(folder, subject, &with_head_of(own, bytes));
                let (errors, wrong) = probe(folder, &solved, &boards);
                relabelled.count(errors, wrong);
            }
            put(folder, subject, own);
        }
    }
    println!("under another name: {as_they_are:?}");
    println!("and the header says so too: {relabelled:?}");
    for tally in [as_they_are, relabelled] {
        assert_eq!((tally.tried, tally.wrong), (2 * 18 * 17, 0));
        // The distance of the empty board, which has ended, needs no table.
        assert_eq!((tally.noticed, tally.harmless), (2 * 17 * 17, 2 * 17));
    }
}

/// A table with another one's identity (rule set, contents, seeds, digests …) and a checksum that
/// fits; lengths and what follows stay.
fn with_head_of(own: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    changed[..64].copy_from_slice(&own[..64]);
    repair_header(&mut changed);
    changed
}

/// A table taken apart.
#[derive(Clone)]
struct Parts {
    header: Vec<u8>,
    model: Vec<u8>,
    blocks: Vec<Vec<u8>>,
}

impl Parts {
    fn of(bytes: &[u8]) -> Self {
        let places = layout(bytes);
        let block = |ends: &[usize]| bytes[ends[0]..ends[1]].to_vec();
        Self {
            header: bytes[..places.header_bytes].to_vec(),
            model: bytes[places.header_bytes..][..u32_at(bytes, 76)].to_vec(),
            blocks: places.block_starts.windows(2).map(block).collect(),
        }
    }

    /// A table whose every length and checksum fits, but for the checks of blocks, which stay as
    /// they are.
    fn join(&self) -> Vec<u8> {
        let blocks = self.blocks.concat();
        let mut index = Vec::new();
        let mut start = 0u64;
        for group in self.blocks.chunks(64) {
            index.extend(start.to_le_bytes());
            for block in group {
                index.extend(u16::try_from(block.len()).expect("a short block").to_le_bytes());
                start += block.len() as u64;
            }
        }
        let mut header = self.header.clone();
        let bytes = header.len() + self.model.len() + blocks.len() + index.len() + 16;
        header[64..72].copy_from_slice(&(bytes as u64).to_le_bytes());
        let model_bytes = u32::try_from(self.model.len()).expect("a short model");
        header[76..80].copy_from_slice(&model_bytes.to_le_bytes());
        header[80..88].copy_from_slice(&(blocks.len() as u64).to_le_bytes());
        header[88..96].copy_from_slice(&(index.len() as u64).to_le_bytes());
        header[96..104].copy_from_slice(&xxh3_64(&self.model).to_le_bytes());
        header[104..112].copy_from_slice(&xxh3_64(&index).to_le_bytes());
        repair_header(&mut header);
        let body = [&self.model[..], &blocks, &index].concat();
        let mut digest = Xxh3::new();
        digest.update(&body);
        digest.update(&header);
        [&header[..], &body, &digest.digest128().to_le_bytes()].concat()
    }
}

/// The two levels, larger and smaller, that give each other blocks.
const PAIRS: [(u8, u8); 2] = [(8, 7), (7, 8)];

#[test]
fn blocks_of_another_level_are_never_read_wrong() {
    let solved = solve();
    for codec in Codec::ALL {
        let place = write(&solved, codec);
        for contents in [Contents::Values, Contents::Distances] {
            for (host, guest) in PAIRS {
                splice_blocks(place.path(), &solved, contents, host, guest);
            }
        }
    }
}

/// Puts a block of one level's table in the place of each block of another's.
fn splice_blocks(folder: &Path, solved: &Solved, contents: Contents, host: u8, guest: u8) {
    let subject = TableId { rules: RULES, seeds: Seeds::of(host), contents };
    let guest = TableId { rules: RULES, seeds: Seeds::of(guest), contents };
    let own = fs::read(folder.join(subject.file_name())).expect("a table");
    let places = layout(&own);
    let parts = Parts::of(&own);
    assert_eq!(parts.join(), own, "what is taken apart can be put together");
    let others = Parts::of(&fs::read(folder.join(guest.file_name())).expect("a table")).blocks;
    let (mut overwritten, mut repaired) = (Tally::default(), Tally::default());
    for (number, place) in places.block_starts.windows(2).enumerate() {
        let other = &others[number % others.len()];
        let boards = boards_of_block(&own, &solved[usize::from(host)].0, number);

        let mut changed = own.clone();
        let length = other.len().min(place[1] - place[0]);
        changed[place[0]..][..length].copy_from_slice(&other[..length]);
        put(folder, subject, &changed);
        let (errors, wrong) = probe(folder, solved, &boards);
        overwritten.count(errors, wrong);

        let mut spliced = parts.clone();
        spliced.blocks[number].clone_from(other);
        put(folder, subject, &spliced.join());
        assert_refused(folder, subject, number);
        let (errors, wrong) = probe(folder, solved, &boards);
        repaired.count(errors, wrong);
    }
    put(folder, subject, &own);
    println!("{contents} of {} at {host} seeds, overwritten: {overwritten:?}", guest.seeds);
    println!("{contents} of {} at {host} seeds, all sums fit: {repaired:?}", guest.seeds);
    for tally in [overwritten, repaired] {
        assert!(tally.tried > 60);
        assert_eq!(tally.wrong, 0);
        // In some blocks all boards have ended: their distance needs no table.
        let known_anyhow = if contents == Contents::Distances { tally.tried / 20 } else { 0 };
        assert!(tally.harmless <= known_anyhow && tally.noticed + tally.harmless == tally.tried);
    }
}

fn boards_of_block(table: &[u8], level: &LevelValues, number: usize) -> Vec<Board> {
    let block_boards = u32_at(table, 24);
    level
        .index()
        .boards_from((number * block_boards) as u64)
        .take(block_boards)
        .step_by(7)
        .collect()
}

/// The table opens, its file is as its digest says, and the block alone is refused.
fn assert_refused(folder: &Path, subject: TableId, number: usize) {
    let table = Table::open_in(folder, subject, Backend::Read).expect("every checksum fits");
    table.check_file().expect("the digest of the file fits");
    for block in 0..table.header().blocks() {
        let mut scratch = BlockScratch::default();
        let decoded = match subject.contents {
            Contents::Values | Contents::Bounds => {
                table.decode(block, &mut scratch, &mut Vec::new())
            }
            Contents::Distances | Contents::Ranks => {
                table.decode_distances(block, &mut scratch, &mut Vec::new())
            }
        };
        if block as usize == number {
            let part = Part::Block(block);
            assert!(
                matches!(&decoded, Err(error) if matches!(error.kind, TableErrorKind::Damaged(found) if found == part)),
                "{decoded:?}"
            );
        } else if block as usize % 16 == number % 16 {
            decoded.expect("its own block");
        }
    }
}

#[test]
fn the_body_of_another_level_under_a_level_s_header_is_refused_block_by_block() {
    let solved = solve();
    for codec in Codec::ALL {
        let place = write(&solved, codec);
        let folder = place.path();
        let mut tally = Tally::default();
        for (host, guest) in PAIRS {
            let subject = TableId::values(RULES, Seeds::of(host));
            let own = fs::read(folder.join(subject.file_name())).expect("a table");
            let guest = TableId::values(RULES, Seeds::of(guest));
            let other = Parts::of(&fs::read(folder.join(guest.file_name())).expect("a table"));
            let Parts { header, blocks, .. } = Parts::of(&own);
            let as_many = other.blocks.iter().cycle().take(blocks.len()).cloned().collect();
            let changed = Parts { header, model: other.model, blocks: as_many };
            put(folder, subject, &changed.join());
            for number in 0..blocks.len() {
                let boards = boards_of_block(&own, &solved[usize::from(host)].0, number);
                let database = Database::open(folder, RULES).expect("every checksum fits");
                let answers: Vec<_> = boards.iter().map(|&board| database.value(board)).collect();
                assert!(
                    answers.iter().all(|answer| matches!(answer, Err(DatabaseError::Table(_)))),
                    "block {number} of {host} seeds"
                );
                tally.count(answers.len(), 0);
            }
            put(folder, subject, &own);
        }
        println!("{codec}: the body of another level: {tally:?}");
        assert_eq!(tally.noticed, tally.tried);
    }
}

/// Who forges the checks of blocks too gets past every probe; the digest of the values tells.
#[test]
fn blocks_with_forged_checks_are_found_by_verify() {
    let solved = solve();
    for codec in Codec::ALL {
        forge_blocks(write(&solved, codec).path(), codec);
    }
}

fn forge_blocks(folder: &Path, codec: Codec) {
    let subject = TableId::values(RULES, Seeds::of(8));
    let own = fs::read(folder.join(subject.file_name())).expect("a table");
    let parts = Parts::of(&own);
    let identity = xxh3_64(&own[..64]);
    let other =
        fs::read(folder.join(TableId::values(RULES, Seeds::of(7)).file_name())).expect("a table");
    let others = Parts::of(&other).blocks;
    let mut decodable = 0;
    for number in (0..parts.blocks.len()).step_by(10) {
        let mut forged = others[number % (others.len() - 1)].clone();
        let check = xxh3_64_with_seed(&forged[4..], identity.wrapping_add(number as u64));
        forged[..4].copy_from_slice(&check.to_le_bytes()[..4]);
        let mut spliced = parts.clone();
        spliced.blocks[number] = forged;
        put(folder, subject, &spliced.join());
        let table = Table::open_in(folder, subject, Backend::Read).expect("every checksum fits");
        let block = u32::try_from(number).expect("few");
        let decoded = table.decode(block, &mut BlockScratch::default(), &mut Vec::new());
        decodable += usize::from(decoded.is_ok());
        let options = VerifyOptions::new().depth(Depth::Moves).level(Seeds::of(8));
        let report = verify(folder, RULES, &options, &NoProgress, &StopFlag::default());
        assert!(!report.expect("verified").is_clean(), "block {number}");
    }
    println!("{codec}: forged blocks: {decodable} decode, verify finds each");
    assert!(codec != Codec::Zstd || decodable > 10);
}
