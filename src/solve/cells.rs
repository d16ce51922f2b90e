//! A level's bytes while several threads change them, and the wish to have one in cache soon.

#![expect(unsafe_code, reason = "one view of bytes as atomics and one prefetch, both below")]

use std::sync::atomic::{AtomicU8, Ordering};

/// One byte a board, shared between threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells<'bytes>(&'bytes [AtomicU8]);

impl<'bytes> Cells<'bytes> {
    /// A shared view of bytes that nobody else can see meanwhile.
    pub(super) fn new(bytes: &'bytes mut [u8]) -> Self {
        let cells = std::ptr::from_mut(bytes) as *const [AtomicU8];
        // SAFETY: `AtomicU8` has the size, alignment and bit validity of `u8`, and the exclusive
        // borrow lasts as long as the shared view made from it.
        Self(unsafe { &*cells })
    }

    /// Asks for the cache line of a board; does nothing where the machine knows no such wish.
    #[inline]
    pub(super) fn prefetch(self, board: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cell) = self.0.get(board) {
            prefetch(cell);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = board;
    }

    /// The byte of a board.
    #[inline]
    pub(super) fn get(self, board: usize) -> u8 {
        self.0[board].load(Ordering::Relaxed)
    }

    /// Sets the byte of a board that no other thread changes now.
    #[inline]
    pub(super) fn set(self, board: usize, byte: u8) {
        self.0[board].store(byte, Ordering::Relaxed);
    }

    /// Sets the byte of a board if it still is `old`; else returns what it is now.
    #[inline]
    pub(super) fn replace(self, board: usize, old: u8, new: u8) -> Result<(), u8> {
        self.0[board]
            .compare_exchange_weak(old, new, Ordering::Relaxed, Ordering::Relaxed)
            .map(|_| ())
    }
}

/// Asks for the cache line of anything.
#[inline]
pub(super) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program sees and cannot fault, and SSE is part
        // of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
