//! A text without special tokens to ids: split it, and look each piece up among the recent ones,
//! then among the tokens, else merge it.

use super::cache::{Cache, Ids};
use super::merge::{Parts, merge};
use super::model::{SHORT, Tables, short_key};
use super::split::each_piece;

/// Pieces looked up at a time. That the processor need not know where one ends to look up the one
/// before lets it wait for many look-ups at once.
const BLOCK: usize = 64;

/// Memory to work in: recent pieces (half a megabyte) and the parts of the longest piece so far. Any
/// text of any model may use it, one at a time; keeping it from call to call is what makes it fast.
#[derive(Default)]
pub struct Scratch {
    pub(super) cache: Cache,
    parts: Parts,
    ids: Vec<u32>,
}

/// Calls `emit` with each id of a text.
pub(super) fn encode(
    tables: &Tables,
    text: &[u8],
    scratch: &mut Scratch,
    emit: &mut impl FnMut(u32),
) {
    let mut pieces = [(0, 0); BLOCK];
    let mut n = 0;
    each_piece(tables, text, |start, end| {
        pieces[n] = (start, end);
        n += 1;
        if n == BLOCK {
            encode_pieces(tables, text, &pieces, scratch, emit);
            n = 0;
        }
    });
    encode_pieces(tables, text, &pieces[..n], scratch, emit);
}

fn encode_pieces(
    tables: &Tables,
    text: &[u8],
    pieces: &[(usize, usize)],
    scratch: &mut Scratch,
    emit: &mut impl FnMut(u32),
) {
    let mut recent = [Ids::default(); BLOCK];
    for (recent, &(start, end)) in recent.iter_mut().zip(pieces) {
        if end - start <= SHORT {
            *recent = scratch.cache.get(short_key(text, start, end));
        }
    }
    for (recent, &(start, end)) in recent.iter().zip(pieces) {
        match recent.as_slice() {
            [] => encode_piece(tables, text, start, end, scratch).iter().for_each(|&id| emit(id)),
            ids => ids.iter().for_each(|&id| emit(id)),
        }
    }
}

fn encode_piece<'a>(
    tables: &Tables,
    text: &[u8],
    start: usize,
    end: usize,
    Scratch { cache, parts, ids }: &'a mut Scratch,
) -> &'a [u32] {
    ids.clear();
    match tables.token_id(text, start, end) {
        Some(id) => ids.push(id),
        None => merge(tables, &text[start..end], parts, ids),
    }
    if end - start <= SHORT {
        cache.put(short_key(text, start, end), ids);
    }
    ids
}
