//! Checkpoints: the snapshot of a level under way on disk, so that a kill costs minutes and not the
//! level.
//!
//! ```text
//! "OWARESAV" version rules seeds step flags        13 bytes
//! slab: u64, binding: u128, boards: u64
//! state bytes; for values then per slab: captures: u64, one bit per board in words, one byte per
//! capture
//! distances or ranks, if any: u16 per board
//! xxh3-64 of everything before it
//! ```
//!
//! All numbers are little-endian. Bit 0 of the flags stands for distances or ranks, bit 1 for bounds
//! in place of values: two state bytes per board, and no deferred captures. `binding` is the sum of the smaller levels' digests: a checkpoint
//! of a level that was computed from other levels is useless. The file appears under its name only
//! when it is whole. A checkpoint that does not fit is ignored, and the level starts anew.

use crate::index::{LevelIndex, reachable_boards};
use crate::level::{Bytes, Digest, memory};
use crate::rules::{Rules, Seeds};
use crate::solve::{Cursor, DeferredCaptures, Slabs, Snapshot};
use crate::table::{Contents, TableId};
use bitvec::vec::BitVec;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;

const MAGIC: [u8; 8] = *b"OWARESAV";
const VERSION: u8 = 2;
const HEAD_BYTES: usize = 13;
/// In the last byte of the head.
const WITH_DISTANCES: u8 = 1;
const BUFFER_BYTES: usize = 1 << 20;

/// The level that a checkpoint must belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Binding {
    pub(super) rules: Rules,
    pub(super) seeds: Seeds,
    /// Values or bounds.
    pub(super) contents: Contents,
    pub(super) with_distances: bool,
    /// Sum of the smaller levels' digests.
    pub(super) smaller: Digest,
}

impl Binding {
    /// The table that the level becomes.
    pub(super) const fn id(&self) -> TableId {
        TableId { rules: self.rules, seeds: self.seeds, contents: self.contents }
    }

    fn flags(&self) -> u8 {
        let distances = if self.with_distances { WITH_DISTANCES } else { 0 };
        distances | u8::from(self.contents == Contents::Bounds) << 1
    }

    /// State bytes per board.
    const fn cell_bytes(&self) -> usize {
        if matches!(self.contents, Contents::Bounds) { 2 } else { 1 }
    }
}

/// Saves a level, in place of an earlier checkpoint.
pub(super) fn save(path: &Path, binding: Binding, level: &Snapshot) -> io::Result<()> {
    let draft = path.with_extension("resume.oware.tmp");
    let written = write_draft(&draft, binding, level).and_then(|()| fs::rename(&draft, path));
    if written.is_err() {
        // The draft is useless, and swept by the next build if it stays.
        let _ = fs::remove_file(&draft);
    }
    written
}

fn write_draft(draft: &Path, binding: Binding, level: &Snapshot) -> io::Result<()> {
    let Snapshot { cursor, states, deferred, distances } = level;
    let file = File::create(draft)?;
    let mut out = Summed::new(BufWriter::with_capacity(BUFFER_BYTES, file));
    out.put(&MAGIC)?;
    let small = [
        VERSION,
        binding.rules.code(),
        binding.seeds.get(),
        cursor.step.cast_unsigned(),
        binding.flags(),
    ];
    out.put(&small)?;
    out.put(&(cursor.slab as u64).to_le_bytes())?;
    out.put(&binding.smaller.0.to_le_bytes())?;
    out.put(&reachable_boards(binding.seeds).to_le_bytes())?;
    for piece in states.chunks(BUFFER_BYTES) {
        out.put(piece)?;
    }
    for deferred in deferred {
        let (present, captures) = deferred.parts();
        out.put(&(captures.len() as u64).to_le_bytes())?;
        let words = present.as_raw_slice().iter();
        out.put(&words.flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())?;
        out.put(&captures.iter().map(|capture| capture.cast_unsigned()).collect::<Vec<_>>())?;
    }
    for piece in distances.as_deref().unwrap_or_default().chunks(BUFFER_BYTES) {
        out.put(&piece.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>())?;
    }
    let sum = out.hasher.digest().to_le_bytes();
    out.inner.write_all(&sum)?;
    let file = out.inner.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()
}

