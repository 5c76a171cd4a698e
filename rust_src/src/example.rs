//! tf.train.Example records to columns, in the two passes of `docs/records.md`: first find the entry
//! that holds each field of the schema, then decode the entries in the order of the schema.

use crate::columns::{Column, Field, Kind, Schema, put, region};
use crate::lookup::Names;
use crate::records::{Cursor, HEADER, Options, Record, Span, next_record};
use crate::varint::{self, Narrow};
use crate::wire::{FIXED32, Fault, LEN, Message, Result, VARINT};
use crate::{Code, Error, Input, Isa};

/// Field numbers of the protobuf messages.
const FEATURES: u32 = 1;
const ENTRY: u32 = 1;
const KEY: u32 = 1;
const VALUE: u32 = 2;
const ITEM: u32 = 1;

/// Decodes records from the cursor on until `max_records` rows, the end of the buffer or a fault.
/// A column that is too small is a fault too, after which the call can be repeated with a larger one.
pub fn decode_examples(
    buffer: Input<'_>,
    schema: &[u8],
    arena: &mut [u8],
    columns: &mut [Column],
    max_records: i64,
    options: Options,
    cursor: &mut Cursor,
) -> std::result::Result<(), Error> {
    let position = cursor.check(buffer.len(), max_records)?;
    let mut batch = Batch::new(buffer, schema, arena, columns, max_records, options, cursor)?;
    #[cfg(target_arch = "x86_64")]
    if options.isa.level() >= crate::isa::Level::Avx2 {
        // SAFETY: that level includes these features.
        return unsafe { batch.fill_x86(position, cursor) };
    }
    batch.fill(position, cursor)
}

/// The same for records in any order: row i is the record whose data lies at `spans[i]`, as
/// [`crate::records::index_records`] found it. Of the cursor, `position` and `record` are not used.
#[allow(clippy::too_many_arguments)] // the interface has them
pub fn gather_examples(
    buffer: Input<'_>,
    spans: &[Span],
    schema: &[u8],
    arena: &mut [u8],
    columns: &mut [Column],
    options: Options,
    cursor: &mut Cursor,
) -> std::result::Result<(), Error> {
    let n = i64::try_from(spans.len()).map_err(|_| Error::ARGUMENT)?;
    cursor.check(buffer.len(), n)?;
    let options = Options { at_end: true, ..options };
    let mut batch = Batch::new(buffer, schema, arena, columns, n, options, cursor)?;
    #[cfg(target_arch = "x86_64")]
    if options.isa.level() >= crate::isa::Level::Avx2 {
        // SAFETY: that level includes these features.
        return unsafe { batch.gather_x86(spans, cursor) };
    }
    batch.gather(spans, cursor)
}

struct Batch<'a> {
    buffer: Input<'a>,
    schema: Schema<'a>,
    names: Names,
    arena: &'a mut [u8],
    /// Two words of a column's scratch hold first where the field's entry is (start and length, 0
    /// without one), then what the record adds to the column (values and bytes).
    columns: &'a mut [Column],
    max_records: i64,
    options: Options,
    /// Offset in the file of the buffer's first byte.
    base: i64,
}

/// The values of one field in one record so far.
#[derive(Default)]
struct Values {
    /// Number of the current oneof member, and where its tag stands. 0: none yet.
    kind: u32,
    at: usize,
    count: usize,
    /// Size of bytes values together.
    bytes: usize,
}

/// How many rows ahead a gathered record is asked for.
const ROWS_AHEAD: usize = 12;

impl<'a> Batch<'a> {
    fn new(
        buffer: Input<'a>,
        schema: &'a [u8],
        arena: &'a mut [u8],
        columns: &'a mut [Column],
        max_records: i64,
        options: Options,
        cursor: &Cursor,
    ) -> std::result::Result<Self, Error> {
        let schema = Schema::new(schema, columns.len())?;
        let aligned = arena.as_ptr().addr().is_multiple_of(8);
        let fit = schema.fields().zip(&*columns).all(|(f, c)| c.fits(&f, max_records, arena.len()));
        if !aligned || !fit {
            return Err(Error::ARGUMENT);
        }
        if cursor.rows == 0 {
            let pairs = schema.fields().zip(&mut *columns);
            pairs.for_each(|(field, column)| column.clear(&field, arena));
        }
        let names = Names::new(schema, columns);
        let base = cursor.base;
        Ok(Batch { buffer, schema, names, arena, columns, max_records, options, base })
    }

    /// [`Self::fill`], compiled for a CPU that has more bit manipulation than x86-64 began with.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,sse4.2,pclmulqdq")]
    fn fill_x86(&mut self, position: usize, cursor: &mut Cursor) -> std::result::Result<(), Error> {
        self.fill(position, cursor)
    }

