//! The tables that steer the Example decoder: a schema, and the places of its columns in an arena.

use crate::{Error, Output};

/// The place of one field's column in the arena, and how full it is. All offsets are multiples of
/// 8. `docs/records.md` is the specification.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Column {
    /// Arena offset of `[i64; max_records + 1]`, or -1 if the column is dense and not a feature
    /// list.
    pub row_offsets: i64,
    /// Arena offset of `capacity` values; for bytes and for steps, of the offsets, `[i64; capacity
    /// + 1]`.
    pub values: i64,
    /// Room for values, or steps.
    pub capacity: i64,
    /// Values, or steps, in use; in and out.
    pub length: i64,
    /// Bytes only: arena offset of the data.
    pub data: i64,
    /// Bytes only: capacity in bytes.
    pub data_capacity: i64,
    /// Bytes only: bytes in use; in and out. For steps: the number of values of all steps.
    pub data_length: i64,
    /// Unused here: the kernel uses the field in its own copy of the table.
    pub scratch: [i64; 3],
}

/// The kind of a column's values. The first three are also the numbers of the members of
/// `Feature`'s oneof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bytes = 1,
    Float = 2,
    Int64 = 3,
    /// From an Int64List; every value is checked to be in range.
    Int32 = 4,
    /// From an Int64List; every value is checked to be in range.
    Uint16 = 5,
    /// From a BytesList: the place of each value in the file.
    Spans = 6,
}

impl Kind {
    /// Return the number of the member of `Feature`'s oneof that holds values of this kind.
    #[inline(always)]
    pub fn member(self) -> u32 {
        match self {
            Kind::Bytes | Kind::Spans => 1,
            Kind::Float => 2,
            Kind::Int64 | Kind::Int32 | Kind::Uint16 => 3,
        }
    }

    /// Return the size of a value in bytes; for a value of bytes, the size of its offset.
    #[inline(always)]
    pub fn size(self) -> i64 {
        match self {
            Kind::Bytes | Kind::Int64 => 8,
            Kind::Float | Kind::Int32 => 4,
            Kind::Uint16 => 2,
            Kind::Spans => 16,
        }
    }
}

/// The form of a column: which values it holds, and how many each row has. The last three are for
/// feature lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Ragged = 0,
    /// The values of a feature, the same number in every row.
    Dense = 1,
    /// The values of all steps of a feature list.
    List = 2,
    /// The values of all steps, the same number in every step.
    DenseList = 3,
    /// The steps: for each, the end of its values among all.
    Steps = 4,
}

impl Form {
    #[inline(always)]
    pub fn is_list(self) -> bool {
        matches!(self, Form::List | Form::DenseList | Form::Steps)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Field {
    pub kind: Kind,
    pub form: Form,
    length: i64,
}

impl Field {
    /// Return the number of values that every Feature has, or `None` for any number.
    #[inline(always)]
    pub fn length(&self) -> Option<i64> {
        matches!(self.form, Form::Dense | Form::DenseList).then_some(self.length)
    }

    #[inline(always)]
    pub fn has_data(&self) -> bool {
        self.kind == Kind::Bytes && self.form != Form::Steps
    }

    /// Return true if the column's values are offsets, which follow a leading 0.
    fn has_offsets(&self) -> bool {
        self.kind == Kind::Bytes || self.form == Form::Steps
    }
}

/// A limit on the values of all steps together: more than any buffer holds, and far from where a
/// sum would overflow.
const MOST_VALUES: i64 = 1 << 62;

/// A schema: `count` entries of `{name_offset, name_size, kind, form: i32, length: i64}`, then the
/// names.
#[derive(Clone, Copy)]
pub(crate) struct Schema<'a> {
    bytes: &'a [u8],
    entries: &'a [[u8; 24]],
}

impl<'a> Schema<'a> {
    /// Check the tables. Names may not share bytes, because a short schema could otherwise have
    /// many long ones.
    pub fn new(bytes: &'a [u8], count: usize) -> Result<Self, Error> {
        let entries = bytes.as_chunks().0.get(..count).ok_or(Error::ARGUMENT)?;
        let schema = Schema { bytes, entries };
        let mut room = bytes.len() - size_of_val(entries);
        let mut sane = |index| {
            let known = schema.field(index).is_some_and(|f| f.length().is_none_or(|n| n >= 0));
            let left = schema.name(index).and_then(|name| room.checked_sub(name.len()));
            room = left.unwrap_or_default();
            known && left.is_some()
        };
        (0..count).all(&mut sane).then_some(schema).ok_or(Error::ARGUMENT)
    }

