//! TFRecord framing: where each record of a file begins and ends, and whether its checksums hold.

use crate::output::{Argument, check_overlap, extent};
use crate::{Code, Error, Input, Isa, Output, crc32c};

pub(crate) const HEADER: usize = 12;
const FOOTER: usize = 4;
const LIMIT: u64 = i64::MAX as u64 - 16;

/// Only a header tells where the next one is, so memory would be waited for at each of them, did not
/// somebody ask for what lies some records ahead.
#[cfg(target_arch = "x86_64")]
const READ_AHEAD: usize = 4096;

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Check both CRCs of every record.
    pub verify: bool,
    /// The buffer ends where the file ends: a partial record is an error.
    pub at_end: bool,
    /// The instructions to use.
    pub isa: Isa,
}

/// The whole state of a reader. All zeros at the beginning of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Cursor {
    /// Offset in the file of the buffer's first byte.
    pub base: i64,
    /// Offset in the buffer of the next record.
    pub position: i64,
    /// Number in the file of the next record.
    pub record: i64,
    /// Rows (or spans) already written to this batch.
    pub rows: i64,
}

impl Cursor {
    /// The position, when the cursor can stand in a buffer of `size` bytes and a batch of
    /// `capacity` rows.
    pub(crate) fn check(&self, size: usize, capacity: i64) -> Result<usize, Error> {
        let position = usize::try_from(self.position).ok().filter(|&position| position <= size);
        let room = i64::MAX - i64::try_from(size).map_err(|_| Error::ARGUMENT)?;
        let sane = (0..=room).contains(&self.base)
            && (0..=room).contains(&self.record)
            && (0..=capacity).contains(&self.rows);
        position.filter(|_| sane).ok_or(Error::ARGUMENT)
    }

    /// Steps over a row that ends at `position`.
    pub(crate) fn advance(&mut self, position: usize) {
        self.position = position as i64;
        self.record += 1;
        self.rows += 1;
    }

    /// A fault at `position` in the buffer, in the record the cursor stands before.
    pub(crate) fn fault(&self, code: Code, position: usize, expected: i64, actual: i64) -> Error {
        let offset = self.base + position as i64;
        Error { code, offset, record: self.record, field: -1, expected, actual }
    }
}

/// Where a record's data lies in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Span {
    /// Offset in the file.
    pub offset: i64,
    /// How many bytes.
    pub size: i64,
}

/// One good record.
pub(crate) struct Record<'a> {
    pub data: Input<'a>,
    /// Where the data begins in the buffer.
    pub start: usize,
    /// Where the next record begins.
    pub end: usize,
}

/// The record at `position`, or `None` when it is not all there and more bytes may come.
#[inline(always)]
pub(crate) fn next_record<'a>(
    buffer: Input<'a>,
    position: usize,
    options: Options,
    cursor: &Cursor,
) -> Result<Option<Record<'a>>, Error> {
    let Some((_, rest)) = buffer.split(position) else { return Err(Error::ARGUMENT) };
    let partial = |code, position, expected, actual| match options.at_end {
        true => Err(cursor.fault(code, position, expected as i64, actual as i64)),
        false => Ok(None),
    };
    let (Some(header), Some((_, body))) = (rest.split(8), rest.split(HEADER)) else {
        return match rest.len() {
            0 => Ok(None),
            len => partial(Code::TruncatedHeader, position, HEADER as u64, len),
        };
    };
    let claimed = header.0.u64().unwrap_or_default();
    if options.verify {
        check_crc(options.isa, Input::from(claimed.to_le_bytes().as_slice()), header.1)
            .map_err(|(e, a)| cursor.fault(Code::LengthCrc, position, e, a))?;
    }
    if claimed > LIMIT {
        return Err(cursor.fault(Code::LengthLimit, position, LIMIT as i64, claimed as i64));
    }
    let start = position + HEADER;
    let Some((data, footer)) = usize::try_from(claimed).ok().and_then(|size| body.split(size))
    else {
        return partial(Code::TruncatedData, start, claimed, body.len());
    };
    let end = start + data.len();
    if footer.len() < FOOTER {
        return partial(Code::TruncatedFooter, end, FOOTER as u64, footer.len());
    }
    if options.verify {
        check_crc(options.isa, data, footer)
            .map_err(|(e, a)| cursor.fault(Code::DataCrc, start, e, a))?;
    }
    Ok(Some(Record { data, start, end: end + FOOTER }))
}

