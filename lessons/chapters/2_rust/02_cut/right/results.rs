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
    let mut place = most.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// # Safety
///
/// `text` points to `n` bytes, and `end` to a number that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cut(text: *const u8, n: usize, most: usize, end: *mut usize) -> i32 {
    let text = unsafe { borrowed(text, n) };
    let found = str::from_utf8(text).map(|text| boundary(text, most));
    unsafe { *end = found.unwrap_or_else(|error| error.valid_up_to()) };
    if found.is_ok() { OK } else { NOT_UTF8 }
}

/// # Safety
///
/// `numbers` points to `n` numbers, and `sum` to one that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn total(numbers: *const u64, n: usize, sum: *mut u64) -> i32 {
    let numbers = unsafe { borrowed(numbers, n) };
    let mut found: u64 = 0;
    for number in numbers {
        let (more, overflown) = found.overflowing_add(*number);
        if overflown {
            return TOO_LARGE;
        }
        found = more;
    }
    unsafe { sum.write(found) };
    OK
}
