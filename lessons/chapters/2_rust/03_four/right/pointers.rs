use std::ffi::{CString, c_char};
use std::slice;

/// # Safety
///
/// `ids` points to `n` ids that nobody changes during the call, and `n` is not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn total(ids: *const u32, n: usize) -> u64 {
    let ids = unsafe { slice::from_raw_parts(ids, n) };
    ids.iter().fold(0, |sum, id| sum + u64::from(*id))
}

/// # Safety
///
/// As for `total`; `out` points to `n * times` ids that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repeat(ids: *const u32, n: usize, times: usize, out: *mut u32) {
    let mut list = unsafe { slice::from_raw_parts(ids, n) }.to_vec();
    for _ in 1..times {
        for i in 0..n {
            let first = list.as_ptr();
            let id = unsafe { *first.add(i) };
            list.push(id);
        }
    }
    unsafe { out.copy_from_nonoverlapping(list.as_ptr(), n * times) };
}

/// # Safety
///
/// As for `total`; `out` points to `n_counts` numbers that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count(ids: *const u32, n: usize, n_counts: usize, out: *mut u32) {
    let mut counts: Vec<u32> = {
        let mut counts = Vec::with_capacity(n_counts);
        counts.resize(n_counts, 0);
        counts
    };
    for id in unsafe { slice::from_raw_parts(ids, n) } {
        if (*id as usize) < n_counts {
            unsafe { *counts.get_unchecked_mut(*id as usize) += 1 };
        }
    }
    unsafe { out.copy_from_nonoverlapping(counts.as_ptr(), n_counts) };
}

#[unsafe(no_mangle)]
pub extern "C" fn name(id: u32) -> *mut c_char {
    CString::new(format!("token {id}")).unwrap().into_raw()
}

/// # Safety
///
/// `name` was returned by `name`, and this is the first call with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn name_free(name: *mut c_char) {
    drop(unsafe { CString::from_raw(name) });
}
