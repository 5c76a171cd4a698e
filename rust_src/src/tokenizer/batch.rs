//! A batch of texts, shared among threads. A text never has more ids than bytes, so that each
//! thread writes from the byte offset of its first text, and the gaps are closed at the end.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::thread::{Builder, scope, sleep};
use std::time::Duration;

use super::interrupt::Interrupt;
use super::job::Job;
use super::sink::Front;
use crate::{Error, processors};

/// The least bytes of text that are worth a thread.
const BYTES_PER_THREAD: usize = 1 << 15;

/// Consecutive texts for one thread.
struct Share<'a> {
    texts: Range<usize>,
    /// The offset of their bytes.
    start: usize,
    ids: &'a mut [MaybeUninit<u32>],
    /// The end of each text's ids.
    ends: &'a mut [i64],
    /// The number of ids, once it is known.
    n: Option<Result<usize, Error>>,
}

/// Write the ids of texts end to end to the front of `ids`, which is as long as the texts have
/// bytes. Return the place where each text's ids begin, then the end of the last.
pub(super) fn encode<'a, T: AsRef<str> + Sync>(
    texts: &[T],
    threads: usize,
    ids: &mut [MaybeUninit<u32>],
    interrupt: Option<&Interrupt<'_>>,
    job: impl Fn() -> Result<Job<'a>, Error> + Sync,
) -> Result<Vec<i64>, Error> {
    let mut offsets = Vec::new();
    offsets.try_reserve_exact(texts.len() + 1).map_err(|_| Error::memory(size(texts)))?;
    offsets.resize(texts.len() + 1, 0);
    let mut shares = divide(texts, threads, ids, &mut offsets[1..]);
    run(&mut shares, interrupt, |share| {
        let mut encode = || {
            let (mut job, mut sink) = (job()?, Front { ids: share.ids, n: 0 });
            for (number, end) in share.texts.clone().zip(&mut *share.ends) {
                job.encode(texts[number].as_ref(), &mut sink)
                    .map_err(|error| Error { record: number as i64, ..error })?;
                *end = sink.n as i64;
            }
            Ok(sink.n)
        };
        share.n = Some(encode());
    });
    let mut done = Vec::with_capacity(shares.len());
    let mut total = 0;
    for Share { start, ends, n, .. } in shares {
        let n = n.unwrap_or(Err(Error::ARGUMENT))?;
        ends.iter_mut().for_each(|end| *end += total as i64);
        done.push((start, n));
        total += n;
    }
    let mut at = 0;
    for (start, n) in done {
        ids.copy_within(start..start + n, at);
        at += n;
    }
    Ok(offsets)
}

/// Divide the texts into at most `threads` shares of about equal size.
fn divide<'a, T: AsRef<str>>(
    texts: &[T],
    threads: usize,
    mut ids: &'a mut [MaybeUninit<u32>],
    mut ends: &'a mut [i64],
) -> Vec<Share<'a>> {
    let size = size(texts);
    let n = match (size / BYTES_PER_THREAD).min(threads) {
        0 | 1 => 1,
        n => n.min(processors()),
    };
    let mut shares = Vec::with_capacity(n);
    let (mut first, mut start, mut end) = (0, 0, 0);
    for (i, text) in texts.iter().enumerate() {
        end += text.as_ref().len();
        let last = i + 1 == texts.len();
        if last || end >= size / n * (shares.len() + 1) && shares.len() + 1 < n {
            let (own_ids, own_ends);
            (own_ids, ids) = ids.split_at_mut(end - start);
            (own_ends, ends) = ends.split_at_mut(i + 1 - first);
            shares.push(Share {
                texts: first..i + 1,
                start,
                ids: own_ids,
                ends: own_ends,
                n: None,
            });
            (first, start) = (i + 1, end);
        }
    }
    shares
}

/// Return the number of bytes of all texts.
pub(super) fn size<T: AsRef<str>>(texts: &[T]) -> usize {
    texts.iter().map(|text| text.as_ref().len()).sum()
}

/// Do `work` on each share: the last one in this thread, each other one in a thread of its own, or
/// here if the system cannot start more threads.
fn run(shares: &mut [Share], interrupt: Option<&Interrupt<'_>>, work: impl Fn(&mut Share) + Sync) {
    let work = &work;
    scope(|scope| {
        let Some((last, others)) = shares.split_last_mut() else { return };
        let start = |share| Builder::new().spawn_scoped(scope, move || work(share));
        let threads: Vec<_> = others.iter_mut().map(start).collect();
        work(last);
        let busy = || threads.iter().flatten().any(|thread| !thread.is_finished());
        while interrupt.is_some_and(|interrupt| !interrupt.stopped()) && busy() {
            sleep(Duration::from_millis(1));
        }
        threads.into_iter().flatten().for_each(|thread| drop(thread.join()));
    });
    shares.iter_mut().filter(|share| share.n.is_none()).for_each(work);
}
