//! Packed runs of varints, in which a decoder of token ids spends its time.

#[cfg(target_arch = "x86_64")]
mod avx512;

use crate::wire::{Fault, Message, Result};
use crate::{Code, Isa, Output};

/// An integer of `N` bytes, into which a varint is decoded.
pub(crate) trait Integer<const N: usize> {
    /// The smallest and the largest value.
    const RANGE: (i64, i64);

    /// Return the bytes of a value that is in range, or any bytes for another.
    fn bytes(value: i64) -> [u8; N];
}

impl Integer<8> for i64 {
    const RANGE: (i64, i64) = (i64::MIN, i64::MAX);

    #[inline(always)]
    fn bytes(value: i64) -> [u8; 8] {
        value.to_ne_bytes()
    }
}

impl Integer<4> for i32 {
    const RANGE: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

    #[inline(always)]
    fn bytes(value: i64) -> [u8; 4] {
        (value as i32).to_ne_bytes()
    }
}

impl Integer<2> for u16 {
    const RANGE: (i64, i64) = (0, u16::MAX as i64);

    #[inline(always)]
    fn bytes(value: i64) -> [u8; 2] {
        (value as u16).to_ne_bytes()
    }
}

#[inline(always)]
fn fits<T: Integer<N>, const N: usize>(value: u64) -> bool {
    (T::RANGE.0..=T::RANGE.1).contains(&(value as i64))
}

/// Return the next varint, if it is in range.
#[inline(always)]
pub(crate) fn one<T: Integer<N>, const N: usize>(run: &mut Message<'_>) -> Result<[u8; N]> {
    let (at, (low, high)) = (run.at(), T::RANGE);
    let value = run.varint()?;
    let actual = value as i64;
    if !fits::<T, N>(value) {
        let expected = if actual < low { low } else { high };
        return Err(Fault { code: Code::Range, at, expected, actual });
    }
    Ok(T::bytes(actual))
}

/// Decode a run to its end and return its number of values. Values for which `slots` has room are
/// stored, and each is checked to be in range.
#[inline(always)]
pub(crate) fn decode<T: Integer<N>, const N: usize>(
    isa: Isa,
    mut run: Message<'_>,
    slots: Output<'_, [u8; N]>,
) -> Result<usize> {
    let mut count = 0;
    #[cfg(target_arch = "x86_64")]
    if isa.has_vbmi() {
        while run.rest().len() >= avx512::ENOUGH {
            let free = slots.from(count);
            // SAFETY: the features are there.
            let (values, bytes) = unsafe { avx512::decode(run.rest(), free) };
            count += values;
            run.take(bytes);
            if !run.rest().is_empty() {
                // one by one: too long, out of range, cut short, or no room
                store(one::<T, N>(&mut run)?, slots, &mut count);
            }
        }
    }
    let _ = isa;
    loop {
        let mut after = run;
        let Some([first, second]) = after.two_varints_in_word() else { break };
        if !fits::<T, N>(first) || !fits::<T, N>(second) {
            break;
        }
        store(T::bytes(first as i64), slots, &mut count);
        store(T::bytes(second as i64), slots, &mut count);
        run = after;
    }
    while !run.rest().is_empty() {
        store(one::<T, N>(&mut run)?, slots, &mut count);
    }
    Ok(count)
}

/// Store the value if there is room for it.
#[inline(always)]
fn store<const N: usize>(value: [u8; N], slots: Output<'_, [u8; N]>, count: &mut usize) {
    slots.write(*count, value);
    *count += 1;
}
