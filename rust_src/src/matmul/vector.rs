//! The vectors of which a tile consists. An instruction set has to provide eight operations.

/// A register full of `Scalar`. A mask selects the first few lanes: the others are neither read nor
/// written, and load as 0.
///
/// # Safety
/// For all functions: the CPU has the instruction set, and pointers are valid for the selected
/// lanes (at any alignment). The caller is compiled for the instruction set; otherwise no call is
/// inlined.
pub(super) trait Vector: Copy {
    type Scalar: Copy;
    type Mask: Copy;
    const LANES: usize;

    unsafe fn mask(lanes: usize) -> Self::Mask;
    unsafe fn splat(value: Self::Scalar) -> Self;
    unsafe fn load(from: *const Self::Scalar) -> Self;
    unsafe fn load_part(from: *const Self::Scalar, mask: Self::Mask) -> Self;
    unsafe fn store(self, to: *mut Self::Scalar);
    unsafe fn store_part(self, to: *mut Self::Scalar, mask: Self::Mask);
    /// Return `self * by + plus`, rounded once.
    unsafe fn multiply_add(self, by: Self, plus: Self) -> Self;
}

/// Prefetch the cache line of an address, which need not exist.
#[inline(always)]
pub(super) fn prefetch<T>(from: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has the instruction, which reads nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(from.cast());
    }
    let _ = from;
}

/// Four scalars for any CPU. Without an FMA instruction the single rounding costs a library call.
#[derive(Clone, Copy)]
pub(super) struct Portable<T>([T; 4]);

macro_rules! portable {
    ($scalar:ty) => {
        impl Vector for Portable<$scalar> {
            type Scalar = $scalar;
            type Mask = usize;
            const LANES: usize = 4;

            #[inline(always)]
            unsafe fn mask(lanes: usize) -> usize {
                lanes
            }
            #[inline(always)]
            unsafe fn splat(value: $scalar) -> Self {
                Portable([value; 4])
            }
            #[inline(always)]
            unsafe fn load(from: *const $scalar) -> Self {
                Portable(unsafe { from.cast::<[$scalar; 4]>().read_unaligned() })
            }
            #[inline(always)]
            unsafe fn load_part(from: *const $scalar, lanes: usize) -> Self {
                let mut value = [0.0; 4];
                for (lane, value) in value.iter_mut().enumerate().take(lanes) {
                    *value = unsafe { from.add(lane).read_unaligned() };
                }
                Portable(value)
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $scalar) {
                unsafe { to.cast::<[$scalar; 4]>().write_unaligned(self.0) }
            }
            #[inline(always)]
            unsafe fn store_part(self, to: *mut $scalar, lanes: usize) {
                for (lane, value) in self.0.into_iter().enumerate().take(lanes) {
                    unsafe { to.add(lane).write_unaligned(value) }
                }
            }
            #[inline(always)]
            unsafe fn multiply_add(self, by: Self, plus: Self) -> Self {
                Portable(std::array::from_fn(|lane| self.0[lane].mul_add(by.0[lane], plus.0[lane])))
            }
        }
    };
}

portable!(f32);
portable!(f64);
