//! Packed runs of varints, which is where a decoder of token ids spends its time.

use crate::wire::{Fault, Message, Result};
use crate::{Code, Isa};

/// Decodes a run to its end and returns how many values it has; those that `slots` has room for are
/// stored.
#[inline(always)]
pub(crate) fn decode(isa: Isa, mut run: Message<'_>, slots: &mut [[u8; 8]]) -> Result<usize> {
    let mut count = 0;
    #[cfg(target_arch = "x86_64")]
    if isa.has_vbmi() && run.rest().len() >= avx512::ENOUGH {
        // SAFETY: the features are there.
        count = unsafe { avx512::decode(&mut run, slots)? };
    }
    let _ = isa;
    while let Some(values) = run.two_varints_in_word() {
        store(&values, slots, &mut count);
    }
    while !run.rest().is_empty() {
        store(&[run.varint()?], slots, &mut count);
    }
    Ok(count)
}

/// An integer of `N` bytes that a varint may be too large for.
pub(crate) trait Narrow<const N: usize> {
    /// The smallest and the largest.
    const RANGE: (i64, i64);

    /// One that is in range, or else whatever.
    fn bytes(value: i64) -> [u8; N];
}

impl Narrow<4> for i32 {
    const RANGE: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

    #[inline(always)]
    fn bytes(value: i64) -> [u8; 4] {
        (value as i32).to_ne_bytes()
    }
}

impl Narrow<2> for u16 {
    const RANGE: (i64, i64) = (0, u16::MAX as i64);

    #[inline(always)]
    fn bytes(value: i64) -> [u8; 2] {
        (value as u16).to_ne_bytes()
    }
}

/// The next varint, if it is in range.
#[inline(always)]
pub(crate) fn narrow_one<T: Narrow<N>, const N: usize>(run: &mut Message<'_>) -> Result<[u8; N]> {
    let (at, (low, high)) = (run.at(), T::RANGE);
    let actual = run.varint()? as i64;
    if actual < low || actual > high {
        let expected = if actual < low { low } else { high };
        return Err(Fault { code: Code::Range, at, expected, actual });
    }
    Ok(T::bytes(actual))
}

/// [`decode`] for values of `N` bytes, each checked to be in range.
#[inline(always)]
pub(crate) fn decode_narrow<T: Narrow<N>, const N: usize>(
    isa: Isa,
    mut run: Message<'_>,
    slots: &mut [[u8; N]],
) -> Result<usize> {
    let mut count = 0;
    while !run.rest().is_empty() {
        if let Some(n) = narrow_some::<T, N>(isa, &mut run, slots.get_mut(count..)) {
            count += n;
            continue;
        }
        let value = narrow_one::<T, N>(&mut run)?;
        slots.get_mut(count..).unwrap_or_default().iter_mut().take(1).for_each(|s| *s = value);
        count += 1;
    }
    Ok(count)
}

/// Decodes at most 64 bytes of the run, if all is well with them and there is room.
#[inline(always)]
fn narrow_some<T: Narrow<N>, const N: usize>(
    isa: Isa,
    run: &mut Message<'_>,
    slots: Option<&mut [[u8; N]]>,
) -> Option<usize> {
    let (low, high) = T::RANGE;
    let mut good = true;
    #[cfg(target_arch = "x86_64")]
    if isa.has_vbmi() {
        let mut values = [0; 64];
        // SAFETY: the features are there.
        let (n, used) = unsafe { avx512::decode_28_bits(run.rest(), &mut values) };
        let slots = slots?.get_mut(..n).filter(|_| n > 0)?;
        let mut most = 0;
        for (slot, value) in slots.iter_mut().zip(&values) {
            most = most.max(*value);
            *slot = T::bytes((*value).into());
        }
        good &= i64::from(most) <= high;
        return good.then(|| run.take(used)).map(|_| n);
    }
    let size = run.rest().len().min(64);
    let last = (0..size).rev().take(10).find(|&i| {
        run.rest().split(i).and_then(|(_, rest)| rest.u8()).is_some_and(|byte| byte < 0x80)
    })?;
    let mut after = *run;
    let some = after.take(last + 1)?;
    let slots = slots.filter(|slots| slots.len() > last)?;
    let mut wide = [[0; 8]; 64];
    let n = decode(isa, Message::from(some), &mut wide).ok()?;
    for (slot, value) in slots.iter_mut().zip(wide.get(..n)?) {
        let value = i64::from_ne_bytes(*value);
        good &= low <= value && value <= high;
        *slot = T::bytes(value);
    }
    if good {
        *run = after;
    }
    good.then_some(n)
}

