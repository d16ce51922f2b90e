//! Tables written and read, with meaningless values: tables must preserve any level, and these
//! levels need no solver.

use super::{
    Backend, BlockScratch, Codec, Table, TableContents, TableErrorKind, TableId, WriteOptions,
    expand, write_distances, write_table,
};
use crate::level::meaningless::meaningless_levels;
use crate::level::{Digest, LevelDistances, LevelValues};
use crate::rules::{Rules, Seeds};
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::path::Path;

/// Writes levels as tables of a rule set.
fn write_levels(folder: &Path, rules: Rules, levels: &[LevelValues], options: &WriteOptions<'_>) {
    let mut smaller = Vec::new();
    for level in levels {
        let contents = TableContents::new(rules, level, &smaller);
        let header = write_table(folder, &contents, options).expect("a written table");
        smaller.push(header.values_digest);
    }
}

#[test]
fn the_first_boards_of_blocks_are_those_of_the_whole_blocks() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path();
    let levels = meaningless_levels(Rules::Awari, 8);
    for (codec, block_boards) in [(Codec::Model, 512), (Codec::Model, 37), (Codec::Zstd, 256)] {
        let options = WriteOptions { codec, block_boards, ..WriteOptions::default() };
        write_levels(folder, Rules::Awari, &levels, &options);
        let id = TableId::values(Rules::Awari, Seeds::of(8));
        for backend in [Backend::Mapped, Backend::Read] {
            let table = Table::open_in(place.path(), id, backend).expect("sound");
            compare_first_boards(&table);
        }
    }
}

/// Compares the first boards of blocks, decoded one by one and several at a time, and the blocks of
/// whole groups, with the blocks decoded one by one.
fn compare_first_boards(table: &Table) {
    let (mut scratch, mut first) = (BlockScratch::default(), Vec::new());
    let blocks: Vec<Vec<i8>> = (0..table.header().blocks())
        .map(|block| {
            let mut whole = Vec::new();
            table.decode(block, &mut scratch, &mut whole).expect("sound");
            assert_eq!(whole.len(), table.boards_in(block));
            whole
        })
        .collect();
    let wanted: Vec<(u32, usize)> =
        (0..table.header().blocks()).rev().zip((1..).step_by(7).map(|n| n % 600 + 1)).collect();
    let expected = |(block, boards): (u32, usize)| {
        let whole = &blocks[block as usize];
        &whole[..boards.min(whole.len())]
    };
    for &(block, boards) in &wanted {
        table.decode_first(block, boards, &mut scratch, &mut first).expect("sound");
        assert_eq!(first, expected((block, boards)));
    }
    let mut seen = 0;
    table.decode_several(&wanted, &mut scratch, |place, numbers| {
        assert_eq!((seen, numbers.expect("sound")), (place, expected(wanted[place])));
        seen += 1;
    });
    assert_eq!(seen, wanted.len());
    let mut by_groups = Vec::new();
    for group in 0..table.groups() {
        table.decode_group(group, &mut scratch, &mut first).expect("sound");
        by_groups.append(&mut first);
    }
    assert_eq!(by_groups, blocks.concat());
}

#[test]
fn levels_round_trip() {
    for rules in Rules::ALL {
        let levels = meaningless_levels(rules, 7);
        for (codec, block_boards) in [
            (Codec::Zstd, 1),
            (Codec::Zstd, 4096),
            (Codec::Model, 1),
            (Codec::Model, 100),
            (Codec::Model, 512),
        ] {
            let place = tempfile::tempdir().expect("a temporary folder");
            let folder = place.path();
            let options = WriteOptions { codec, block_boards, ..Default::default() };
            write_levels(folder, rules, &levels, &options);
            for backend in [Backend::Mapped, Backend::Read, Backend::Memory] {
                for level in &levels {
                    let id = TableId::values(rules, level.seeds());
                    let table = Table::open_in(place.path(), id, backend).expect("opened");
                    table.check_file().expect("whole");
                    let smaller = &levels[..level.seeds().index()];
                    let smaller: Vec<_> = smaller
                        .iter()
                        .map(|l| {
                            LevelValues::new(l.seeds(), l.bytes().to_vec().into()).expect("same")
                        })
                        .collect();
                    let back = expand(&table, &smaller).expect("expanded");
                    assert_eq!(back.bytes(), level.bytes(), "{rules} {}", level.seeds());
                }
            }
        }
    }
}

#[test]
fn distances_round_trip() {
    let levels = meaningless_levels(Rules::Abapa, 6);
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path();
    write_levels(folder, Rules::Abapa, &levels, &WriteOptions::default());
    let mut random = Pcg64::seed_from_u64(5);
    for level in &levels {
        let numbers =
            level.bytes().iter().map(|_| random.random::<u16>() >> (random.next_u32() % 16));
        let distances =
            LevelDistances::new(level.seeds(), numbers.collect()).expect("one per board");
        let values = TableId::values(Rules::Abapa, level.seeds());
        let values = Table::open_in(place.path(), values, Backend::Read).expect("opened");
        write_distances(folder, values.header(), &distances, &WriteOptions::default())
            .expect("written");
        let id = TableId::distances(Rules::Abapa, level.seeds());
        let table = Table::open_in(place.path(), id, Backend::Mapped).expect("opened");
        table.check_file().expect("whole");
        assert_eq!(table.header().values_digest, Digest::of_values(level));
        let (mut scratch, mut plies, mut read) = (BlockScratch::default(), Vec::new(), Vec::new());
        for block in 0..table.header().blocks() {
            table.decode_distances(block, &mut scratch, &mut plies).expect("decoded");
            read.extend(plies.iter().map(|plies| plies.map_or(0, |plies| plies + 1)));
        }
        assert_eq!(read, distances.numbers());
        assert!(table.decode(0, &mut scratch, &mut Vec::new()).is_err(), "the table has no values");
    }
}

#[test]
fn a_file_under_another_name_is_refused() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path();
    write_levels(
        folder,
        Rules::Awari,
        &meaningless_levels(Rules::Awari, 3),
        &WriteOptions::default(),
    );
    let from = place.path().join("awari-03.oware");
    for name in ["awari-04.oware", "abapa-03.oware", "awari-03.distance.oware"] {
        std::fs::copy(&from, place.path().join(name)).expect("copied");
        let id = TableId::from_file_name(name).expect("a table's name");
        let opened = Table::open_in(place.path(), id, Backend::Mapped);
        assert!(
            matches!(opened, Err(error) if matches!(error.kind, TableErrorKind::OtherTable { .. })),
            "{name}"
        );
    }
}
