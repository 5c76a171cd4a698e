use std::ffi::c_char;
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
    let list = unsafe { slice::from_raw_parts(ids, n) }.repeat(times);
    unsafe { out.copy_from_nonoverlapping(list.as_ptr(), n * times) };
}

/// # Safety
///
/// As for `total`; `out` points to `n_counts` numbers that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count(ids: *const u32, n: usize, n_counts: usize, out: *mut u32) {
    let mut counts: Vec<u32> = vec![0; n_counts];
    for id in unsafe { slice::from_raw_parts(ids, n) } {
        if let Some(count) = counts.get_mut(*id as usize) {
            *count += 1;
        }
    }
    unsafe { out.copy_from_nonoverlapping(counts.as_ptr(), n_counts) };
}

#[unsafe(no_mangle)]
pub extern "C" fn name(id: u32) -> *mut c_char {
    let text: Box<[u8]> = format!("token {id}\0").into_bytes().into();
    Box::into_raw(text).cast()
}

/// # Safety
///
/// `name` was returned by `name`, and this is the first call with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn name_free(name: *mut c_char) {
    let n = unsafe { std::ffi::CStr::from_ptr(name) }.count_bytes() + 1;
    drop(unsafe { Box::from_raw(slice::from_raw_parts_mut(name.cast::<u8>(), n)) });
}
