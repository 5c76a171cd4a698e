//! Keys and hashes of pretokens, and the slots of a table that a hash leads to.

pub(super) const K1: u64 = 0x9E37_79B9_7F4A_7C15;
pub(super) const K2: u64 = 0xC2B2_AE3D_27D4_EB4F;
/// The longest token whose bytes are its key.
pub(super) const SHORT: usize = 15;

/// Return every slot of a table of `slots`, a power of two, in the order of a look-up.
#[inline(always)]
pub(super) fn probe(hash: u64, slots: usize) -> impl Iterator<Item = usize> {
    let mask = slots.wrapping_sub(1);
    let first = (hash >> (64 - slots.trailing_zeros())) as usize;
    (0..slots).map(move |step| (first + step) & mask)
}

/// Hash the words of eight bytes of a token, the last one padded.
pub(super) fn long_hash(token: &[u8]) -> u64 {
    let (words, rest) = token.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(last);
    words.iter().copied().chain(last).fold(token.len() as u64, |hash, word| {
        let hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(K1);
        hash ^ hash >> 32
    })
}

/// Hash a key. The hash of a short key also selects its slot among the tokens.
#[inline(always)]
pub(super) fn hash(key: u128) -> u64 {
    let (low, high) = (key as u64, (key >> 64) as u64);
    low.wrapping_mul(K1).wrapping_add(high.wrapping_mul(K2))
}

/// `MASKS[n]` keeps the first `n` bytes of a key.
const MASKS: [u128; SHORT + 1] = {
    let mut masks = [0; SHORT + 1];
    let mut n = 0;
    while n < masks.len() {
        masks[n] = (1 << (8 * n)) - 1;
        n += 1;
    }
    masks
};

/// Return the key of a pretoken. A short one, of at most `SHORT` bytes, has its bytes, padded, and
/// their number; a longer one has a hash of them, their number, and `SHORT + 1`.
#[inline(always)]
pub(super) fn key_of(text: &[u8], start: usize, end: usize) -> u128 {
    let size = end - start;
    if size > SHORT {
        let size = size as u128 | (SHORT as u128 + 1) << (8 * SHORT - 64);
        return u128::from(long_hash(&text[start..end])) | size << 64;
    }
    let bytes = match text[start..].first_chunk() {
        Some(&bytes) => u128::from_le_bytes(bytes),
        None => {
            let mut bytes = [0; 16];
            bytes[..text.len() - start].copy_from_slice(&text[start..]);
            u128::from_le_bytes(bytes)
        }
    };
    bytes & MASKS[size] | (size as u128) << (8 * SHORT)
}

/// Return true if a key is that of a long pretoken.
#[inline(always)]
pub(super) fn is_long(key: u128) -> bool {
    key >> (8 * SHORT) > SHORT as u128
}

/// Prefetch memory that will soon be read.
#[inline(always)]
pub(super) fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every such CPU can, at any address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast()) };
    }
    let _ = soon;
}
