//! Sharing a batch of texts among threads.

use std::ops::Range;
use std::thread::{Builder, scope};

/// A thread for less text than this costs more than it saves.
const WORTHWHILE: usize = 1 << 15;

/// Consecutive ranges of the texts, at most `threads`, of about as many bytes each.
pub(super) fn shares<T: AsRef<str>>(texts: &[T], threads: usize) -> Vec<Range<usize>> {
    let size: usize = texts.iter().map(|text| text.as_ref().len()).sum();
    let n = (size / WORTHWHILE).min(threads).max(1);
    let mut shares = Vec::with_capacity(n);
    let (mut start, mut done) = (0, 0);
    for (i, text) in texts.iter().enumerate() {
        done += text.as_ref().len();
        if done >= size / n * (shares.len() + 1) && shares.len() + 1 < n {
            shares.push(start..i + 1);
            start = i + 1;
        }
    }
    shares.push(start..texts.len());
    shares
}

/// The result of `work` on each share: the last one here, each other in a thread of its own, or here
/// too if the system has no more threads.
pub(super) fn run<R: Send>(
    shares: &[Range<usize>],
    work: impl Fn(Range<usize>) -> R + Sync,
) -> Vec<R> {
    let Some((last, others)) = shares.split_last() else { return Vec::new() };
    let work = &work;
    scope(|scope| {
        let start = |share: &Range<usize>| {
            let share = share.clone();
            Builder::new().spawn_scoped(scope, move || work(share))
        };
        let threads: Vec<_> = others.iter().map(start).collect();
        let result = work(last.clone());
        let mut results = Vec::with_capacity(shares.len());
        for (thread, share) in threads.into_iter().zip(others) {
            let joined = thread.ok().and_then(|thread| thread.join().ok());
            results.push(joined.unwrap_or_else(|| work(share.clone())));
        }
        results.push(result);
        results
    })
}
