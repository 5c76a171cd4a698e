//! CRC-32C (Castagnoli), the checksum of TFRecord.
//!
//! A polynomial over GF(2) sits in a `u32` with its highest power in bit 0. The CPU's instruction
//! takes 8 bytes every 3 cycles but could start one every cycle, so a long input is summed as three
//! independent lanes. Lane sums are joined by what trailing zeros do to a sum: `n` zero bytes
//! multiply it by x^8n modulo the polynomial. Where there is AVX-512, a very long input is folded.

#[cfg(target_arch = "x86_64")]
mod folding;

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
                !x86::sum(sum, rest)
            } else {
                !x86::sum(!0, data)
            }
        };
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::times_x;
    use crate::Input;
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "sse4.2,pclmulqdq")]
    pub fn sum(sum: u32, data: Input<'_>) -> u32 {
        let (sum, data) = lanes::<1024>(sum, data);
        let (sum, mut data) = lanes::<128>(sum, data);
        let mut sum = u64::from(sum);
        while let (Some(word), Some((_, rest))) = (data.array(), data.split(8)) {
            sum = _mm_crc32_u64(sum, u64::from_le_bytes(word));
            data = rest;
        }
        let mut sum = sum as u32;
        while let (Some([byte]), Some((_, rest))) = (data.array(), data.split(1)) {
            sum = _mm_crc32_u8(sum, byte);
            data = rest;
        }
        sum
    }

    /// Takes as many times three lanes of `LANE` bytes as there are.
    #[target_feature(enable = "sse4.2,pclmulqdq")]
    fn lanes<const LANE: usize>(mut sum: u32, mut data: Input<'_>) -> (u32, Input<'_>) {
        while let Some((block, rest)) = data.split(3 * LANE) {
            let mut sums = [u64::from(sum), 0, 0];
            for at in (0..LANE).step_by(8) {
                for (lane, sum) in sums.iter_mut().enumerate() {
                    let word = block.range(lane * LANE + at, 8).and_then(Input::array);
                    *sum = _mm_crc32_u64(*sum, u64::from_le_bytes(word.unwrap_or_default()));
                }
            }
            sum = append_zeros(sums[0], const { zeros(2 * LANE) })
                ^ append_zeros(sums[1], const { zeros(LANE) })
                ^ sums[2] as u32;
            data = rest;
        }
        (sum, data)
    }

    /// The factor for [`append_zeros`]: x^(8 * bytes - 33).
    pub(super) const fn zeros(bytes: usize) -> u32 {
        let mut power = 1 << 31;
        let mut n = 0;
        while n < 8 * bytes - 33 {
            power = times_x(power);
            n += 1;
        }
        power
    }

    /// The product of two 32-bit polynomials stands one power too low in 64 bits, and the CRC of a
    /// word is its remainder times x^32: hence the 33 that `factor` is short of.
    #[target_feature(enable = "sse4.2,pclmulqdq")]
    fn append_zeros(sum: u64, factor: u32) -> u32 {
        let sum = _mm_cvtsi64_si128(sum as i64);
        let factor = _mm_cvtsi64_si128(i64::from(factor));
        _mm_crc32_u64(0, _mm_cvtsi128_si64(_mm_clmulepi64_si128::<0>(sum, factor)) as u64) as u32
    }
}
