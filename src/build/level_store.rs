//! The smaller levels during a build: in memory while there is room, otherwise parked as working
//! copies beside the tables, and loaded by groups.
//!
//! Working copies are read and written plainly and not mapped, so that the budget counts all memory
//! in use. Their names have the ending of unfinished files, so that the next build sweeps those that
//! a kill leaves behind.

use crate::kernels::{Cell, SmallerLevels, SmallerLevelsByGroup};
use crate::level::Bytes;
use crate::rules::Rules;
use crate::solve::Labels;
use crate::table::Contents;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const IO_BYTES: usize = 4 << 20;

/// The values or bounds of levels 0, 1, 2, …, each in memory or parked.
#[derive(Debug)]
pub(super) struct LevelStore<L: Labels> {
    folder: PathBuf,
    rules: Rules,
    contents: Contents,
    levels: Vec<Place<L>>,
    /// Bytes of parked levels that are loaded together.
    group_bytes: u64,
}

#[derive(Debug)]
enum Place<L: Labels> {
    Held(Arc<L::Level>),
    Parked { bytes: usize },
}

impl<L: Labels> LevelStore<L> {
    pub(super) fn new(folder: &Path, rules: Rules, contents: Contents) -> Self {
        Self { folder: folder.to_owned(), rules, contents, levels: Vec::new(), group_bytes: 0 }
    }

    /// Adds the next level.
    pub(super) fn push(&mut self, level: Arc<L::Level>) {
        self.levels.push(Place::Held(level));
    }

    /// Whether no level was added.
    pub(super) const fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    /// Whether the levels in memory, and a group of those below `below` seeds that are not, fit into
    /// `room` bytes together.
    pub(super) fn fits(&self, below: u8, room: u64) -> bool {
        self.held_bytes() + self.largest_parked(below) <= room
    }

    /// Bytes of the levels in memory.
    pub(super) fn held_bytes(&self) -> u64 {
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
        let parked = |place: &Place<L>| match place {
            Place::Held(_) => 0,
            Place::Parked { bytes } => *bytes as u64,
        };
        self.levels.iter().take(usize::from(below)).map(parked).max().unwrap_or(0)
    }

    fn park(&mut self, seeds: usize) -> io::Result<()> {
        let Place::Held(level) = &self.levels[seeds] else { return Ok(()) };
        let bytes = L::bytes(level);
        let path = self.parked_path(seeds);
        let write = || {
            let mut file = File::create(&path)?;
            bytes.chunks(IO_BYTES).try_for_each(|piece| file.write_all(piece))
        };
        if let Err(error) = write() {
            // Half a copy is useless. If it cannot be removed, the next build sweeps it.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        self.levels[seeds] = Place::Parked { bytes: bytes.len() };
        Ok(())
    }

    fn load(&self, seeds: usize, len: usize) -> io::Result<Bytes> {
        let mut file = File::open(self.parked_path(seeds))?;
        let mut bytes = Bytes::zeroed(len)?;
        for piece in bytes.chunks_mut(IO_BYTES) {
            file.read_exact(piece)?;
        }
        Ok(bytes)
    }

    fn parked_path(&self, seeds: usize) -> PathBuf {
        let name = format!("{}-{seeds:02}.{}.plain.oware.tmp", self.rules, self.contents);
        self.folder.join(name)
    }
}

impl<L: Labels> SmallerLevelsByGroup<L::Cell> for LevelStore<L> {
    fn for_each_group(
        &self,
        below: u8,
        visit: &mut dyn FnMut(&SmallerLevels<'_, L::Cell>, bool),
    ) -> io::Result<()> {
        let below = usize::from(below).min(self.levels.len());
        let mut left: Vec<(usize, usize)> = Vec::new();
        let mut held: Vec<Option<&[L::Cell]>> = vec![None; below];
        for (seeds, place) in self.levels[..below].iter().enumerate() {
            match place {
                Place::Held(level) => held[seeds] = Some(L::cells(level)),
                Place::Parked { bytes } => left.push((seeds, *bytes)),
            }
        }
        // The levels in memory come with the first group, which is the last if none is parked.
        let mut in_memory = held;
        loop {
            let mut room = self.group_bytes;
            let mut loaded = Vec::new();
            while let Some(&(seeds, len)) = left.last() {
                if !loaded.is_empty() && len as u64 > room {
                    break;
                }
                loaded.push((seeds, self.load(seeds, len)?));
                room = room.saturating_sub(len as u64);
                left.pop();
            }
            let mut group = std::mem::replace(&mut in_memory, vec![None; below]);
            for (seeds, bytes) in &loaded {
                group[*seeds] = Some(L::Cell::cells(bytes));
            }
            visit(&group, left.is_empty());
            if left.is_empty() {
                return Ok(());
            }
        }
    }
}

impl<L: Labels> Drop for LevelStore<L> {
    fn drop(&mut self) {
        for (seeds, place) in self.levels.iter().enumerate() {
            if matches!(place, Place::Parked { .. }) {
                // If it stays, the next build sweeps it.
                let _ = fs::remove_file(self.parked_path(seeds));
            }
        }
    }
}

impl<L: Labels> Place<L> {
    fn held_bytes(&self) -> u64 {
        match self {
            Self::Held(level) => L::bytes(level).len() as u64,
            Self::Parked { .. } => 0,
        }
    }
}
