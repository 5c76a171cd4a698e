//! How a long call comes to an end before it is done.
//!
//! Every loop whose length depends on the text asks [`Interrupt::stopped`] and leaves when that is true.
//! What it has done is then of no use, and need not even be right: the call is an error.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::thread::{ThreadId, current};
use std::time::{Duration, Instant};

use crate::{Code, Error};

/// Checks for one look at the clock.
const CHECKS: u32 = 64;
const PERIOD: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 50 });

/// For one call, by the thread that makes it: a function that this thread calls meanwhile, 20 times a
/// second, and that says whether to end the call.
pub struct Interrupt<'a> {
    ask: &'a (dyn Fn() -> bool + Sync),
    thread: ThreadId,
    start: Instant,
    stop: AtomicBool,
    checks: AtomicU32,
    /// When `ask` is called next, in milliseconds after the start.
    next: AtomicU64,
}

impl<'a> Interrupt<'a> {
    /// An interrupt for a call of the calling thread.
    pub fn new(ask: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let (start, thread) = (Instant::now(), current().id());
        let (stop, checks, next) = (AtomicBool::new(false), AtomicU32::new(0), AtomicU64::new(0));
        Self { ask, thread, start, stop, checks, next }
    }

    /// Whether the call is to end. Nothing of it may then be remembered. Once true it stays so.
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

    /// An error for a call that comes to its end.
    pub(super) fn ended(this: Option<&Self>) -> Result<(), Error> {
        match this {
            Some(interrupt) if interrupt.stop.load(Relaxed) => {
                Err(Error { code: Code::Interrupted, ..Error::ARGUMENT })
            }
            _ => Ok(()),
        }
    }
}