/// Compares the sum of `data` with the one `stored` begins with; both when they differ.
#[inline(always)]
fn check_crc(isa: Isa, data: Input<'_>, stored: Input<'_>) -> Result<(), (i64, i64)> {
    let stored = stored.u32().unwrap_or_default();
    let computed = crc32c::masked(isa, data);
    if stored == computed { Ok(()) } else { Err((stored.into(), computed.into())) }
}

/// Fills `spans` from the cursor's row on, until they are full, the buffer ends or a record is bad.
pub fn index_records(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    options: Options,
    state: Output<'_, Cursor>,
) -> Result<(), Error> {
    let mut cursor = start(buffer, spans, state)?;
    let done = fill(buffer, spans, options, &mut cursor);
    state.write(0, cursor);
    done
}

/// [`index_records`] that verifies, and steps over what is damaged to the next good record: the gaps
/// between the spans are what the file has lost.
pub fn index_good_records(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    options: Options,
    state: Output<'_, Cursor>,
) -> Result<(), Error> {
    let options = Options { verify: true, ..options };
    let mut cursor = start(buffer, spans, state)?;
    while let Err(error) = fill(buffer, spans, options, &mut cursor) {
        let position = cursor.position as usize;
        let Some(step) = step_over(buffer, position, options, error.code) else { break };
        cursor.position += step as i64;
    }
    state.write(0, cursor);
    Ok(())
}

/// A copy of the cursor, which can stand where it says.
fn start(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    state: Output<'_, Cursor>,
) -> Result<Cursor, Error> {
    check_overlap(&[
        (Argument::Buffer, false, extent(buffer)),
        (Argument::Spans, true, spans.extent()),
        (Argument::Cursor, true, state.extent()),
    ])?;
    let cursor = state.read(0).ok_or(Error::ARGUMENT)?;
    let capacity = i64::try_from(spans.len()).map_err(|_| Error::ARGUMENT)?;
    cursor.check(buffer.len(), capacity)?;
    Ok(cursor)
}

fn fill(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    options: Options,
    cursor: &mut Cursor,
) -> Result<(), Error> {
    let mut position = cursor.position as usize;
    for row in cursor.rows as usize..spans.len() {
        #[cfg(target_arch = "x86_64")]
        if let Some((_, rest)) = buffer.split(position) {
            rest.prefetch(READ_AHEAD);
        }
        let Some(record) = next_record(buffer, position, options, cursor)? else { break };
        let offset = cursor.base + record.start as i64;
        spans.write(row, Span { offset, size: record.data.len() as i64 });
        position = record.end;
        cursor.advance(position);
    }
    Ok(())
}

/// How far to go on from a damaged record. If another one follows where it claims to end, only its
/// data is damaged; else nothing it says is worth believing, and a record may begin at any byte.
/// `None`: what follows has not been read yet.
fn step_over(buffer: Input<'_>, position: usize, options: Options, code: Code) -> Option<usize> {
    if code != Code::DataCrc {
        return Some(1);
    }
    let (_, rest) = buffer.split(position)?;
    let size = usize::try_from(rest.u64()?).ok()?.checked_add(HEADER + FOOTER)?;
    let Some((_, behind)) = rest.split(size) else { return Some(1) };
    match behind.split(HEADER) {
        None if !options.at_end => None,
        None => Some(if behind.is_empty() { size } else { 1 }),
        Some(_) => {
            let length = behind.array::<8>()?;
            let good = behind.split(8).is_some_and(|(_, stored)| {
                check_crc(options.isa, Input::from(length.as_slice()), stored).is_ok()
            });
            Some(if good { size } else { 1 })
        }
    }
}
