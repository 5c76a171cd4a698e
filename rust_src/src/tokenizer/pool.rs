//! Memory that calls lend each other, one call at a time: two exchanges of a pointer, no lock. A thread
//! that dies, or is missing after a fork, takes along no more than what it had in hand.

use std::alloc::{Layout, alloc_zeroed};
use std::ops::{Deref, DerefMut};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use super::encode::Scratch;

/// As many are kept; what other threads give back is freed.
const IDLE: usize = 64;

/// Room for a scratch wherever its alignment makes it begin. The system has zeros at hand, and counts
/// no page as used before it is written to.
type Memory = [u64; (size_of::<Scratch>() + align_of::<Scratch>()) / size_of::<u64>()];

/// Scratch memory that no call uses now.
pub(super) struct Pool([AtomicPtr<Memory>; IDLE]);

impl Pool {
    pub(super) fn new() -> Self {
        Self([const { AtomicPtr::new(null_mut()) }; IDLE])
    }

    /// What another call left, with all that it remembers, or new memory, if there is any.
    pub(super) fn take(&self) -> Option<Lent<'_>> {
        let memory = self.idle().or_else(|| {
            // SAFETY: it is not of size 0, and zeros are a Memory.
            NonNull::new(unsafe { alloc_zeroed(Layout::new::<Memory>()) }.cast())
        })?;
        Some(Lent { pool: self, memory })
    }

    fn idle(&self) -> Option<NonNull<Memory>> {
        let mut used = self.0.iter().filter(|slot| !slot.load(Ordering::Relaxed).is_null());
        used.find_map(|slot| NonNull::new(slot.swap(null_mut(), Ordering::Acquire)))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        while let Some(memory) = self.idle() {
            // SAFETY: it was a box, and now is in no slot any more.
            drop(unsafe { Box::from_raw(memory.as_ptr()) });
        }
    }
}

/// Scratch memory for one call, which goes back to the pool with its end.
pub(super) struct Lent<'a> {
    pool: &'a Pool,
    memory: NonNull<Memory>,
}

impl Lent<'_> {
    fn start(&self) -> *mut Scratch {
        let words = self.memory.cast::<u64>().as_ptr();
        words.wrapping_add(words.align_offset(align_of::<Scratch>())).cast()
    }
}

impl Deref for Lent<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        // SAFETY: it fits behind its start, nobody else has it, and any bytes are a Scratch.
        unsafe { &*self.start() }
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        // SAFETY: as above.
        unsafe { &mut *self.start() }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let memory = self.memory.as_ptr();
        let given = self.pool.0.iter().any(|slot| {
            slot.compare_exchange(null_mut(), memory, Ordering::Release, Ordering::Relaxed).is_ok()
        });
        if !given {
            // SAFETY: it was a box, and no slot has it.
            drop(unsafe { Box::from_raw(memory) });
        }
    }
}
