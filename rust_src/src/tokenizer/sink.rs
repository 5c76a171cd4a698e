//! Destinations of ids.

use std::collections::TryReserveError;
use std::mem::MaybeUninit;

/// Receive ids in their order, some at a time; fail if memory runs out.
pub(super) trait Sink {
    fn put(&mut self, ids: &[u32]) -> Result<(), TryReserveError>;
    /// Remove the last `n`.
    fn take_back(&mut self, n: usize);
}

impl Sink for Vec<u32> {
    #[inline(always)]
    fn put(&mut self, ids: &[u32]) -> Result<(), TryReserveError> {
        self.try_reserve(ids.len())?;
        self.extend_from_slice(ids);
        Ok(())
    }

    fn take_back(&mut self, n: usize) {
        self.truncate(self.len() - n);
    }
}

/// Only counts them.
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline(always)]
    fn put(&mut self, ids: &[u32]) -> Result<(), TryReserveError> {
        self.0 += ids.len();
        Ok(())
    }

    fn take_back(&mut self, n: usize) {
        self.0 -= n;
    }
}

/// Write the ids that fit to the front of `ids`, and count all of them.
pub(super) struct Front<'a> {
    pub(super) ids: &'a mut [MaybeUninit<u32>],
    pub(super) n: usize,
}

impl Sink for Front<'_> {
    #[inline(always)]
    fn put(&mut self, ids: &[u32]) -> Result<(), TryReserveError> {
        let room = self.ids.get_mut(self.n..).unwrap_or_default();
        room.iter_mut().zip(ids).for_each(|(to, &id)| *to = MaybeUninit::new(id));
        self.n += ids.len();
        Ok(())
    }

    fn take_back(&mut self, n: usize) {
        self.n -= n;
    }
}

/// View any memory as memory to write ids to.
pub(super) fn uninit(ids: &mut [u32]) -> &mut [MaybeUninit<u32>] {
    // SAFETY: the layout is the same, and a sink only writes ids to it.
    unsafe { &mut *(std::ptr::from_mut(ids) as *mut [MaybeUninit<u32>]) }
}
