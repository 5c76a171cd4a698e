//! The tokenizer's calls on one text, through PyO3.
//!
//! Shows:  text borrowed as &str; an array made of a vector without a copy.
//! Bites:  a &str from Python is valid UTF-8 that cannot change; bytes may be invalid or change,
//!         and are checked before a kernel gets them.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::allocation::reserved;
use crate::text::text_of;
use crate::tokenizer_arguments::Model;

type Any<'py> = Bound<'py, PyAny>;
type Ids<'py> = Bound<'py, PyArray1<u32>>;
type Offsets<'py> = Bound<'py, PyArray1<i64>>;

// ---- kernel --------------------------------------------------------------------------------

pub fn encode<'py>(
    model: &Model,
    text: &Any<'py>,
    allowed_special: Option<Any<'py>>,
    disallowed_special: Option<Any<'py>>,
) -> PyResult<Ids<'py>> {
    let (py, text) = (text.py(), text_of(text)?);
    let policy = model.policy(py, allowed_special, disallowed_special)?;
    let size = text.len();
    let mut ids = reserved(size / 8 * 5)?; // seldom exceeded
    model.run(py, size, |interrupt| {
        model.kernel.encode(&text.checked()?, Some(&policy), &mut ids, interrupt)
    })?;
    Ok(PyArray1::from_vec(py, ids))
}

pub fn count(model: &Model, text: &Any<'_>) -> PyResult<usize> {
    let (py, text) = (text.py(), text_of(text)?);
    model.run(py, text.len(), |interrupt| model.kernel.count(&text.checked()?, None, interrupt))
}

pub fn split<'py>(model: &Model, text: &Any<'py>) -> PyResult<Offsets<'py>> {
    let (py, text) = (text.py(), text_of(text)?);
    let mut ends = Vec::new();
    model.run(py, text.len(), |interrupt| {
        model.kernel.split(&text.checked()?, &mut ends, interrupt)
    })?;
    Ok(PyArray1::from_vec(py, ends))
}
