//! Bytes and ids that do not fit into the cache's table: the newest overwrite the oldest.

/// The capacity in bytes.
const SIZE: usize = 6 << 20;

/// Zeros are empty.
#[repr(C)]
pub(super) struct Overflow {
    bytes: [u8; SIZE],
    /// The number of bytes ever written.
    written: u64,
}

impl Overflow {
    /// Store a few bytes and the ids after them, and return their place.
    pub(super) fn put(&mut self, bytes: &[u8], ids: &[u32]) -> u64 {
        let size = bytes.len() + size_of_val(ids);
        let left = SIZE - index(self.written);
        let place = self.written + if size > left { left as u64 } else { 0 };
        self.written = place + size as u64;
        let (front, rest) = self.bytes[index(place)..][..size].split_at_mut(bytes.len());
        front.copy_from_slice(bytes);
        let (words, _) = rest.as_chunks_mut();
        words.iter_mut().zip(ids).for_each(|(word, id)| *word = id.to_le_bytes());
        place
    }

    /// Return the `size` bytes from a place on, if they are still there.
    #[inline(always)]
    pub(super) fn get(&self, place: u64, size: usize) -> Option<&[u8]> {
        let there = self.written.wrapping_sub(place) <= SIZE as u64;
        if there { self.bytes.get(index(place)..)?.get(..size) } else { None }
    }
}

#[inline(always)]
fn index(place: u64) -> usize {
    (place % SIZE as u64) as usize
}

/// Read ids from their bytes to the front of `ids`.
#[inline(always)]
pub(super) fn read(bytes: &[u8], ids: &mut [u32]) {
    let (words, _) = bytes.as_chunks();
    ids.iter_mut().zip(words).for_each(|(id, &word)| *id = u32::from_le_bytes(word));
}
