//! TFRecord frames: where each record of a file begins and ends, and whether its checksums are
//! right.

use crate::output::{Argument, check_overlap, extent};
use crate::sums::Sums;
use crate::{Code, Error, Input, Isa, Output, crc32c};

pub(crate) const HEADER: usize = 12;
const FOOTER: usize = 4;
const LIMIT: u64 = i64::MAX as u64 - 16;

/// A search returns after this many bytes, or after this fraction of the buffer if that is more.
const SEARCH: usize = 1 << 24;
const PARTS: usize = 16;

/// Only the header of a frame says where the next one is, so reading each header would wait for
/// memory. Therefore the bytes some records ahead are prefetched.
#[cfg(target_arch = "x86_64")]
const READ_AHEAD: usize = 4096;

/// The options of a reader.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Check both CRCs of every record.
    pub verify: bool,
    /// The buffer ends where the file ends: a partial record is an error.
    pub at_end: bool,
    /// The instructions to use.
    pub isa: Isa,
}

/// The whole state of a reader. It is all zeros at the beginning of a file.
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
    /// Return the position, if the cursor is valid for a buffer of `size` bytes and a batch of
    /// `capacity` rows.
    pub(crate) fn check(&self, size: usize, capacity: i64) -> Result<usize, Error> {
        let position = usize::try_from(self.position).ok().filter(|&position| position <= size);
        let room = i64::MAX - i64::try_from(size).map_err(|_| Error::ARGUMENT)?;
        let sane = (0..=room).contains(&self.base)
            && (0..=room).contains(&self.record)
            && (0..=capacity).contains(&self.rows);
        position.filter(|_| sane).ok_or(Error::ARGUMENT)
    }

    /// Move past a row that ends at `position`.
    pub(crate) fn advance(&mut self, position: usize) {
        self.position = position as i64;
        self.record += 1;
        self.rows += 1;
    }

    /// Return a fault at `position` in the buffer, in the record at the cursor.
    pub(crate) fn fault(&self, code: Code, position: usize, expected: i64, actual: i64) -> Error {
        let offset = self.base + position as i64;
        Error { code, offset, record: self.record, field: -1, expected, actual }
    }
}

/// The span of a record: the place of its payload in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Span {
    /// Offset in the file.
    pub offset: i64,
    /// Size in bytes.
    pub size: i64,
}

/// One record, with the parts of its frame.
pub(crate) struct Record<'a> {
    pub data: Input<'a>,
    /// The masked CRC that follows the data.
    pub crc: u32,
    /// The start of the data in the buffer.
    pub start: usize,
    /// The start of the next record.
    pub end: usize,
}

/// Return the record at `position`, or `None` when it is not complete and more bytes may follow.
#[inline(always)]
pub(crate) fn next_record<'a>(
    buffer: Input<'a>,
    position: usize,
    options: Options,
    cursor: &Cursor,
) -> Result<Option<Record<'a>>, Error> {
    let found = find_record(buffer, position, options, cursor)?;
    if let Some(Record { data, crc, start, .. }) = found.as_ref().filter(|_| options.verify) {
        check_crc(options.isa, *data, *crc)
            .map_err(|(e, a)| cursor.fault(Code::DataCrc, *start, e, a))?;
    }
    Ok(found)
}

/// Return [`next_record`] without checking its data.
#[inline(always)]
fn find_record<'a>(
    buffer: Input<'a>,
    position: usize,
    options: Options,
    cursor: &Cursor,
) -> Result<Option<Record<'a>>, Error> {
    let Some((_, rest)) = buffer.split(position) else { return Err(Error::ARGUMENT) };
    let partial = |code, position, expected, actual| {
        if options.at_end {
            Err(cursor.fault(code, position, expected as i64, actual as i64))
        } else {
            Ok(None)
        }
    };
    let (Some(header), Some((_, body))) = (rest.split(8), rest.split(HEADER)) else {
        return match rest.len() {
            0 => Ok(None),
            len => partial(Code::TruncatedHeader, position, HEADER as u64, len),
        };
    };
    let claimed = header.0.u64().unwrap_or_default();
    if options.verify {
        let stored = header.1.u32().unwrap_or_default();
        check_crc(options.isa, Input::from(claimed.to_le_bytes().as_slice()), stored)
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
    let crc = footer.u32().unwrap_or_default();
    Ok(Some(Record { data, crc, start, end: end + FOOTER }))
}

