//! tf.train.Example: protobuf's semantics, and each fault at its byte.

mod common;

use common::{Batch, entry, example, floats, frame, ints, len, options, schema, strings, varint};
use cookbook_kernels::example::decode_examples;
use cookbook_kernels::records::Cursor;
use cookbook_kernels::{Code, Error, Isa};

const BYTES: i32 = 1;
const FLOAT: i32 = 2;
const INT64: i32 = 3;

fn decode(
    isa: Isa,
    file: &[u8],
    schema: &[u8],
    batch: &mut Batch,
    rows: i64,
) -> Result<Cursor, Error> {
    let mut cursor = Cursor::default();
    let mut columns = std::mem::take(&mut batch.columns);
    let table = columns.as_mut_slice().into();
    let (input, schema, arena) = (file.into(), schema.into(), batch.arena().into());
    let state = (&mut cursor).into();
    let result = decode_examples(input, schema, arena, table, rows, options(isa), state);
    batch.columns = columns;
    result.map(|()| cursor)
}

/// Return the int64 field "x" of one plain record, on every instruction set.
fn x(data: &[u8]) -> Result<Vec<i64>, Error> {
    let schema = schema(&[("x", INT64, None)]);
    let mut results = Isa::available().map(|isa| {
        let mut batch = Batch::new(1, 1, 300);
        decode(isa, &frame(data), &schema, &mut batch, 1).map(|_| batch.ints(0))
    });
    let first = results.next().expect("portable");
    results.for_each(|other| assert_eq!(other, first));
    first
}

fn fault(code: Code, offset: usize, field: i64, expected: i64, actual: i64) -> Error {
    Error { code, offset: offset as i64, record: 0, field, expected, actual }
}

#[test]
fn columns_of_all_kinds() {
    let fields = [("s", BYTES, None), ("f", FLOAT, Some(2)), ("longer name", INT64, None)];
    let row = |s: &[&str], f: [f32; 2], i: &[i64]| {
        let (s, f) = (entry("s", &strings(s)), entry("f", &floats(&f)));
        frame(&example(&[entry("longer name", &ints(i)), s, entry("other", b"\xff"), f]))
    };
    let file = [
        row(&["a", "", "b\u{e9}"], [1.0, -2.5], &[7, -1, i64::MIN]),
        frame(&example(&[entry("f", &floats(&[3.0, f32::INFINITY]))])),
        row(&[], [0.0, 0.5], &(0..100).map(|n| 1 << (n % 60)).collect::<Vec<_>>()),
    ]
    .concat();
    for isa in Isa::available() {
        let mut batch = Batch::new(3, 4, 103);
        let cursor = decode(isa, &file, &schema(&fields), &mut batch, 4).expect("good");
        assert_eq!(cursor, Cursor { base: 0, position: file.len() as i64, record: 3, rows: 3 });
        assert_eq!(batch.row_offsets(0, 3), [0, 3, 3, 3]);
        assert_eq!(batch.strings(0), ["a", "", "b\u{e9}"]);
        assert_eq!(batch.floats(1), [1.0, -2.5, 3.0, f32::INFINITY, 0.0, 0.5]);
        assert_eq!(batch.row_offsets(2, 3), [0, 3, 3, 103]);
        assert_eq!(batch.ints(2)[..5], [7, -1, i64::MIN, 1, 2]);
        assert_eq!(batch.ints(2)[102], 1 << 39);
    }
}

#[test]
fn varints_of_every_length_at_every_place() {
    for before in 0..70 {
        let mut values = vec![1; before];
        values.extend((0..64).map(|bit| 1i64 << bit).chain([-1, i64::MAX, 127, 128]));
        values.extend([5; 30]);
        assert_eq!(x(&example(&[entry("x", &ints(&values))])), Ok(values));
    }
    // Ten bytes whose bits above 64 are dropped, and a long form of 1.
    let long = [&[0xff; 9][..], &[0x7f], &[0x81, 0x80, 0x00]].concat();
    assert_eq!(x(&example(&[entry("x", &len(3, &len(1, &long)))])), Ok(vec![-1, 1]));
}

