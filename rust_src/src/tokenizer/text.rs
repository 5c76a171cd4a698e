//! A text as classes of characters, and the longest runs of them.

use super::model::{COLUMNS, Tables};
use crate::Error;

pub(super) const OTHER: u8 = 0;
pub(super) const UPPER: u8 = 1;
pub(super) const LOWER: u8 = 2;
pub(super) const LETTER: u8 = 3;
pub(super) const MARK: u8 = 4;
pub(super) const NUMBER: u8 = 5;
pub(super) const SPACE: u8 = 6;
/// The class after the last character; it is in no set.
const END: u8 = 7;

/// A set of classes: bit `c` for class `c`.
pub(super) type Set = u8;
pub(super) const LETTERS: Set = 1 << UPPER | 1 << LOWER | 1 << LETTER;
pub(super) const SIGNS: Set = 1 << OTHER | 1 << MARK;

pub(super) fn has(set: Set, class: u8) -> bool {
    set >> class & 1 != 0
}

/// Places within a view of a text are counted in 32 bits. Tests have smaller views.
pub(super) const VIEW: usize = if cfg!(test) { 1 << 17 } else { u32::MAX as usize };

/// Call `work` on views of a text of any size, each of which begins where a pretoken begins.
/// `work` receives the view, the place to stop at, and the number of bytes before the view, and
/// returns the place where it stopped. A pretoken that ends near the end of a view that is not the
/// end of the text may be longer than the view: this is reported as a lack of memory.
pub(super) fn in_views<'a>(
    text: &'a [u8],
    mut work: impl FnMut(&'a [u8], usize, usize) -> Result<usize, Error>,
) -> Result<(), Error> {
    let mut before = 0;
    while before < text.len() {
        let view = &text[before..text.len().min(before + VIEW)];
        let done = work(view, view.len().min(VIEW / 2), before)?;
        before += done;
        if before < text.len() && done > VIEW - 64 {
            return Err(Error::memory(done));
        }
    }
    Ok(())
}

/// In each byte of a word: one, the highest bit, and the bit that differs between the cases of
/// ASCII.
const EACH: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * EACH;
const CASE: u64 = 0x20 * EACH;

/// The classes of ASCII in Unicode.
const ASCII: [u8; 128] = {
    let mut classes = [OTHER; 128];
    let mut c = 0;
    while c < 128 {
        classes[c] = match c as u8 {
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'0'..=b'9' => NUMBER,
            b' ' | b'\t'..=b'\r' => SPACE,
            _ => OTHER,
        };
        c += 1;
    }
    classes
};

/// Pad a text of fewer bytes.
#[cold]
fn padded(text: &[u8]) -> [u8; 4] {
    let mut bytes = [0; 4];
    bytes.iter_mut().zip(text).for_each(|(to, byte)| *to = *byte);
    bytes
}

/// UTF-8, and the model that has the classes of its characters.
pub(super) struct Text<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) max_digits: usize,
    pub(super) automaton: &'a [[u8; 2 * COLUMNS]],
    tables: &'a Tables<'a>,
    ascii: &'a [u8; 128],
    /// True if the model's classes of ASCII are those of Unicode.
    pub(super) plain: bool,
}

impl<'a> Text<'a> {
    pub(super) fn new(tables: &'a Tables<'a>, bytes: &'a [u8]) -> Self {
        let ascii = tables.unicode_block(0);
        let automaton = tables.automaton;
        let plain = automaton.is_empty() && *ascii == ASCII;
        Self { bytes, max_digits: tables.max_digits, automaton, tables, ascii, plain }
    }

    pub(super) fn pattern(&self) -> u32 {
        self.tables.pattern
    }

    /// Return the class of the character at `at`, and its size in bytes.
    #[inline(always)]
    pub(super) fn class(&self, at: usize) -> (u8, usize) {
        match self.bytes.get(at) {
            Some(&byte @ 0..128) => (self.ascii[usize::from(byte)], 1),
            Some(_) => self.wide_class(at),
            None => (END, 0),
        }
    }

    /// Return the `class` of a character that begins with a byte >= 0x80.
    #[inline(always)]
    pub(super) fn wide_class(&self, at: usize) -> (u8, usize) {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let [lead, bytes @ ..] = rest.first_chunk().copied().unwrap_or_else(|| padded(rest));
        let low = bytes.map(|byte| usize::from(byte & 0x3F));
        let lead = usize::from(lead);
        let (c, size) = match lead {
            0..0xE0 => ((lead & 0x1F) << 6 | low[0], 2),
            0xE0..0xF0 => ((lead & 0xF) << 12 | low[0] << 6 | low[1], 3),
            _ => ((lead & 7) << 18 | low[0] << 12 | low[1] << 6 | low[2], 4),
        };
        (self.tables.unicode_block(c >> 7)[c & 0x7F], size)
    }

    pub(super) fn is_any(&self, at: usize, bytes: &[u8]) -> bool {
        self.bytes.get(at).is_some_and(|byte| bytes.contains(byte))
    }

    /// Return the end of the run of characters of `set` that begins at `at`.
    #[inline(always)]
    pub(super) fn run(&self, mut at: usize, set: Set) -> usize {
        loop {
            let (class, size) = self.class(at);
            if !has(set, class) {
                return at;
            }
            at += size;
        }
    }

    /// Return the end of a run of letters.
    pub(super) fn letters(&self, at: usize) -> usize {
        self.run(self.skip_ascii(at, CASE), LETTERS)
    }

    /// Return the end of the run of `a` to `z` that begins at `at`, or an earlier place; bits in
    /// `fold` count as set. It tests eight bytes at a time: the highest bit of each says whether it
    /// is outside.
    #[inline(always)]
    pub(super) fn skip_ascii(&self, mut at: usize, fold: u64) -> usize {
        while self.plain
            && let Some(&word) = self.bytes.get(at..).and_then(<[u8]>::first_chunk)
        {
            let word = u64::from_le_bytes(word) | fold;
            let low = word & !HIGH;
            let from_a = low + (0x80 - u64::from(b'a')) * EACH;
            let past_z = low + (0x7F - u64::from(b'z')) * EACH;
            let outside = (!from_a | past_z | word) & HIGH;
            at += outside.trailing_zeros() as usize / 8;
            if outside != 0 {
                break;
            }
        }
        at
    }
}
