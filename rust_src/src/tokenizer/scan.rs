//! The pieces of a text, many at a time: window by window if the machine has wide registers, and one
//! by one where a window cannot tell.

use super::bytes::{WINDOW, Window};
use super::kinds::Kinds;
use super::split::{CL100K, GPT2, O200K, piece_end};
use super::text::Text;
use super::window;
use crate::isa::{Isa, Level};

/// Ends of pieces found at a time.
pub(super) const BLOCK: usize = 256;

/// Writes where the next pieces end, the first of which begins at `at`, before the end of the text.
/// At least one, and how many.
#[inline(always)]
pub(super) fn next_pieces(isa: Isa, text: &Text, at: usize, ends: &mut [usize; BLOCK]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if text.plain && isa.level() > Level::Portable {
        // SAFETY: that level includes what the function was compiled for.
        return unsafe {
            match isa.level() {
                Level::Avx512 => x86::avx512(text, at, ends),
                _ => x86::avx2(text, at, ends),
            }
        };
    }
    let _ = isa;
    one_by_one(text, at, ends)
}

fn one_by_one(text: &Text, mut at: usize, ends: &mut [usize; BLOCK]) -> usize {
    let mut n = 0;
    while at < text.bytes.len() && n < BLOCK {
        at = piece_end(text, at);
        ends[n] = at;
        n += 1;
    }
    n
}

/// # Safety
/// As for `Window`.
#[inline(always)]
unsafe fn by_windows<W: Window, const PATTERN: u32>(
    text: &Text,
    mut at: usize,
    ends: &mut [usize; BLOCK],
) -> usize {
    let mut n = 0;
    while at < text.bytes.len() && n + WINDOW <= BLOCK {
        let kinds = unsafe { Kinds::new::<W>(&text.bytes[at..]) };
        let mut found = window::ends::<PATTERN>(text, at, kinds);
        if found == 0 {
            at = piece_end(text, at);
            ends[n] = at;
            n += 1;
            continue;
        }
        let start = at;
        at += WINDOW - 1 - found.leading_zeros() as usize;
        while found != 0 {
            ends[n] = start + found.trailing_zeros() as usize;
            n += 1;
            found &= found - 1;
        }
    }
    n
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256i, __m512i};

    use super::*;

    macro_rules! by_windows {
        ($name:ident, $features:literal, $window:ty) => {
            #[target_feature(enable = $features)]
            pub(super) fn $name(text: &Text, at: usize, ends: &mut [usize; BLOCK]) -> usize {
                // SAFETY: this is compiled for what the window needs.
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
}
