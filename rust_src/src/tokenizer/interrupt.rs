//! The early end of a long call.
//!
//! Every loop whose length depends on the text calls [`Interrupt::stopped`] and leaves if that is
//! true. Its results are then discarded, and need not even be correct: the call returns an error.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::thread::{ThreadId, current};
use std::time::{Duration, Instant};

use crate::{Code, Error};

/// The number of checks between two readings of the clock.
const CHECKS: u32 = 64;
const PERIOD: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 50 });

/// An interrupt for one call. The calling thread calls a function 20 times a second, which decides
/// whether to end the call.
pub struct Interrupt<'a> {
    ask: &'a (dyn Fn() -> bool + Sync),
    thread: ThreadId,
    start: Instant,
    stop: AtomicBool,
    checks: AtomicU32,
    /// The time of the next call of `ask`, in milliseconds after the start.
    next: AtomicU64,
}

impl<'a> Interrupt<'a> {
    /// Make an interrupt for a call of this thread.
    pub fn new(ask: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let (start, thread) = (Instant::now(), current().id());
        let (stop, checks, next) = (AtomicBool::new(false), AtomicU32::new(0), AtomicU64::new(0));
        Self { ask, thread, start, stop, checks, next }
    }

    /// Return true if the call must end; none of its results may then be cached. Once true, it
    /// stays true.
    #[cold]
    pub(super) fn stopped(&self) -> bool {
        if self.stop.load(Relaxed) || current().id() != self.thread {
            return self.stop.load(Relaxed);
        }
        let checks = self.checks.load(Relaxed);
        self.checks.store(checks.wrapping_add(1), Relaxed);
        if !checks.is_multiple_of(CHECKS) {
            return false;
        }
        let now = self.start.elapsed().as_millis() as u64;
        if now < self.next.load(Relaxed) {
            return false;
        }
        self.next.store(now + PERIOD.as_millis() as u64, Relaxed);
        let stop = (self.ask)();
        self.stop.store(stop, Relaxed);
        stop
    }

    /// Return the error of a call that was ended.
    pub(super) fn ended(this: Option<&Self>) -> Result<(), Error> {
        match this {
            Some(interrupt) if interrupt.stop.load(Relaxed) => {
                Err(Error { code: Code::Interrupted, ..Error::ARGUMENT })
            }
            _ => Ok(()),
        }
    }
}
