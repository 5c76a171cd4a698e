//! The pre-tokenizer patterns of `docs/tokenizer.md`. Three are written by hand: backtracking by at
//! most a character, linear on any text. The others are automata, which the model contains.

use super::model::COLUMNS;
use super::text::{
    LETTER, LETTERS, LOWER, MARK, NUMBER, OTHER, SIGNS, SPACE, Set, Text, UPPER, has,
};

/// The classes before the last letters of an o200k word, and the classes of these letters.
const HEAD: Set = 1 << UPPER | 1 << LETTER | 1 << MARK;
const TAIL: Set = 1 << LOWER | 1 << LETTER | 1 << MARK;

/// The classes that continue a gpt2 pretoken, by the class it starts with.
const ALIKE: [Set; 8] = [SIGNS, LETTERS, LETTERS, LETTERS, SIGNS, 1 << NUMBER, 0, 0];

pub(super) const GPT2: u32 = 1;
pub(super) const CL100K: u32 = 2;
pub(super) const O200K: u32 = 3;

/// Return the end of the pretoken that begins at `at`, before the end of the text.
pub(super) fn pretoken_end(text: &Text, at: usize) -> usize {
    let end = match text.pattern() {
        GPT2 => gpt2(text, at),
        CL100K => cl100k(text, at),
        _ => o200k(text, at),
    };
    // A special token that cuts into a character leaves a character without its last bytes.
    end.min(text.bytes.len())
}

/// Return the end of the pretoken that begins at `at`, by the automaton.
pub(super) fn automaton_end(text: &Text, mut at: usize) -> usize {
    let (mut end, mut state) = (at + 1, 0);
    loop {
        let (class, size) = text.class(at);
        let column = if size > 0 { usize::from(class) % COLUMNS } else { COLUMNS - 1 };
        let Some(row) = text.automaton.get(state) else { return end };
        let entry = usize::from(u16::from_le_bytes([row[2 * column], row[2 * column + 1]]));
        if entry & 1 != 0 && state > 0 {
            end = at.min(text.bytes.len());
        }
        state = entry >> 1;
        if state == 0 || size == 0 {
            return end;
        }
        at += size;
    }
}

/// `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
#[inline(always)]
fn gpt2(text: &Text, at: usize) -> usize {
    if let Some(end) = gpt2_contraction(text, at) {
        return end;
    }
    let start = at + usize::from(text.bytes[at] == b' ');
    let (class, size) = text.class(start);
    match ALIKE[usize::from(class & 7)] {
        0 => white(text, at, false),
        LETTERS => text.letters(start + size),
        set => text.run(start + size, set),
    }
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*`
/// `|\s*[\r\n]+|\s+(?!\S)|\s+`
fn cl100k(text: &Text, at: usize) -> usize {
    if let Some(end) = contraction(text, at) {
        return end;
    }
    let (class, size) = text.class(at);
    if has(LETTERS, class) {
        return text.letters(at + size);
    }
    if class == NUMBER {
        return digits(text, at);
    }
    let (next, next_size) = text.class(at + size);
    if has(LETTERS, next) && !text.is_any(at, b"\r\n") {
        return text.letters(at + size + next_size);
    }
    signs(text, at, b"\r\n").unwrap_or_else(|| white(text, at, true))
}

/// `[^\r\n\p{L}\p{N}]?[HEAD]*[TAIL]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
/// `|[^\r\n\p{L}\p{N}]?[HEAD]+[TAIL]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
/// `|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
fn o200k(text: &Text, at: usize) -> usize {
    let (class, size) = text.class(at);
    let word = match class {
        UPPER | LOWER | LETTER => tailed(text, at).or_else(|| headed(text, at)),
        // A mark can come before a word, and otherwise is a word itself.
        MARK => tailed(text, at + size).or(Some(at + size)),
        OTHER | SPACE if !text.is_any(at, b"\r\n") => {
            tailed(text, at + size).or_else(|| headed(text, at + size))
        }
        _ => None,
    };
    if let Some(end) = word {
        return contraction(text, end).unwrap_or(end);
    }
    if class == NUMBER {
        return digits(text, at);
    }
    signs(text, at, b"\r\n/").unwrap_or_else(|| white(text, at, true))
}

/// Match `[HEAD]*[TAIL]+`: if no tail follows the head, its last part that can be a tail is the
/// tail.
fn tailed(text: &Text, start: usize) -> Option<usize> {
    let (mut at, mut tail) = (start, None);
    loop {
        let (class, size) = text.class(at);
        at += size;
        match class {
            UPPER => {}
            LETTER | MARK => tail = Some(at),
            LOWER => return Some(text.run(text.skip_ascii(at, 0), TAIL)),
            _ => return tail,
        }
    }
}

/// Match `[HEAD]+[TAIL]*` where `tailed` found nothing.
fn headed(text: &Text, start: usize) -> Option<usize> {
    Some(text.run(start, HEAD)).filter(|&end| end > start)
}

/// Return the end of `'(?:[sdmt]|ll|ve|re)`.
#[inline(always)]
pub(super) fn gpt2_contraction(text: &Text, at: usize) -> Option<usize> {
    let [b'\'', rest @ ..] = text.bytes.get(at..)? else { return None };
    match rest {
        [b's' | b'd' | b'm' | b't', ..] => Some(at + 2),
        [b'l', b'l', ..] | [b'v' | b'r', b'e', ..] => Some(at + 3),
        _ => None,
    }
}

/// Return the end of `(?i:'s|'t|'re|'ve|'m|'ll|'d)`; U+017F is an s.
pub(super) fn contraction(text: &Text, at: usize) -> Option<usize> {
    let [b'\'', rest @ ..] = text.bytes.get(at..)? else { return None };
    match rest {
        [b's' | b't' | b'm' | b'd' | b'S' | b'T' | b'M' | b'D', ..] => Some(at + 2),
        [b'l' | b'L', b'l' | b'L', ..] => Some(at + 3),
        [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] => Some(at + 3),
        [0xC5, 0xBF, ..] => Some(at + 3),
        _ => None,
    }
}

/// Return the end of `\p{N}{1,max_digits}` at a number.
fn digits(text: &Text, mut at: usize) -> usize {
    let most = if text.max_digits == 0 { usize::MAX } else { text.max_digits };
    for _ in 0..most {
        let (NUMBER, size) = text.class(at) else { break };
        at += size;
    }
    at
}

/// Match ` ?[^\s\p{L}\p{N}]+[trailing]*`.
fn signs(text: &Text, at: usize, trailing: &[u8]) -> Option<usize> {
    let start = at + usize::from(text.bytes[at] == b' ');
    let mut end = Some(text.run(start, SIGNS)).filter(|&end| end > start)?;
    while text.is_any(end, trailing) {
        end += 1;
    }
    Some(end)
}

/// Match `\s*[\r\n]+` if `lines`, then `\s+(?!\S)|\s+`, at white space.
fn white(text: &Text, at: usize, lines: bool) -> usize {
    let (mut last, mut end, mut line_end) = (at, at, at);
    while end == at || text.class(end).0 == SPACE {
        last = end;
        end += text.class(end).1;
        if lines && text.is_any(last, b"\r\n") {
            line_end = end;
        }
    }
    if line_end > at {
        line_end
    } else if end == text.bytes.len() || last == at {
        end
    } else {
        last
    }
}
