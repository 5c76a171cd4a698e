//! The pieces of a block, all of whose keys are made, and their lines fetched, before the first is
//! looked up. Neither of the two passes has a branch on the size of a piece, which is random.

use super::keys::{SHORT, hash, key_of};
use super::recent::{Find, Portable, Recent, SOME};
use super::scan::{BLOCK, next_pieces};
use super::text::Text;
use crate::isa::{Isa, Level};

/// So that eight pieces at a time can be looked at from any.
const ROOM: usize = BLOCK + 8;

/// Ids, with room for those of a block's short pieces, and of one more.
pub(super) type Ids = [u32; SHORT * BLOCK + SOME];

/// Pieces in a row: piece `i` is `text[bounds[i]..bounds[i + 1]]`, and `lines[i]` where it is looked up.
/// Zeros are a block of none.
#[repr(C)]
pub(super) struct Block {
    pub(super) keys: [u128; ROOM],
    bounds: [u32; ROOM + 1],
    lines: [u32; ROOM],
    pub(super) n: usize,
}

impl Block {
    /// The next pieces from `at` on, which is before the end of the text, of less than 4 GiB.
    #[inline(always)]
    pub(super) fn fill(&mut self, isa: Isa, text: &Text, at: usize, recent: &Recent) {
        self.bounds[0] = at as u32;
        if let Some(ends) = self.bounds[1..].first_chunk_mut() {
            self.n = next_pieces(isa, text, at, ends);
        }
        let mut ready = 0;
        #[cfg(target_arch = "x86_64")]
        if isa.level() == Level::Avx512 {
            // SAFETY: that level includes what the function was compiled for.
            ready = unsafe { x86::look_ahead(self, text.bytes, recent) };
        }
        self.look_ahead(ready, text.bytes, recent);
    }

    /// Where piece `i` begins and ends.
    #[inline(always)]
    pub(super) fn piece(&self, i: usize) -> (usize, usize) {
        (self.bounds[i] as usize, self.bounds[i + 1] as usize)
    }

    pub(super) fn line(&self, i: usize) -> u32 {
        self.lines[i]
    }

    /// Where the last piece ends.
    pub(super) fn end(&self) -> usize {
        self.bounds[self.n] as usize
    }

    /// Makes the keys of the pieces from `first` on, and has their lines fetched.
    #[inline(always)]
    fn look_ahead(&mut self, first: usize, text: &[u8], recent: &Recent) {
        for i in first..self.n {
            self.look_ahead_at(i, text, recent);
        }
    }

    #[inline(always)]
    fn look_ahead_at(&mut self, i: usize, text: &[u8], recent: &Recent) {
        let (start, end) = self.piece(i);
        self.keys[i] = key_of(text, start, end);
        self.lines[i] = (hash(self.keys[i]) >> recent.shift()) as u32;
        recent.expect(self.lines[i]);
    }

    /// Writes the ids of the pieces from `i` on to the front of `ids`, up to the first that is not
    /// remembered, or has too many for `ids`; which one that is, and how many they are.
    #[inline(always)]
    pub(super) fn take(
        &self,
        isa: Isa,
        i: usize,
        text: &[u8],
        recent: &Recent,
        ids: &mut Ids,
    ) -> (usize, usize) {
        #[cfg(target_arch = "x86_64")]
        if isa.level() > Level::Portable {
            // SAFETY: that level includes what the function was compiled for.
            return unsafe { x86::take(self, i, text, recent, ids) };
        }
        let _ = (isa, Level::Portable);
        // SAFETY: any machine can.
        unsafe { self.take_with::<Portable>(i, text, recent, ids) }
    }

    /// # Safety
    /// As for `Window`.
    #[inline(always)]
    unsafe fn take_with<F: Find>(
        &self,
        mut i: usize,
        text: &[u8],
        recent: &Recent,
        ids: &mut Ids,
    ) -> (usize, usize) {
        let mut n_ids = 0;
        while i < self.n.min(BLOCK)
            && let Some(out) = ids[n_ids..].first_chunk_mut()
        {
            let (start, end) = self.piece(i);
            let (line, key) = (self.lines[i], &self.keys[i]);
            let n = unsafe { recent.get::<F>(line, key, text, start..end, out) };
            if n == 0 {
                break;
            }
            n_ids += n;
            i += 1;
        }
        (i, n_ids)
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::super::keys::{K1, K2};
    use super::super::recent::Avx2;
    use super::*;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn take(
        block: &Block,
        i: usize,
        text: &[u8],
        recent: &Recent,
        ids: &mut Ids,
    ) -> (usize, usize) {
        // SAFETY: this is compiled for it.
        unsafe { block.take_with::<Avx2>(i, text, recent, ids) }
    }

    /// Fewer are not worth a register.
    const FEW: usize = 3;

    /// Eight pieces at a time, as far as 16 bytes can be read at each; how many those were.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn look_ahead(block: &mut Block, text: &[u8], recent: &Recent) -> usize {
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
        let shift = _mm_cvtsi32_si128(recent.shift() as i32);
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
            let (first, behind) = unsafe {
                (
                    _mm256_loadu_si256(starts.as_ptr().cast()),
                    _mm256_loadu_si256(ends.as_ptr().cast()),
                )
            };
            if _mm256_cmpgt_epu32_mask(first, last) != 0 {
                break;
            }
            let sizes = _mm256_sub_epi32(behind, first);
            let mut hashes = [_mm512_setzero_si512(); 2];
            for (half, hash) in hashes.iter_mut().enumerate() {
                // SAFETY: at each of them the text has 16 bytes.
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
            lines.iter().for_each(|&line| recent.expect(line));
            let mut longs = _mm256_cmpgt_epu32_mask(sizes, short);
            while longs != 0 {
                let k = i + longs.trailing_zeros() as usize;
                longs &= longs - 1;
                block.look_ahead_at(k, text, recent);
            }
            i += 8;
        }
        i.min(n)
    }
}
