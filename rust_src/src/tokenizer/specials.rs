//! Find special tokens: the leftmost, the longest on a tie.

use std::iter::successors;

use super::model::Tables;

/// Texts are searched for the first two bytes in chunks of this size, a loop that the compiler
/// vectorises.
const CHUNK: usize = 64;
/// The largest number of different starts for which this search pays.
const FEW: usize = 4;

/// The longest special token, in bytes.
const LONGEST: usize = 1024;

/// How the special tokens start. The model has them in the order of their bytes.
pub(super) struct Specials {
    /// Their first two bytes; empty if there are too many, or if a token is shorter.
    starts: Vec<[u8; 2]>,
    /// The first bytes of each, as numbers, in order.
    prefixes: Vec<u64>,
    /// The mask of these bytes in a word.
    prefix: u64,
}

/// Special token `number` at `text[start..end]`.
pub(super) struct SpecialMatch {
    pub(super) number: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Specials {
    /// Return None if the tables are wrong.
    pub(super) fn new(tables: &Tables) -> Option<Self> {
        if !(0..tables.n_special()).all(|number| in_order(tables, number)) {
            return None;
        }
        let names = || (0..tables.n_special()).map(|number| name(tables, number));
        let mut starts: Vec<[u8; 2]> = names()
            .map(|name| name.first_chunk().copied())
            .collect::<Option<_>>()
            .unwrap_or_default();
        starts.dedup();
        starts.truncate(if starts.len() > FEW { 0 } else { FEW });
        let shortest = names().map(<[u8]>::len).min();
        let prefix = u64::MAX >> (64 - 8 * shortest.unwrap_or(1).min(8));
        let mut prefixes: Vec<_> = names().map(|name| word(name) & prefix).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        Some(Self { starts, prefixes, prefix })
    }

    /// Return the first special token from `from` on whose `policy` is `wanted`.
    pub(super) fn find(
        &self,
        tables: &Tables,
        text: &[u8],
        from: usize,
        policy: &[u8],
        wanted: u8,
    ) -> Option<SpecialMatch> {
        for at in (from..text.len()).step_by(CHUNK) {
            if !self.may_start(&text[at..]) {
                continue;
            }
            if tables.stopped() {
                return None;
            }
            for start in at..text.len().min(at + CHUNK) {
                if self.has_prefix(&text[start..])
                    && let Some(number) = longest(tables, &text[start..], policy, wanted)
                {
                    return Some(SpecialMatch {
                        number,
                        start,
                        end: start + name(tables, number).len(),
                    });
                }
            }
        }
        None
    }

    /// Return true if a token may start in the first chunk of a text.
    #[inline(always)]
    fn may_start(&self, text: &[u8]) -> bool {
        let Some(chunk) = text.first_chunk() else { return true };
        self.starts.is_empty() || self.starts.iter().any(|&start| has(chunk, start))
    }

    fn has_prefix(&self, text: &[u8]) -> bool {
        self.prefixes.binary_search(&(word(text) & self.prefix)).is_ok()
    }
}

/// Return true if special token `number` has an allowed size, comes after the one before it, and
/// has the prefix that follows from those before it.
fn in_order(tables: &Tables, number: usize) -> bool {
    let token = name(tables, number);
    let before = number.checked_sub(1);
    let is_prefix = |&other: &usize| token.starts_with(name(tables, other));
    (1..=LONGEST).contains(&token.len())
        && before.is_none_or(|before| name(tables, before) < token)
        && tables.special_prefix(number) == prefixes_of(tables, before).find(is_prefix)
}

/// Return a token, then the longest other one that it begins with, and so on.
fn prefixes_of(tables: &Tables, number: Option<usize>) -> impl Iterator<Item = usize> {
    successors(number, |&number| tables.special_prefix(number))
}

/// Return the longest token that `text` starts with.
///
/// Let the last token that does not sort after the text be t. Every token that the text starts with
/// is t or a prefix of t: `<|a|>` <= `<|a|>b` <= `<|a|>bx...` < `<|a|>c`. The bytes that the text
/// shares with the tokens on both sides are not compared again.
fn longest(tables: &Tables, text: &[u8], policy: &[u8], wanted: u8) -> Option<usize> {
    // The tokens before `low` do not sort after the text.
    let (mut low, mut high) = (0, tables.n_special());
    let (mut same_low, mut same_high) = (0, 0);
    while low < high {
        let middle = low.midpoint(high);
        let token = name(tables, middle);
        let same = common_prefix(token, text, same_low.min(same_high));
        if token.get(same) < text.get(same) || same == token.len() {
            (low, same_low) = (middle + 1, same);
        } else {
            (high, same_high) = (middle, same);
        }
    }
    prefixes_of(tables, low.checked_sub(1)).find(|&number| {
        name(tables, number).len() <= same_low && policy.get(number) == Some(&wanted)
    })
}

/// Return the number of bytes that two texts share; the first `from` are known to be equal.
fn common_prefix(a: &[u8], b: &[u8], from: usize) -> usize {
    let (a, b) = (a.get(from..).unwrap_or_default(), b.get(from..).unwrap_or_default());
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let same = 8 * words.take_while(|(a, b)| a == b).count();
    from + same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

fn name<'a>(tables: &Tables<'a>, number: usize) -> &'a [u8] {
    tables.special_id(number).and_then(|id| tables.spelling(id)).unwrap_or_default()
}

/// Return the first bytes of a text, padded with zeros.
fn word(text: &[u8]) -> u64 {
    let copied = || {
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text);
        bytes
    };
    u64::from_le_bytes(text.first_chunk().copied().unwrap_or_else(copied))
}

fn has(chunk: &[u8; CHUNK + 1], [first, second]: [u8; 2]) -> bool {
    let pairs = chunk.iter().zip(&chunk[1..]);
    pairs.fold(false, |found, (a, b)| found | (*a == first) & (*b == second))
}
