//! The pretokens of a text, many at a time: window by window if the machine has wide registers, and
//! one by one where a window cannot decide.

use super::bytes::{Bits, WINDOW, Window};
use super::kinds::Kinds;
use super::split::{CL100K, GPT2, O200K, automaton_end, pretoken_end};
use super::text::Text;
use super::window;
use crate::isa::{Isa, Level};

/// The most ends found at a time.
pub(super) const BLOCK: usize = 256;
pub(super) type Ends = [u32; BLOCK];

/// Write the ends of the next pretokens, the first of which begins at `at`, before the end of the
/// text. Return their number, at least one.
#[inline(always)]
pub(super) fn next_pretokens(isa: Isa, text: &Text, at: usize, ends: &mut Ends) -> usize {
    #[cfg(target_arch = "x86_64")]
    if text.plain && isa.level() > Level::Portable {
        // SAFETY: that level includes the features that the function was compiled for.
        return unsafe {
            match isa.level() {
                Level::Avx512 if isa.has_vbmi() => x86::avx512_vbmi2(text, at, ends),
                Level::Avx512 => x86::avx512(text, at, ends),
                _ => x86::avx2(text, at, ends),
            }
        };
    }
    let _ = isa;
    one_by_one(text, at, ends)
}

fn one_by_one(text: &Text, mut at: usize, ends: &mut Ends) -> usize {
    let mut n = 0;
    while at < text.bytes.len() && n < BLOCK {
        at = match text.automaton {
            [] => pretoken_end(text, at),
            _ => automaton_end(text, at),
        };
        ends[n] = at as u32;
        n += 1;
    }
    n
}

/// Write the ends of one window while the next, which begins at the last of them, is computed.
///
/// # Safety
/// As for `Window`.
#[inline(always)]
unsafe fn by_windows<W: Window, const PATTERN: u32>(
    text: &Text,
    mut at: usize,
    ends: &mut Ends,
) -> usize {
    let (mut n, mut start, mut found): (usize, usize, Bits) = (0, at, 0);
    while at < text.bytes.len() && n + found.count_ones() as usize + WINDOW <= BLOCK {
        let next = unsafe { Kinds::new::<W>(&text.bytes[at..]) };
        let next = window::ends::<PATTERN>(text, at, next);
        n += unsafe { write::<W>(found, start, &mut ends[n..]) };
        (start, found) = (at, next);
        if found != 0 {
            at += WINDOW - 1 - found.leading_zeros() as usize;
        } else {
            at = pretoken_end(text, at);
            ends[n] = at as u32;
            n += 1;
        }
    }
    n + unsafe { write::<W>(found, start, &mut ends[n..]) }
}

/// Write the places that a window at `start` has found, and return their number.
///
/// # Safety
/// As for `Window`.
#[inline(always)]
unsafe fn write<W: Window>(found: Bits, start: usize, ends: &mut [u32]) -> usize {
    let Some(room) = ends.first_chunk_mut() else { return 0 };
    unsafe { W::write(found, start as u32, room) };
    found.count_ones() as usize
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, __m512i};

    use super::super::bytes::Compressing;
    use super::*;

    macro_rules! by_windows {
        ($name:ident, $features:literal, $window:ty) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name(text: &Text, at: usize, ends: &mut Ends) -> usize {
                // SAFETY: this function has the features that the window needs.
                unsafe {
                    match text.pattern() {
                        GPT2 => super::by_windows::<$window, GPT2>(text, at, ends),
                        CL100K => super::by_windows::<$window, CL100K>(text, at, ends),
                        _ => super::by_windows::<$window, O200K>(text, at, ends),
                    }
                }
            }
        };
    }

    by_windows!(avx2, "avx2,bmi1,bmi2,lzcnt,popcnt", [__m256i; 2]);
    by_windows!(avx512, "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,lzcnt,popcnt", __m512i);
    by_windows!(
        avx512_vbmi2,
        "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt",
        Compressing
    );
}