/// Stores the values that there is room for.
#[inline(always)]
fn store(values: &[u64], slots: &mut [[u8; 8]], count: &mut usize) {
    for value in values {
        if let Some(slot) = slots.get_mut(*count) {
            *slot = value.to_ne_bytes();
        }
        *count += 1;
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use crate::Input;
    use crate::wire::{Message, Result};
    use std::arch::x86_64::*;

    /// Fewer bytes than this are not worth it.
    pub const ENOUGH: usize = 8;

    /// Bytes that a window shares with the one before it: the longest varint that fits a lane.
    const SHARED: usize = 8;

    /// Decodes a run but for its tail, if that is incomplete, and stores what fits.
    ///
    /// The run is seen through windows of 64 bytes whose places do not depend on where varints end, so
    /// that the CPU can work on several at once. Whatever the bytes are, indices stay in range: a
    /// permutation takes them modulo 64, and masks cover only bytes of the run and free slots.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn decode(run: &mut Message<'_>, slots: &mut [[u8; 8]]) -> Result<usize> {
        let mut count = 0;
        while run.rest().len() >= ENOUGH {
            let done = windows(run.rest(), slots, &mut count);
            run.take(done);
            if !run.rest().is_empty() {
                super::store(&[run.varint()?], slots, &mut count);
            }
        }
        Ok(count)
    }

    /// Decodes varints within the first 64 bytes, up to one of more than 4; returns how many, and how
    /// many bytes they are.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn decode_28_bits(run: Input<'_>, values: &mut [u32; 64]) -> (usize, usize) {
        let positions = _mm512_add_epi8(eights(), repeat(0x0706_0504_0302_0100));
        let there = !0 >> (64 - run.len().clamp(1, 64));
        // SAFETY: only bytes of the run, which has one, are loaded.
        let block = unsafe { _mm512_maskz_loadu_epi8(there, run.as_ptr().cast()) };
        let more = _mm512_movepi8_mask(block);
        let mut last = !more & there;
        let long = more & (more >> 1) & (more >> 2) & (more >> 3);
        if long != 0 {
            last &= (long & long.wrapping_neg()) - 1;
        }
        let starts = _mm512_maskz_compress_epi8(last << 1 | 1, positions);
        let found = last.count_ones() as usize;
        let tops = _mm512_set1_epi32(0x8080_8080u32 as i32);
        let offsets = _mm512_and_si512(positions, repeat(0x0303_0303_0303_0303));
        for (group, values) in values.chunks_exact_mut(16).take(found.div_ceil(16)).enumerate() {
            let quarters = _mm512_and_si512(_mm512_srli_epi64::<2>(positions), repeat(FIFTEENS));
            let lanes = _mm512_add_epi8(quarters, _mm512_set1_epi8(16 * group as i8));
            let indices = _mm512_add_epi8(_mm512_permutexvar_epi8(lanes, starts), offsets);
            let bytes = _mm512_permutexvar_epi8(indices, block);
            let stops = _mm512_andnot_si512(bytes, tops);
            let below = _mm512_sub_epi32(stops, _mm512_set1_epi32(1));
            let within = _mm512_and_si512(bytes, _mm512_xor_si512(stops, below));
            let joined = join(_mm512_andnot_si512(tops, within));
            // SAFETY: there are 16 slots.
            unsafe { _mm512_storeu_epi32(values.as_mut_ptr().cast(), joined) };
        }
        (found, 64 - last.leading_zeros() as usize)
    }

    const FIFTEENS: i64 = 0x0f0f_0f0f_0f0f_0f0f;

    /// Decodes up to a varint of more than 8 bytes or the last whole one; returns how many bytes.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
    fn windows(run: Input<'_>, slots: &mut [[u8; 8]], count: &mut usize) -> usize {
        let positions = _mm512_add_epi8(eights(), repeat(0x0706_0504_0302_0100));
        // Where varints may begin behind a byte of the window, and where those not yet decoded end.
        let (mut begins, mut fresh, mut done) = (1, !0, 0);
        for at in (0..run.len()).step_by(64 - SHARED) {
            let Some((_, rest)) = run.split(at) else { break };
            let there = !0 >> (64 - rest.len().min(64));
            // SAFETY: only bytes of the run are loaded.
            let block = unsafe { _mm512_maskz_loadu_epi8(there, rest.as_ptr().cast()) };
            rest.prefetch(1024);
            let more = _mm512_movepi8_mask(block);
            let four = more & (more >> 1) & (more >> 2) & (more >> 3);
            let last = !more & there;
            if four & (four >> 4) != 0 || last & fresh == 0 {
                break;
            }
            let shared = last & !fresh;
            begins |= (last << 1) & (!0 << (64 - shared.leading_zeros()));
            let ends = _mm512_maskz_compress_epi8(last & fresh, positions);
            let starts = _mm512_maskz_compress_epi8(begins, positions);
            let lengths = _mm512_sub_epi8(ends, starts);
            let found = (last & fresh).count_ones() as usize;
            for group in (0..found).step_by(8) {
                let values = eight(block, starts, lengths, group as i8);
                match slots.get_mut(*count + group..).unwrap_or_default() {
                    // SAFETY: eight slots are free; what is too much will be overwritten or unused.
                    free @ [_, _, _, _, _, _, _, _, ..] => unsafe {
                        _mm512_storeu_epi64(free.as_mut_ptr().cast(), values);
                    },
                    free => {
                        let mask = (1u8 << free.len().min(found - group)) - 1;
                        // SAFETY: the mask covers no more than what is free.
                        unsafe { _mm512_mask_storeu_epi64(free.as_mut_ptr().cast(), mask, values) };
                    }
                }
            }
            *count += found;
            done = at + 64 - last.leading_zeros() as usize;
            (begins, fresh) = (0, !0 << SHARED);
        }
        done
    }

    /// The values of varints `group..group + 8`: their bytes spread to one lane each, then sevens
    /// of bits joined to fourteens, to twenty-eights, to fifty-sixes.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn eight(block: __m512i, starts: __m512i, lengths: __m512i, group: i8) -> __m512i {
        let offsets = repeat(0x0706_0504_0302_0100);
        let lanes = _mm512_add_epi8(_mm512_srli_epi64::<3>(eights()), _mm512_set1_epi8(group));
        let starts = _mm512_permutexvar_epi8(lanes, starts);
        let within = _mm512_cmple_epu8_mask(offsets, _mm512_permutexvar_epi8(lanes, lengths));
        let indices = _mm512_add_epi8(starts, offsets);
        let bytes = _mm512_maskz_permutexvar_epi8(within, indices, block);
        let sevens = _mm512_and_si512(bytes, _mm512_set1_epi8(0x7f));
        let joined = join(sevens);
        let low = _mm512_and_si512(joined, repeat(0x0fff_ffff));
        let high = _mm512_andnot_si512(repeat(0x0fff_ffff), _mm512_srli_epi64::<4>(joined));
        _mm512_or_si512(low, high)
    }

    /// Sevens of bits joined to fourteens, to twenty-eights in every four bytes.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn join(sevens: __m512i) -> __m512i {
        let fourteens = _mm512_maddubs_epi16(_mm512_set1_epi16(-0x7fff), sevens);
        _mm512_madd_epi16(fourteens, _mm512_set1_epi32(0x4000_0001))
    }

    /// Bytes 0 eight times, 8 eight times, 16 ... 56.
    #[target_feature(enable = "avx512f")]
    fn eights() -> __m512i {
        let lane = |n: i64| n * 0x0808_0808_0808_0808;
        _mm512_setr_epi64(lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
    }

    #[target_feature(enable = "avx512f")]
    fn repeat(word: i64) -> __m512i {
        _mm512_set1_epi64(word)
    }
}
