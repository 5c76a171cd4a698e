//! Find all pretokens that begin in 64 bytes at once: the rules of `split` as sums, shifts and
//! masks of the window's `Kinds`. A window begins where a pretoken does, so nothing is carried from
//! one to the next.

use super::bytes::{Bits, WINDOW, first};
use super::kinds::Kinds;
use super::split::{CL100K, GPT2, O200K, contraction, gpt2_contraction};
use super::text::Text;

/// The number of bytes after an end that may determine it: the length of a contraction.
const AHEAD: usize = 3;

/// Return the ends of pretokens in the window at `at`, which is before the end of the text. It
/// returns only ends that the window's bytes decide, possibly none.
#[inline(always)]
pub(super) fn ends<const PATTERN: u32>(text: &Text, at: usize, mut kinds: Kinds) -> Bits {
    let left = text.bytes.len() - at;
    let size = left.min(WINDOW);
    let mut n = size;
    if kinds.wide != 0 {
        let counted = PATTERN != GPT2 && text.max_digits != 0;
        n = kinds.add_wide(text, at, n, counted, PATTERN == O200K);
    }
    if PATTERN == O200K {
        // A slash after a line break continues signs, and the word of a capital after a letter
        // without case depends on later bytes.
        let slash = kinds.slash & kinds.newline << 1;
        let capital = kinds.upper & !kinds.inner & kinds.letter << 1;
        n = n.min((slash | capital).trailing_zeros() as usize);
    }
    if n < size {
        kinds.truncate(n);
    }
    let starts = if PATTERN == GPT2 {
        gpt2_starts(text, at, &kinds, first(n))
    } else {
        modern_starts::<PATTERN>(text, at, &kinds, first(n))
    };
    let ends = starts & !1;
    if n == left && n < WINDOW {
        return ends | 1 << n;
    }
    // White space at the window's end may continue, and then its pretoken ends a byte earlier.
    let solid = first(n) & !kinds.space;
    let decided = (WINDOW - solid.leading_zeros() as usize).min(n.saturating_sub(AHEAD + 1));
    ends & first(decided + 1)
}

/// Return the first of each run.
#[inline(always)]
fn firsts(rows: Bits) -> Bits {
    rows & !(rows << 1)
}

/// Mark a contraction at `place`: no start within, one after it.
#[inline(always)]
fn with_contraction(starts: Bits, place: usize, size: usize) -> Bits {
    let within = first(size - 1) << 1 << place;
    starts & !within | 1u64.checked_shl((place + size) as u32).unwrap_or(0)
}

#[inline(always)]
fn gpt2_starts(text: &Text, at: usize, kinds: &Kinds, all: Bits) -> Bits {
    let (letters, solid) = (kinds.letters(), all & !kinds.space);
    let signs = solid & !letters & !kinds.number;
    let rows = firsts(letters) | firsts(kinds.number) | firsts(signs);
    // The last white space of a run does not belong to it; a space belongs to the next pretoken.
    let mut starts = rows & !(kinds.blank << 1) | firsts(kinds.space) | kinds.space & solid >> 1;
    let mut quotes = kinds.quote & starts & letters >> 1;
    while quotes != 0 {
        let place = quotes.trailing_zeros() as usize;
        quotes &= quotes - 1;
        if let Some(end) = gpt2_contraction(text, at + place) {
            starts = with_contraction(starts, place, end - at - place);
        }
    }
    starts
}

/// Find the starts of cl100k and o200k.
#[inline(always)]
fn modern_starts<const PATTERN: u32>(text: &Text, at: usize, kinds: &Kinds, all: Bits) -> Bits {
    let letters = kinds.letters();
    let signs = all & !letters & !kinds.number & !kinds.space;
    // Line breaks after signs belong to them: adding to the first of a run clears all of it.
    let after_signs = kinds.newline & !kinds.newline.wrapping_add(kinds.newline & signs << 1);
    let (space, newline) = (kinds.space & !after_signs, kinds.newline & !after_signs);

    let sign_starts = firsts(signs) & !(kinds.blank << 1);
    let mut before_word = sign_starts; // the whole first character
    if kinds.inner != 0 {
        for _ in 0..3 {
            before_word |= before_word << 1 & kinds.inner;
        }
    }
    before_word |= space & !newline;
    let mut starts = sign_starts
        | firsts(letters) & !(before_word << 1)
        | number_starts(kinds.number, text.max_digits)
        | space_starts(space, newline, all);

    if PATTERN == CL100K {
        let mut quotes = kinds.quote & sign_starts & letters >> 1;
        while quotes != 0 {
            let place = quotes.trailing_zeros() as usize;
            quotes &= quotes - 1;
            if let Some(end) = contraction(text, at + place) {
                starts = with_contraction(starts, place, end - at - place);
            }
        }
        return starts;
    }
    starts |= kinds.upper & !kinds.inner & kinds.lower << 1;
    // A contraction belongs to the word before it, but a second one does not.
    let mut quotes = kinds.quote & letters << 1 & letters >> 1;
    let mut after = 0;
    while quotes != 0 {
        let place = quotes.trailing_zeros() as usize;
        quotes &= quotes - 1;
        if place != after
            && let Some(end) = contraction(text, at + place)
        {
            starts = with_contraction(starts & !(1 << place), place, end - at - place);
            after = end - at;
        }
    }
    starts
}

/// Find the starts of `\p{N}{1,most}`.
#[inline(always)]
fn number_starts(number: Bits, most: usize) -> Bits {
    let mut starts = firsts(number);
    if most == 0 || most >= WINDOW {
        return starts;
    }
    let late = (1..=most).fold(number, |late, n| late & number << n); // after `most` others
    let mut next = starts << most & late;
    while next != 0 {
        starts |= next;
        next = next << most & late;
    }
    starts
}

/// Find the starts of `\s*[\r\n]+|\s+(?!\S)|\s+`.
#[inline(always)]
fn space_starts(space: Bits, newline: Bits, all: Bits) -> Bits {
    let inline = space & !newline;
    let mut rows = firsts(inline);
    // A run before a line break belongs to the pretoken before it.
    let mut breaks = inline.wrapping_add(rows) & newline;
    while breaks != 0 {
        let place = breaks.trailing_zeros() as usize;
        breaks &= breaks - 1;
        let row = rows & first(place);
        rows &= !(1 << (WINDOW - 1 - row.leading_zeros() as usize));
    }
    rows | firsts(space) | inline & (all & !space) >> 1
}
