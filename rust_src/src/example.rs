//! tf.train.Example and SequenceExample records to columns, in the two passes of `docs/records.md`:
//! first find the entry of each field of the schema, then decode the entries in the order of the
//! schema.

mod decode;
mod plain;

use plain::NOT_YET;

use crate::columns::{Column, Schema};
use crate::lookup::Names;
use crate::output::{Argument, check_overlap, extent};
use crate::records::{Cursor, HEADER, Options, Record, Span, next_record};
use crate::wire::Fault;
use crate::{Code, Error, Input, Output};

/// Decode records from the cursor on until `max_records` rows, the end of the buffer or a fault. A
/// column that is too small is a fault too; the call can then be repeated with a larger one.
#[allow(clippy::too_many_arguments)] // the interface has this many arguments
pub fn decode_examples(
    buffer: Input<'_>,
    schema: Input<'_>,
    arena: Output<'_>,
    columns: Output<'_, Column>,
    max_records: i64,
    options: Options,
    state: Output<'_, Cursor>,
) -> std::result::Result<(), Error> {
    let nothing = (Argument::Spans, false, (0, 0));
    let mut cursor = start(buffer, schema, arena, columns, state, nothing, max_records)?;
    let (schema, table) = (schema.copy()?, columns.copy()?);
    let mut batch = Batch::new(buffer, &schema, arena, table, max_records, options, &cursor)?;
    let done = batch.run_fill(&mut cursor);
    batch.leave(columns);
    state.write(0, cursor);
    done
}

/// Decode records in any order: row i is the record whose payload [`crate::records::index_records`]
/// found at `spans[i]`. The cursor's `position` and `record` are not used.
#[allow(clippy::too_many_arguments)] // the interface has this many arguments
pub fn gather_examples(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    schema: Input<'_>,
    arena: Output<'_>,
    columns: Output<'_, Column>,
    options: Options,
    state: Output<'_, Cursor>,
) -> std::result::Result<(), Error> {
    let n = i64::try_from(spans.len()).map_err(|_| Error::ARGUMENT)?;
    let wanted = (Argument::Spans, false, spans.extent());
    let mut cursor = start(buffer, schema, arena, columns, state, wanted, n)?;
    let options = Options { at_end: true, ..options };
    let (schema, table) = (schema.copy()?, columns.copy()?);
    let mut batch = Batch::new(buffer, &schema, arena, table, n, options, &cursor)?;
    let done = batch.run_gather(spans, &mut cursor);
    batch.leave(columns);
    state.write(0, cursor);
    done
}

/// Return a copy of the cursor. Fail if memory that is filled overlaps other memory, or if the
/// cursor's numbers are not valid.
fn start(
    buffer: Input<'_>,
    schema: Input<'_>,
    arena: Output<'_>,
    columns: Output<'_, Column>,
    state: Output<'_, Cursor>,
    spans: (Argument, bool, (usize, usize)),
    max_records: i64,
) -> std::result::Result<Cursor, Error> {
    check_overlap([
        (Argument::Buffer, false, extent(buffer)),
        (Argument::Schema, false, extent(schema)),
        (Argument::Arena, true, arena.extent()),
        (Argument::Columns, true, columns.extent()),
        (Argument::Cursor, true, state.extent()),
        spans,
    ])?;
    let cursor = state.read(0).ok_or(Error::ARGUMENT)?;
    cursor.check(buffer.len(), max_records)?;
    Ok(cursor)
}

struct Batch<'a> {
    buffer: Input<'a>,
    schema: Schema<'a>,
    names: Names,
    arena: Output<'a>,
    /// A copy. Two words of a column's scratch first hold the place of the field's entry (start and
    /// length, 0 if there is none), then what the record adds to the column (values and bytes).
    columns: Vec<Column>,
    max_records: i64,
    options: Options,
    /// Offset in the file of the buffer's first byte.
    base: i64,
}

/// The distance in rows at which a gathered record is prefetched.
const ROWS_AHEAD: usize = 12;
/// The distance in bytes at which other records are prefetched: CPUs prefetch only to the end of a
/// page.
const READ_AHEAD: usize = 2048;
/// Bytes of a cache line, and the most that are prefetched at once.
const LINE: usize = 64;
const MOST_AHEAD: usize = 10 * LINE;

/// Prefetch `size` bytes that begin `ahead` bytes after the start.
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))]
#[inline(always)]
fn prefetch(data: Input<'_>, ahead: usize, size: usize) {
    #[cfg(target_arch = "x86_64")]
    (0..size.min(MOST_AHEAD)).step_by(LINE).for_each(|line| data.prefetch(ahead + line));
}

