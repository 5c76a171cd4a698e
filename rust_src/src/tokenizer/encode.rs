//! A text without special tokens to ids: split it, and look each piece up among the recent ones,
//! then among the tokens, else merge it.

use super::cache::{Far, LONG, Recent, line_of};
use super::chunks::merge_long;
use super::keys::{SHORT, long_hash, short_key};
use super::merge::{Symbol, merge};
use super::model::Tables;
use super::scan::{BLOCK, next_pieces};
use super::sink::Sink;
use super::text::Text;
use crate::isa::Isa;

/// How many pieces before a new one is looked up its slot among the tokens is fetched.
const AHEAD: usize = 16;

/// Memory that one thread at a time works in, for one model: what recent pieces became, and the pieces
/// at hand. Zeros are how it begins.
#[repr(C)]
pub(super) struct Scratch {
    recent: Recent,
    far: Far,
    block: Block,
}

/// Pieces on their way. That the processor need not know what one became to look up the next lets it
/// wait for many look-ups at once.
#[repr(C)]
struct Block {
    ends: [usize; BLOCK],
    keys: [u128; BLOCK],
    lines: [u16; BLOCK],
    /// Room for those of as many pieces.
    ids: [u32; SHORT * BLOCK],
}

/// Puts the ids of a text.
pub(super) fn encode(
    tables: &Tables,
    isa: Isa,
    text: &[u8],
    scratch: &mut Scratch,
    sink: &mut impl Sink,
) {
    let text = Text::new(tables, text);
    let mut at = 0;
    while at < text.bytes.len() {
        let n = next_pieces(isa, &text, at, &mut scratch.block.ends);
        look_up(text.bytes, at, n, scratch);
        put_pieces(isa, tables, text.bytes, at, n, scratch, sink);
        at = scratch.block.ends[n - 1];
    }
}

/// Makes the keys of `n` pieces, the first of which is at `start`, and has their lines fetched.
#[inline(always)]
fn look_up(text: &[u8], mut start: usize, n: usize, scratch: &mut Scratch) {
    let Scratch { recent, block: Block { ends, keys, lines, .. }, .. } = scratch;
    for ((&end, key), line) in ends[..n].iter().zip(keys).zip(lines) {
        *key = short_key(text, start, end);
        *line = line_of(*key);
        recent.expect(*line);
        start = end;
    }
}

/// Puts what they become.
#[inline(always)]
fn put_pieces(
    isa: Isa,
    tables: &Tables,
    text: &[u8],
    mut start: usize,
    n: usize,
    scratch: &mut Scratch,
    sink: &mut impl Sink,
) {
    let Scratch { recent, far, block: Block { ends, keys, lines, ids } } = scratch;
    let (mut n_ids, mut fetched) = (0, 0);
    for i in 0..n {
        let (end, key, line) = (ends[i], keys[i], lines[i]);
        let Some(out) = ids[n_ids..].first_chunk_mut() else { break };
        let known = recent.get(line, key, out);
        if known > 0 {
            n_ids += known;
        } else if end - start <= SHORT {
            // Where one piece is new, so are others.
            let soon = (i + AHEAD).min(n);
            keys[fetched.clamp(i, soon)..soon].iter().for_each(|&key| tables.expect_short(key));
            fetched = soon;
            let n_new = short_piece(isa, tables, key, out);
            recent.put(line, key, out, n_new);
            n_ids += n_new;
        } else {
            sink.put(&ids[..n_ids]);
            n_ids = 0;
            long_piece(isa, tables, &text[start..end], far, sink);
        }
        start = end;
    }
    sink.put(&ids[..n_ids]);
}

#[inline(never)]
fn short_piece(isa: Isa, tables: &Tables, key: u128, out: &mut [u32; SHORT]) -> usize {
    if let Some(id) = tables.short_id(key) {
        out[0] = id;
        return 1;
    }
    let [piece @ .., size] = key.to_le_bytes();
    let mut symbols = [Symbol::default(); SHORT];
    let n = merge(isa, tables, &piece[..usize::from(size)], &mut symbols);
    out.iter_mut().zip(&symbols[..n]).for_each(|(id, symbol)| *id = symbol.id);
    n
}

#[inline(never)]
fn long_piece(isa: Isa, tables: &Tables, piece: &[u8], far: &mut Far, sink: &mut impl Sink) {
    let hash = long_hash(piece);
    if let Some(ids) = far.get(hash, piece) {
        sink.put(ids);
    } else if let Some(id) = tables.long_id(hash, piece) {
        far.put(hash, piece, &[id]);
        sink.put(&[id]);
    } else if piece.len() <= LONG {
        let mut symbols = [Symbol::default(); LONG];
        let n = merge(isa, tables, piece, &mut symbols);
        let ids = symbols.map(|symbol| symbol.id);
        far.put(hash, piece, &ids[..n]);
        sink.put(&ids[..n]);
    } else {
        merge_long(isa, tables, piece, sink);
    }
}
