//! Find and fix the six mistakes with `unsafe`.
//!
//! ```text
//! total([1, 2, 3], 3)                    6
//! repeat([1, 2], 2, 3, out)              writes 1, 2, 1, 2, 1, 2
//! count([1, 0, 1, 9], 4, 3, out)         writes 1, 2, 0: ids that are not below 3 are left out
//! name(7)                                "token 7", which the caller passes to name_free once
//! ```
//!
//! The functions often give these results. But each of them promises something to the compiler or
//! to its caller that is not true. `n` and `times` are never 0.
//!
//! TODO: fix total, repeat, count (twice), name and name_free.
use std::ffi::{CString, c_char};
use std::slice;

/// # Safety
///
/// `ids` points to `n` ids that nobody changes during the call, and `n` is not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn total(ids: *const u32, n: usize) -> u64 {
    //: let ids = unsafe { slice::from_raw_parts(ids, n * size_of::<u32>()) };
    // BEGIN SOLUTION
    let ids = unsafe { slice::from_raw_parts(ids, n) };
    // END SOLUTION
    ids.iter().map(|id| u64::from(*id)).sum()
}

/// # Safety
///
/// As for `total`; `out` points to `n * times` ids that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repeat(ids: *const u32, n: usize, times: usize, out: *mut u32) {
    let mut list = unsafe { slice::from_raw_parts(ids, n) }.to_vec();
    //: let first = list.as_ptr();
    for _ in 1..times {
        for i in 0..n {
            //: list.push(unsafe { *first.add(i) });
            // BEGIN SOLUTION
            list.push(list[i]);
            // END SOLUTION
        }
    }
    unsafe { out.copy_from_nonoverlapping(list.as_ptr(), n * times) };
}

/// # Safety
///
/// As for `total`; `out` points to `n_counts` numbers that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count(ids: *const u32, n: usize, n_counts: usize, out: *mut u32) {
    //: let mut counts: Vec<u32> = Vec::with_capacity(n_counts);
    //: unsafe { counts.set_len(n_counts) };
    //: for id in unsafe { slice::from_raw_parts(ids, n) } {
    //:     unsafe { *counts.as_mut_ptr().add(*id as usize) += 1 };
    // BEGIN SOLUTION
    let mut counts: Vec<u32> = vec![0; n_counts];
    for id in unsafe { slice::from_raw_parts(ids, n) } {
        if let Some(count) = counts.get_mut(*id as usize) {
            *count += 1;
        }
    // END SOLUTION
    }
    unsafe { out.copy_from_nonoverlapping(counts.as_ptr(), n_counts) };
}

#[unsafe(no_mangle)]
pub extern "C" fn name(id: u32) -> *mut c_char {
    //: CString::new(format!("token {id}"))
    //:     .unwrap()
    //:     .as_ptr()
    //:     .cast_mut()
    // BEGIN SOLUTION
    CString::new(format!("token {id}")).unwrap().into_raw()
    // END SOLUTION
}

/// # Safety
///
/// `name` was returned by `name`, and this is the first call with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn name_free(name: *mut c_char) {
    //: drop(name);
    // BEGIN SOLUTION
    drop(unsafe { CString::from_raw(name) });
    // END SOLUTION
}
