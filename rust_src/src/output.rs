//! Memory that a kernel fills, and its tables, while another thread may write there too.
//!
//! Like [`Input`], these do not promise the compiler that nobody else writes, as a slice would.
//! They are a pointer and a length, and every access is checked against them. A table is copied
//! before it is checked and used.

use std::marker::PhantomData;

use crate::{Code, Error, Input};

/// A range of items to fill, or a table.
pub struct Output<'a, T = u8> {
    pointer: *mut T,
    len: usize,
    owner: PhantomData<&'a mut [T]>,
}

impl<T> Clone for Output<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Output<'_, T> {}

// SAFETY: by the contract of `from_raw`, readable and writable for 'a from any thread.
unsafe impl<T: Send> Send for Output<'_, T> {}
unsafe impl<T: Send> Sync for Output<'_, T> {}

impl<'a, T> From<&'a mut [T]> for Output<'a, T> {
    fn from(items: &'a mut [T]) -> Self {
        Output { pointer: items.as_mut_ptr(), len: items.len(), owner: PhantomData }
    }
}

impl<'a, T> From<&'a mut T> for Output<'a, T> {
    fn from(item: &'a mut T) -> Self {
        std::slice::from_mut(item).into()
    }
}

impl<'a, T: Copy> Output<'a, T> {
    /// # Safety
    /// `len` items from `pointer` on stay readable, and writable if a kernel fills them, for `'a`.
    /// Their values may change meanwhile, and any bytes are a valid T. `pointer` is aligned for T.
    pub unsafe fn from_raw(pointer: *mut T, len: usize) -> Self {
        Output { pointer, len, owner: PhantomData }
    }

    /// Return the number of items.
    pub fn len(self) -> usize {
        self.len
    }

    /// Return true if there are no items.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Return their address, which is valid for `len()` items.
    pub fn as_ptr(self) -> *mut T {
        self.pointer
    }

    /// Return the items from number `from` up to number `to`, or none.
    #[inline(always)]
    pub(crate) fn range(self, from: usize, to: usize) -> Self {
        let within = from <= to && to <= self.len;
        let (pointer, len) =
            if within { (self.pointer.wrapping_add(from), to - from) } else { (self.pointer, 0) };
        Output { pointer, len, owner: PhantomData }
    }

    /// Return the items from number `from` on.
    #[inline(always)]
    pub(crate) fn from(self, from: usize) -> Self {
        self.range(from, self.len)
    }

    /// Read item number `index`, once.
    #[inline(always)]
    pub fn read(self, index: usize) -> Option<T> {
        // SAFETY: the item is there, and aligned.
        (index < self.len).then(|| unsafe { self.pointer.add(index).read_volatile() })
    }

    /// Store item number `index`, if it exists.
    #[inline(always)]
    pub(crate) fn write(self, index: usize, item: T) {
        if index < self.len {
            // SAFETY: the item is there, and aligned.
            unsafe { self.pointer.add(index).write(item) }
        }
    }

    /// Return a copy, for which each item is read once.
    pub(crate) fn copy(self) -> Result<Vec<T>, Error> {
        let mut copy = Vec::new();
        copy.try_reserve_exact(self.len).map_err(|_| Error::MEMORY)?;
        copy.extend((0..self.len).filter_map(|index| self.read(index)));
        Ok(copy)
    }

    /// Return the range of its bytes, to be compared with other memory.
    pub(crate) fn extent(self) -> (usize, usize) {
        (self.pointer.addr(), self.len * size_of::<T>())
    }
}

impl<'a> Output<'a> {
    /// Return the bytes as items of `N` bytes, without a partial item at the end.
    #[inline(always)]
    pub(crate) fn chunks<const N: usize>(self) -> Output<'a, [u8; N]> {
        Output { pointer: self.pointer.cast(), len: self.len / N, owner: PhantomData }
    }
}

/// The arguments that are memory. These numbers name them in an error.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
    Buffer,
    Spans,
    Schema,
    Fields,
    Arena,
    Columns,
    Cursor,
}

/// Refuse memory that a kernel fills (`true`) and that overlaps another argument. All pairs are
/// compared without a branch: fifteen branches would be noticeable in a call for a single record.
/// An empty range within another one counts as a suspect here, and the second look then finds no
/// overlap.
#[inline(always)]
pub(crate) fn check_overlap<const N: usize>(
    memory: [(Argument, bool, (usize, usize)); N],
) -> Result<(), Error> {
    let mut any = false;
    for (i, &(_, fills_one, (first, size))) in memory.iter().enumerate() {
        for &(_, fills_two, (second, other)) in memory.iter().skip(i + 1) {
            let apart =
                (second.wrapping_sub(first) >= size) & (first.wrapping_sub(second) >= other);
            any |= (fills_one || fills_two) & !apart;
        }
    }
    if any { name_overlap(&memory) } else { Ok(()) }
}

/// Return the error that names two ranges that overlap.
#[cold]
fn name_overlap(memory: &[(Argument, bool, (usize, usize))]) -> Result<(), Error> {
    for (i, &(one, fills_one, (first, size))) in memory.iter().enumerate() {
        for &(two, fills_two, (second, other)) in memory.iter().skip(i + 1) {
            let apart =
                if first <= second { second - first >= size } else { first - second >= other };
            if (fills_one || fills_two) && size > 0 && other > 0 && !apart {
                let (expected, actual) = (one as i64, two as i64);
                return Err(Error { code: Code::Overlap, expected, actual, ..Error::ARGUMENT });
            }
        }
    }
    Ok(())
}

/// Return the range of an input's bytes, to be compared with other memory.
pub(crate) fn extent(input: Input<'_>) -> (usize, usize) {
    (input.as_ptr().addr(), input.len())
}
