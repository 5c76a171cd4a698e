//! A writer of records, and a random number generator, for the tests.
#![allow(dead_code)] // each test file uses only some of it

use cookbook_kernels::records::Options;
use cookbook_kernels::{Column, Input, Isa, crc32c};

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

pub fn options(isa: Isa) -> Options {
    Options { verify: true, at_end: true, isa }
}

pub fn varint(mut value: u64) -> Vec<u8> {
    let mut out = vec![];
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// A field of wire type 2.
pub fn len(field: u64, data: &[u8]) -> Vec<u8> {
    [&varint(field << 3 | 2), &varint(data.len() as u64), data].concat()
}

pub fn ints(values: &[i64]) -> Vec<u8> {
    let run: Vec<u8> = values.iter().flat_map(|&value| varint(value as u64)).collect();
    len(3, &len(1, &run))
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    len(2, &len(1, &values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>()))
}

pub fn strings(values: &[&str]) -> Vec<u8> {
    len(1, &values.iter().flat_map(|value| len(1, value.as_bytes())).collect::<Vec<u8>>())
}

/// An entry of the Features map, whose value is the feature given.
pub fn entry(name: &str, feature: &[u8]) -> Vec<u8> {
    len(1, &[len(1, name.as_bytes()), len(2, feature)].concat())
}

pub fn example(entries: &[Vec<u8>]) -> Vec<u8> {
    len(1, &entries.concat())
}

pub fn frame(data: &[u8]) -> Vec<u8> {
    let isa = Isa::available().next().expect("portable");
    let sum = |bytes: &[u8]| crc32c::masked(isa, Input::from(bytes)).to_le_bytes();
    let size = (data.len() as u64).to_le_bytes();
    [size.as_slice(), &sum(&size), data, &sum(data)].concat()
}

/// `{name, kind, dense length}` as the kernel wants it.
pub fn schema(fields: &[(&str, i32, Option<i64>)]) -> Vec<u8> {
    let mut out = vec![];
    let mut at = 24 * fields.len() as i32;
    for (name, kind, dense) in fields {
        let size = name.len() as i32;
        for word in [at, size, *kind, dense.is_some().into()] {
            out.extend(word.to_ne_bytes());
        }
        out.extend(dense.unwrap_or(0).to_ne_bytes());
        at += size;
    }
    out.extend(fields.iter().flat_map(|field| field.0.bytes()));
    out
}

/// A batch's memory: every column has room for `capacity` values and bytes.
pub struct Batch {
    pub memory: Vec<u64>,
    pub columns: Vec<Column>,
}

impl Batch {
    pub fn new(fields: usize, rows: i64, capacity: i64) -> Self {
        let size = 8 * (rows + 1) + 8 * (capacity + 1) + 8 * capacity;
        let column = |field: i64| Column {
            row_offsets: field * size,
            values: field * size + 8 * (rows + 1),
            capacity,
            data: field * size + 8 * (rows + 1) + 8 * (capacity + 1),
            data_capacity: capacity,
            ..Column::default()
        };
        let memory = vec![0x5555_5555_5555_5555; size as usize / 8 * fields];
        Batch { memory, columns: (0..fields as i64).map(column).collect() }
    }

    pub fn arena(&mut self) -> &mut [u8] {
        let len = self.memory.len() * 8;
        // SAFETY: u64s are bytes too.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), len) }
    }

    fn words(&self, offset: i64, count: i64) -> Vec<i64> {
        let start = offset as usize / 8;
        self.memory[start..start + count as usize].iter().map(|&word| word as i64).collect()
    }

    pub fn row_offsets(&self, field: usize, rows: i64) -> Vec<i64> {
        self.words(self.columns[field].row_offsets, rows + 1)
    }

    pub fn ints(&self, field: usize) -> Vec<i64> {
        self.words(self.columns[field].values, self.columns[field].length)
    }

    pub fn floats(&mut self, field: usize) -> Vec<f32> {
        let Column { values, length, .. } = self.columns[field];
        let bytes = &self.arena()[values as usize..][..4 * length as usize];
        bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
    }

    pub fn strings(&mut self, field: usize) -> Vec<String> {
        let Column { values, length, data, .. } = self.columns[field];
        let ends = self.words(values, length + 1);
        let data = &self.arena()[data as usize..];
        let part = |pair: &[i64]| data[pair[0] as usize..pair[1] as usize].to_vec();
        ends.windows(2).map(|pair| String::from_utf8(part(pair)).expect("text")).collect()
    }
}
