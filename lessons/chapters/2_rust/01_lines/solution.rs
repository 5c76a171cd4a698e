use std::slice;

/// # Safety
///
/// `text` points to `n` bytes and `ends` to `room` numbers that nothing else uses during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn line_ends(
    text: *const u8,
    n: usize,
    ends: *mut usize,
    room: usize,
) -> usize {
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
}
