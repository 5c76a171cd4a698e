//! The pretokens of a block. All keys are made and all cache lines prefetched before the first is
//! looked up. Neither of the two passes has a branch on the size of a pretoken, which is
//! unpredictable.

use super::cache::{Cache, SOME};
use super::find::{Find, Portable};
use super::keys::{SHORT, hash, key_of};
use super::scan::{BLOCK, next_pretokens};
use super::text::Text;
#[cfg(target_arch = "x86_64")]
use super::{ahead, find::Avx2};
use crate::isa::{Isa, Level};

/// Room for eight pretokens at a time, from any of them on.
const ROOM: usize = BLOCK + 8;

/// Room for the ids of a block's short pretokens and of one more.
pub(super) type Ids = [u32; SHORT * BLOCK + SOME];

/// Consecutive pretokens: number `i` is `text[bounds[i]..bounds[i + 1]]`, and `lines[i]` is its
/// line in the cache. Zeros are an empty block.
#[repr(C)]
pub(super) struct Block {
    pub(super) keys: [u128; ROOM],
    pub(super) bounds: [u32; ROOM + 1],
    pub(super) lines: [u32; ROOM],
    pub(super) n: usize,
}

impl Block {
    /// Find the next pretokens from `at` on, which is before the end of the text, of less than 4
    /// GiB.
    #[inline(always)]
    pub(super) fn fill(&mut self, isa: Isa, text: &Text, at: usize, cache: &Cache) {
        self.bounds[0] = at as u32;
        if let Some(ends) = self.bounds[1..].first_chunk_mut() {
            self.n = next_pretokens(isa, text, at, ends);
        }
        let mut ready = 0;
        #[cfg(target_arch = "x86_64")]
        if isa.level() == Level::Avx512 {
            // SAFETY: that level includes the features that the function was compiled for.
            ready = unsafe { ahead::look_ahead(self, text.bytes, cache) };
        }
        self.look_ahead(ready, text.bytes, cache);
    }

    /// Return the start and the end of pretoken `i`.
    #[inline(always)]
    pub(super) fn pretoken(&self, i: usize) -> (usize, usize) {
        (self.bounds[i] as usize, self.bounds[i + 1] as usize)
    }

    pub(super) fn line(&self, i: usize) -> u32 {
        self.lines[i]
    }

    /// Return the end of the last pretoken.
    pub(super) fn end(&self) -> usize {
        self.bounds[self.n] as usize
    }

    /// Make the keys of the pretokens from `first` on, and prefetch their lines.
    #[inline(always)]
    fn look_ahead(&mut self, first: usize, text: &[u8], cache: &Cache) {
        for i in first..self.n {
            self.look_ahead_at(i, text, cache);
        }
    }

    #[inline(always)]
    pub(super) fn look_ahead_at(&mut self, i: usize, text: &[u8], cache: &Cache) {
        let (start, end) = self.pretoken(i);
        self.keys[i] = key_of(text, start, end);
        self.lines[i] = (hash(self.keys[i]) >> cache.shift()) as u32;
        cache.expect(self.lines[i]);
    }

    /// Write the ids of the pretokens from `i` on to the front of `ids`, up to the first that is
    /// not cached or has too many. Return that pretoken, and the number of ids.
    #[inline(always)]
    pub(super) fn take(
        &self,
        isa: Isa,
        i: usize,
        text: &[u8],
        cache: &Cache,
        ids: &mut Ids,
    ) -> (usize, usize) {
        #[cfg(target_arch = "x86_64")]
        if isa.level() > Level::Portable {
            // SAFETY: that level includes the features that the function was compiled for.
            return unsafe { take_avx2(self, i, text, cache, ids) };
        }
        let _ = (isa, Level::Portable);
        // SAFETY: it runs on any machine.
        unsafe { self.take_with::<Portable>(i, text, cache, ids) }
    }

    /// # Safety
    /// As for `Window`.
    #[inline(always)]
    unsafe fn take_with<F: Find>(
        &self,
        mut i: usize,
        text: &[u8],
        cache: &Cache,
        ids: &mut Ids,
    ) -> (usize, usize) {
        let mut n_ids = 0;
        while i < self.n.min(BLOCK)
            && let Some(out) = ids[n_ids..].first_chunk_mut()
        {
            let (start, end) = self.pretoken(i);
            let (line, key) = (self.lines[i], &self.keys[i]);
            let n = unsafe { cache.get::<F>(line, key, text, start..end, out) };
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
fn take_avx2(block: &Block, i: usize, text: &[u8], cache: &Cache, ids: &mut Ids) -> (usize, usize) {
    // SAFETY: this function has the features.
    unsafe { block.take_with::<Avx2>(i, text, cache, ids) }
}
