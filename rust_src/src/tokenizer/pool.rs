//! Memory that one call after another uses. A call exchanges a pointer twice and takes no lock: a
//! thread that dies, or is missing after a fork, loses only the memory that it was using.

use std::alloc::{Layout, alloc_zeroed};
use std::ops::{Deref, DerefMut};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use super::encode::Scratch;

/// The pool stores this many; further memory is freed.
const IDLE: usize = 64;

/// Room for a scratch at any alignment. The system has zeroed pages at hand, and counts a page as
/// used only after it is written to.
type Memory = [u64; (size_of::<Scratch>() + align_of::<Scratch>()) / size_of::<u64>()];

/// Scratch memory that no call is using.
pub(super) struct Pool([AtomicPtr<Memory>; IDLE]);

impl Pool {
    pub(super) fn new() -> Self {
        Self([const { AtomicPtr::new(null_mut()) }; IDLE])
    }

    /// Return the memory of an earlier call, with its cache, or new memory if there is any.
    pub(super) fn take(&self) -> Option<Borrowed<'_>> {
        let memory = self.idle().or_else(|| {
            // SAFETY: its size is not 0, and zeros are a Memory.
            NonNull::new(unsafe { alloc_zeroed(Layout::new::<Memory>()) }.cast())
        })?;
        Some(Borrowed { pool: self, memory })
    }

    fn idle(&self) -> Option<NonNull<Memory>> {
        let mut used = self.0.iter().filter(|slot| !slot.load(Ordering::Relaxed).is_null());
        used.find_map(|slot| NonNull::new(slot.swap(null_mut(), Ordering::Acquire)))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        while let Some(memory) = self.idle() {
            // SAFETY: it was a box, and is in no slot anymore.
            drop(unsafe { Box::from_raw(memory.as_ptr()) });
        }
    }
}

/// Scratch memory for one call, which returns to the pool at its end.
pub(super) struct Borrowed<'a> {
    pool: &'a Pool,
    memory: NonNull<Memory>,
}

impl Borrowed<'_> {
    fn start(&self) -> *mut Scratch {
        let words = self.memory.cast::<u64>().as_ptr();
        words.wrapping_add(words.align_offset(align_of::<Scratch>())).cast()
    }
}

impl Deref for Borrowed<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        // SAFETY: it fits after its start, no other thread has it, and any bytes are a Scratch.
        unsafe { &*self.start() }
    }
}

impl DerefMut for Borrowed<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        // SAFETY: as above.
        unsafe { &mut *self.start() }
    }
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        let memory = self.memory.as_ptr();
        let returned = self.pool.0.iter().any(|slot| {
            slot.compare_exchange(null_mut(), memory, Ordering::Release, Ordering::Relaxed).is_ok()
        });
        if !returned {
            // SAFETY: it was a box, and no slot has it.
            drop(unsafe { Box::from_raw(memory) });
        }
    }
}
