//! Framing, checksums and fixed layouts.

mod common;

use common::{Random, frame, options};
use cookbook_kernels::fixed::{FixedField, decode_fixed};
use cookbook_kernels::records::{Cursor, Options, Span, index_good_records, index_records};
use cookbook_kernels::{Code, Error, Input, Isa, crc32c};

fn index(file: &[u8], options: Options) -> (Vec<Span>, Cursor, Result<(), Error>) {
    let mut spans = vec![Span::default(); 100];
    let mut cursor = Cursor { base: 1000, ..Cursor::default() };
    let result =
        index_records(file.into(), spans.as_mut_slice().into(), options, (&mut cursor).into());
    spans.truncate(cursor.rows as usize);
    (spans, cursor, result)
}

#[test]
fn crc32c_agrees_with_its_definition() {
    let bitwise = |data: &[u8]| {
        !data.iter().fold(!0u32, |sum, &byte| {
            (0..8).fold(sum ^ u32::from(byte), |sum, _| {
                (sum >> 1) ^ (0x82f6_3b78 & (sum & 1).wrapping_neg())
            })
        })
    };
    let mut random = Random(3);
    let data: Vec<u8> = (0..17_000).map(|_| random.below(256) as u8).collect();
    for isa in Isa::available() {
        assert_eq!(crc32c::crc32c(isa, b"123456789".as_slice().into()), 0xe306_9283);
        for size in (0..400).chain([3071, 3072, 3500, 9999, 10_000]).chain(16_380..16_720) {
            let data = &data[data.len() - size..];
            assert_eq!(crc32c::crc32c(isa, data.into()), bitwise(data), "{size}");
        }
    }
}

