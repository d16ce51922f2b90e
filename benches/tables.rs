//! Tables of level 13: written, decoded block by block, expanded; each checked by what it holds.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use oware::folder::FolderLock;
use oware::level::{Digest, LevelValues};
use oware::rules::{Rules, Seeds};
use oware::solve::solve_in_memory;
use oware::table::{
    Backend, BlockScratch, Codec, Table, TableContents, TableId, WriteOptions, expand, write_table,
};
use std::path::Path;
use std::sync::LazyLock;

const SEEDS: Seeds = Seeds::of(13);

static LEVELS: LazyLock<Vec<LevelValues>> =
    LazyLock::new(|| solve_in_memory(Rules::Awari, SEEDS).expect("memory"));

fn main() {
    divan::main();
}

/// Codec and boards a block.
const CODINGS: [(Codec, u32); 4] =
    [(Codec::Zstd, 4096), (Codec::Model, 256), (Codec::Model, 512), (Codec::Model, 2048)];

fn options((codec, block_boards): (Codec, u32)) -> WriteOptions<'static> {
    WriteOptions::default().codec(codec).block_boards(block_boards)
}

fn written(folder: &Path, coding: (Codec, u32)) -> Table {
    let held = FolderLock::acquire(folder).expect("a folder");
    let (level, below) = LEVELS.split_last().expect("levels");
    let smaller: Vec<_> = below.iter().map(Digest::of_values).collect();
    let contents = TableContents::new(Rules::Awari, level, &smaller);
    write_table(held.path(), &contents, &options(coding)).expect("written");
    let subject = TableId::values(Rules::Awari, SEEDS);
    Table::open_in(folder, subject, Backend::Mapped).expect("opened")
}

fn boards() -> ItemsCount {
    ItemsCount::new(oware::index::reachable_boards(SEEDS))
}

#[divan::bench(args = CODINGS, sample_count = 5)]
fn write(bencher: Bencher<'_, '_>, coding: (Codec, u32)) {
    let place = tempfile::tempdir().expect("a temporary folder");
    bencher.counter(boards()).bench(|| {
        let table = written(place.path(), black_box(coding));
        assert!(table.header().boards > 0);
    });
}

#[divan::bench(args = CODINGS, sample_count = 20)]
fn decode_blocks_in_turn(bencher: Bencher<'_, '_>, coding: (Codec, u32)) {
    let place = tempfile::tempdir().expect("a temporary folder");
    let table = written(place.path(), coding);
    let (mut scratch, mut stored) = (BlockScratch::default(), Vec::new());
    let boards = ItemsCount::new(table.header().boards);
    bencher.counter(boards).bench_local(|| {
        let mut decoded = 0;
        for block in 0..table.header().blocks() {
            table.decode(black_box(block), &mut scratch, &mut stored).expect("sound");
            decoded += stored.len() as u64;
        }
        assert_eq!(decoded, table.header().boards);
    });
}

#[divan::bench(sample_count = 5)]
fn expand_and_check(bencher: Bencher<'_, '_>) {
    let place = tempfile::tempdir().expect("a temporary folder");
    let table = written(place.path(), (Codec::Model, 512));
    let (level, below) = LEVELS.split_last().expect("levels");
    bencher.counter(boards()).bench(|| {
        let expanded = expand(black_box(&table), below).expect("sound");
        assert_eq!(expanded.bytes(), level.bytes());
    });
}

#[divan::bench(sample_count = 20)]
fn digest_of_values(bencher: Bencher<'_, '_>) {
    let level = &LEVELS[SEEDS.index()];
    let expected = Digest::of_values(level);
    bencher.counter(boards()).bench(|| assert_eq!(Digest::of_values(black_box(level)), expected));
}
