//! Merge a pretoken of any size in linear time, within the processor's cache: chunk by chunk, each
//! with the last symbols before it.
//!
//! A sequence of symbols is the merge of all its bytes if, and only if, every two neighbours are
//! the merge of their own bytes. (Up to the first merge across a boundary all merges would be the
//! same, and that one would happen between the two neighbours alone as well.) It therefore suffices
//! that the symbol before the merged ones fits the first of them; if it does not, more symbols are
//! merged again.

use std::collections::TryReserveError;

use super::merge::{MOST, Symbol, merge};
use super::model::Tables;
use super::sink::Sink;
use super::whole::merge_whole;
use crate::isa::Isa;

const CHUNK: usize = MOST / 2;
/// Bytes before a chunk that are at first merged again with it.
const AGAIN: usize = 12;

/// Merge a pretoken of less than 4 GiB that is not empty.
pub(super) fn merge_long(
    isa: Isa,
    tables: &Tables,
    pretoken: &[u8],
    sink: &mut impl Sink,
) -> Result<(), TryReserveError> {
    let (open, seam) = (Symbols::new(), Symbols::new());
    let mut chunks =
        Chunks { isa, tables, pretoken, open, seam, merged: &[], fit: None, emitted: 0 };
    let first = &pretoken[..pretoken.len().min(CHUNK)];
    chunks.open.merge(isa, tables, first);
    let mut at = first.len();
    while at < pretoken.len() && !tables.stopped() {
        let end = pretoken.len().min(at + CHUNK);
        if !chunks.join(at, end, sink)? {
            sink.take_back(chunks.emitted);
            return merge_whole(tables, pretoken, sink);
        }
        at = end;
    }
    chunks.emit(chunks.open.n, sink)
}

/// Symbols of at most `MOST` bytes, and one before them.
struct Symbols {
    symbols: [Symbol; MOST + 1],
    n: usize,
}

impl Symbols {
    fn new() -> Self {
        Self { symbols: [Symbol::default(); MOST + 1], n: 0 }
    }

    fn as_slice(&self) -> &[Symbol] {
        &self.symbols[..self.n]
    }

    fn merge(&mut self, isa: Isa, tables: &Tables, pretoken: &[u8]) {
        self.n = merge(isa, tables, pretoken, &mut self.symbols);
    }
}

struct Chunks<'a> {
    isa: Isa,
    tables: &'a Tables<'a>,
    pretoken: &'a [u8],
    /// Not yet written: later bytes can change them.
    open: Symbols,
    /// The last result, and its bytes: a very long pretoken often repeats itself.
    seam: Symbols,
    merged: &'a [u8],
    /// The last two that fitted.
    fit: Option<[u32; 2]>,
    emitted: usize,
}

impl Chunks<'_> {
    /// Join `pretoken[at..end]` to the open symbols, which end at `at`. Return false if this
    /// would change symbols that were written, or too many.
    fn join(
        &mut self,
        at: usize,
        end: usize,
        sink: &mut impl Sink,
    ) -> Result<bool, TryReserveError> {
        let (mut again, mut before) = (0, 0);
        loop {
            // Four times the number before.
            let open = self.open.as_slice();
            let most = (4 * again).max(1);
            while again < open.len() && (again < most || before < AGAIN) {
                again += 1;
                before += open[open.len() - again].size as usize;
            }
            let fixed = open.len() - again;
            if fixed == 0 && self.emitted > 0 || before + end - at > MOST {
                return Ok(false);
            }
            let bytes = &self.pretoken[at - before..end];
            if bytes != self.merged {
                self.seam.merge(self.isa, self.tables, bytes);
                self.merged = bytes;
            }
            let left = open[..fixed].last().copied();
            if left.is_none_or(|left| self.fits(at - before, left, self.seam.symbols[0])) {
                self.emit(fixed.saturating_sub(1), sink)?;
                // One stays open, as the neighbour of the next change.
                let n = usize::from(left.is_some());
                self.open.symbols[0] = left.unwrap_or_default();
                self.open.symbols[n..n + self.seam.n].copy_from_slice(self.seam.as_slice());
                self.open.n = n + self.seam.n;
                return Ok(true);
            }
        }
    }

    /// Return true if two symbols that meet at `at` stay as they are.
    fn fits(&mut self, at: usize, left: Symbol, right: Symbol) -> bool {
        let two = [left.id, right.id];
        let bytes = at - left.size as usize..at + right.size as usize;
        if self.fit == Some(two) {
            return true;
        }
        if bytes.len() > MOST {
            return false;
        }
        let mut both = Symbols::new();
        both.merge(self.isa, self.tables, &self.pretoken[bytes]);
        let fit = both.as_slice() == [left, right];
        if fit {
            self.fit = Some(two);
        }
        fit
    }

    /// Write the first `n` of the open symbols.
    fn emit(&mut self, n: usize, sink: &mut impl Sink) -> Result<(), TryReserveError> {
        let mut ids = [0; MOST + 1];
        ids.iter_mut().zip(&self.open.symbols[..n]).for_each(|(id, symbol)| *id = symbol.id);
        self.emitted += n;
        sink.put(&ids[..n])
    }
}
