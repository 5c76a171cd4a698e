//! The smallest kernels that still prove the arguments arrived. They know nothing of Python.

use std::hint::black_box;
use std::marker::PhantomData;

// ---- scalars -------------------------------------------------------------------------------

pub fn noop() {
    black_box(());
}

pub fn take_int(a: i64) {
    black_box(a);
}

// ---- text and arrays -----------------------------------------------------------------------

pub const TEXT: &str = "hello world";

pub fn sum_bytes(bytes: impl Iterator<Item = u8>) -> i64 {
    bytes.map(i64::from).sum()
}

/// From left to right, and from 0.0 on: `sum()` of no floats is -0.0.
pub fn sum_floats(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

pub fn weigh(key: &str, value: f64) -> f64 {
    sum_bytes(key.bytes()) as f64 * value
}

/// Items that lie `stride` bytes apart, and that somebody else may be writing to: a slice would
/// promise the compiler that this cannot happen.
pub struct Items<'a, T> {
    next: *const T,
    left: usize,
    stride: isize,
    owner: PhantomData<&'a [T]>,
}

// SAFETY: only ever read, and by the contract of `new` readable for 'a from anywhere.
unsafe impl<T: Send> Send for Items<'_, T> {}

impl<T: Copy> Items<'_, T> {
    /// # Safety
    /// `n` aligned items from `start` on stay readable for the lifetime of what is returned;
    /// `start` may be anything when `n` is 0.
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

// ---- calls ---------------------------------------------------------------------------------

pub fn call<E>(function: impl Fn(f64) -> Result<f64, E>, x: f64) -> Result<f64, E> {
    Ok(function(x)? + 1.0)
}

/// What went wrong, and where.
pub struct Failure {
    pub code: i32,
    pub offset: i64,
}

pub fn fail(code: i32) -> Result<(), i32> {
    if code == 0 { Ok(()) } else { Err(code) }
}

pub fn fail_at(code: i32, offset: i64) -> Result<(), Failure> {
    fail(code).map_err(|code| Failure { code, offset })
}

/// Rounds of xorshift64: work that can be cut anywhere and taken up again.
pub fn work(state: u64, rounds: u64) -> u64 {
    (0..rounds).fold(state, |mut state, _| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^ state << 17
    })
}
