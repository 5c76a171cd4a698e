//! The registers that a window of text is classified in.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// A window has as many bytes as a set has bits.
pub(super) const WINDOW: usize = 64;

/// Bit `i` stands for byte `i` of a window.
pub(super) type Bits = u64;

/// Return the set of the first `n` bytes.
#[inline(always)]
pub(super) fn first(n: usize) -> Bits {
    if n < WINDOW { (1 << n) - 1 } else { Bits::MAX }
}

/// A window in registers.
///
/// # Safety
/// For all functions, the CPU must have the instruction set, and the caller be compiled for it, so
/// that they are inlined.
pub(super) trait Window: Copy {
    /// Load the first bytes of `text`, and zeros after its end.
    unsafe fn load(text: &[u8]) -> Self;
    /// Return the bytes in `[from, from + count)`.
    unsafe fn range(self, from: u8, count: u8) -> Bits;

    /// Write each place in `found` plus `start`; the memory after them is arbitrary.
    #[inline(always)]
    unsafe fn write(mut found: Bits, start: u32, places: &mut [u32; WINDOW]) {
        // Eight at a time, so that their number costs no mispredicted branch.
        for eight in places.as_chunks_mut::<8>().0 {
            for place in eight {
                *place = start.wrapping_add((found | 1 << 63).trailing_zeros());
                found &= found.wrapping_sub(1);
            }
            if found == 0 {
                break;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Window for __m512i {
    #[inline(always)]
    unsafe fn load(text: &[u8]) -> Self {
        // SAFETY: the mask selects only bytes of `text`.
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
                let inside = _mm256_min_epu8(above, _mm256_set1_epi8((count - 1) as i8));
                _mm256_movemask_epi8(_mm256_cmpeq_epi8(inside, above)) as u32
            };
            u64::from(half(self[0])) | u64::from(half(self[1])) << 32
        }
    }
}

/// An `__m512i` on a CPU that can compress the bytes of a set (AVX-512 VBMI2).
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Compressing(__m512i);

#[cfg(target_arch = "x86_64")]
impl Window for Compressing {
    #[inline(always)]
    unsafe fn load(text: &[u8]) -> Self {
        Self(unsafe { __m512i::load(text) })
    }

    #[inline(always)]
    unsafe fn range(self, from: u8, count: u8) -> Bits {
        unsafe { self.0.range(from, count) }
    }

    #[inline(always)]
    unsafe fn write(found: Bits, start: u32, places: &mut [u32; WINDOW]) {
        const ALL: [u8; WINDOW] = {
            let mut all = [0; WINDOW];
            let mut i = 0;
            while i < WINDOW {
                all[i] = i as u8;
                i += 1;
            }
            all
        };
        // SAFETY: these are 64 bytes, then 16 numbers of four.
        unsafe {
            let mut found_bytes =
                _mm512_maskz_compress_epi8(found, _mm512_loadu_si512(ALL.as_ptr().cast()));
            let start = _mm512_set1_epi32(start as i32);
            let mut left = found.count_ones() as i32;
            for sixteen in places.as_chunks_mut::<16>().0 {
                let wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(found_bytes));
                _mm512_storeu_si512(sixteen.as_mut_ptr().cast(), _mm512_add_epi32(wide, start));
                left -= 16;
                if left <= 0 {
                    break;
                }
                found_bytes = _mm512_shuffle_i64x2::<0b00_11_10_01>(found_bytes, found_bytes);
            }
        }
    }
}