#[test]
fn merging() {
    let one = |n: i64| entry("x", &ints(&[n]));
    let unpacked = |n: u64| len(3, &[varint(8), varint(n)].concat());
    let key = len(1, b"x");
    let value = |feature: &[u8]| len(2, feature);
    let group = [vec![0x4b], vec![0x53, 0x54], varint(5 << 3), vec![1], vec![0x4c]].concat();
    let mixed = len(3, &[varint(8), varint(7), len(1, &[8])].concat());
    let cases: [(Vec<u8>, &[i64]); 13] = [
        (example(&[entry("x", &mixed)]), &[7, 8]),
        (vec![], &[]),
        (example(&[one(1), one(2)]), &[2]),
        ([example(&[one(1)]), example(&[one(2)])].concat(), &[2]),
        (example(&[one(1), entry("x", &[])]), &[]),
        (example(&[len(1, &[value(&ints(&[4])), key.clone()].concat())]), &[4]),
        (example(&[len(1, &[len(1, b"y"), value(&ints(&[4])), key.clone()].concat())]), &[4]),
        (
            example(&[len(1, &[key.clone(), value(&ints(&[4])), value(&ints(&[5]))].concat())]),
            &[4, 5],
        ),
        (example(&[entry("x", &[ints(&[1, 2]), unpacked(3), ints(&[4])].concat())]), &[1, 2, 3, 4]),
        (example(&[entry("x", &[ints(&[1]), floats(&[1.0]), ints(&[2])].concat())]), &[2]),
        (
            example(&[entry("x", &[vec![0x18, 9], ints(&[1]), vec![0x25, 0, 0, 0, 0]].concat())]),
            &[1],
        ),
        (
            [group.clone(), example(&[[group, one(6)].concat()]), vec![0x11], vec![0; 8]].concat(),
            &[6],
        ),
        (example(&[one(1), len(1, &value(b"\xff\xff"))]), &[1]),
    ];
    for (data, wanted) in cases {
        assert_eq!(x(&data), Ok(wanted.to_vec()), "{data:x?}");
    }
}

#[test]
fn a_name_twice_and_one_never() {
    let fields = schema(&[("x", INT64, None), ("y", INT64, None)]);
    let twice = frame(&example(&[entry("x", &ints(&[1, 2])), entry("x", &ints(&[3]))]));
    for isa in Isa::available() {
        let mut batch = Batch::new(2, 1, 4);
        assert!(decode(isa, &twice, &fields, &mut batch, 1).is_ok());
        assert_eq!((batch.ints(0), batch.ints(1)), (vec![3], vec![]));
    }
}

#[test]
fn names_of_every_length_that_differ_in_a_byte() {
    let name = "features have names of any length, and most are short";
    for size in 1..name.len() {
        let fields = schema(&[(&name[..size], INT64, None)]);
        for changed in 0..size {
            let mut other = name[..size].to_string().into_bytes();
            other[changed] ^= 1;
            let other = String::from_utf8(other).expect("ASCII");
            let file = frame(&example(&[entry(&other, &ints(&[1]))]));
            let mut batch = Batch::new(1, 1, 4);
            assert!(decode(Isa::current(), &file, &fields, &mut batch, 1).is_ok());
            assert!(batch.ints(0).is_empty(), "{other}");
        }
    }
}

