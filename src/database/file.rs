//! A level in a file. The table is opened by the first probe and read block by block through the
//! cache.
//!
//! A cached block of values has one byte per board:
//!
//! ```text
//! bit  7 6 5 4 3 2 1     0
//!      [  number   ][resolved]
//! ```
//!
//! The number of a resolved board is its value. Otherwise it is the number that the table stores,
//! and the value is the greater of it and the board's best capture or ending. A cached block of
//! distances has two bytes per board, little-endian: 0 for no distance, otherwise plies plus 1.

use super::cache::{BlockCache, BlockKey};
use super::{Backend, DatabaseError};
use crate::index::LevelIndex;
use crate::level::{plain_byte, plain_value};
use crate::rules::{Board, Value};
use crate::table::{BlockScratch, Contents, Table, TableHeader, TableId};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A table under its name in a folder.
#[derive(Debug)]
pub(super) struct LevelFile {
    folder: PathBuf,
    id: TableId,
    index: LevelIndex,
    backend: Backend,
    /// The header when the database was opened, or the reason why the table cannot be used.
    header: Result<TableHeader, DatabaseError>,
    table: OnceLock<Result<Table, DatabaseError>>,
}

/// The number of a board in a table of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) number: Value,
    /// Whether the number is the value of the board.
    pub(super) resolved: bool,
}

impl Stored {
    fn new(number: i8, resolved: bool) -> Self {
        let number = Value::new(number).expect("decoding checks the range of numbers");
        Self { number, resolved }
    }

    /// A number that was decoded from a table of values. The board may have captures worth more.
    pub(super) fn of_table(number: i8) -> Self {
        Self::new(number, false)
    }

    pub(super) fn from_byte(byte: u8) -> Self {
        Self::new(plain_value(byte), byte & 1 == 1)
    }

    const fn to_byte(self) -> u8 {
        plain_byte(self.number.get(), self.resolved)
    }
}

/// Buffers of a thread that decodes.
#[derive(Default)]
pub(super) struct Decoding {
    scratch: BlockScratch,
    numbers: Vec<i8>,
    plies: Vec<Option<u16>>,
}

thread_local! {
    static DECODING: RefCell<Decoding> = RefCell::default();
}

impl LevelFile {
    pub(super) fn new(
        folder: &Path,
        id: TableId,
        header: Result<TableHeader, DatabaseError>,
        backend: Backend,
    ) -> Self {
        let index = LevelIndex::new(id.seeds);
        let folder = folder.to_owned();
        Self { folder, id, index, backend, header, table: OnceLock::new() }
    }

    /// Whether the header was sound and fit the tables beside it when the database was opened.
    pub(super) const fn is_whole(&self) -> bool {
        self.header.is_ok()
    }

    /// Checks that the table [is whole](Self::is_whole).
    ///
    /// # Errors
    /// The reason why the table cannot be used.
    pub(super) fn expect_whole(&self) -> Result<(), DatabaseError> {
        self.header.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// The path of the file.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(self.id.file_name())
    }

    /// The index of a board; `None` if it is not a reachable board of the level.
    pub(super) fn index(&self, board: Board) -> Option<u64> {
        self.index.index(board)
    }

    /// The table, which the first call opens.
    pub(super) fn table(&self) -> Result<&Table, DatabaseError> {
        self.table.get_or_init(|| self.open()).as_ref().map_err(Clone::clone)
    }

    fn open(&self) -> Result<Table, DatabaseError> {
        let header = self.header.as_ref().map_err(Clone::clone)?;
        let table = Table::open_in(&self.folder, self.id, self.backend)?;
        if table.header() == header {
            Ok(table)
        } else {
            Err(DatabaseError::Replaced { path: table.path().to_owned() })
        }
    }

    fn key(&self, block: u32) -> BlockKey {
        let table = match self.id.contents {
            Contents::Values => self.id.seeds.get(),
            Contents::Distances => self.id.seeds.get() | 0x80,
            Contents::Bounds => self.id.seeds.get() | 0x40,
            Contents::Ranks => self.id.seeds.get() | 0xc0,
        };
        BlockKey::new(table, block)
    }

