//! Decoding of varints by byte permutations, 64 bytes at once.
//!
//! A varint ends with the first byte whose top bit is clear. Collected from 64 bytes, the top bits
//! say where every varint starts:
//!
//! ```text
//! bytes    05 | ac 02 | 07 | ff ff 03 | ..      the varints 5, 300, 7, 65535
//! tops      0    1  0    0    1  1  0
//! ends      1    0  1    1    0  0  1           bit i: byte i ends a varint
//! starts    0    1       3    4                 each follows an end
//! ```

use crate::{Input, Output};
use std::arch::x86_64::*;

/// For fewer bytes, decoding one by one is faster.
pub const ENOUGH: usize = 9;

/// The numbers 0 to 63.
static COUNTING: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut n = 0;
    while n < 64 {
        numbers[n] = n as u8;
        n += 1;
    }
    numbers
};

/// Decode varints from the beginning of a run. Stop before one of more than 8 bytes (of 4, unless
/// `N` is 8), one out of range, or one that is cut short, or when there is no room for 64 more.
/// Return the number of values, and of bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
pub fn decode<const N: usize>(run: Input<'_>, slots: Output<'_, [u8; N]>) -> (usize, usize) {
    let (short, done) = windows::<N, 4>(run, slots);
    match run.split(done) {
        Some((_, rest)) if N == 8 && !rest.is_empty() => {
            let (long, more) = windows::<N, 8>(rest, slots.from(short));
            (short + long, done + more)
        }
        _ => (short, done),
    }
}

/// Decode up to a varint of more than `LONGEST` bytes, in windows of 64 bytes.
///
/// The places of the windows do not depend on where varints end, so that the CPU can work on
/// several at once. Neighbouring windows share as many bytes as the longest varint here: a varint
/// that is cut by the end of a window lies wholly in the next. A permutation takes its indices
/// modulo 64, so any bytes are safe.
///
/// ```text
/// window 0   |................................ssss|
/// window 1                                   |ssss................................ssss|
/// ```
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn windows<const N: usize, const LONGEST: usize>(
    run: Input<'_>,
    slots: Output<'_, [u8; N]>,
) -> (usize, usize) {
    // `fresh` has the bytes that were not in the window before.
    let (mut count, mut done, mut fresh, mut at) = (0, 0, !0u64, 0);
    while let (Some((_, rest)), Some(free)) = (run.split(at), room(slots, count)) {
        let there = !0 >> (64 - rest.len().clamp(1, 64));
        // SAFETY: only bytes of the run are loaded.
        let block = unsafe { _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast()) };
        let more = _mm512_movepi8_mask(block);
        let four = more & (more >> 1) & (more >> 2) & (more >> 3);
        let too_long = if LONGEST == 8 { four & (four >> 4) } else { four };
        let mut ends = !more & there;
        if too_long != 0 {
            ends &= (too_long & too_long.wrapping_neg()) - 1;
        }
        let before = 64 - (ends & !fresh).leading_zeros();
        let begins = (ends << 1 | 1) & (!0 << before);
        let starts = _mm512_maskz_compress_epi8(begins, counting());
        let found = (ends & fresh).count_ones() as usize;
        if N == 8 && LONGEST == 8 {
            store_long(free, block, starts, found);
        } else if !store_short(free, block, starts, found) {
            break;
        }
        count += found;
        done = at + 64 - ends.leading_zeros() as usize;
        if too_long != 0 || rest.len() <= 64 {
            break;
        }
        fresh = !0 << LONGEST;
        at += 64 - LONGEST;
    }
    (count, done)
}

#[inline(always)]
fn room<const N: usize>(slots: Output<'_, [u8; N]>, from: usize) -> Option<*mut [u8; N]> {
    let free = slots.from(from);
    (free.len() >= 64).then(|| free.as_ptr())
}

