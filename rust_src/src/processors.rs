//! The number of threads that can run at the same time.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::available_parallelism;

/// Return the number of processors that this process may use. No lock guards the number, because a
/// forked child could find it locked for ever.
pub(crate) fn processors() -> usize {
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let known = KNOWN.load(Relaxed);
    if known > 0 {
        return known;
    }
    let found = available_parallelism().map_or(1, usize::from);
    KNOWN.store(found, Relaxed);
    found
}