impl<'a> Batch<'a> {
    fn new(
        buffer: Input<'a>,
        schema: &'a [u8],
        arena: Output<'a>,
        mut columns: Vec<Column>,
        max_records: i64,
        options: Options,
        cursor: &Cursor,
    ) -> std::result::Result<Self, Error> {
        let schema = Schema::new(schema, columns.len())?;
        let aligned = arena.is_empty() || arena.as_ptr().addr().is_multiple_of(8);
        let mut taken = 0;
        let fit = schema
            .fields()
            .zip(&columns)
            .all(|(f, c)| c.fits(&f, max_records, arena.len(), &mut taken));
        if !aligned || !fit {
            return Err(Error::ARGUMENT);
        }
        if cursor.rows == 0 {
            let pairs = schema.fields().zip(&mut columns);
            pairs.for_each(|(field, column)| column.clear(&field, arena));
        }
        columns.iter_mut().for_each(|column| column.scratch[0] = NOT_YET);
        let names = Names::new(schema, columns.len())?;
        let base = cursor.base;
        Ok(Batch { buffer, schema, names, arena, columns, max_records, options, base })
    }

    /// Write the lengths of the columns to the caller's table.
    fn leave(&self, columns: Output<'_, Column>) {
        for (index, filled) in self.columns.iter().enumerate() {
            let Column { length, data_length, .. } = *filled;
            if let Some(column) = columns.read(index) {
                columns.write(index, Column { length, data_length, ..column });
            }
        }
    }

    fn run_fill(&mut self, cursor: &mut Cursor) -> std::result::Result<(), Error> {
        #[cfg(target_arch = "x86_64")]
        if self.options.isa.level() >= crate::isa::Level::Avx2 {
            // SAFETY: that level includes these features.
            return unsafe { self.fill_x86(cursor) };
        }
        self.fill(cursor)
    }

    fn run_gather(
        &mut self,
        spans: Output<'_, Span>,
        cursor: &mut Cursor,
    ) -> std::result::Result<(), Error> {
        #[cfg(target_arch = "x86_64")]
        if self.options.isa.level() >= crate::isa::Level::Avx2 {
            // SAFETY: that level includes these features.
            return unsafe { self.gather_x86(spans, cursor) };
        }
        self.gather(spans, cursor)
    }

    /// Run [`Self::fill`], compiled with bit-manipulation instructions that not every x86-64 has.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,sse4.2,pclmulqdq")]
    fn fill_x86(&mut self, cursor: &mut Cursor) -> std::result::Result<(), Error> {
        self.fill(cursor)
    }

    #[inline(always)]
    fn fill(&mut self, cursor: &mut Cursor) -> std::result::Result<(), Error> {
        let mut position = cursor.position as usize;
        while cursor.rows < self.max_records {
            let record = next_record(self.buffer, position, self.options, cursor)?;
            let Some(record) = record else { break };
            prefetch(record.data, READ_AHEAD, record.data.len());
            self.append(&record, position, cursor, cursor.rows)?;
            position = record.end;
            cursor.advance(position);
        }
        Ok(())
    }

    /// Run [`Self::gather`], compiled with bit-manipulation instructions that not every x86-64 has.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,sse4.2,pclmulqdq")]
    fn gather_x86(
        &mut self,
        spans: Output<'_, Span>,
        cursor: &mut Cursor,
    ) -> std::result::Result<(), Error> {
        self.gather(spans, cursor)
    }

    #[inline(always)]
    fn gather(
        &mut self,
        spans: Output<'_, Span>,
        cursor: &mut Cursor,
    ) -> std::result::Result<(), Error> {
        for row in cursor.rows as usize..spans.len() {
            if let Some(later) = spans.read(row + ROWS_AHEAD) {
                self.prefetch(&later);
            }
            let at = Cursor { record: row as i64, ..*cursor };
            let span = spans.read(row).ok_or(Error::ARGUMENT)?;
            let (position, record) = self.record_of(&span, &at)?;
            self.append(&record, position, &at, row as i64)?;
            cursor.rows += 1;
        }
        Ok(())
    }

    /// Prefetch a record from its header to the cache line after it: varints are read beyond their
    /// end.
    fn prefetch(&self, span: &Span) {
        let start = usize::try_from(span.offset.wrapping_sub(self.base)).ok();
        let header = start.and_then(|start| start.checked_sub(HEADER));
        if let Some((_, record)) = header.and_then(|header| self.buffer.split(header)) {
            prefetch(record, 0, span.size.clamp(0, MOST_AHEAD as i64) as usize + 2 * LINE);
        }
    }

    /// Return the record that `span` describes, and the place of its header; it must lie in the
    /// buffer.
    #[inline(always)]
    fn record_of(
        &self,
        span: &Span,
        at: &Cursor,
    ) -> std::result::Result<(usize, Record<'a>), Error> {
        let place = span.offset.checked_sub(self.base);
        let header = place.and_then(|start| usize::try_from(start).ok()?.checked_sub(HEADER));
        let header = header.ok_or(Error::ARGUMENT)?;
        let found = if header < self.buffer.len() {
            next_record(self.buffer, header, self.options, at)?
        } else {
            None
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

    /// Decode a record into row `row`, and commit it.
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
}