/// Store values of at most 4 bytes; `free` has 64 slots. Return false if one of them does not fit.
/// Two groups of 16 are always stored, because a branch on their number would be mispredicted.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn store_short<const N: usize>(
    free: *mut [u8; N],
    block: __m512i,
    starts: __m512i,
    found: usize,
) -> bool {
    let mut lost = 0;
    for pair in (0..found.min(64)).step_by(32) {
        for first in [pair, pair + 16] {
            let some = sixteen(block, starts, first as i8);
            // SAFETY: sixteen of the 64 slots begin there, as `first` is at most 48.
            unsafe {
                let to = free.add(first);
                match N {
                    8 => {
                        let rest = _mm512_extracti64x4_epi64::<1>(some);
                        let some = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(some));
                        _mm512_storeu_epi64(to.cast(), some);
                        _mm512_storeu_epi64(to.add(8).cast(), _mm512_cvtepu32_epi64(rest));
                    }
                    4 => _mm512_storeu_epi32(to.cast(), some),
                    _ => {
                        let there = (1u32 << found.saturating_sub(first).min(16)) - 1;
                        let most = _mm512_set1_epi32(u16::MAX.into());
                        lost |= _mm512_mask_cmpgt_epu32_mask(there as u16, some, most);
                        _mm256_storeu_si256(to.cast(), _mm512_cvtepi32_epi16(some));
                    }
                }
            }
        }
    }
    lost == 0
}

/// Store values of at most 8 bytes; `free` has 64 slots. This is a function of its own, so that its
/// constants are loaded only if there are such values.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn store_long<const N: usize>(free: *mut [u8; N], block: __m512i, starts: __m512i, found: usize) {
    for first in (0..found.min(64)).step_by(8) {
        let values = eight(block, starts, first as i8);
        // SAFETY: eight of the 64 slots begin there, of eight bytes each.
        unsafe { _mm512_storeu_epi64(free.add(first).cast(), values) };
    }
}

/// Return the varints of at most 4 bytes from start number `first` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn sixteen(block: __m512i, starts: __m512i, first: i8) -> __m512i {
    let tops = _mm512_set1_epi32(0x8080_8080u32 as i32);
    let groups = take::<2>(block, starts, first);
    let stops = _mm512_andnot_si512(groups, tops);
    let through = _mm512_xor_si512(stops, _mm512_sub_epi32(stops, _mm512_set1_epi32(1)));
    join(_mm512_andnot_si512(tops, _mm512_and_si512(groups, through)))
}

/// Return the varints of at most 8 bytes from start number `first` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn eight(block: __m512i, starts: __m512i, first: i8) -> __m512i {
    let tops = _mm512_set1_epi32(0x8080_8080u32 as i32);
    let low = _mm512_set1_epi64(0x0fff_ffff);
    let groups = take::<3>(block, starts, first);
    let stops = _mm512_andnot_si512(groups, tops);
    let through = _mm512_xor_si512(stops, _mm512_sub_epi64(stops, _mm512_set1_epi64(1)));
    let halves = join(_mm512_andnot_si512(tops, _mm512_and_si512(groups, through)));
    let high = _mm512_andnot_si512(low, _mm512_srli_epi64::<4>(halves));
    _mm512_or_si512(_mm512_and_si512(halves, low), high)
}

/// Return one lane of 1 << `SHIFT` bytes for each varint from number `first` on: the bytes from its
/// start on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn take<const SHIFT: u32>(block: __m512i, starts: __m512i, first: i8) -> __m512i {
    let within = _mm512_and_si512(counting(), _mm512_set1_epi8((1 << SHIFT) - 1));
    let lane = _mm512_srli_epi64::<SHIFT>(counting());
    let lane = _mm512_and_si512(lane, _mm512_set1_epi8(63 >> SHIFT));
    let from = _mm512_permutexvar_epi8(_mm512_add_epi8(lane, _mm512_set1_epi8(first)), starts);
    _mm512_permutexvar_epi8(_mm512_add_epi8(from, within), block)
}

/// Join groups of 7 bits to 14 and these to 28, in every 4 bytes. The groups do not overlap, so
/// they are joined by a multiplication and a sum: low * 1 + high * 2^7, then * 2^14.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn join(sevens: __m512i) -> __m512i {
    let fourteens = _mm512_maddubs_epi16(_mm512_set1_epi16(-0x7fff), sevens);
    _mm512_madd_epi16(fourteens, _mm512_set1_epi32(0x4000_0001))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn counting() -> __m512i {
    // SAFETY: there are 64 bytes.
    unsafe { _mm512_loadu_epi8(COUNTING.as_ptr().cast()) }
}
