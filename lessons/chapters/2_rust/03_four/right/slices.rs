use std::ffi::{CString, c_char};
use std::slice;

/// # Safety
///
/// `ids` points to `n` ids that nobody changes during the call, and `n` is not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn total(ids: *const u32, n: usize) -> u64 {
    let ids = unsafe { slice::from_raw_parts(ids, n) };
    ids.iter().map(|id| u64::from(*id)).sum()
}

/// # Safety
///
/// As for `total`; `out` points to `n * times` ids that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn repeat(ids: *const u32, n: usize, times: usize, out: *mut u32) {
    let ids = unsafe { slice::from_raw_parts(ids, n) };
    let out = unsafe { slice::from_raw_parts_mut(out, n * times) };
    for part in out.chunks_exact_mut(n) {
        part.copy_from_slice(ids);
    }
}

/// # Safety
///
/// As for `total`; `out` points to `n_counts` numbers that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count(ids: *const u32, n: usize, n_counts: usize, out: *mut u32) {
    let counts = unsafe { slice::from_raw_parts_mut(out, n_counts) };
    counts.fill(0);
    for id in unsafe { slice::from_raw_parts(ids, n) } {
        if let Some(count) = counts.get_mut(*id as usize) {
            *count += 1;
        }
    }
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