#[test]
fn each_fault_at_its_byte() {
    let within = |feature: &[u8]| example(&[entry("x", feature)]);
    // The offset after the frame's header and the heads of Features, entry, key and value.
    let v = 12 + 2 + 2 + 3 + 2;
    let deep = |depth: usize| [vec![0x0b; depth], vec![0x0c; depth]].concat();
    let cases: [(Vec<u8>, Error); 22] = [
        (vec![0x80], fault(Code::Varint, 12, -1, 0, 0)),
        (vec![0x88, 0x80, 0x80, 0x80, 0x10, 0], fault(Code::Varint, 12, -1, 0, 0)),
        (vec![0x88, 0x80, 0x80, 0x80, 0x80, 0, 0], fault(Code::Varint, 12, -1, 0, 0)),
        (vec![0x18, 1, 0x02, 0], fault(Code::WireType, 14, -1, 0, 0)),
        (vec![0x0e], fault(Code::WireType, 12, -1, 0, 0)),
        (vec![0x0c], fault(Code::WireType, 12, -1, 0, 0)),
        (vec![0x10], fault(Code::Varint, 13, -1, 0, 0)),
        ([vec![0x10], vec![0xff; 10], vec![0]].concat(), fault(Code::Varint, 13, -1, 0, 0)),
        (vec![0x12, 5, 1], fault(Code::SubmessageLength, 13, -1, 1, 5)),
        (
            [vec![0x12], vec![0xff; 9], vec![1]].concat(),
            fault(Code::SubmessageLength, 13, -1, 0, -1),
        ),
        (vec![0x11, 0, 0, 0], fault(Code::SubmessageLength, 13, -1, 3, 8)),
        (vec![0x15, 0, 0, 0], fault(Code::SubmessageLength, 13, -1, 3, 4)),
        (vec![0x0b, 0x13, 0x14], fault(Code::WireType, 12, -1, 0, 0)),
        (vec![0x0b, 0x13, 0x0c], fault(Code::WireType, 14, -1, 0, 0)),
        (deep(65), fault(Code::WireType, 12 + 64, -1, 0, 0)),
        (vec![0x0a, 2, 0x0a, 7], fault(Code::SubmessageLength, 15, -1, 0, 7)),
        (within(&floats(&[1.0])), fault(Code::TypeMismatch, v, 0, 3, 2)),
        (within(&len(3, &len(1, &[1, 2, 0x83]))), fault(Code::Varint, v + 6, 0, 0, 0)),
        (within(&len(3, &len(1, &[0xff; 11]))), fault(Code::Varint, v + 4, 0, 0, 0)),
        (within(&len(3, &[8, 0x80])), fault(Code::Varint, v + 3, 0, 0, 0)),
        (within(&[0x1a, 1]), fault(Code::SubmessageLength, v + 1, 0, 0, 1)),
        (within(&ints(&[0; 301])), fault(Code::Capacity, 0, 0, 301, 300)),
    ];
    for (data, wanted) in cases {
        assert_eq!(x(&data), Err(wanted), "{data:x?}");
    }
    assert_eq!(x(&deep(64)), Ok(vec![]));
}

#[test]
fn what_a_schema_asks_for() {
    let full = entry("f", &floats(&[1.0, 2.0]));
    let odd = entry("f", &len(2, &len(1, &[0; 6])));
    let words = entry("s", &strings(&["ab", "cde"]));
    let one = [("f", FLOAT, Some(2)), ("s", BYTES, None)];
    let three = [("f", FLOAT, Some(3)), ("s", BYTES, None)];
    let d = 12;
    for (entries, fields, wanted) in [
        (vec![], one, fault(Code::Missing, d, 0, 2, 0)),
        (vec![words.clone()], one, fault(Code::Missing, d, 0, 2, 0)),
        (vec![entry("f", &floats(&[]))], one, fault(Code::Missing, d, 0, 2, 0)),
        (vec![full.clone()], three, fault(Code::DenseLength, d, 0, 3, 2)),
        (vec![odd], one, fault(Code::FloatLength, d + 12, 0, 0, 6)),
        (vec![full, words], one, fault(Code::DataCapacity, 0, 1, 5, 4)),
    ] {
        let file = frame(&example(&entries));
        for isa in Isa::available() {
            let mut batch = Batch::new(2, 1, 4);
            assert_eq!(decode(isa, &file, &schema(&fields), &mut batch, 1), Err(wanted));
            assert_eq!(batch.columns.iter().map(|column| column.length).sum::<i64>(), 0);
        }
    }
}

