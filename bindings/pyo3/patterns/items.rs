//! Items in memory that others may write to.

use std::marker::PhantomData;

/// Items `stride` bytes apart that others may write to: a slice would promise the compiler that
/// nobody does.
pub struct Items<'a, T> {
    next: *const T,
    left: usize,
    stride: isize,
    owner: PhantomData<&'a [T]>,
}

// SAFETY: the items are only read, and by the contract of `new` any thread can read them for 'a.
unsafe impl<T: Send> Send for Items<'_, T> {}

impl<T: Copy> Items<'_, T> {
    /// # Safety
    /// `n` aligned items from `start` on stay readable for the lifetime of the result; `start` may
    /// be anything if `n` is 0.
    pub unsafe fn new(start: *const T, n: usize, stride: isize) -> Self {
        Items { next: start, left: n, stride, owner: PhantomData }
    }
}

impl<T: Copy> Iterator for Items<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        let item = self.next;
        self.next = item.wrapping_byte_offset(self.stride);
        // SAFETY: by the contract of `new`.
        Some(unsafe { item.read() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T: Copy> ExactSizeIterator for Items<'_, T> {}
