//! The keys and cache lines of eight pretokens at a time (x86-64 with AVX-512).

use std::arch::x86_64::*;

use super::block::Block;
use super::cache::Cache;
use super::keys::{K1, K2, SHORT};

/// The least number of pretokens that repays the use of a register.
const FEW: usize = 3;

/// Prepare eight pretokens at a time, as long as 16 bytes can be read at each, and return their
/// number.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn look_ahead(block: &mut Block, text: &[u8], cache: &Cache) -> usize {
    let Some(last) = text.len().checked_sub(16) else { return 0 };
    let last = _mm256_set1_epi32(last as i32);
    let short = _mm256_set1_epi32(SHORT as i32);
    let halves = [
        _mm512_setr_epi32(0, 0, 0, 0, 1, 0, 1, 0, 2, 0, 2, 0, 3, 0, 3, 0),
        _mm512_setr_epi32(4, 0, 4, 0, 5, 0, 5, 0, 6, 0, 6, 0, 7, 0, 7, 0),
    ];
    let evens = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
    let bits = _mm512_broadcast_i64x2(_mm_set_epi64x(128, 64));
    let factors = _mm512_broadcast_i64x2(_mm_set_epi64x(K2 as i64, K1 as i64));
    let shift = _mm_cvtsi32_si128(cache.shift() as i32);
    let n = block.n;
    let end = block.bounds[n];
    block.bounds[n + 1..].iter_mut().take(8).for_each(|bound| *bound = end);
    let mut i = 0;
    while i + FEW < n
        && let Some(starts) = block.bounds[i..].first_chunk::<8>()
        && let Some(ends) = block.bounds[i + 1..].first_chunk::<8>()
        && let Some(lines) = block.lines[i..].first_chunk_mut::<8>()
        && let Some(keys) = block.keys[i..].first_chunk_mut::<8>()
    {
        // SAFETY: eight numbers of four bytes each.
        let (first, after) = unsafe {
            (_mm256_loadu_si256(starts.as_ptr().cast()), _mm256_loadu_si256(ends.as_ptr().cast()))
        };
        if _mm256_cmpgt_epu32_mask(first, last) != 0 {
            break;
        }
        let sizes = _mm256_sub_epi32(after, first);
        let mut hashes = [_mm512_setzero_si512(); 2];
        for (half, hash) in hashes.iter_mut().enumerate() {
            // SAFETY: the text has 16 bytes at each of them.
            let at = |k: usize| unsafe {
                _mm_loadu_si128(text.as_ptr().add(starts[4 * half + k] as usize).cast())
            };
            let low = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(0)), at(1));
            let high = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(at(2)), at(3));
            let bytes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            let wide = _mm512_castsi256_si512(sizes);
            let size = _mm512_maskz_permutexvar_epi32(0x5555, halves[half], wide);
            let unused = _mm512_subs_epu16(bits, _mm512_slli_epi64::<3>(size));
            let mask = _mm512_srlv_epi64(_mm512_set1_epi64(-1), unused);
            let size = _mm512_maskz_slli_epi64::<56>(0xAA, size);
            let key = _mm512_or_si512(_mm512_and_si512(bytes, mask), size);
            // SAFETY: room for four keys.
            unsafe { _mm512_storeu_si512(keys.as_mut_ptr().add(4 * half).cast(), key) };
            let product = _mm512_mullo_epi64(key, factors);
            *hash = _mm512_add_epi64(product, _mm512_shuffle_epi32::<0x4E>(product));
        }
        let hash = _mm512_permutex2var_epi64(hashes[0], evens, hashes[1]);
        let found = _mm512_cvtepi64_epi32(_mm512_srl_epi64(hash, shift));
        // SAFETY: room for eight numbers of four bytes.
        unsafe { _mm256_storeu_si256(lines.as_mut_ptr().cast(), found) };
        lines.iter().for_each(|&line| cache.expect(line));
        let mut longs = _mm256_cmpgt_epu32_mask(sizes, short);
        while longs != 0 {
            let k = i + longs.trailing_zeros() as usize;
            longs &= longs - 1;
            block.look_ahead_at(k, text, cache);
        }
        i += 8;
    }
    i.min(n)
}