/// The saved snapshot, if it is whole and belongs to `binding`.
///
/// # Errors
/// When the system refuses to read it, which says nothing about the checkpoint.
pub(super) fn load(
    path: &Path,
    binding: Binding,
    level: &LevelIndex,
) -> io::Result<Option<Snapshot>> {
    let open = || read(BufReader::with_capacity(BUFFER_BYTES, File::open(path)?), binding, level);
    open().or_else(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof => Ok(None),
        _ => Err(error),
    })
}

/// Whether a checkpoint is of a level with distances; `None` if there is none.
pub(super) fn is_with_distances(path: &Path) -> Option<bool> {
    if !path.is_file() {
        return None;
    }
    let mut head = [0; HEAD_BYTES];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).ok()?;
    head.starts_with(&MAGIC).then_some(head[HEAD_BYTES - 1] & WITH_DISTANCES != 0)
}

fn read(file: impl Read, binding: Binding, level: &LevelIndex) -> io::Result<Option<Snapshot>> {
    let mut from = Summed::new(file);
    let head: [u8; HEAD_BYTES] = from.take()?;
    let [magic @ .., version, rules, seeds, step, flags] = head;
    let slab = u64::from_le_bytes(from.take()?);
    let smaller: [u8; 16] = from.take()?;
    let boards = u64::from_le_bytes(from.take()?);
    let belongs = magic == MAGIC
        && version == VERSION
        && rules == binding.rules.code()
        && seeds == binding.seeds.get()
        && flags == binding.flags()
        && smaller == binding.smaller.0.to_le_bytes()
        && boards == reachable_boards(binding.seeds);
    let (Ok(boards), Ok(slab)) = (usize::try_from(boards), usize::try_from(slab)) else {
        return Ok(None);
    };
    if !belongs {
        return Ok(None);
    }
    let mut states = Bytes::zeroed(boards * binding.cell_bytes())?;
    for piece in states.chunks_mut(BUFFER_BYTES) {
        from.fill(piece)?;
    }
    let mut deferred = Vec::new();
    let slabs = Slabs::new(level);
    let deferring = if binding.contents == Contents::Values { slabs.as_slice() } else { &[] };
    for slab in deferring {
        let Some(captures) = read_deferred(&mut from, slab.boards)? else { return Ok(None) };
        deferred.push(captures);
    }
    let distances = binding.with_distances.then(|| memory::defaults::<u16>(boards));
    let mut distances = distances.transpose()?;
    for piece in distances.iter_mut().flat_map(|all| all.chunks_mut(BUFFER_BYTES)) {
        let mut read = vec![0; 2 * piece.len()];
        from.fill(&mut read)?;
        for (number, bytes) in piece.iter_mut().zip(read.as_chunks::<2>().0) {
            *number = u16::from_le_bytes(*bytes);
        }
    }
    let sum = from.hasher.digest();
    if u64::from_le_bytes(from.take()?) != sum {
        return Ok(None);
    }
    let cursor = Cursor { step: step.cast_signed(), slab };
    Ok(Some(Snapshot { cursor, states, deferred, distances }))
}

fn read_deferred(
    from: &mut Summed<impl Read>,
    boards: usize,
) -> io::Result<Option<DeferredCaptures>> {
    let count = u64::from_le_bytes(from.take()?);
    let mut words = vec![0; 8 * boards.div_ceil(64)];
    from.fill(&mut words)?;
    let words: Vec<u64> =
        words.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    let mut present = BitVec::from_vec(words);
    present.truncate(boards);
    if present.count_ones() as u64 != count {
        return Ok(None);
    }
    let mut captures = vec![0; present.count_ones()];
    from.fill(&mut captures)?;
    let captures = captures.into_iter().map(u8::cast_signed).collect();
    Ok(Some(DeferredCaptures::new(present, captures)))
}

/// Hashes all bytes that are read or written.
struct Summed<T> {
    inner: T,
    hasher: Xxh3Default,
}

impl<T> Summed<T> {
    fn new(inner: T) -> Self {
        Self { inner, hasher: Xxh3Default::new() }
    }
}

impl<T: Write> Summed<T> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.inner.write_all(bytes)
    }
}

impl<T: Read> Summed<T> {
    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.inner.read_exact(bytes)?;
        self.hasher.update(bytes);
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }
}
