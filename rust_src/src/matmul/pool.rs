//! A few threads that wait for work. They are started when a call first needs them, and stay. After
//! a call they spin for 10 to 100 microseconds, in case another one follows, then sleep. A forked
//! child starts its own.

use std::hint::spin_loop;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::*};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};

use crate::processors;

const SPINS: usize = 1000;
const STACK: usize = 1 << 18;

/// A call of [`share`], as the threads see it. It is on the caller's stack.
struct Call<'a> {
    work: &'a (dyn Fn(usize, usize) + Sync),
    parts: usize,
    /// The first part that no thread has begun.
    next: AtomicUsize,
    /// The number of threads that may still read this call.
    inside: AtomicUsize,
    caller: Thread,
}

impl Call<'_> {
    fn take_parts(&self, seat: usize) {
        loop {
            let part = self.next.fetch_add(1, Relaxed);
            if part >= self.parts {
                return;
            }
            (self.work)(part, seat);
        }
    }

    fn leave(&self, threads: usize) -> bool {
        self.inside.fetch_sub(threads, AcqRel) == threads
    }

    fn wait(&self) {
        for _ in 0..SPINS {
            if self.inside.load(Acquire) == 0 {
                return;
            }
            spin_loop();
        }
        while self.inside.load(Acquire) > 0 {
            thread::park(); // the last thread to leave wakes it
        }
    }
}

/// The place where a thread finds its next call. Either the thread takes the call out, or the
/// caller does, if it has finished alone. Whichever took it out must decrement `inside`.
type Mailbox = Arc<AtomicPtr<Call<'static>>>;

fn serve(mailbox: Mailbox, seat: usize) {
    let mut idle = 0;
    loop {
        if mailbox.load(Relaxed).is_null() {
            if idle < SPINS {
                spin_loop();
            } else {
                thread::park();
            }
            idle += 1;
            continue;
        }
        idle = 0;
        // SAFETY: the caller waits until every thread that has taken a call out has left it.
        if let Some(call) = unsafe { mailbox.swap(null_mut(), AcqRel).as_ref() } {
            call.take_parts(seat);
            let caller = call.caller.clone(); // `call` may be gone after the next line
            if call.leave(1) {
                caller.unpark();
            }
        }
    }
}

struct Pool {
    process: u32,
    /// Locked while the pool serves a call.
    threads: Mutex<Vec<(Mailbox, Thread)>>,
}

impl Pool {
    fn current() -> &'static Pool {
        static CURRENT: AtomicPtr<Pool> = AtomicPtr::new(null_mut());
        let (known, process) = (CURRENT.load(Acquire), std::process::id());
        // SAFETY: a pool that was stored there is never freed.
        if let Some(pool) = unsafe { known.as_ref() }
            && pool.process == process
        {
            return pool;
        }
        let made = Box::into_raw(Box::new(Pool { process, threads: Mutex::default() }));
        // SAFETY: as above; if another thread of this process was first, nothing refers to the new
        // one.
        unsafe {
            match CURRENT.compare_exchange(known, made, AcqRel, Acquire) {
                Ok(_) => &*made,
                Err(other) => {
                    drop(Box::from_raw(made));
                    &*other
                }
            }
        }
    }
}

/// Call `work(part, seat)` once for each part, on this thread and at most `threads - 1` others, and
/// return when all calls have returned. `seat` is less than `threads` and differs between calls
/// that run at the same time. While the pool serves another caller, this thread does all parts.
///
/// # Safety
/// `work` does not unwind.
pub(super) unsafe fn share(parts: usize, threads: usize, work: &(dyn Fn(usize, usize) + Sync)) {
    if parts.min(threads) <= 1 {
        return (0..parts).for_each(|part| work(part, 0));
    }
    let call = Call {
        work,
        parts,
        next: AtomicUsize::new(0),
        inside: AtomicUsize::new(0),
        caller: thread::current(),
    };
    let pool = Pool::current();
    let wanted = threads.min(parts).min(processors()) - 1;
    let Ok(mut others) = pool.threads.try_lock() else { return call.take_parts(0) };
    for seat in others.len() + 1..=wanted {
        let mailbox = Mailbox::default();
        let served = mailbox.clone();
        match thread::Builder::new().stack_size(STACK).spawn(move || serve(served, seat)) {
            Ok(made) => others.push((mailbox, made.thread().clone())),
            Err(_) => break,
        }
    }
    let others = &others[..wanted.min(others.len())];
    call.inside.store(others.len(), Relaxed);
    for (mailbox, thread) in others {
        mailbox.store((&raw const call).cast_mut().cast(), Release);
        thread.unpark();
    }
    call.take_parts(0);
    let late = |(mailbox, _): &&(Mailbox, Thread)| !mailbox.swap(null_mut(), AcqRel).is_null();
    call.leave(others.iter().filter(late).count());
    call.wait();
}
