//! A level in a file: opened when first asked for, read block by block through the cache.
//!
//! A cached block of values has a byte a board:
//!
//! ```text
//! bit  7 6 5 4 3 2 1     0
//!      [  number   ][resolved]
//! ```
//!
//! The number is the value once it is resolved. Until then it is what the table stores, and the
//! value is the greater of it and the board's best capture or ending. A cached block of distances
//! has two bytes a board, little-endian: 0 for none, otherwise plies + 1.

use super::cache::{BlockCache, BlockKey};
use super::{Backend, DatabaseError};
use crate::index::LevelIndex;
use crate::level::{plain_byte, plain_value};
use crate::rules::Board;
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
    /// What the header said when the folder was looked at.
    header: Result<TableHeader, DatabaseError>,
    table: OnceLock<Result<Table, DatabaseError>>,
}

/// What a table of values says of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) number: i8,
    /// Whether the number is the value.
    pub(super) resolved: bool,
}

impl Stored {
    pub(super) const fn from_byte(byte: u8) -> Self {
        Self { number: plain_value(byte), resolved: byte & 1 == 1 }
    }

    const fn to_byte(self) -> u8 {
        plain_byte(self.number, self.resolved)
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

    /// Whether the header was sound and the table belongs to those beside it.
    pub(super) const fn looks_whole(&self) -> bool {
        self.header.is_ok()
    }

    /// The index of a board; `None` when it is not a reachable board of the level.
    pub(super) fn index(&self, board: Board) -> Option<u64> {
        self.index.index(board)
    }

    /// The open table.
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
            Contents::Values => self.id.seeds,
            Contents::Distances => self.id.seeds | 0x80,
        };
        BlockKey::new(table, block)
    }

    /// What is stored for the board with an index, which must be below the level's boards. Without a
    /// cache its block is decoded no further than to it.
    pub(super) fn stored(&self, cache: &BlockCache, index: u64) -> Result<Stored, DatabaseError> {
        let table = self.table()?;
        if !cache.keeps(table.header().block_boards as usize) {
            let (block, place) = table.place(index).ok_or_else(|| self.missing())?;
            return DECODING.with_borrow_mut(|Decoding { scratch, numbers, .. }| {
                table.decode_first(block, place + 1, scratch, numbers)?;
                let number = *numbers.get(place).ok_or_else(|| self.missing())?;
                Ok(Self::stored_number(table, number))
            });
        }
        let byte = self.cached(cache, index, |block, place| block.get(place).copied())?;
        Ok(Stored::from_byte(byte))
    }

    /// Remembers the value of a board for as long as its block stays in the cache.
    pub(super) fn resolve(&self, cache: &BlockCache, index: u64, value: i8) {
        let Ok(table) = self.table() else { return };
        let Some((block, place)) = table.place(index) else { return };
        cache.update(self.key(block), |bytes| {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = Stored { number: value, resolved: true }.to_byte();
            }
        });
    }

    /// The distance in plies of the board with an index, which must be below the level's boards.
    pub(super) fn distance(
        &self,
        cache: &BlockCache,
        index: u64,
    ) -> Result<Option<u32>, DatabaseError> {
        let number = self.cached(cache, index, |block, place| {
            block.as_chunks().0.get(place).map(|&number| u16::from_le_bytes(number))
        })?;
        Ok(number.checked_sub(1).map(u32::from))
    }

    /// What `pick` takes from a board's block at the board's place; decodes the block if need be.
    #[inline]
    fn cached<R>(
        &self,
        cache: &BlockCache,
        index: u64,
        pick: impl Fn(&[u8], usize) -> Option<R>,
    ) -> Result<R, DatabaseError> {
        let table = self.table()?;
        let missing = || self.missing();
        let (block, place) = table.place(index).ok_or_else(missing)?;
        let key = self.key(block);
        if let Some(found) = cache.get(key, |bytes| pick(bytes, place)) {
            return found.ok_or_else(missing);
        }
        let bytes = DECODING.with_borrow_mut(|decoding| self.decode(block, decoding))?;
        let found = pick(&bytes, place).ok_or_else(missing);
        cache.put(key, bytes);
        found
    }

    /// A block as the cache keeps it.
    fn decode(&self, block: u32, decoding: &mut Decoding) -> Result<Box<[u8]>, DatabaseError> {
        let table = self.table()?;
        let Decoding { scratch, numbers, plies } = decoding;
        match self.id.contents {
            Contents::Values => {
                table.decode(block, scratch, numbers)?;
                let byte = |&number: &i8| Self::stored_number(table, number).to_byte();
                Ok(numbers.iter().map(byte).collect())
            }
            Contents::Distances => {
                table.decode_distances(block, scratch, plies)?;
                let number = |plies: &Option<u16>| plies.map_or(0, |plies| plies.saturating_add(1));
                Ok(plies.iter().flat_map(|plies| number(plies).to_le_bytes()).collect())
            }
        }
    }

    /// What `read` makes of a block of values, as the cache keeps it, if it is there.
    pub(super) fn cached_block<R>(
        &self,
        cache: &BlockCache,
        block: u32,
        read: impl FnOnce(&[u8]) -> R,
    ) -> Option<R> {
        cache.get(self.key(block), read)
    }

    /// Decodes the first boards of blocks of values, past the cache (see [`Table::decode_several`]).
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

    /// A number of an open table.
    pub(super) fn stored_number(table: &Table, number: i8) -> Stored {
        Stored { number, resolved: !table.header().free_filled }
    }

    /// The error of a board that the table has no place for.
    pub(super) fn missing(&self) -> DatabaseError {
        DatabaseError::missing(self.id, &self.folder)
    }
}
