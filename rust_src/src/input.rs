//! Input bytes that another thread may be writing to.
//!
//! A Python buffer is borrowed without the GIL, so another thread can change it while a kernel
//! reads. A `&[u8]` promises the compiler that this cannot happen: it could load a length again
//! after the check that it is in range. [`Input`] makes no such promise. It is a pointer and a
//! length, and every access is checked against them. Numbers that *steer* a decoder (a tag, a
//! length, a varint) are read by one volatile load, so the checked value is the used value. Payload
//! is only copied or summed: racing bytes give some result, and nothing outside the range is
//! touched. The language has no defined meaning for a plain write by a foreign thread during a
//! read. The code relies on the platform's guarantee that such a load yields some byte, as the
//! atomics of `core` do.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ptr;

use crate::{Error, Output};

/// A range of bytes to read from.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    pointer: *const u8,
    len: usize,
    owner: PhantomData<&'a [u8]>,
}

// SAFETY: it is only read, and by the contract of `from_raw` it is readable for 'a from any thread.
unsafe impl Send for Input<'_> {}
unsafe impl Sync for Input<'_> {}

#[derive(Clone, Copy)]
#[repr(C, packed)]
struct Unaligned<T>(T);

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Input { pointer: bytes.as_ptr(), len: bytes.len(), owner: PhantomData }
    }
}

impl<'a> Input<'a> {
    /// # Safety
    /// `len` bytes from `pointer` on stay readable for `'a`; their values may change meanwhile.
    /// `pointer` may be anything when `len` is 0.
    pub unsafe fn from_raw(pointer: *const u8, len: usize) -> Self {
        Input { pointer, len, owner: PhantomData }
    }

    /// Return the number of bytes.
    pub fn len(self) -> usize {
        self.len
    }

    /// Return true if there are no bytes.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Return the first `count` bytes and those after them.
    #[inline(always)]
    pub fn split(self, count: usize) -> Option<(Self, Self)> {
        let len = self.len.checked_sub(count)?;
        // SAFETY: count <= self.len, so both parts lie within self.
        unsafe {
            let rest = Self::from_raw(self.pointer.wrapping_add(count), len);
            Some((Self::from_raw(self.pointer, count), rest))
        }
    }

    /// Return `len` bytes from `start` on.
    #[inline(always)]
    pub fn range(self, start: usize, len: usize) -> Option<Self> {
        Some(self.split(start)?.1.split(len)?.0)
    }

    /// Return windows of `size` bytes: from the start, from `stride` after it, and so on while
    /// they are complete.
    #[inline(always)]
    pub(crate) fn every(self, stride: usize, size: usize) -> impl Iterator<Item = Self> {
        let count = self.len.checked_sub(size).map_or(0, |room| room / stride.max(1) + 1);
        // SAFETY: the last window still ends within self.
        (0..count).map(move |n| unsafe { Self::from_raw(self.pointer.add(n * stride), size) })
    }

    #[inline(always)]
    fn load<T: Copy>(self) -> Option<T> {
        if self.len < size_of::<T>() {
            return None;
        }
        // SAFETY: that many bytes are readable, `Unaligned` asks for no alignment, and T is one of
        // the integers below.
        Some(unsafe { self.pointer.cast::<Unaligned<T>>().read_volatile() }.0)
    }

    /// Read the first byte.
    #[inline(always)]
    pub fn u8(self) -> Option<u8> {
        self.load()
    }

    /// Read the first two bytes, little endian.
    #[inline(always)]
    pub fn u16(self) -> Option<u16> {
        self.load().map(u16::from_le)
    }

    /// Read the first four bytes, little endian.
    #[inline(always)]
    pub fn u32(self) -> Option<u32> {
        self.load().map(u32::from_le)
    }

    /// Read the first eight bytes, little endian.
    #[inline(always)]
    pub fn u64(self) -> Option<u64> {
        self.load().map(u64::from_le)
    }

    /// Read the first `N` bytes, as payload.
    #[inline(always)]
    pub fn array<const N: usize>(self) -> Option<[u8; N]> {
        let (head, _) = self.split(N)?;
        // SAFETY: N bytes are readable, and any bytes are a valid array of bytes.
        Some(unsafe { head.pointer.cast::<[u8; N]>().read() })
    }

    /// Copy as many bytes as both sides have.
    #[inline(always)]
    pub fn copy_to(self, target: Output<'_>) {
        let len = self.len.min(target.len());
        if len > 0 {
            // SAFETY: `len` bytes are readable here and writable there. Another thread's memory may
            // be both, so this is not `copy_nonoverlapping`.
            unsafe { ptr::copy(self.pointer, target.as_ptr(), len) }
        }
    }

    /// Return a copy of all bytes.
    pub(crate) fn copy(self) -> Result<Vec<u8>, Error> {
        let mut copy = Vec::new();
        copy.try_reserve_exact(self.len).map_err(|_| Error::MEMORY)?;
        // SAFETY: `len` bytes are readable, and `len` were reserved.
        unsafe {
            ptr::copy(self.pointer, copy.as_mut_ptr(), self.len);
            copy.set_len(self.len);
        }
        Ok(copy)
    }

    /// Return the first and last eight bytes as numbers. Fewer than eight bytes all go into two
    /// numbers, which differ for different bytes of one length.
    #[inline(always)]
    pub(crate) fn ends(self) -> (u64, u64) {
        let at = |start: usize| self.split(start).map_or(self, |(_, rest)| rest);
        let wide = |start| at(start).u64().unwrap_or_default();
        let half = |start| at(start).u32().unwrap_or_default().into();
        let byte = |start| u64::from(at(start).u8().unwrap_or_default());
        match self.len {
            8.. => (wide(0), wide(self.len - 8)),
            4.. => (half(0), half(self.len - 4)),
            len => (byte(0) | byte(len / 2) << 8, byte(len.saturating_sub(1))),
        }
    }

    /// Return true if `other` begins with the same bytes.
    #[inline(always)]
    pub(crate) fn equals(self, other: Input<'_>) -> bool {
        let both = |at| Some((self.split(at)?.1, other.split(at)?.1));
        let word = |at| both(at).is_some_and(|(one, two)| one.u64() == two.u64());
        let half = |at| both(at).is_some_and(|(one, two)| one.u32() == two.u32());
        let byte = |at| both(at).is_some_and(|(one, two)| one.u8() == two.u8());
        match self.len {
            len @ 8.. => (0..len - 8).step_by(8).all(word) && word(len - 8),
            len @ 4.. => half(0) && half(len - 4),
            len => (0..len).all(byte),
        }
    }

    /// Compare the bytes with `other`, as slices are compared.
    pub(crate) fn compare(self, other: &[u8]) -> Ordering {
        let both = self.every(1, 1).map(|byte| byte.u8()).zip(other);
        let differs = both.map(|(one, two)| one.cmp(&Some(*two))).find(|order| order.is_ne());
        differs.unwrap_or_else(|| self.len.cmp(&other.len()))
    }

    /// Prefetch the cache line `ahead` bytes from the start, which may be at any address: streams
    /// are read faster than most CPUs prefetch by themselves.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn prefetch(self, ahead: usize) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch may name any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(self.pointer.wrapping_add(ahead).cast()) };
    }

    /// Return the address of the bytes, for intrinsics. It is valid for `len()` bytes.
    pub fn as_ptr(self) -> *const u8 {
        self.pointer
    }
}
