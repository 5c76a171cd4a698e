//! Records of a fixed size to columns, with bytes swapped if the file has the other byte order.

use crate::output::{Argument, check_overlap, extent};
use crate::records::{Cursor, Options};
use crate::{Code, Error, Input, Output};

/// Bytes of records that are gathered leaf by leaf before moving on, so that they stay in the L1
/// cache.
const BLOCK: usize = 16 * 1024;

/// One leaf of a record, and the place of its column in the arena.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FixedField {
    /// The place of the leaf in the record.
    pub offset: i64,
    /// Bytes of one scalar: 1, 2, 4 or 8.
    pub unit: i64,
    /// Scalars in the leaf.
    pub count: i64,
    /// 1: reverse the bytes of each scalar.
    pub swap: i64,
    /// Arena offset of `unit * count * max_records` bytes, a multiple of 8.
    pub column: i64,
}

/// A leaf whose numbers were checked.
struct Leaf {
    offset: usize,
    unit: usize,
    size: usize,
    swap: bool,
    column: usize,
}

impl FixedField {
    /// `taken` is the end of the columns before this leaf's, and becomes the end of its own.
    fn check(
        &self,
        record_size: usize,
        max_records: usize,
        arena: usize,
        taken: &mut usize,
    ) -> Option<Leaf> {
        let [offset, unit, count, column] =
            [self.offset, self.unit, self.count, self.column].map(|n| usize::try_from(n).ok());
        let (offset, unit, column) = (offset?, unit?, column?);
        let size = unit.checked_mul(count?)?;
        let in_record = offset.checked_add(size)? <= record_size;
        let end = size.checked_mul(max_records)?.checked_add(column)?;
        let in_arena = *taken <= column && end <= arena;
        *taken = end;
        let sound = in_record && in_arena && column % 8 == 0 && matches!(unit, 1 | 2 | 4 | 8);
        sound.then_some(Leaf { offset, unit, size, swap: self.swap != 0, column })
    }
}

/// Decode whole records from the cursor on until `max_records` rows or the end of the buffer.
pub fn decode_fixed(
    buffer: Input<'_>,
    record_size: i64,
    fields: Output<'_, FixedField>,
    arena: Output<'_>,
    max_records: i64,
    options: Options,
    state: Output<'_, Cursor>,
) -> Result<(), Error> {
    check_overlap([
        (Argument::Buffer, false, extent(buffer)),
        (Argument::Fields, false, fields.extent()),
        (Argument::Arena, true, arena.extent()),
        (Argument::Cursor, true, state.extent()),
    ])?;
    let mut cursor = state.read(0).ok_or(Error::ARGUMENT)?;
    let position = cursor.check(buffer.len(), max_records)?;
    let fields = fields.copy()?;
    let stride = usize::try_from(record_size).map_err(|_| Error::ARGUMENT)?;
    let max_rows = usize::try_from(max_records).map_err(|_| Error::ARGUMENT)?;
    let size = arena.len();
    let leaves = || {
        let mut taken = 0;
        fields.iter().map_while(move |field| field.check(stride, max_rows, size, &mut taken))
    };
    let aligned = arena.is_empty() || arena.as_ptr().addr().is_multiple_of(8);
    let sound = aligned && leaves().count() == fields.len();
    let (true, Some((_, input))) = (sound && stride > 0, buffer.split(position)) else {
        return Err(Error::ARGUMENT);
    };
    let row = cursor.rows as usize;
    let rows = (input.len() / stride).min(max_rows - row);
    let block = (BLOCK / stride).max(1);
    for first in (0..rows).step_by(block) {
        let block = first..rows.min(first + block);
        for leaf in leaves() {
            let at = |record: usize| leaf.column + (row + record) * leaf.size;
            let column = arena.range(at(block.start), at(block.end));
            let source = input.split(first * stride + leaf.offset);
            gather(source.ok_or(Error::ARGUMENT)?.1, stride, &leaf, column);
        }
    }
    cursor.position += (rows * stride) as i64;
    cursor.record += rows as i64;
    cursor.rows += rows as i64;
    state.write(0, cursor);
    match input.len() - rows * stride {
        left if left > 0 && cursor.rows < max_records && options.at_end => {
            let position = position + rows * stride;
            Err(cursor.fault(Code::FixedRemainder, position, record_size, left as i64))
        }
        _ => Ok(()),
    }
}

fn gather(source: Input<'_>, stride: usize, leaf: &Leaf, column: Output<'_>) {
    match (leaf.unit, leaf.swap) {
        (1, _) => gather_units::<1, false>(source, stride, leaf.size, column),
        (2, false) => gather_units::<2, false>(source, stride, leaf.size, column),
        (2, true) => gather_units::<2, true>(source, stride, leaf.size, column),
        (4, false) => gather_units::<4, false>(source, stride, leaf.size, column),
        (4, true) => gather_units::<4, true>(source, stride, leaf.size, column),
        (_, false) => gather_units::<8, false>(source, stride, leaf.size, column),
        (_, true) => gather_units::<8, true>(source, stride, leaf.size, column),
    }
}

/// Gather a leaf of `size` bytes every `stride` bytes of `source`.
fn gather_units<const UNIT: usize, const SWAP: bool>(
    source: Input<'_>,
    stride: usize,
    size: usize,
    column: Output<'_>,
) {
    if size == UNIT {
        take::<UNIT, SWAP>(source, stride, column);
    } else if size > 0 {
        let ends = (size..=column.len()).step_by(size);
        for (end, source) in ends.zip(source.every(stride, size)) {
            let leaf = column.range(end - size, end);
            if SWAP { take::<UNIT, SWAP>(source, UNIT, leaf) } else { source.copy_to(leaf) }
        }
    }
}

/// Gather a scalar every `stride` bytes of `source`.
#[inline(always)]
fn take<const UNIT: usize, const SWAP: bool>(source: Input<'_>, stride: usize, column: Output<'_>) {
    let scalars = column.chunks::<UNIT>();
    for (index, source) in (0..scalars.len()).zip(source.every(stride, UNIT)) {
        let bytes = source.array().unwrap_or([0; UNIT]);
        scalars.write(index, if SWAP { reversed(bytes) } else { bytes });
    }
}

/// Copy at most 8 bytes, as one instruction.
#[inline(always)]
fn reversed<const UNIT: usize>(bytes: [u8; UNIT]) -> [u8; UNIT] {
    let mut word = [0; 8];
    word[..UNIT].copy_from_slice(&bytes);
    let word = u64::from_be_bytes(word) >> (64 - 8 * UNIT);
    word.to_le_bytes().first_chunk().copied().unwrap_or(bytes)
}