#[test]
fn a_truncated_record_never_does_harm() {
    let data = example(&[
        entry("x", &[ints(&[1 << 40, 3]), strings(&["s"]), ints(&[300; 40])].concat()),
        entry("y", &floats(&[1.0])),
    ]);
    let schema = schema(&[("x", INT64, None), ("y", FLOAT, None), ("x", INT64, Some(40))]);
    for isa in Isa::available() {
        for size in 0..=data.len() {
            let mut batch = Batch::new(3, 1, 50);
            let result = decode(isa, &frame(&data[..size]), &schema, &mut batch, 1);
            assert_eq!(result.is_ok(), size == data.len(), "{size}");
        }
    }
}

#[test]
fn tables_that_contradict_themselves() {
    let good = schema(&[("x", INT64, None)]);
    let file = frame(&[]);
    type Spoil = fn(&mut Batch, &mut Vec<u8>);
    let spoilers: [Spoil; 10] = [
        |batch, _| batch.columns[0].values = 4,
        |batch, _| batch.columns[0].values = -8,
        |batch, _| batch.columns[0].row_offsets = -1,
        |batch, _| batch.columns[0].capacity = i64::MAX,
        |batch, _| batch.columns[0].capacity = -1,
        |batch, _| batch.columns[0].length = 11,
        |batch, _| batch.columns[0].row_offsets = 8 * batch.memory.len() as i64 - 8,
        |_, schema| schema[8] = 7,
        |_, schema| schema[4] = 2,
        |_, schema| schema.truncate(20),
    ];
    for (number, spoil) in spoilers.iter().enumerate() {
        let (mut batch, mut schema) = (Batch::new(1, 1, 10), good.clone());
        spoil(&mut batch, &mut schema);
        let result = decode(Isa::current(), &file, &schema, &mut batch, 1);
        assert_eq!(result, Err(Error::ARGUMENT), "spoiler {number}");
    }
}

/// The values and the steps of the list "x", beside a feature of that name.
#[test]
fn lists_and_their_steps() {
    let mut schema = schema(&[("x", INT64, None), ("x", INT64, None), ("x", INT64, Some(1))]);
    (schema[12], schema[24 + 12]) = (2, 4);
    let steps =
        |rows: &[&[i64]]| rows.iter().flat_map(|row| len(1, &ints(row))).collect::<Vec<_>>();
    let lists = |rows: &[&[i64]]| len(2, &entry("x", &steps(rows)));
    let context = |x: i64| example(&[entry("x", &ints(&[x]))]);
    let unpacked = len(1, &len(3, &[varint(8), varint(5)].concat()));
    let file = [
        frame(&[context(7), lists(&[&[1, 300], &[], &[2]])].concat()),
        frame(&[lists(&[&[3]]), context(8)].concat()),
        frame(&context(9)),
        frame(&[context(6), len(2, &entry("x", &[steps(&[&[4]]), unpacked].concat()))].concat()),
    ];
    for isa in Isa::available() {
        let mut batch = Batch::new(3, 4, 8);
        assert!(decode(isa, &file.concat(), &schema, &mut batch, 4).is_ok());
        assert_eq!(
            (batch.ints(0), batch.row_offsets(0, 4)),
            (vec![1, 300, 2, 3, 4, 5], vec![0, 3, 4, 4, 6])
        );
        let (context, rows) = (vec![7, 8, 9, 6], vec![0, 3, 4, 4, 6]);
        assert_eq!((batch.ints(2), batch.row_offsets(1, 4)), (context, rows));
        batch.columns[1].length += 1; // it has one more offset
        assert_eq!(batch.ints(1), [0, 2, 2, 3, 4, 5, 6]);
        for size in 0..file[0].len() - 16 {
            let data = &file[0][12..12 + size];
            let _ = decode(isa, &frame(data), &schema, &mut Batch::new(3, 1, 8), 1);
        }
    }
}
