//! Write two functions that report errors by codes and never panic.
//!
//! ```text
//! cut("größer" in UTF-8, 8, 3, &end)    0; end is 2, since ö is bytes 2 and 3
//! cut("größer" in UTF-8, 8, 99, &end)   0; end is 8
//! cut("gr\xff", 3, 1, &end)             NOT_UTF8; end is 2, where the first bad byte is
//! total([2, 3], 2, &sum)                0; sum is 5
//! total([2⁶⁴ - 1, 1], 2, &sum)          TOO_LARGE; sum is as it was
//! ```
//!
//! cut finds where a text can be cut so that at most `most` bytes are left and no character is cut
//! in two. total adds numbers. The arrays may be null if `n` is 0.
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

// BEGIN SOLUTION
/// Return the last place of the text, up to `most`, where a character begins or the text ends.
fn boundary(text: &str, most: usize) -> usize {
    let mut place = most.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

// END SOLUTION
/// # Safety
///
/// `text` points to `n` bytes, and `end` to a number that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cut(text: *const u8, n: usize, most: usize, end: *mut usize) -> i32 {
    let text = unsafe { borrowed(text, n) };
    //: // TODO: write the end
    //: OK
    // BEGIN SOLUTION
    let (code, place) = match str::from_utf8(text) {
        Ok(text) => (OK, boundary(text, most)),
        Err(error) => (NOT_UTF8, error.valid_up_to()),
    };
    unsafe { *end = place };
    code
    // END SOLUTION
}

/// # Safety
///
/// `numbers` points to `n` numbers, and `sum` to one that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn total(numbers: *const u64, n: usize, sum: *mut u64) -> i32 {
    let numbers = unsafe { borrowed(numbers, n) };
    //: // TODO: write the sum
    // BEGIN SOLUTION
    let Some(found) = numbers
        .iter()
        .try_fold(0, |sum: u64, n| sum.checked_add(*n))
    else {
        return TOO_LARGE;
    };
    unsafe { *sum = found };
    // END SOLUTION
    OK
}
