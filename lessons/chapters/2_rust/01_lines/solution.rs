//! Find the lines of a text, in memory that belongs to the caller.
//!
//! ```text
//! line_ends("ab\n\ncde", 7, ends, 10)   3; ends begins with 2, 3, 7
//! line_ends("ab\n", 3, ends, 10)        1; ends begins with 2
//! ```
//!
//! Each line ends before its line feed, and the last one may end with the text instead. The function
//! returns the number of lines, and writes where the first `room` of them end.
//! `text` may be null if `n` is 0, and `ends` may be null if `room` is 0.

// BEGIN SOLUTION
use std::slice;

// END SOLUTION
/// # Safety
///
/// `text` points to `n` bytes and `ends` to `room` numbers that nothing else uses during the call.
//: // TODO: the function that Python finds under the name line_ends
// BEGIN SOLUTION
#[unsafe(no_mangle)]
// END SOLUTION
pub unsafe extern "C" fn line_ends(
    text: *const u8,
    n: usize,
    ends: *mut usize,
    room: usize,
) -> usize {
    //: 0
    // BEGIN SOLUTION
    let text = match n {
        0 => &[],
        _ => unsafe { slice::from_raw_parts(text, n) },
    };
    let ends = match room {
        0 => &mut [],
        _ => unsafe { slice::from_raw_parts_mut(ends, room) },
    };
    let mut lines = 0;
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if let Some(end) = ends.get_mut(lines) {
            *end = start + line.strip_suffix(b"\n").unwrap_or(line).len();
        }
        start += line.len();
        lines += 1;
    }
    lines
    // END SOLUTION
}
