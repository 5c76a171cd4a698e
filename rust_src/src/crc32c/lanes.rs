//! CRC-32C with the CPU's instruction for a word, in three lanes side by side.

use super::{find, move_past, times_x};
use crate::Input;
#[cfg(target_arch = "aarch64")]
use arm::{add_byte, add_word, multiply};
#[cfg(target_arch = "x86_64")]
use x86::{add_byte, add_word, multiply};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "sse4.2")]
    pub fn add_word(sum: u64, word: u64) -> u64 {
        _mm_crc32_u64(sum, word)
    }

    #[inline]
    #[target_feature(enable = "sse4.2")]
    pub fn add_byte(sum: u64, byte: u8) -> u64 {
        _mm_crc32_u8(sum as u32, byte).into()
    }

    #[inline]
    #[target_feature(enable = "pclmulqdq")]
    pub fn multiply(a: u64, b: u64) -> u64 {
        let (a, b) = (_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64));
        _mm_cvtsi128_si64(_mm_clmulepi64_si128::<0>(a, b)) as u64
    }
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use std::arch::aarch64::*;

    #[inline]
    #[target_feature(enable = "crc")]
    pub fn add_word(sum: u64, word: u64) -> u64 {
        __crc32cd(sum as u32, word).into()
    }

    #[inline]
    #[target_feature(enable = "crc")]
    pub fn add_byte(sum: u64, byte: u8) -> u64 {
        __crc32cb(sum as u32, byte).into()
    }

    #[inline]
    #[target_feature(enable = "neon,aes")]
    pub fn multiply(a: u64, b: u64) -> u64 {
        vmull_p64(a, b) as u64
    }
}

/// The most words of a lane.
const LANE: usize = 32;
/// Bytes from which on three lanes pay.
const SHORT: usize = 32;

/// [`append_zeros`]' factors for n words.
static PAST: [u32; 2 * LANE + 1] = {
    let mut past = [0; 2 * LANE + 1];
    let mut n = 1;
    while n < past.len() {
        past[n] = zeros(8 * n);
        n += 1;
    }
    past
};

#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.2,pclmulqdq"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "crc,neon,aes"))]
pub fn sum(sum: u32, mut data: Input<'_>) -> u32 {
    let mut sum = u64::from(sum);
    while let Some((block, rest)) = data.split(24 * LANE) {
        sum = three(sum, block, LANE);
        data = rest;
    }
    if data.len() >= SHORT {
        return of_any_size(sum, data) as u32;
    }
    while let (Some(word), Some((_, rest))) = (data.array(), data.split(8)) {
        sum = add_word(sum, u64::from_le_bytes(word));
        data = rest;
    }
    while let (Some([byte]), Some((_, rest))) = (data.array(), data.split(1)) {
        sum = add_byte(sum, byte);
        data = rest;
    }
    sum as u32
}

/// Sum data of any size without a branch on it, which would be mispredicted: one to eight bytes,
/// then the words that three lanes leave over, then the lanes.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.2,pclmulqdq"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "crc,neon,aes"))]
fn of_any_size(sum: u64, data: Input<'_>) -> u64 {
    let word = |at| data.range(at, 8).and_then(Input::array).map_or(0, u64::from_le_bytes);
    let head = (data.len() - 1) % 8 + 1;
    let words = (data.len() - head) / 8;
    let shifted = (word(0) ^ sum) << (64 - 8 * head);
    let none = add_word(0, shifted) ^ (sum >> (4 * head) >> (4 * head));
    let one = add_word(none, word(head));
    let two = add_word(one, word(head + 8));
    let odd = words % 3;
    let sum = [none, one, two][odd];
    data.split(head + 8 * odd).map_or(sum, |(_, rest)| three(sum, rest, words / 3))
}

/// Sum three lanes of `n` words.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.2,pclmulqdq"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "crc,neon,aes"))]
fn three(sum: u64, data: Input<'_>, n: usize) -> u64 {
    let lane = |number: usize| data.range(number * 8 * n, 8 * n);
    let load = |word: Input<'_>| word.array().map_or(0, u64::from_le_bytes);
    let (mut first, mut second, mut third) = (sum, 0, 0);
    if let (Some(a), Some(b), Some(c)) = (lane(0), lane(1), lane(2)) {
        for ((a, b), c) in a.every(8, 8).zip(b.every(8, 8)).zip(c.every(8, 8)) {
            first = add_word(first, load(a));
            second = add_word(second, load(b));
            third = add_word(third, load(c));
        }
    }
    append_zeros(first, PAST[2 * n], second, PAST[n]) ^ third
}

/// Return the factor for [`append_zeros`]: x^(8 * bytes - 33).
pub(super) const fn zeros(bytes: usize) -> u32 {
    let mut power = 1 << 31;
    let mut n = 0;
    while n < 8 * bytes - 33 {
        power = times_x(power);
        n += 1;
    }
    power
}

/// Move two sums past the bytes that their factors stand for, and add them. The product of two
/// 32-bit polynomials stands one power too low in 64 bits, and the CRC of a word is its remainder
/// times x^32: this is why the factors are 33 short.
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.2,pclmulqdq"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "crc,neon,aes"))]
fn append_zeros(first: u64, past_first: u32, second: u64, past_second: u32) -> u64 {
    let (first, second) =
        (multiply(first, past_first.into()), multiply(second, past_second.into()));
    add_word(0, first ^ second)
}

/// See [`super::past`].
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.2,pclmulqdq"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "crc,neon,aes"))]
pub fn past(sum: u32, size: usize) -> u32 {
    move_past(sum, size, |sum, power| add_word(0, multiply(sum.into(), power.into())) as u32)
}

/// See [`super::find_header`].
#[inline]
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "sse4.2,pclmulqdq"))]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "crc,neon,aes"))]
pub fn find_header(data: Input<'_>, from: usize, to: usize) -> usize {
    find(data, from, to, |eight| !(add_word(0xffff_ffff, eight) as u32))
}
