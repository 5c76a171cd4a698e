use std::slice;

/// The code that a function returns on success.
pub const OK: i32 = 0;
pub const NOT_UTF8: i32 = 1;
pub const TOO_LARGE: i32 = 2;

unsafe fn borrowed<'a, T>(start: *const T, n: usize) -> &'a [T] {
    match n {
        0 => &[],
        _ => unsafe { slice::from_raw_parts(start, n) },
    }
}

/// Return the last place of the text, up to `most`, where a character begins or the text ends.
fn boundary(text: &str, most: usize) -> usize {
    let ends = text.char_indices().map(|(start, c)| start + c.len_utf8());
    ends.take_while(|end| *end <= most).last().unwrap_or(0)
}

/// # Safety
///
/// `text` points to `n` bytes, and `end` to a number that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cut(text: *const u8, n: usize, most: usize, end: *mut usize) -> i32 {
    let text = unsafe { borrowed(text, n) };
    let (code, place) = match str::from_utf8(text) {
        Ok(text) => (OK, boundary(text, most)),
        Err(error) => (NOT_UTF8, error.valid_up_to()),
    };
    unsafe { *end = place };
    code
}

/// # Safety
///
/// `numbers` points to `n` numbers, and `sum` to one that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn total(numbers: *const u64, n: usize, sum: *mut u64) -> i32 {
    let numbers = unsafe { borrowed(numbers, n) };
    let wide: u128 = numbers.iter().map(|n| u128::from(*n)).sum();
    match u64::try_from(wide) {
        Ok(found) => unsafe { *sum = found },
        Err(_) => return TOO_LARGE,
    }
    OK
}
