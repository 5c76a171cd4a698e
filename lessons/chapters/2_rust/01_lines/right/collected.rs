#[unsafe(no_mangle)]
pub extern "C" fn line_ends(text: *const u8, n: usize, ends: *mut usize, room: usize) -> usize {
    if n == 0 {
        return 0;
    }
    let text = unsafe { std::slice::from_raw_parts(text, n) };
    let mut found: Vec<usize> = (0..n).filter(|&i| text[i] == b'\n').collect();
    if text[n - 1] != b'\n' {
        found.push(n);
    }
    let written = found.len().min(room);
    unsafe { ends.copy_from(found.as_ptr(), written) };
    found.len()
}
