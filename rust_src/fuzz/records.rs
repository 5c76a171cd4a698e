//! The records kernels on any bytes: every instruction set must give the same result.
//!
//! `nox -s fuzz_rust` runs it. The first byte picks the options and the schema, as in
//! tests/fuzz/records.c, whose corpus serves here too; the rest is the file.
#![no_main]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Batch, schema};
use cookbook_kernels::example::{decode_examples, gather_examples};
use cookbook_kernels::records::{Cursor, Options, Span, index_good_records, index_records};
use cookbook_kernels::{Column, Error, Input, Isa, Output};
use libfuzzer_sys::fuzz_target;

const FIELDS: usize = 8;
const ROWS: i64 = 16;
const SPANS: usize = 40;
/// The least bytes of a value of each column; for bytes, of an offset.
const VALUE: [i64; FIELDS] = [8, 4, 8, 2, 16, 8, 8, 8];
/// Three columns of feature lists: values, steps, and values with a fixed number in each step.
const LISTS: [(usize, u8); 3] = [(5, 2), (6, 4), (7, 3)];

fuzz_target!(|data: &[u8]| {
    let Some((&pick, file)) = data.split_first() else { return };
    let mut all = Isa::available().map(|isa| everything(isa, pick, file));
    let first = all.next().expect("portable");
    assert!(all.all(|other| other == first));
});

/// The outputs of a kernel: its error, its cursor, and the memory that it has filled.
type Left = (Result<(), Error>, Cursor, Vec<u8>);

fn everything(isa: Isa, pick: u8, file: &[u8]) -> [Left; 4] {
    let options = Options { verify: pick & 0x80 != 0, at_end: pick & 0x40 != 0, isa };
    let (bytes, fields) = (Input::from(file), fields(pick));
    let (indexed, spans) = index(|spans, cursor| index_records(bytes, spans, options, cursor));
    let schema = fields.as_slice().into();
    let decoded = batch(|arena, columns, cursor| {
        decode_examples(bytes, schema, arena, columns, ROWS, options, cursor)
    });
    let mut found = spans[..(indexed.1.rows as usize).min(ROWS as usize)].to_vec();
    let gathered = batch(|arena, columns, cursor| {
        gather_examples(bytes, found.as_mut_slice().into(), schema, arena, columns, options, cursor)
    });
    let (salvaged, spans) =
        index(|spans, cursor| index_good_records(bytes, spans, options, cursor));
    in_order_and_apart(&spans[..salvaged.1.rows as usize], file.len());
    [indexed, decoded, gathered, salvaged]
}

fn fields(pick: u8) -> Vec<u8> {
    let fourth = if pick & 1 != 0 { 5 } else { 4 };
    let features = [("i", 3), ("f", 2), ("b", 1), ("i", fourth), ("s", 6)];
    let kinds = [features.as_slice(), &[("l", 3), ("l", 3), ("b", 1)]].concat();
    let dense = |number: usize| pick >> (number % 5) & 1 != 0 || number == 7 && pick & 0x20 != 0;
    let length = |number: usize| dense(number).then_some(1 + i64::from(pick & 2));
    let each = kinds.iter().enumerate();
    let fields: Vec<_> = each.map(|(number, &(name, kind))| (name, kind, length(number))).collect();
    let mut schema = schema(&fields);
    if pick & 0x20 != 0 {
        LISTS.into_iter().for_each(|(number, form)| schema[24 * number + 12] = form);
    }
    schema
}

fn index(
    kernel: impl FnOnce(Output<'_, Span>, Output<'_, Cursor>) -> Result<(), Error>,
) -> (Left, Vec<Span>) {
    let (mut cursor, mut spans) = (Cursor::default(), vec![Span::default(); SPANS]);
    let result = kernel(spans.as_mut_slice().into(), (&mut cursor).into());
    let filled = spans[..cursor.rows as usize].iter();
    let bytes = filled.flat_map(|span| [span.offset, span.size]).flat_map(i64::to_ne_bytes);
    ((result, cursor, bytes.collect()), spans)
}

fn batch(
    kernel: impl FnOnce(Output<'_>, Output<'_, Column>, Output<'_, Cursor>) -> Result<(), Error>,
) -> Left {
    let (mut cursor, mut batch) = (Cursor::default(), Batch::new(FIELDS, ROWS, 144));
    let mut columns = batch.columns.clone();
    let result = kernel(batch.arena().into(), columns.as_mut_slice().into(), (&mut cursor).into());
    let arena = batch.arena();
    let mut filled = vec![];
    for (column, value) in columns.iter().zip(VALUE) {
        let mut take = |at: i64, size: i64| filled.extend(&arena[at as usize..][..size as usize]);
        take(column.values, value * column.length);
        take(column.data, column.data_length.min(column.data_capacity));
        take(column.row_offsets, 8 * (cursor.rows + 1));
    }
    (result, cursor, filled)
}

fn in_order_and_apart(spans: &[Span], size: usize) {
    let mut end = 0;
    for span in spans {
        assert!(span.offset >= end + 12 && span.size >= 0, "{span:?} begins before {end}");
        end = span.offset + span.size + 4;
        assert!(end <= size as i64, "{span:?} ends after {size}");
    }
}