    #[inline(always)]
    fn fill(&mut self, position: usize, cursor: &mut Cursor) -> std::result::Result<(), Error> {
        let mut at = *cursor; // a copy: another thread's cursor may lie in the same cache line
        let done = self.fill_from(position, &mut at);
        *cursor = at;
        done
    }

    #[inline(always)]
    fn fill_from(
        &mut self,
        mut position: usize,
        cursor: &mut Cursor,
    ) -> std::result::Result<(), Error> {
        while cursor.rows < self.max_records {
            let record = next_record(self.buffer, position, self.options, cursor)?;
            let Some(record) = record else { break };
            self.append(&record, position, cursor, cursor.rows)?;
            position = record.end;
            cursor.advance(position);
        }
        Ok(())
    }

    /// [`Self::gather`], compiled for a CPU that has more bit manipulation than x86-64 began with.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,sse4.2,pclmulqdq")]
    fn gather_x86(
        &mut self,
        spans: &[Span],
        cursor: &mut Cursor,
    ) -> std::result::Result<(), Error> {
        self.gather(spans, cursor)
    }

    #[inline(always)]
    fn gather(&mut self, spans: &[Span], cursor: &mut Cursor) -> std::result::Result<(), Error> {
        for (row, span) in spans.iter().enumerate().skip(cursor.rows as usize) {
            if let Some(later) = spans.get(row + ROWS_AHEAD) {
                self.prefetch(later);
            }
            let at = Cursor { record: row as i64, ..*cursor };
            let (position, record) = self.record_of(span, &at)?;
            self.append(&record, position, &at, row as i64)?;
            cursor.rows += 1;
        }
        Ok(())
    }

    fn prefetch(&self, span: &Span) {
        #[cfg(target_arch = "x86_64")]
        if let Some((_, data)) = usize::try_from(span.offset.wrapping_sub(self.base))
            .ok()
            .and_then(|start| self.buffer.split(start))
        {
            (0..span.size.clamp(0, 512) as usize).step_by(64).for_each(|line| data.prefetch(line));
        }
    }

    /// The record that `span` tells of, and where its header is; it must lie in the buffer.
    #[inline(always)]
    fn record_of(
        &self,
        span: &Span,
        at: &Cursor,
    ) -> std::result::Result<(usize, Record<'a>), Error> {
        let place = span.offset.checked_sub(self.base);
        let header = place.and_then(|start| usize::try_from(start).ok()?.checked_sub(HEADER));
        let header = header.ok_or(Error::ARGUMENT)?;
        let found = match header < self.buffer.len() {
            true => next_record(self.buffer, header, self.options, at)?,
            false => None,
        };
        let Some(record) = found else {
            return Err(at.fault(Code::TruncatedHeader, header, HEADER as i64, 0));
        };
        let size = record.data.len() as i64;
        if size != span.size {
            return Err(at.fault(Code::StaleIndex, header, span.size, size));
        }
        Ok((header, record))
    }

    /// Decodes a record into row `row`, and commits it.
    #[inline(always)]
    fn append(
        &mut self,
        record: &Record<'_>,
        header: usize,
        at: &Cursor,
        row: i64,
    ) -> std::result::Result<(), Error> {
        let mut field = -1;
        self.decode(record, header, &mut field).map_err(|fault| {
            let Fault { code, at: place, expected, actual } = fault;
            let place = place.wrapping_sub(self.buffer.as_ptr().addr());
            Error { field, ..at.fault(code, place, expected, actual) }
        })?;
        self.commit(row);
        Ok(())
    }

    /// Appends the values of a record behind those in use. On a fault `field` is the one concerned.
    #[inline(always)]
    fn decode(&mut self, record: &Record<'_>, header: usize, field: &mut i64) -> Result<()> {
        let start = self.buffer.as_ptr().addr();
        if self.decode_plain(record, header).is_some() {
            return Ok(());
        }
        self.find_entries(record)?;
        for (index, spec) in self.schema.fields().enumerate() {
            *field = index as i64;
            let Some(column) = self.columns.get_mut(index) else { break };
            let [at, len, _] = column.scratch;
            let entry = Message::new(self.buffer, at as usize, len as usize);
            let Some(entry) = entry else { break };
            let origin = self.base.wrapping_sub(start as i64);
            let isa = self.options.isa;
            let values = decode_entry(entry, spec.kind, column, self.arena, isa, origin)?;
            check(&values, &spec, column, start + record.start, start + header)?;
            column.scratch[..2].copy_from_slice(&[values.count as i64, values.bytes as i64]);
        }
        Ok(())
    }

