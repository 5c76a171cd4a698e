//! Comparing keys.

/// A way to find which of two keys equals another.
///
/// # Safety
/// As for `Window`.
pub(super) trait Find {
    unsafe fn find(keys: &[u128; 2], key: &u128) -> Option<usize>;
}

/// On any machine.
pub(super) struct Portable;

impl Find for Portable {
    #[inline(always)]
    unsafe fn find(keys: &[u128; 2], key: &u128) -> Option<usize> {
        let second = usize::from(keys[0] != *key);
        if keys[second] == *key { Some(second) } else { None }
    }
}

/// Compare with both at once.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Find for Avx2 {
    #[inline(always)]
    unsafe fn find(keys: &[u128; 2], key: &u128) -> Option<usize> {
        use std::arch::x86_64::*;
        // SAFETY: one key has 16 bytes, two have 32, at any address.
        unsafe {
            let key = _mm_loadu_si128(std::ptr::from_ref(key).cast());
            let keys = _mm256_loadu_si256(keys.as_ptr().cast());
            let same = _mm256_cmpeq_epi64(_mm256_broadcastsi128_si256(key), keys);
            let words = _mm256_movemask_pd(_mm256_castsi256_pd(same));
            let halves = words & words >> 1 & 0b101;
            if halves != 0 { Some(halves as usize >> 2) } else { None }
        }
    }
}
