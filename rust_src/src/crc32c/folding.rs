//! Folding 64 bytes at a time with the AVX-512 form of carry-less multiplication.
//!
//! 16 bytes are a polynomial. It can be moved past the n bytes after it and added to the bytes
//! there without being reduced: its first half is multiplied by x^(8n + 64), its second by x^8n.
//!
//! ```text
//! |x: 64 bytes|  n - 64 bytes  |onto: 64 bytes|      fold(x, factors of n, onto) replaces x:
//! |  removed  |                | x * x^8n + onto |   the CRC of the whole stays the same
//! ```
//!
//! Only the last 16 bytes are reduced, by two crc32 instructions. The factors are 33 powers short
//! as in `zeros`: a product stands one power too low, and the instruction contributes x^32.

use super::lanes::zeros;
use crate::Input;
use std::arch::x86_64::*;

/// Folding is as fast as memory can be read, but it occupies the vector units. A shorter record is
/// in the cache, and its decoding needs these units at the same time.
pub const ENOUGH: usize = 16384;

const LINE: usize = 64;
const CHAINS: usize = 4; // side by side, because a multiplication takes some cycles

/// Fold whole lines while there are any. Return the sum and the rest. `data` has at least `CHAINS`.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,vpclmulqdq,pclmulqdq,sse4.2")]
pub fn lines(sum: u32, data: Input<'_>) -> (u32, Input<'_>) {
    let Some((head, mut data)) = data.split(CHAINS * LINE) else { return (sum, data) };
    let mut chains = four(head);
    let before = _mm512_zextsi128_si512(_mm_cvtsi32_si128(sum as i32));
    chains[0] = _mm512_xor_si512(chains[0], before);
    let past = factors(const { [zeros(CHAINS * LINE + 8), zeros(CHAINS * LINE)] });
    while let Some((next, rest)) = data.split(CHAINS * LINE) {
        for (chain, line) in chains.iter_mut().zip(four(next)) {
            *chain = fold(*chain, past, line);
        }
        data = rest;
    }
    let past = factors(const { [zeros(LINE + 8), zeros(LINE)] });
    let [mut all, rest @ ..] = chains;
    for chain in rest {
        all = fold(all, past, chain);
    }
    while let Some((next, rest)) = data.split(LINE) {
        all = fold(all, past, line(next));
        data = rest;
    }
    (reduce(all), data)
}

/// Return the CRC of the 64 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,vpclmulqdq,pclmulqdq,sse4.2")]
fn reduce(line: __m512i) -> u32 {
    let past = factors(const { [zeros(16 + 8), zeros(16)] });
    let mut rest = line;
    let mut first = _mm512_castsi512_si128(line);
    for _ in 1..4 {
        rest = _mm512_alignr_epi64::<2>(rest, rest); // move the next 16 bytes to the front
        first = _mm512_castsi512_si128(fold(_mm512_zextsi128_si512(first), past, rest));
    }
    let sum = _mm_crc32_u64(0, _mm_cvtsi128_si64(first) as u64);
    _mm_crc32_u64(sum, _mm_extract_epi64::<1>(first) as u64) as u32
}

#[inline]
#[target_feature(enable = "avx512f")]
fn factors([first, second]: [u32; 2]) -> __m512i {
    _mm512_broadcast_i32x4(_mm_setr_epi32(first as i32, 0, second as i32, 0))
}

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn fold(x: __m512i, factors: __m512i, onto: __m512i) -> __m512i {
    let first = _mm512_clmulepi64_epi128::<0x00>(x, factors);
    let second = _mm512_clmulepi64_epi128::<0x11>(x, factors);
    _mm512_ternarylogic_epi64::<0x96>(first, second, onto) // the exclusive or of all three
}

#[inline]
#[target_feature(enable = "avx512f")]
fn four(lines: Input<'_>) -> [__m512i; CHAINS] {
    std::array::from_fn(|n| {
        lines.range(n * LINE, LINE).map_or(_mm512_setzero_si512(), |at| line(at))
    })
}

#[inline]
#[target_feature(enable = "avx512f")]
fn line(bytes: Input<'_>) -> __m512i {
    debug_assert!(bytes.len() >= LINE);
    // SAFETY: every caller has split off 64 bytes.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}