    /// The block of a table that holds the board with an index of the level, and the board's place
    /// in the block.
    #[inline]
    pub(super) fn place(table: &Table, index: u64) -> (u32, usize) {
        table.place(index).expect("a table has every index of its level")
    }

    /// The number of the board with an index of the level. If the cache keeps no blocks, the block
    /// is decoded no further than to the board.
    pub(super) fn stored(&self, cache: &BlockCache, index: u64) -> Result<Stored, DatabaseError> {
        let table = self.table()?;
        if !cache.keeps(table.header().block_boards as usize) {
            let (block, place) = Self::place(table, index);
            return DECODING.with_borrow_mut(|Decoding { scratch, numbers, .. }| {
                table.decode_first(block, place + 1, scratch, numbers)?;
                Ok(Stored::of_table(numbers[place]))
            });
        }
        let byte = self.cached(cache, index, |block, place| block[place])?;
        Ok(Stored::from_byte(byte))
    }

    /// Caches the value of the board with an index of the level, if its block is in the cache. The
    /// board's number has been [read](Self::stored) before.
    pub(super) fn resolve(&self, cache: &BlockCache, index: u64, value: Value) {
        let table = self.table().expect("the table was open when the number was read");
        let (block, place) = Self::place(table, index);
        let resolved = Stored { number: value, resolved: true };
        cache.update(self.key(block), |bytes| bytes[place] = resolved.to_byte());
    }

    /// The distance in plies of the board with an index of the level.
    pub(super) fn distance(
        &self,
        cache: &BlockCache,
        index: u64,
    ) -> Result<Option<u32>, DatabaseError> {
        let number = self
            .cached(cache, index, |block, place| u16::from_le_bytes(block.as_chunks().0[place]))?;
        Ok(number.checked_sub(1).map(u32::from))
    }

    /// The result of `read` for the block and the place in it of the board with an index of the
    /// level. A block that is not in the cache is decoded and cached.
    #[inline]
    fn cached<R>(
        &self,
        cache: &BlockCache,
        index: u64,
        read: impl Fn(&[u8], usize) -> R,
    ) -> Result<R, DatabaseError> {
        let (block, place) = Self::place(self.table()?, index);
        let key = self.key(block);
        if let Some(found) = cache.get(key, |bytes| read(bytes, place)) {
            return Ok(found);
        }
        let bytes = DECODING.with_borrow_mut(|decoding| self.decode(block, decoding))?;
        let found = read(&bytes, place);
        cache.put(key, bytes);
        Ok(found)
    }

    /// Decodes a block to the bytes that the cache keeps.
    fn decode(&self, block: u32, decoding: &mut Decoding) -> Result<Box<[u8]>, DatabaseError> {
        let table = self.table()?;
        let Decoding { scratch, numbers, plies } = decoding;
        match self.id.contents {
            Contents::Values | Contents::Bounds => {
                table.decode(block, scratch, numbers)?;
                let byte = |&number: &i8| Stored::of_table(number).to_byte();
                Ok(numbers.iter().map(byte).collect())
            }
            Contents::Distances | Contents::Ranks => {
                table.decode_distances(block, scratch, plies)?;
                let number = |plies: &Option<u16>| plies.map_or(0, |plies| plies + 1);
                Ok(plies.iter().flat_map(|plies| number(plies).to_le_bytes()).collect())
            }
        }
    }

    /// The result of `read` for a block, if the block is in the cache.
    pub(super) fn cached_block<R>(
        &self,
        cache: &BlockCache,
        block: u32,
        read: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        cache.get(self.key(block), read)
    }

    /// Decodes the first boards of blocks of values without the cache (see
    /// [`Table::decode_several`]).
    pub(super) fn decode_several(
        table: &Table,
        wanted: &[(u32, usize)],
        mut decoded: impl FnMut(usize, Result<&[i8], DatabaseError>),
    ) {
        DECODING.with_borrow_mut(|Decoding { scratch, .. }| {
            table.decode_several(wanted, scratch, |place, numbers| {
                decoded(place, numbers.map_err(DatabaseError::from));
            });
        });
    }
}
