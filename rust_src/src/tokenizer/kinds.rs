//! What the bytes of a window are: a set of them for each kind that a pattern asks for.

use super::bytes::{Bits, Window, first};
use super::text::{LETTER, LOWER, MARK, NUMBER, SPACE, Text, UPPER};

/// Each byte that is of a kind, or of a character that is.
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
    /// Those of ASCII.
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

    /// Forgets all but the first `n` bytes.
    #[inline(always)]
    pub(super) fn truncate(&mut self, n: usize) {
        let Self { upper, lower, letter, number, space, blank, newline, slash, quote, wide, inner } =
            self;
        for kind in [upper, lower, letter, number, space, blank, newline, slash, quote, wide, inner]
        {
            *kind &= first(n);
        }
    }

    /// Adds the characters of more than a byte among the first `n`, up to one that reaches beyond
    /// them or is too hard: returns where that is, else `n`. Hard are white space, numbers if they
    /// are `counted`, and in `cased` words a mark that follows no letter.
    #[inline(always)]
    pub(super) fn add_wide(
        &mut self,
        text: &Text,
        at: usize,
        n: usize,
        counted: bool,
        cased: bool,
    ) -> usize {
        let mut firsts = self.wide & !self.inner;
        while firsts != 0 {
            let place = firsts.trailing_zeros() as usize;
            firsts &= firsts - 1;
            let (class, size) = text.class(at + place);
            let behind_word = place > 0 && self.letters() >> (place - 1) & 1 != 0;
            let hard = match class {
                SPACE => true,
                NUMBER => counted,
                MARK => cased && !behind_word,
                _ => false,
            };
            if hard || place + size > n {
                return place;
            }
            let bytes = first(size) << place;
            match class {
                UPPER => self.upper |= bytes,
                LOWER => self.lower |= bytes,
                LETTER => self.letter |= bytes,
                MARK if cased => self.letter |= bytes,
                NUMBER => self.number |= bytes,
                _ => {}
            }
        }
        n
    }
}
