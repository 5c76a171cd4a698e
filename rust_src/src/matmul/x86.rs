//! The vectors of AVX2 and AVX-512.

use super::vector::Vector;
use std::arch::x86_64::*;

macro_rules! vector {
    ($vector:ty, $scalar:ty, $lanes:literal, $mask:ty,
     $make_mask:expr, $splat:ident, $load:ident, $load_part:expr, $store:ident,
     $store_part:ident, $multiply_add:ident) => {
        impl Vector for $vector {
            type Scalar = $scalar;
            type Mask = $mask;
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn mask(lanes: usize) -> $mask {
                $make_mask(lanes)
            }
            #[inline(always)]
            unsafe fn splat(value: $scalar) -> Self {
                unsafe { $splat(value) }
            }
            #[inline(always)]
            unsafe fn load(from: *const $scalar) -> Self {
                unsafe { $load(from) }
            }
            #[inline(always)]
            unsafe fn load_part(from: *const $scalar, mask: $mask) -> Self {
                unsafe { $load_part(from, mask) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $scalar) {
                unsafe { $store(to, self) }
            }
            #[inline(always)]
            unsafe fn store_part(self, to: *mut $scalar, mask: $mask) {
                unsafe { $store_part(to, mask, self) }
            }
            #[inline(always)]
            unsafe fn multiply_add(self, by: Self, plus: Self) -> Self {
                unsafe { $multiply_add(self, by, plus) }
            }
        }
    };
}

vector! {
    __m512, f32, 16, __mmask16, |lanes| ((1u32 << lanes) - 1) as _,
    _mm512_set1_ps, _mm512_loadu_ps, |from, mask| _mm512_maskz_loadu_ps(mask, from),
    _mm512_storeu_ps, _mm512_mask_storeu_ps, _mm512_fmadd_ps
}
vector! {
    __m512d, f64, 8, __mmask8, |lanes| ((1u32 << lanes) - 1) as _,
    _mm512_set1_pd, _mm512_loadu_pd, |from, mask| _mm512_maskz_loadu_pd(mask, from),
    _mm512_storeu_pd, _mm512_mask_storeu_pd, _mm512_fmadd_pd
}
vector! {
    __m256, f32, 8, __m256i,
    |lanes| unsafe {
        let lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes as i32), lane)
    },
    _mm256_set1_ps, _mm256_loadu_ps, _mm256_maskload_ps,
    _mm256_storeu_ps, _mm256_maskstore_ps, _mm256_fmadd_ps
}
vector! {
    __m256d, f64, 4, __m256i,
    |lanes| unsafe {
        let lane = _mm256_setr_epi64x(0, 1, 2, 3);
        _mm256_cmpgt_epi64(_mm256_set1_epi64x(lanes as i64), lane)
    },
    _mm256_set1_pd, _mm256_loadu_pd, _mm256_maskload_pd,
    _mm256_storeu_pd, _mm256_maskstore_pd, _mm256_fmadd_pd
}
