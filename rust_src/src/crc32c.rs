//! CRC-32C (Castagnoli), the checksum of TFRecord.
//!
//! A polynomial over GF(2) is stored in a `u32` with its highest power in bit 0. The CPU's
//! instruction takes 8 bytes every 3 cycles but could start one every cycle, so a long input is
//! summed as three independent lanes. To join the sums of lanes, a sum is moved past the bytes
//! after it: `n` zero bytes multiply it by x^8n modulo the polynomial. With AVX-512, a very long
//! input is folded.

#[cfg(target_arch = "x86_64")]
mod folding;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;

use crate::{Input, isa::Isa};

const POLYNOMIAL: u32 = 0x82f6_3b78;

/// Return the checksum of `data`; `crc32c("123456789")` is `0xe3069283`.
#[inline(always)]
pub fn crc32c(isa: Isa, data: Input<'_>) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if isa.level() >= crate::isa::Level::Avx2 {
        // SAFETY: that level includes both features, and the third is checked.
        return unsafe {
            if isa.has_vpclmulqdq() && data.len() >= folding::ENOUGH {
                let (sum, rest) = folding::lines(!0, data);
                !lanes::sum(sum, rest)
            } else {
                !lanes::sum(!0, data)
            }
        };
    }
    #[cfg(target_arch = "aarch64")]
    if isa.level() >= crate::isa::Level::Crc {
        // SAFETY: that level is both features.
        return unsafe { !lanes::sum(!0, data) };
    }
    let _ = isa;
    portable(data)
}

/// Return the checksum as TFRecord stores it: masked, because a checksum of data that contains
/// checksums is weak.
#[inline(always)]
pub fn masked(isa: Isa, data: Input<'_>) -> u32 {
    mask(crc32c(isa, data))
}

/// Mask a checksum, as TFRecord stores it.
#[inline(always)]
pub(crate) fn mask(sum: u32) -> u32 {
    sum.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Return the contribution of `sum`, the checksum of data a, to the checksum of a followed by
/// `size` bytes b: `crc(a b) == past(crc(a), b.len()) ^ crc(b)`. This takes O(log size)
/// multiplications.
pub(crate) fn past(isa: Isa, sum: u32, size: usize) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if isa.level() >= crate::isa::Level::Avx2 {
        // SAFETY: that level includes both features.
        return unsafe { lanes::past(sum, size) };
    }
    #[cfg(target_arch = "aarch64")]
    if isa.level() >= crate::isa::Level::Crc {
        // SAFETY: that level is both features.
        return unsafe { lanes::past(sum, size) };
    }
    let _ = isa;
    move_past(sum, size, |sum, power| {
        let product = (0..32).fold(0, |product, bit| {
            product ^ ((u64::from(sum) << bit) * u64::from(power >> bit & 1))
        });
        portable_from(0, Input::from(product.to_le_bytes().as_slice()))
    })
}

/// Multiply by one power of x for each bit of `size` that is set. The powers x^(2^k) repeat after
/// 31.
///
/// ```text
/// size = 6 = 4 + 2 bytes:  x^48 = x^32 * x^16       k = 5 and 4
/// ```
#[inline(always)]
fn move_past(sum: u32, size: usize, times: impl Fn(u32, u32) -> u32) -> u32 {
    (0..usize::BITS as usize)
        .take_while(|&bit| size >> bit > 0)
        .filter(|&bit| size >> bit & 1 == 1)
        .fold(sum, |sum, bit| times(sum, POWERS[(bit + 3) % 31]))
}

/// x^(2^k - 33). It is 33 less for two reasons: the product of two numbers stands one power too
/// low, and the CRC of a word is its remainder times x^32.
static POWERS: [u32; 31] = {
    let mut powers = [0; 31];
    let mut k = 0;
    while k < 31 {
        // x^(2^31 - 1) is 1, so the exponents of the first six are made positive.
        let exponent = if k < 6 { (1 << k) + 0x7fff_ffff - 33 } else { (1 << k) - 33 };
        powers[k] = power(exponent);
        k += 1;
    }
    powers
};

/// Return x^exponent modulo the polynomial.
const fn power(exponent: u32) -> u32 {
    let mut result = 1 << 31;
    let mut bit = 32;
    while bit > 0 {
        bit -= 1;
        result = product(result, result);
        if exponent >> bit & 1 == 1 {
            result = times_x(result);
        }
    }
    result
}

/// Return a * b modulo the polynomial.
const fn product(a: u32, mut b: u32) -> u32 {
    let mut sum = 0;
    let mut bit = 32;
    while bit > 0 {
        bit -= 1;
        sum ^= b * (a >> bit & 1);
        b = times_x(b);
    }
    sum
}

/// Return the first position from `from` on and before `to` at which there is a header of a
/// TFRecord, eight bytes and their masked checksum; or `to`.
pub(crate) fn find_header(isa: Isa, data: Input<'_>, from: usize, to: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    if isa.level() >= crate::isa::Level::Avx2 {
        // SAFETY: that level includes both features.
        return unsafe { lanes::find_header(data, from, to) };
    }
    #[cfg(target_arch = "aarch64")]
    if isa.level() >= crate::isa::Level::Crc {
        // SAFETY: that level is both features.
        return unsafe { lanes::find_header(data, from, to) };
    }
    let _ = isa;
    find(data, from, to, |eight| !portable_from(!0, Input::from(eight.to_le_bytes().as_slice())))
}

#[inline(always)]
fn find(data: Input<'_>, from: usize, to: usize, sum: impl Fn(u64) -> u32) -> usize {
    let Some(headers) = data.range(from, to.saturating_sub(from) + 11) else { return to };
    let is_header = |at: Input<'_>| {
        let stored = at.range(8, 4).and_then(Input::array).map(u32::from_le_bytes);
        at.array().is_some_and(|eight| Some(mask(sum(u64::from_le_bytes(eight)))) == stored)
    };
    headers.every(1, 12).position(is_header).map_or(to, |n| from + n)
}

/// Return `sum * x` modulo the polynomial.
const fn times_x(sum: u32) -> u32 {
    (sum >> 1) ^ (POLYNOMIAL * (sum & 1))
}

/// `TABLES[n][b]` is the contribution of byte `b` to the sum when `n` more bytes of the same step
/// follow it.
static TABLES: [[u32; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut n = 0;
        while n < 8 {
            let mut bit = 0;
            while bit < 8 {
                sum = times_x(sum);
                bit += 1;
            }
            tables[n][byte] = sum;
            n += 1;
        }
        byte += 1;
    }
    tables
};

fn portable(data: Input<'_>) -> u32 {
    !portable_from(!0, data)
}

fn portable_from(mut sum: u32, mut data: Input<'_>) -> u32 {
    while let (Some(word), Some((_, rest))) = (data.array(), data.split(8)) {
        let bytes = (u64::from_le_bytes(word) ^ u64::from(sum)).to_le_bytes();
        sum = (0..8).fold(0, |sum, i| sum ^ TABLES[7 - i][usize::from(bytes[i])]);
        data = rest;
    }
    while let (Some([byte]), Some((_, rest))) = (data.array(), data.split(1)) {
        sum = (sum >> 8) ^ TABLES[0][usize::from(byte ^ sum as u8)];
        data = rest;
    }
    sum
}
