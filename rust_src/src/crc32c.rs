//! CRC-32C (Castagnoli), the checksum of TFRecord.
//!
//! A polynomial over GF(2) sits in a `u32` with its highest power in bit 0. The CPU's instruction
//! takes 8 bytes every 3 cycles but could start one every cycle, so a long input is summed as three
//! independent lanes. Lane sums are joined by what trailing zeros do to a sum: `n` zero bytes
//! multiply it by x^8n modulo the polynomial. Where there is AVX-512, a very long input is folded.

#[cfg(target_arch = "x86_64")]
mod folding;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;

use crate::{Input, isa::Isa};

const POLYNOMIAL: u32 = 0x82f6_3b78;

/// The checksum of `data`; `crc32c("123456789")` is `0xe3069283`.
#[inline(always)]
pub fn crc32c(isa: Isa, data: Input<'_>) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if isa.level() >= crate::isa::Level::Avx2 {
        // SAFETY: that level includes both features, and the other one has been asked for.
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

/// The checksum as TFRecord stores it, so that a sum over data that holds sums stays sound.
#[inline(always)]
pub fn masked(isa: Isa, data: Input<'_>) -> u32 {
    crc32c(isa, data).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// `sum * x` modulo the polynomial.
const fn times_x(sum: u32) -> u32 {
    (sum >> 1) ^ (POLYNOMIAL * (sum & 1))
}

/// `TABLES[n][b]`: what byte `b` adds to the sum when `n` more bytes of the same step follow it.
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

fn portable(mut data: Input<'_>) -> u32 {
    let mut sum = !0;
    while let (Some(word), Some((_, rest))) = (data.array(), data.split(8)) {
        let bytes = (u64::from_le_bytes(word) ^ u64::from(sum)).to_le_bytes();
        sum = (0..8).fold(0, |sum, i| sum ^ TABLES[7 - i][usize::from(bytes[i])]);
        data = rest;
    }
    while let (Some([byte]), Some((_, rest))) = (data.array(), data.split(1)) {
        sum = (sum >> 8) ^ TABLES[0][usize::from(byte ^ sum as u8)];
        data = rest;
    }
    !sum
}