    /// Return the fields in order.
    #[inline(always)]
    pub fn fields(self) -> impl Iterator<Item = Field> {
        (0..self.entries.len()).map_while(move |index| self.field(index))
    }

    #[inline(always)]
    pub fn field(self, index: usize) -> Option<Field> {
        let entry = self.entries.get(index)?;
        let kind = match word(entry, 2) {
            1 => Kind::Bytes,
            2 => Kind::Float,
            3 => Kind::Int64,
            4 => Kind::Int32,
            5 => Kind::Uint16,
            6 => Kind::Spans,
            _ => return None,
        };
        let form = match word(entry, 3) {
            0 => Form::Ragged,
            1 => Form::Dense,
            2 => Form::List,
            3 => Form::DenseList,
            4 => Form::Steps,
            _ => return None,
        };
        Some(Field { kind, form, length: i64::from_ne_bytes(*entry.last_chunk()?) })
    }

    #[inline(always)]
    pub fn name(self, index: usize) -> Option<&'a [u8]> {
        let entry = self.entries.get(index)?;
        let (offset, size) = (word(entry, 0) as usize, word(entry, 1) as usize);
        self.bytes.get(offset..)?.get(..size)
    }
}

#[inline(always)]
fn word(entry: &[u8; 24], index: usize) -> i32 {
    i32::from_ne_bytes(entry.as_chunks().0[index])
}

impl Column {
    /// Return true if every part of the column lies within an arena of `arena` bytes, and not
    /// before `taken`, which becomes the end of the column: no two parts share bytes.
    pub(crate) fn fits(
        &self,
        field: &Field,
        max_records: i64,
        arena: usize,
        taken: &mut i64,
    ) -> bool {
        let mut part = |offset: i64, count: i64, more: i64, unit: i64| {
            let size = count.checked_add(more).and_then(|count| count.checked_mul(unit));
            let end = size.and_then(|size| size.checked_add(offset));
            let within = end.is_some_and(|end| usize::try_from(end).is_ok_and(|end| end <= arena));
            let sound = count >= 0 && offset >= *taken && offset % 8 == 0 && within;
            *taken = end.unwrap_or(*taken);
            sound
        };
        let rows = field.form == Form::Dense || part(self.row_offsets, max_records, 1, 8);
        let values = if field.form == Form::Steps {
            part(self.values, self.capacity, 1, 8) && (0..=MOST_VALUES).contains(&self.data_length)
        } else if field.kind == Kind::Bytes {
            part(self.values, self.capacity, 1, 8)
                && part(self.data, self.data_capacity, 0, 1)
                && (0..=self.data_capacity).contains(&self.data_length)
        } else {
            part(self.values, self.capacity, 0, field.kind.size())
        };
        rows && values && (0..=self.capacity).contains(&self.length)
    }

    /// Make the column empty.
    pub(crate) fn clear(&mut self, field: &Field, arena: Output<'_>) {
        self.length = 0;
        self.data_length = 0;
        if field.form != Form::Dense {
            put(arena, self.row_offsets, 0, 0);
        }
        if field.has_offsets() {
            put(arena, self.values, 0, 0);
        }
    }

    /// End `row`, which has `values` more values and `data` more bytes.
    #[inline(always)]
    pub(crate) fn commit(
        &mut self,
        field: &Field,
        row: i64,
        [values, data]: [i64; 2],
        arena: Output<'_>,
    ) {
        self.length += values;
        self.data_length += data;
        if field.form != Form::Dense {
            put(arena, self.row_offsets, row + 1, self.length);
        }
    }
}

/// Store `value` as element `index` of the array of i64 at `offset`, if that lies in the arena.
#[inline(always)]
pub(crate) fn put(arena: Output<'_>, offset: i64, index: i64, value: i64) {
    let at = offset.wrapping_add(index.wrapping_mul(8)) as usize;
    arena.from(at).chunks().write(0, value.to_ne_bytes());
}

/// Return the part of the arena between elements `from` and `to` of the array at `offset`.
#[inline(always)]
pub(crate) fn region(arena: Output<'_>, offset: i64, unit: i64, from: i64, to: i64) -> Output<'_> {
    let at = |index: i64| offset.wrapping_add(index.wrapping_mul(unit)) as usize;
    arena.range(at(from), at(to))
}
