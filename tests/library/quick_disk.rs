//! Tables for tests, written without waiting for the disk.

use oware::level::{Digest, LevelValues};
use oware::rules::Rules;
use oware::table::{Disk, DiskFile, SystemDisk, TableContents, WriteOptions, write_table};
use std::io;
use std::path::Path;

/// The machine's own file system, but nothing is synced.
#[derive(Debug)]
pub(crate) struct QuickDisk;

#[derive(Debug)]
struct QuickFile(Box<dyn DiskFile>);

impl Disk for QuickDisk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(QuickFile(SystemDisk.create(path)?)))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        SystemDisk.rename(from, to)
    }
    fn sync_folder(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl DiskFile for QuickFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.append(bytes)
    }
    fn overwrite_first(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.overwrite_first(bytes)
    }
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes levels 0, 1, … as tables with small blocks, each computed from those before it.
pub(crate) fn write_levels(folder: &Path, rules: Rules, levels: &[LevelValues]) {
    let mut digests: Vec<Digest> = Vec::new();
    for level in levels {
        let contents = TableContents::new(rules, level, &digests);
        write_table(folder, &contents, &options()).expect("written");
        digests.push(Digest::of_values(level));
    }
}

/// Small blocks, no waiting.
pub(crate) fn options() -> WriteOptions<'static> {
    WriteOptions::default().block_boards(100).disk(&QuickDisk)
}