    /// The way nearly every writer writes an Example, decoded in one walk: one Features, in it entries
    /// of a key and a Feature, in this order, in that one list, and no key twice. Whatever is not so,
    /// and every fault, is `None` and left to the two walks.
    #[inline(always)]
    fn decode_plain(&mut self, record: &Record<'_>, header: usize) -> Option<()> {
        let start = self.buffer.as_ptr().addr();
        let origin = self.base.wrapping_sub(start as i64);
        let mut example = Message::new(self.buffer, record.start, record.data.len())?;
        let mut features = example.only(FEATURES)?;
        if self.names.twins || !example.rest().is_empty() {
            return None;
        }
        self.columns.iter_mut().for_each(|column| column.scratch[0] = -1);
        let (mut found, mut before) = (0, 0);
        while !features.rest().is_empty() {
            let mut entry = features.only(ENTRY)?;
            let (key, mut feature) = (entry.only(KEY)?, entry.only(VALUE)?);
            if !entry.rest().is_empty() {
                return None;
            }
            let index = self.names.likely(self.schema, self.columns, key.rest(), before);
            let Some(index) = index else { continue };
            let (spec, column) = (self.schema.field(index)?, self.columns.get_mut(index)?);
            let mut values = Values { kind: spec.kind.member(), ..Values::default() };
            let list = feature.only(values.kind)?;
            if column.scratch[0] >= 0 || !feature.rest().is_empty() {
                return None;
            }
            append_list(list, spec.kind, column, self.arena, self.options.isa, origin, &mut values)
                .ok()?;
            check(&values, &spec, column, start + record.start, start + header).ok()?;
            column.scratch[..2].copy_from_slice(&[values.count as i64, values.bytes as i64]);
            (found, before) = (found + 1, index + 1);
        }
        if found < self.columns.len() {
            for (field, column) in self.schema.fields().zip(&mut *self.columns) {
                match (column.scratch[0], field.dense) {
                    (-1, Some(_)) => return None,
                    (-1, None) => column.scratch[..2].fill(0),
                    _ => {}
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    fn find_entries(&mut self, record: &Record<'_>) -> Result<()> {
        self.columns.iter_mut().for_each(|column| column.scratch[..2].fill(0));
        let start = self.buffer.as_ptr().addr();
        let example = Message::new(self.buffer, record.start, record.data.len());
        let Some(mut example) = example else { return Ok(()) };
        while let Some(mut features) = example.next(FEATURES)? {
            while let Some(entry) = features.next(ENTRY)? {
                let mut name = Input::from([].as_slice());
                let mut rest = entry;
                while let Some(key) = rest.next(KEY)? {
                    name = key.rest();
                }
                self.names.find(self.schema, self.columns, name, |_, column| {
                    column.scratch[0] = (entry.at() - start) as i64;
                    column.scratch[1] = entry.rest().len() as i64;
                });
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn commit(&mut self, row: i64) {
        for (field, column) in self.schema.fields().zip(&mut *self.columns) {
            let [values, data, _] = column.scratch;
            column.commit(&field, row, [values, data], self.arena);
        }
    }
}

#[inline(always)]
fn decode_entry(
    mut entry: Message<'_>,
    kind: Kind,
    column: &Column,
    arena: &mut [u8],
    isa: Isa,
    origin: i64,
) -> Result<Values> {
    let mut values = Values::default();
    while let Some(mut feature) = entry.next(VALUE)? {
        while let Some((tag, list)) = feature.next_of_any()? {
            if tag.field() > 3 {
                continue;
            }
            if tag.field() != values.kind {
                values = Values { kind: tag.field(), at: tag.at, ..Values::default() };
            }
            if tag.field() == kind.member() {
                append_list(list, kind, column, arena, isa, origin, &mut values)?;
            }
        }
    }
    Ok(values)
}

// What follows stores what fits and counts everything.

/// `origin` is the offset in the file of address 0.
#[inline(always)]
fn append_list(
    list: Message<'_>,
    kind: Kind,
    column: &Column,
    arena: &mut [u8],
    isa: Isa,
    origin: i64,
    values: &mut Values,
) -> Result<()> {
    let count = &mut values.count;
    match kind {
        Kind::Bytes => append_bytes(list, column, arena, values),
        Kind::Float => append_floats(list, column, arena, count),
        Kind::Int64 => append_ints(list, column, arena, count, isa),
        Kind::Int32 => append_narrow::<i32, 4>(list, column, arena, count, isa),
        Kind::Uint16 => append_narrow::<u16, 2>(list, column, arena, count, isa),
        Kind::Spans => append_spans(list, column, arena, count, origin),
    }
}

#[inline(always)]
fn append_bytes(
    mut list: Message<'_>,
    column: &Column,
    arena: &mut [u8],
    values: &mut Values,
) -> Result<()> {
    while let Some(item) = list.next(ITEM)? {
        let item = item.rest();
        let used = column.data_length + values.bytes as i64;
        item.copy_to(region(arena, column.data, 1, used, column.data_capacity));
        let index = column.length + values.count as i64;
        if index < column.capacity {
            put(arena, column.values, index + 1, used + item.len() as i64);
        }
        values.count += 1;
        values.bytes += item.len();
    }
    Ok(())
}

#[inline(always)]
fn append_spans(
    mut list: Message<'_>,
    column: &Column,
    arena: &mut [u8],
    count: &mut usize,
    origin: i64,
) -> Result<()> {
    while let Some(item) = list.next(ITEM)? {
        let index = column.length + *count as i64;
        if index < column.capacity {
            put(arena, column.values, 2 * index, origin.wrapping_add(item.at() as i64));
            put(arena, column.values, 2 * index + 1, item.rest().len() as i64);
        }
        *count += 1;
    }
    Ok(())
}

#[inline(always)]
fn append_floats(
    mut list: Message<'_>,
    column: &Column,
    arena: &mut [u8],
    count: &mut usize,
) -> Result<()> {
    let free = region(arena, column.values, 4, column.length, column.capacity);
    while let Some(tag) = list.tag()? {
        let at = list.at();
        let floats = match (tag.field(), tag.wire()) {
            (ITEM, LEN) => list.submessage()?.rest(),
            (ITEM, FIXED32) => list.fixed(4)?,
            _ => {
                list.skip(tag)?;
                continue;
            }
        };
        if floats.len() % 4 != 0 {
            let actual = floats.len() as i64;
            return Err(Fault { code: Code::FloatLength, at, expected: 0, actual });
        }
        floats.copy_to(free.get_mut(4 * *count..).unwrap_or_default());
        *count += floats.len() / 4;
    }
    Ok(())
}

#[inline(always)]
fn append_ints(
    mut list: Message<'_>,
    column: &Column,
    arena: &mut [u8],
    count: &mut usize,
    isa: Isa,
) -> Result<()> {
    let free = region(arena, column.values, 8, column.length, column.capacity);
    let (free, _) = free.as_chunks_mut::<8>();
    while let Some(tag) = list.tag()? {
        let free = free.get_mut(*count..).unwrap_or_default();
        match (tag.field(), tag.wire()) {
            (ITEM, LEN) => *count += varint::decode(isa, list.submessage()?, free)?,
            (ITEM, VARINT) => {
                let value = list.varint()?;
                free.iter_mut().take(1).for_each(|slot| *slot = value.to_ne_bytes());
                *count += 1;
            }
            _ => list.skip(tag)?,
        }
    }
    Ok(())
}

/// Integers of `N` bytes, each checked to be in range.
#[inline(always)]
fn append_narrow<T: Narrow<N>, const N: usize>(
    mut list: Message<'_>,
    column: &Column,
    arena: &mut [u8],
    count: &mut usize,
    isa: Isa,
) -> Result<()> {
    let free = region(arena, column.values, N as i64, column.length, column.capacity);
    let (free, _) = free.as_chunks_mut::<N>();
    while let Some(tag) = list.tag()? {
        let free = free.get_mut(*count..).unwrap_or_default();
        match (tag.field(), tag.wire()) {
            (ITEM, LEN) => *count += varint::decode_narrow::<T, N>(isa, list.submessage()?, free)?,
            (ITEM, VARINT) => {
                let value = varint::narrow_one::<T, N>(&mut list)?;
                free.iter_mut().take(1).for_each(|slot| *slot = value);
                *count += 1;
            }
            _ => list.skip(tag)?,
        }
    }
    Ok(())
}

/// Whether the values are what the schema asks for and fit the column.
#[inline(always)]
fn check(
    values: &Values,
    field: &Field,
    column: &Column,
    data: usize,
    header: usize,
) -> Result<()> {
    let (count, kind) = (values.count as i64, i64::from(values.kind));
    let needed = column.length + count;
    let needed_data = column.data_length + values.bytes as i64;
    let fault = |code, at, expected, actual| Err(Fault { code, at, expected, actual });
    let member = i64::from(field.kind.member());
    if kind != 0 && kind != member {
        return fault(Code::TypeMismatch, values.at, member, kind);
    }
    match field.dense {
        Some(length) if kind == 0 || (count == 0 && length > 0) => {
            fault(Code::Missing, data, length, 0)
        }
        Some(length) if count != length => fault(Code::DenseLength, data, length, count),
        _ if needed > column.capacity => fault(Code::Capacity, header, needed, column.capacity),
        _ if field.kind == Kind::Bytes && needed_data > column.data_capacity => {
            fault(Code::DataCapacity, header, needed_data, column.data_capacity)
        }
        _ => Ok(()),
    }
}