#[test]
fn every_truncation_has_its_error() {
    let (first, second) = (frame(b"abc"), frame(&[9; 30]));
    let file = [first.as_slice(), &second].concat();
    let p = first.len() as i64;
    for isa in Isa::available() {
        for size in 0..file.len() {
            let left = size as i64 - if size < first.len() { 0 } else { p };
            let (record, start, data) = if size < first.len() { (0, 0, 3) } else { (1, p, 30) };
            let (code, offset, expected, actual) = match left {
                0 => (None, 0, 0, 0),
                1..12 => (Some(Code::TruncatedHeader), start, 12, left),
                _ if left < 12 + data => (Some(Code::TruncatedData), start + 12, data, left - 12),
                _ => {
                    let left = left - 12 - data;
                    (Some(Code::TruncatedFooter), start + 12 + data, 4, left)
                }
            };
            let wanted = match code {
                None => Ok(()),
                Some(code) => {
                    let offset = offset + 1000;
                    Err(Error { code, offset, record, field: -1, expected, actual })
                }
            };
            let (_, cursor, result) = index(&file[..size], options(isa));
            assert_eq!(result, wanted, "{size} bytes");
            assert_eq!(cursor, Cursor { base: 1000, position: start, record, rows: record });
            let more = Options { at_end: false, ..options(isa) };
            assert_eq!(index(&file[..size], more).2, Ok(()));
        }
        let spans = [Span { offset: 1012, size: 3 }, Span { offset: 1031, size: 30 }];
        assert_eq!(index(&file, options(isa)).0, spans);
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let file = [frame(b"abc"), frame(b"defg")].concat();
    let isa = Isa::current();
    for bit in 0..file.len() * 8 {
        let mut bad = file.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        let (record, start) = if bit / 8 < 19 { (0, 0) } else { (1, 19) };
        let (_, cursor, result) = index(&bad, options(isa));
        let error = result.expect_err("a bad record");
        let (code, offset) = match bit / 8 - start {
            0..12 => (Code::LengthCrc, start),
            _ => (Code::DataCrc, start + 12),
        };
        assert_eq!((error.code, error.offset), (code, 1000 + offset as i64));
        assert_ne!(error.expected, error.actual);
        assert_eq!((error.record, cursor.record), (record, record));
    }
}

/// Every bit of a 64 KiB file is flipped in turn: the damage is found in its place, and one record
/// is lost. Bytes more than a record before the damage are not read again, and bytes after it only
/// for one bit in 97.
#[test]
fn every_flipped_bit_of_64_kib_costs_one_record() {
    let mut random = Random(9);
    let (mut file, mut spans) = (Vec::new(), Vec::new());
    while file.len() < 65536 {
        let left = 65536 - file.len() - 16;
        let size = random.below(600) as usize;
        let size = if left < size + 16 { left } else { size };
        spans.push(Span { offset: file.len() as i64 + 12, size: size as i64 });
        let data: Vec<u8> = (0..size).map(|_| random.below(256) as u8).collect();
        file.extend(frame(&data));
    }
    assert_eq!(file.len(), 65536);
    let options = options(Isa::current());
    let end = |k: usize| (spans[k].offset + spans[k].size + 4) as usize;
    let mut found = vec![Span::default(); spans.len()];
    for (k, span) in spans.iter().enumerate() {
        let (start, first) = (span.offset - 12, k.saturating_sub(1));
        let from = Cursor {
            position: spans[first].offset - 12,
            record: first as i64,
            ..Cursor::default()
        };
        for bit in start as usize * 8..end(k) * 8 {
            let last = if k + 1 < spans.len() && bit % 97 != 0 { k + 1 } else { spans.len() - 1 };
            file[bit / 8] ^= 1 << (bit % 8);
            let input = Input::from(&file[..end(last)]);
            let header = bit / 8 < start as usize + 12;
            let wanted =
                if header { (Code::LengthCrc, start) } else { (Code::DataCrc, start + 12) };
            let mut state = from;
            let spans_found = found.as_mut_slice().into();
            let failed = index_records(input, spans_found, options, (&mut state).into());
            let error = failed.unwrap_err();
            assert_eq!((error.code, error.offset, error.record), (wanted.0, wanted.1, k as i64));
            let mut cursor = from;
            let spans_found = found.as_mut_slice().into();
            let done = index_good_records(input, spans_found, options, (&mut cursor).into());
            assert_eq!(done, Ok(()));
            let good = (first..=last).filter(|&i| i != k).map(|i| &spans[i]);
            assert!(good.eq(&found[..cursor.rows as usize]), "bit {bit}");
            assert_eq!(cursor.position as usize, end(last));
            file[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn impossible_lengths_and_cursors() {
    let trusting = Options { verify: false, ..options(Isa::current()) };
    let limit = i64::MAX - 16;
    for (size, code, offset, expected, actual) in [
        (u64::MAX, Code::LengthLimit, 0, limit, -1),
        (limit as u64 + 1, Code::LengthLimit, 0, limit, limit + 1),
        (limit as u64, Code::TruncatedData, 12, limit, 24),
        (21, Code::TruncatedFooter, 33, 4, 3),
    ] {
        let file = [size.to_le_bytes().as_slice(), &[0; 28]].concat();
        let error = Error { code, offset: 1000 + offset, record: 0, field: -1, expected, actual };
        assert_eq!(index(&file, trusting).2, Err(error));
    }
    for cursor in [
        Cursor { base: -1, ..Cursor::default() },
        Cursor { base: i64::MAX - 3, ..Cursor::default() },
        Cursor { position: 5, ..Cursor::default() },
        Cursor { position: -1, ..Cursor::default() },
        Cursor { record: i64::MIN, ..Cursor::default() },
        Cursor { rows: 1, ..Cursor::default() },
    ] {
        let (mut state, mut none) = (cursor, [] as [Span; 0]);
        let spans = none.as_mut_slice().into();
        let buffer = Input::from([0; 4].as_slice());
        let result = index_records(buffer, spans, trusting, (&mut state).into());
        assert_eq!(result, Err(Error::ARGUMENT), "{cursor:?}");
    }
}

#[test]
fn fixed_layouts() {
    let record = |row: u8| [row, 1, 2, 3, 4, 10, 11, 20, 21, 30, 31];
    let file: Vec<u8> = (0..5).flat_map(record).chain([0; 4]).collect();
    let field =
        |offset, unit, count, swap, column| FixedField { offset, unit, count, swap, column };
    let fields = [field(1, 4, 1, 1, 0), field(5, 2, 3, 1, 32), field(0, 1, 11, 0, 80)];
    let mut memory = [0u64; 24];
    // SAFETY: u64s are bytes too.
    let arena = unsafe { std::slice::from_raw_parts_mut(memory.as_mut_ptr().cast::<u8>(), 192) };
    let options = options(Isa::current());
    let mut cursor = Cursor::default();
    let mut run = |cursor: &mut Cursor, fields: &[FixedField], max| {
        let (mut fields, file) = (fields.to_vec(), file.as_slice().into());
        let table = fields.as_mut_slice().into();
        decode_fixed(file, 11, table, (&mut *arena).into(), max, options, cursor.into())
    };
    assert_eq!(run(&mut cursor, &fields, 4), Ok(()));
    assert_eq!(cursor, Cursor { base: 0, position: 44, record: 4, rows: 4 });
    cursor.rows = 0;
    let (code, record, field_none) = (Code::FixedRemainder, 5, -1);
    let error = Error { code, offset: 55, record, field: field_none, expected: 11, actual: 4 };
    assert_eq!(run(&mut cursor, &fields, 4), Err(error));
    for bad in [
        field(1, 4, 3, 0, 0),
        field(0, 3, 1, 0, 0),
        field(0, 8, i64::MAX, 0, 0),
        field(0, 8, 1, 0, 4),
        field(0, 8, 1, 0, 168),
        field(-1, 1, 1, 0, 0),
    ] {
        assert_eq!(run(&mut Cursor::default(), &[bad], 4), Err(Error::ARGUMENT), "{bad:?}");
    }
    assert_eq!(arena[..8], [4, 3, 2, 1, 4, 3, 2, 1]);
    assert_eq!(arena[32..44], [11, 10, 21, 20, 31, 30, 11, 10, 21, 20, 31, 30]);
    assert_eq!(
        arena[80..102],
        [[4, 1, 2, 3, 4, 10, 11, 20, 21, 30, 31], [1, 1, 2, 3, 4, 10, 11, 20, 21, 30, 31]].concat()
    );
}
