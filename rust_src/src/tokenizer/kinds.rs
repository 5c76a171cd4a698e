//! The kinds of bytes in a window: a set for each kind that a pattern asks for.

use super::bytes::{Bits, Window, first};
use super::text::{LETTER, LOWER, MARK, NUMBER, SPACE, Text, UPPER, has};

/// The bytes of each kind, including all bytes of a character of the kind.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    pub(super) upper: Bits,
    pub(super) lower: Bits,
    /// Letters without case.
    pub(super) letter: Bits,
    pub(super) number: Bits,
    pub(super) space: Bits,
    pub(super) blank: Bits,
    pub(super) newline: Bits,
    pub(super) slash: Bits,
    pub(super) quote: Bits,
    /// From 0x80 on.
    pub(super) wide: Bits,
    /// Not the first of its character.
    pub(super) inner: Bits,
}

impl Kinds {
    /// Find the kinds of ASCII.
    ///
    /// # Safety
    /// As for `Window`.
    #[inline(always)]
    pub(super) unsafe fn new<W: Window>(text: &[u8]) -> Self {
        unsafe {
            let window = W::load(text);
            let blank = window.range(b' ', 1);
            Self {
                upper: window.range(b'A', 26),
                lower: window.range(b'a', 26),
                letter: 0,
                number: window.range(b'0', 10),
                space: blank | window.range(b'\t', 5),
                blank,
                newline: window.range(b'\n', 1) | window.range(b'\r', 1),
                slash: window.range(b'/', 1),
                quote: window.range(b'\'', 1),
                wide: window.range(0x80, 0x80),
                inner: window.range(0x80, 0x40),
            }
        }
    }

    pub(super) fn letters(&self) -> Bits {
        self.upper | self.lower | self.letter
    }

    /// Drop all but the first `n` bytes.
    #[inline(always)]
    pub(super) fn truncate(&mut self, n: usize) {
        let Self { upper, lower, letter, number, space, blank, newline, slash, quote, wide, inner } =
            self;
        for kind in [upper, lower, letter, number, space, blank, newline, slash, quote, wide, inner]
        {
            *kind &= first(n);
        }
    }

    /// Add the characters of several bytes among the first `n`, up to one that extends past them
    /// or is too hard, and return its place, else `n`. Too hard are white space, numbers if they
    /// are `counted`, and in `cased` words a mark that does not follow a letter.
    #[inline(always)]
    pub(super) fn add_wide(
        &mut self,
        text: &Text,
        at: usize,
        n: usize,
        counted: bool,
        cased: bool,
    ) -> usize {
        let hard = 1 << SPACE | if counted { 1 << NUMBER } else { 0 };
        let mut of = [0; 8];
        let (mut end, mut firsts) = (n, self.wide & !self.inner);
        while firsts != 0 {
            let place = firsts.trailing_zeros() as usize;
            firsts &= firsts - 1;
            let (mut class, size) = text.wide_class(at + place);
            let mut too_hard = has(hard, class) || place + size > n;
            if cased && class == MARK {
                let word = self.letters() | of[UPPER as usize] | of[LOWER as usize];
                let word = word | of[LETTER as usize];
                too_hard |= place == 0 || word >> (place.wrapping_sub(1) & 63) & 1 == 0;
                class = LETTER;
            }
            if too_hard {
                end = place;
                break;
            }
            of[usize::from(class & 7)] |= first(size) << place;
        }
        self.upper |= of[UPPER as usize];
        self.lower |= of[LOWER as usize];
        self.letter |= of[LETTER as usize];
        self.number |= of[NUMBER as usize];
        end
    }
}
