//! The pieces of a block, all of whose keys are made, and their lines fetched, before the first is
//! looked up. Neither of the two passes has a branch on the size of a piece, which is random.

use super::find::{Find, Portable};
use super::keys::{SHORT, hash, key_of};
use super::recent::{Recent, SOME};
use super::scan::{BLOCK, next_pieces};
use super::text::Text;
#[cfg(target_arch = "x86_64")]
use super::{ahead, find::Avx2};
use crate::isa::{Isa, Level};

/// So that eight pieces at a time can be looked at from any.
const ROOM: usize = BLOCK + 8;

/// Ids, with room for those of a block's short pieces, and of one more.
pub(super) type Ids = [u32; SHORT * BLOCK + SOME];

/// Pieces in a row: piece `i` is `text[bounds[i]..bounds[i + 1]]`, and `lines[i]` where it is looked up.
/// Zeros are a block of none.
#[repr(C)]
pub(super) struct Block {
    pub(super) keys: [u128; ROOM],
    pub(super) bounds: [u32; ROOM + 1],
    pub(super) lines: [u32; ROOM],
    pub(super) n: usize,
}

impl Block {
    /// The next pieces from `at` on, which is before the end of the text, of less than 4 GiB.
    #[inline(always)]
    pub(super) fn fill(&mut self, isa: Isa, text: &Text, at: usize, recent: &Recent) {
        self.bounds[0] = at as u32;
        if let Some(ends) = self.bounds[1..].first_chunk_mut() {
            self.n = next_pieces(isa, text, at, ends);
        }
        let mut ready = 0;
        #[cfg(target_arch = "x86_64")]
        if isa.level() == Level::Avx512 {
            // SAFETY: that level includes what the function was compiled for.
            ready = unsafe { ahead::look_ahead(self, text.bytes, recent) };
        }
        self.look_ahead(ready, text.bytes, recent);
    }

    /// Where piece `i` begins and ends.
    #[inline(always)]
    pub(super) fn piece(&self, i: usize) -> (usize, usize) {
        (self.bounds[i] as usize, self.bounds[i + 1] as usize)
    }

    pub(super) fn line(&self, i: usize) -> u32 {
        self.lines[i]
    }

    /// Where the last piece ends.
    pub(super) fn end(&self) -> usize {
        self.bounds[self.n] as usize
    }

    /// Makes the keys of the pieces from `first` on, and has their lines fetched.
    #[inline(always)]
    fn look_ahead(&mut self, first: usize, text: &[u8], recent: &Recent) {
        for i in first..self.n {
            self.look_ahead_at(i, text, recent);
        }
    }

    #[inline(always)]
    pub(super) fn look_ahead_at(&mut self, i: usize, text: &[u8], recent: &Recent) {
        let (start, end) = self.piece(i);
        self.keys[i] = key_of(text, start, end);
        self.lines[i] = (hash(self.keys[i]) >> recent.shift()) as u32;
        recent.expect(self.lines[i]);
    }

    /// Writes the ids of the pieces from `i` on to the front of `ids`, up to the first that is not
    /// remembered, or has too many for `ids`; which one that is, and how many they are.
    #[inline(always)]
    pub(super) fn take(
        &self,
        isa: Isa,
        i: usize,
        text: &[u8],
        recent: &Recent,
        ids: &mut Ids,
    ) -> (usize, usize) {
        #[cfg(target_arch = "x86_64")]
        if isa.level() > Level::Portable {
            // SAFETY: that level includes what the function was compiled for.
            return unsafe { take_avx2(self, i, text, recent, ids) };
        }
        let _ = (isa, Level::Portable);
        // SAFETY: any machine can.
        unsafe { self.take_with::<Portable>(i, text, recent, ids) }
    }

    /// # Safety
    /// As for `Window`.
    #[inline(always)]
    unsafe fn take_with<F: Find>(
        &self,
        mut i: usize,
        text: &[u8],
        recent: &Recent,
        ids: &mut Ids,
    ) -> (usize, usize) {
        let mut n_ids = 0;
        while i < self.n.min(BLOCK)
            && let Some(out) = ids[n_ids..].first_chunk_mut()
        {
            let (start, end) = self.piece(i);
            let (line, key) = (self.lines[i], &self.keys[i]);
            let n = unsafe { recent.get::<F>(line, key, text, start..end, out) };
            if n == 0 {
                break;
            }
            n_ids += n;
            i += 1;
        }
        (i, n_ids)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn take_avx2(
    block: &Block,
    i: usize,
    text: &[u8],
    recent: &Recent,
    ids: &mut Ids,
) -> (usize, usize) {
    // SAFETY: this is compiled for it.
    unsafe { block.take_with::<Avx2>(i, text, recent, ids) }
}
