//! The smaller levels while a build goes on: in memory as long as there is room, otherwise parked
//! as plain working copies beside the tables, and brought back a group at a time.
//!
//! Plain reads and writes, no mapping: what is in memory is what the budget counts. Working copies
//! bear the ending of unfinished files, so that whatever happens the next build sweeps them.

use crate::rules::Rules;
use crate::table::{Bytes, PlainLevel, Smaller, SmallerLevels};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const IO_BYTES: usize = 4 << 20;

/// Levels 0, 1, 2, …, each in memory or parked.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    rules: Rules,
    levels: Vec<Place>,
    /// Room for parked levels that are brought back together.
    group_bytes: u64,
}

#[derive(Debug)]
enum Place {
    Held(Arc<PlainLevel>),
    Parked { boards: usize },
}

impl Store {
    pub(super) fn new(folder: &Path, rules: Rules) -> Self {
        Self { folder: folder.to_owned(), rules, levels: Vec::new(), group_bytes: 0 }
    }

    /// Takes in the next level.
    pub(super) fn push(&mut self, level: Arc<PlainLevel>) {
        debug_assert_eq!(usize::from(level.seeds()), self.levels.len());
        self.levels.push(Place::Held(level));
    }

    /// Whether the levels in memory, and a group of those below `below` seeds that are not, fit into
    /// `room` bytes together.
    pub(super) fn fits(&self, below: u8, room: u64) -> bool {
        self.held_bytes() + self.largest_parked(below) <= room
    }

    fn held_bytes(&self) -> u64 {
        self.levels.iter().map(Place::held_bytes).sum()
    }

    /// Parks levels until the rest [`fits`](Self::fits). Levels at or above `below` go first, then
    /// the largest.
    ///
    /// # Errors
    /// When a level cannot be written.
    pub(super) fn make_room(&mut self, below: u8, room: u64) -> io::Result<()> {
        let by_use = (usize::from(below)..self.levels.len())
            .chain((0..usize::from(below).min(self.levels.len())).rev());
        let mut order =
            by_use.filter(|&seeds| self.levels[seeds].held_bytes() > 0).collect::<Vec<_>>();
        order.reverse();
        while !self.fits(below, room) {
            let Some(seeds) = order.pop() else { break };
            self.park(seeds)?;
        }
        self.group_bytes = room.saturating_sub(self.held_bytes());
        Ok(())
    }

    fn largest_parked(&self, below: u8) -> u64 {
        let parked = |place: &Place| match place {
            Place::Held(_) => 0,
            Place::Parked { boards } => *boards as u64,
        };
        self.levels.iter().take(usize::from(below)).map(parked).max().unwrap_or(0)
    }

    fn park(&mut self, seeds: usize) -> io::Result<()> {
        let Place::Held(level) = &self.levels[seeds] else { return Ok(()) };
        let bytes = level.bytes();
        let mut file = File::create(self.parked_path(seeds))?;
        for piece in bytes.chunks(IO_BYTES) {
            file.write_all(piece)?;
        }
        self.levels[seeds] = Place::Parked { boards: bytes.len() };
        Ok(())
    }

    fn bring(&self, seeds: usize, boards: usize) -> io::Result<Bytes> {
        let mut file = File::open(self.parked_path(seeds))?;
        let mut bytes = Bytes::zeroed(boards)?;
        for piece in bytes.chunks_mut(IO_BYTES) {
            file.read_exact(piece)?;
        }
        Ok(bytes)
    }

    fn parked_path(&self, seeds: usize) -> PathBuf {
        self.folder.join(format!("{}-{seeds:02}.plain.oware.tmp", self.rules))
    }
}

impl SmallerLevels for Store {
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&Smaller<'_>, bool),
    ) -> io::Result<()> {
        let below = usize::from(below).min(self.levels.len());
        let mut left: Vec<(usize, usize)> = Vec::new();
        let mut held: Vec<Option<&[u8]>> = vec![None; below];
        for (seeds, place) in self.levels[..below].iter().enumerate() {
            match place {
                Place::Held(level) => held[seeds] = Some(level.bytes()),
                Place::Parked { boards } => left.push((seeds, *boards)),
            }
        }
        // The levels held count in the first group; with none parked it is the last as well.
        let mut at_hand = held;
        loop {
            let mut room = self.group_bytes;
            let mut brought = Vec::new();
            while let Some(&(seeds, boards)) = left.last() {
                if !brought.is_empty() && boards as u64 > room {
                    break;
                }
                brought.push((seeds, self.bring(seeds, boards)?));
                room = room.saturating_sub(boards as u64);
                left.pop();
            }
            let mut group = std::mem::replace(&mut at_hand, vec![None; below]);
            for (seeds, bytes) in &brought {
                group[*seeds] = Some(bytes);
            }
            visit(&group, left.is_empty());
            if left.is_empty() {
                return Ok(());
            }
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        for (seeds, place) in self.levels.iter().enumerate() {
            if matches!(place, Place::Parked { .. }) {
                // If it stays, the next build sweeps it.
                let _ = fs::remove_file(self.parked_path(seeds));
            }
        }
    }
}

impl Place {
    fn held_bytes(&self) -> u64 {
        match self {
            Self::Held(level) => level.bytes().len() as u64,
            Self::Parked { .. } => 0,
        }
    }
}
