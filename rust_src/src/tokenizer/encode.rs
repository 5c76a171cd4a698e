//! Encode a text without special tokens: split it, and find each pretoken in the cache or among the
//! tokens, or merge it.

use std::collections::TryReserveError;

use super::block::{Block, Ids};
use super::cache::{CACHED_BYTES, Cache};
use super::chunks::merge_long;
use super::keys::SHORT;
use super::merge::{Symbol, merge};
use super::model::Tables;
use super::sink::{Front, Sink, uninit};
use super::text::{Text, in_views};
use crate::Error;
use crate::isa::Isa;

/// The slot of a pretoken among the tokens is prefetched this many pretokens ahead.
const AHEAD: usize = 16;
/// The longest pretoken that is merged in arrays on the stack.
const MEDIUM: usize = 64;

/// Working memory for one thread at a time and one model: the cache, and the current block of
/// pretokens. It begins as zeros.
#[repr(C)]
pub(super) struct Scratch {
    cache: Cache,
    block: Block,
    ids: Ids,
    many: [u32; CACHED_BYTES],
}

/// Put the ids of a text.
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
            scratch.cache.grow();
            scratch.block.fill(isa, &text, at, &scratch.cache);
            put_pretokens(isa, tables, text.bytes, scratch, sink)
                .map_err(|_| Error::memory(view.len()))?;
            at = scratch.block.end();
        }
        Ok(if tables.stopped() { view.len() } else { at })
    })
}

/// Put the ids of the block's pretokens.
#[inline(always)]
fn put_pretokens(
    isa: Isa,
    tables: &Tables,
    text: &[u8],
    scratch: &mut Scratch,
    sink: &mut impl Sink,
) -> Result<(), TryReserveError> {
    let Scratch { cache, block, ids, many } = scratch;
    let (mut i, mut fetched) = (0, 0);
    loop {
        let (known, n_ids) = block.take(isa, i, text, cache, ids);
        sink.put(&ids[..n_ids])?;
        i = known;
        if i == block.n {
            return Ok(());
        }
        // New pretokens come in groups.
        let soon = (i + AHEAD).min(block.n);
        block.keys[fetched.clamp(i, soon)..soon].iter().for_each(|&key| tables.expect_short(key));
        fetched = soon;
        let (start, end) = block.pretoken(i);
        let (key, line, pretoken) = (block.keys[i], block.line(i), &text[start..end]);
        if pretoken.len() <= SHORT {
            let mut ids = [0; SHORT];
            let ids = short_pretoken(isa, tables, key, &mut ids);
            cache.put(line, key, pretoken, ids);
            sink.put(ids)?;
        } else if pretoken.len() <= CACHED_BYTES {
            let known = cache.get_many(line, &key, pretoken, many);
            if known > 0 {
                sink.put(&many[..known])?;
            } else {
                let ids = long_pretoken(isa, tables, key, pretoken, many)?;
                if tables.stopped() {
                    return Ok(());
                }
                cache.put(line, key, pretoken, ids);
                sink.put(ids)?;
            }
        } else if let Some(id) = tables.long_id(key as u64, pretoken) {
            sink.put(&[id])?;
        } else {
            merge_long(isa, tables, pretoken, sink)?;
        }
        i += 1;
    }
}

#[inline(never)]
fn short_pretoken<'a>(
    isa: Isa,
    tables: &Tables,
    key: u128,
    ids: &'a mut [u32; SHORT],
) -> &'a [u32] {
    if let Some(id) = tables.short_id(key) {
        ids[0] = id;
        return &ids[..1];
    }
    let [pretoken @ .., size] = key.to_le_bytes();
    let mut symbols = [Symbol::default(); SHORT];
    let n = merge(isa, tables, &pretoken[..usize::from(size)], &mut symbols);
    ids.iter_mut().zip(&symbols[..n]).for_each(|(id, symbol)| *id = symbol.id);
    &ids[..n]
}

/// Return the ids of a pretoken of at most `CACHED_BYTES` bytes.
#[inline(never)]
fn long_pretoken<'a>(
    isa: Isa,
    tables: &Tables,
    key: u128,
    pretoken: &[u8],
    ids: &'a mut [u32; CACHED_BYTES],
) -> Result<&'a [u32], TryReserveError> {
    let n = if let Some(id) = tables.long_id(key as u64, pretoken) {
        ids[0] = id;
        1
    } else if pretoken.len() <= MEDIUM {
        let mut symbols = [Symbol::default(); MEDIUM];
        let n = merge(isa, tables, pretoken, &mut symbols);
        ids.iter_mut().zip(&symbols[..n]).for_each(|(id, symbol)| *id = symbol.id);
        n
    } else {
        let mut sink = Front { ids: uninit(ids), n: 0 };
        merge_long(isa, tables, pretoken, &mut sink)?;
        sink.n
    };
    Ok(&ids[..n])
}
