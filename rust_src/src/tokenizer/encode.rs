//! A text without special tokens to ids: split it, and look each piece up among the recent ones,
//! then among the tokens, else merge it.

use std::collections::TryReserveError;

use super::block::{Block, Ids};
use super::chunks::merge_long;
use super::keys::SHORT;
use super::merge::{Symbol, merge};
use super::model::Tables;
use super::recent::{KEPT, Recent};
use super::sink::{Into, Sink, uninit};
use super::text::{Text, in_views};
use crate::Error;
use crate::isa::Isa;

/// How many pieces before a new one is looked up its slot among the tokens is fetched.
const AHEAD: usize = 16;
/// The longest piece that is merged in arrays of its own.
const MEDIUM: usize = 64;

/// Memory that one thread at a time works in, for one model: what recent pieces became, and the pieces
/// at hand. Zeros are how it begins.
#[repr(C)]
pub(super) struct Scratch {
    recent: Recent,
    block: Block,
    ids: Ids,
    many: [u32; KEPT],
}

/// Puts the ids of a text.
pub(super) fn encode(
    tables: &Tables,
    isa: Isa,
    text: &[u8],
    scratch: &mut Scratch,
    sink: &mut impl Sink,
) -> Result<(), Error> {
    in_views(text, |view, until, _| {
        let text = Text::new(tables, view);
        let mut at = 0;
        while at < until && !tables.stopped() {
            scratch.recent.grow();
            scratch.block.fill(isa, &text, at, &scratch.recent);
            put_pieces(isa, tables, text.bytes, scratch, sink)
                .map_err(|_| Error::memory(view.len()))?;
            at = scratch.block.end();
        }
        Ok(if tables.stopped() { view.len() } else { at })
    })
}

/// Puts what the pieces of the block become.
#[inline(always)]
fn put_pieces(
    isa: Isa,
    tables: &Tables,
    text: &[u8],
    scratch: &mut Scratch,
    sink: &mut impl Sink,
) -> Result<(), TryReserveError> {
    let Scratch { recent, block, ids, many } = scratch;
    let (mut i, mut fetched) = (0, 0);
    loop {
        let (known, n_ids) = block.take(isa, i, text, recent, ids);
        sink.put(&ids[..n_ids])?;
        i = known;
        if i == block.n {
            return Ok(());
        }
        // Where one piece is new, so are others.
        let soon = (i + AHEAD).min(block.n);
        block.keys[fetched.clamp(i, soon)..soon].iter().for_each(|&key| tables.expect_short(key));
        fetched = soon;
        let (start, end) = block.piece(i);
        let (key, line, piece) = (block.keys[i], block.line(i), &text[start..end]);
        if piece.len() <= SHORT {
            let mut ids = [0; SHORT];
            let ids = short_piece(isa, tables, key, &mut ids);
            recent.put(line, key, piece, ids);
            sink.put(ids)?;
        } else if piece.len() <= KEPT {
            let known = recent.get_many(line, &key, piece, many);
            if known > 0 {
                sink.put(&many[..known])?;
            } else {
                let ids = long_piece(isa, tables, key, piece, many)?;
                if tables.stopped() {
                    return Ok(());
                }
                recent.put(line, key, piece, ids);
                sink.put(ids)?;
            }
        } else if let Some(id) = tables.long_id(key as u64, piece) {
            sink.put(&[id])?;
        } else {
            merge_long(isa, tables, piece, sink)?;
        }
        i += 1;
    }
}

#[inline(never)]
fn short_piece<'a>(isa: Isa, tables: &Tables, key: u128, ids: &'a mut [u32; SHORT]) -> &'a [u32] {
    if let Some(id) = tables.short_id(key) {
        ids[0] = id;
        return &ids[..1];
    }
    let [piece @ .., size] = key.to_le_bytes();
    let mut symbols = [Symbol::default(); SHORT];
    let n = merge(isa, tables, &piece[..usize::from(size)], &mut symbols);
    ids.iter_mut().zip(&symbols[..n]).for_each(|(id, symbol)| *id = symbol.id);
    &ids[..n]
}

/// Those of a piece of at most `KEPT` bytes.
#[inline(never)]
fn long_piece<'a>(
    isa: Isa,
    tables: &Tables,
    key: u128,
    piece: &[u8],
    ids: &'a mut [u32; KEPT],
) -> Result<&'a [u32], TryReserveError> {
    let n = if let Some(id) = tables.long_id(key as u64, piece) {
        ids[0] = id;
        1
    } else if piece.len() <= MEDIUM {
        let mut symbols = [Symbol::default(); MEDIUM];
        let n = merge(isa, tables, piece, &mut symbols);
        ids.iter_mut().zip(&symbols[..n]).for_each(|(id, symbol)| *id = symbol.id);
        n
    } else {
        let mut sink = Into { ids: uninit(ids), n: 0 };
        merge_long(isa, tables, piece, &mut sink)?;
        sink.n
    };
    Ok(&ids[..n])
}