/// Compare the sum of `data` with the stored one. Return both when they differ.
#[inline(always)]
fn check_crc(isa: Isa, data: Input<'_>, stored: u32) -> Result<(), (i64, i64)> {
    let computed = crc32c::masked(isa, data);
    if stored == computed { Ok(()) } else { Err((stored.into(), computed.into())) }
}

/// Fill `spans` from the cursor's row on, until they are full, the buffer ends or a record is bad.
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

/// Fill `spans` like [`index_records`], but verify, and step over damage to the next good record:
/// the gaps between the spans are the lost parts of the file. This returns early when it has
/// stepped over many bytes one by one, so that a long search can be interrupted.
pub fn index_good_records(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    options: Options,
    state: Output<'_, Cursor>,
) -> Result<(), Error> {
    let mut cursor = start(buffer, spans, state)?;
    let done = fill_with_good(buffer, spans, options, &mut cursor);
    state.write(0, cursor);
    done
}

/// Return a copy of the cursor, whose numbers are checked.
fn start(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    state: Output<'_, Cursor>,
) -> Result<Cursor, Error> {
    check_overlap([
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

fn fill_with_good(
    buffer: Input<'_>,
    spans: Output<'_, Span>,
    options: Options,
    cursor: &mut Cursor,
) -> Result<(), Error> {
    let options = Options { verify: true, ..options };
    let mut sums = Sums::new(options.isa, buffer, cursor.position as usize);
    let mut left = SEARCH.max(buffer.len() / PARTS);
    while (cursor.rows as usize) < spans.len() && left > 0 {
        let position = cursor.position as usize;
        #[cfg(target_arch = "x86_64")]
        if let Some((_, rest)) = buffer.split(position) {
            rest.prefetch(READ_AHEAD);
        }
        match find_record(buffer, position, options, cursor) {
            Ok(None) => break,
            Ok(Some(record)) => {
                let Record { data, crc, start, end } = record;
                if crc32c::mask(sums.crc(position, start, data)?) == crc {
                    let offset = cursor.base + start as i64;
                    spans.write(cursor.rows as usize, Span { offset, size: data.len() as i64 });
                    cursor.advance(end);
                    continue;
                }
                match another_follows(buffer, end, options) {
                    None => break,
                    Some(true) => {
                        cursor.position = end as i64;
                        continue;
                    }
                    Some(false) => sums.in_vain += data.len(),
                }
            }
            Err(_) => {}
        }
        let next = next_header(buffer, options, position, left);
        left -= next - position;
        cursor.position = next as i64;
    }
    Ok(())
}

/// Return true if the next record begins where a damaged one claims to end: then only its data are
/// damaged. If not, no field of the frame can be trusted, and a record may begin at any byte.
/// Return `None` if the bytes that follow have not been read yet.
fn another_follows(buffer: Input<'_>, end: usize, options: Options) -> Option<bool> {
    match buffer.len() - end {
        0 => options.at_end.then_some(true),
        1..HEADER => options.at_end.then_some(false),
        _ => Some(crc32c::find_header(options.isa, buffer, end, end + 1) == end),
    }
}

/// Return the first position after `at` that has a header, or the end of the search: after `left`
/// bytes, or where too few bytes have been read.
fn next_header(buffer: Input<'_>, options: Options, at: usize, left: usize) -> usize {
    let stop = buffer.len().min(at + left);
    let to = stop.min((buffer.len() + 1).saturating_sub(HEADER));
    match crc32c::find_header(options.isa, buffer, at + 1, to) {
        found if found < to => found,
        _ if options.at_end => stop,
        _ => to,
    }
}
