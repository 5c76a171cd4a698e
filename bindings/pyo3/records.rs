//! Record decoding through PyO3.
//!
//! Shows:  any bytes-like object borrowed through the buffer protocol; int64 tables as numpy arrays;
//!         a kernel run without the GIL; a Result turned into an exception with fields.
//! Build:  maturin, from bindings/pyo3/pyproject.toml.
//! Bites:  a &[u8] promises that nobody writes to it, which a Python buffer cannot guarantee while
//!         other threads run: the kernel takes its input as `Input`, a pointer and a length, and
//!         its output as `Output`. PyReadwriteArray knows only of borrows through Rust.

use cookbook_kernels::fixed::{self, FixedField};
use cookbook_kernels::records::{self, Cursor, Options, Span};
use cookbook_kernels::{Column, Error, Isa, Output, example};
use pyo3::prelude::*;

use crate::buffers::{borrow, input};
use crate::ndarrays::{Row, flag, rows, shared};

// ---- arguments -----------------------------------------------------------------------------

// SAFETY: all of these consist of nothing but i64.
unsafe impl Row for Span {}
unsafe impl Row for Column {}
unsafe impl Row for Cursor {}
unsafe impl Row for FixedField {}

fn options(verify: bool, at_end: bool) -> Options {
    Options { verify, at_end, isa: Isa::current() }
}

fn finish(
    done: Result<(), Error>,
    cursor: Output<'_, Cursor>,
    schema: Option<&Bound<'_, PyAny>>,
    py: Python<'_>,
) -> PyResult<i64> {
    let none = py.None().into_bound(py);
    done.map_err(|error| crate::exception("record_error", &error, schema.unwrap_or(&none)))?;
    Ok(cursor.read(0).map_or(0, |cursor| cursor.rows))
}

// ---- kernels -------------------------------------------------------------------------------

/// Find the frames of TFRecord data; see protocol.Backend.
#[pyfunction]
#[pyo3(signature = (buffer, spans, cursor, verify=true, r#final=true, resync=false))]
pub fn index_records(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    spans: &Bound<'_, PyAny>,
    cursor: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = flag)] verify: bool,
    #[pyo3(from_py_with = flag)] r#final: bool,
    #[pyo3(from_py_with = flag)] resync: bool,
) -> PyResult<i64> {
    let buffer = borrow(buffer)?;
    let spans: Output<'_, Span> = rows(spans, "spans", 2, true)?;
    let cursor: Output<'_, Cursor> = rows(cursor, "cursor", 1, true)?;
    let data = input(&buffer);
    let kernel = if resync { records::index_good_records } else { records::index_records };
    let done = py.detach(|| kernel(data, spans, options(verify, r#final), cursor));
    finish(done, cursor, None, py)
}

/// Decode records into columns; see protocol.Backend.
#[pyfunction]
#[pyo3(signature = (buffer, schema, arena, columns, cursor, max_records, verify=true, r#final=true))]
#[allow(clippy::too_many_arguments)] // the interface has this many arguments
pub fn decode_examples(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    schema: &Bound<'_, PyAny>,
    arena: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyAny>,
    cursor: &Bound<'_, PyAny>,
    max_records: i64,
    #[pyo3(from_py_with = flag)] verify: bool,
    #[pyo3(from_py_with = flag)] r#final: bool,
) -> PyResult<i64> {
    let (buffer, names) = (borrow(buffer)?, borrow(schema)?);
    let arena: Output<'_> = shared(arena, "arena", true)?;
    let columns: Output<'_, Column> = rows(columns, "columns", 2, true)?;
    let cursor: Output<'_, Cursor> = rows(cursor, "cursor", 1, true)?;
    let (data, names, options) = (input(&buffer), input(&names), options(verify, r#final));
    let done = py.detach(|| {
        example::decode_examples(data, names, arena, columns, max_records, options, cursor)
    });
    finish(done, cursor, Some(schema), py)
}

/// Decode records in any order into columns; see protocol.Backend.
#[pyfunction]
#[pyo3(signature = (buffer, spans, schema, arena, columns, cursor, verify=true))]
#[allow(clippy::too_many_arguments)] // the interface has this many arguments
pub fn gather_examples(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    spans: &Bound<'_, PyAny>,
    schema: &Bound<'_, PyAny>,
    arena: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyAny>,
    cursor: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = flag)] verify: bool,
) -> PyResult<i64> {
    let (buffer, names) = (borrow(buffer)?, borrow(schema)?);
    let spans: Output<'_, Span> = rows(spans, "spans", 2, false)?;
    let arena: Output<'_> = shared(arena, "arena", true)?;
    let columns: Output<'_, Column> = rows(columns, "columns", 2, true)?;
    let cursor: Output<'_, Cursor> = rows(cursor, "cursor", 1, true)?;
    let (data, names, options) = (input(&buffer), input(&names), options(verify, true));
    let done =
        py.detach(|| example::gather_examples(data, spans, names, arena, columns, options, cursor));
    finish(done, cursor, Some(schema), py)
}

/// Decode fixed-size records into columns; see protocol.Backend.
#[pyfunction]
#[pyo3(signature = (buffer, record_size, fields, arena, cursor, max_records, r#final=true))]
#[allow(clippy::too_many_arguments)] // the interface has this many arguments
pub fn decode_fixed(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    record_size: i64,
    fields: &Bound<'_, PyAny>,
    arena: &Bound<'_, PyAny>,
    cursor: &Bound<'_, PyAny>,
    max_records: i64,
    #[pyo3(from_py_with = flag)] r#final: bool,
) -> PyResult<i64> {
    let buffer = borrow(buffer)?;
    let fields: Output<'_, FixedField> = rows(fields, "fields", 2, false)?;
    let arena: Output<'_> = shared(arena, "arena", true)?;
    let cursor: Output<'_, Cursor> = rows(cursor, "cursor", 1, true)?;
    let (data, options) = (input(&buffer), options(false, r#final));
    let done = py.detach(|| {
        fixed::decode_fixed(data, record_size, fields, arena, max_records, options, cursor)
    });
    finish(done, cursor, None, py)
}
