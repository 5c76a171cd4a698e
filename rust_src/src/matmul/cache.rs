//! NC, the columns of `b` that stay in the second cache of a core.

use super::blocks::{KC, PANEL};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The most B panels in a block of b: enough to hide the memory traffic in between.
const PANELS: usize = 24;

/// Return NC for elements of `size` bytes, in whole panels: a block of b fills five eighths of L2,
/// and the rest is for `a` and `out`.
#[inline(always)]
pub(super) fn columns(size: usize) -> usize {
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let bytes = match KNOWN.load(Relaxed) {
        0 => {
            let panels = l2() * 5 / 8 / (KC * PANEL);
            KNOWN.store(panels.clamp(2, PANELS) * PANEL, Relaxed);
            KNOWN.load(Relaxed)
        }
        known => known,
    };
    bytes / size
}

/// Return the bytes of a core's second cache.
#[cold]
fn l2() -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 has the instruction and this leaf.
        #[allow(unused_unsafe)] // since Rust 1.94
        let kib = unsafe { std::arch::x86_64::__cpuid(0x8000_0006) }.ecx >> 16;
        if kib > 0 {
            return (kib as usize) << 10;
        }
    }
    1 << 20
}
