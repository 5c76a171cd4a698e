//! The registers that a window of text is classified in.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// As many bytes as a set has bits.
pub(super) const WINDOW: usize = 64;

/// Bit `i` stands for byte `i` of a window.
pub(super) type Bits = u64;

/// The first `n` of them.
#[inline(always)]
pub(super) fn first(n: usize) -> Bits {
    if n < WINDOW { (1 << n) - 1 } else { Bits::MAX }
}

/// A window in registers.
///
/// # Safety
/// For all functions: the CPU has the instruction set, and the caller was compiled for it, lest every
/// call be a real one.
pub(super) trait Window: Copy {
    /// The first bytes of `text`; zeros behind its end.
    unsafe fn load(text: &[u8]) -> Self;
    /// Those in `[from, from + count)`.
    unsafe fn range(self, from: u8, count: u8) -> Bits;
}

#[cfg(target_arch = "x86_64")]
impl Window for __m512i {
    #[inline(always)]
    unsafe fn load(text: &[u8]) -> Self {
        // SAFETY: the mask is of bytes that `text` has.
        unsafe { _mm512_maskz_loadu_epi8(first(text.len()), text.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn range(self, from: u8, count: u8) -> Bits {
        unsafe {
            let above = _mm512_sub_epi8(self, _mm512_set1_epi8(from as i8));
            _mm512_cmplt_epu8_mask(above, _mm512_set1_epi8(count as i8))
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Window for [__m256i; 2] {
    #[inline(always)]
    unsafe fn load(text: &[u8]) -> Self {
        let mut copy = [0; WINDOW];
        let bytes = text.first_chunk().unwrap_or_else(|| {
            copy[..text.len()].copy_from_slice(text);
            &copy
        });
        // SAFETY: a window has twice 32 bytes.
        unsafe {
            let halves = bytes.as_ptr().cast::<__m256i>();
            [_mm256_loadu_si256(halves), _mm256_loadu_si256(halves.add(1))]
        }
    }

    #[inline(always)]
    unsafe fn range(self, from: u8, count: u8) -> Bits {
        unsafe {
            let half = |bytes| {
                let above = _mm256_sub_epi8(bytes, _mm256_set1_epi8(from as i8));
                let inside = _mm256_min_epu8(above, _mm256_set1_epi8(count as i8 - 1));
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(inside, above)) as u32
            };
            u64::from(half(self[0])) | u64::from(half(self[1])) << 32
        }
    }
}
