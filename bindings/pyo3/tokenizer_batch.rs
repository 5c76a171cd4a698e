//! Many texts in one call of the tokenizer, through PyO3.
//!
//! Shows:  a list of texts that the kernel reads where they lie, without a copy; an array of the
//!         largest possible size, shortened in place.
//! Bites:  a list may change whenever Python code runs, so the batch holds each of its texts.

use std::borrow::Cow;

use cookbook_kernels::Error;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyList, PyTuple};

use crate::allocation::reserved;
use crate::empty::{empty, shorten};
use crate::text::text_of;
use crate::tokenizer_arguments::Model;

type Any<'py> = Bound<'py, PyAny>;
type Ids<'py> = Bound<'py, PyArray1<u32>>;
type Offsets<'py> = Bound<'py, PyArray1<i64>>;

// ---- arguments -----------------------------------------------------------------------------

/// The texts before the first one that is not UTF-8, whose errors come first, and the error of that
/// one.
fn good_texts<'a>(held: &'a [Bound<'_, PyAny>]) -> PyResult<(Vec<Cow<'a, str>>, Option<Error>)> {
    let (mut good, mut bad) = (reserved(held.len())?, None);
    for (number, text) in held.iter().enumerate() {
        match text_of(text)?.checked() {
            Ok(text) if bad.is_none() => good.push(text),
            Err(error) if bad.is_none() => bad = Some(Error { record: number as i64, ..error }),
            _ => {} // its type was checked
        }
    }
    Ok((good, bad))
}

/// Return the items of a list or tuple, held so that their text can be borrowed.
fn texts_of<'py>(texts: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if !texts.is_instance_of::<PyList>() && !texts.is_instance_of::<PyTuple>() {
        let kind = texts.get_type().name()?;
        let message = format!("texts must be a list or tuple of str or bytes, not {kind}");
        return Err(PyTypeError::new_err(message));
    }
    with_critical_section(texts, || {
        let mut held = reserved(texts.len()?)?;
        for text in texts.try_iter()? {
            held.try_reserve(1).map_err(|_| PyMemoryError::new_err(()))?; // it may yield more
            held.push(text?);
        }
        Ok(held)
    })
}

// ---- kernel --------------------------------------------------------------------------------

pub fn encode_batch<'py>(
    model: &Model,
    texts: &Any<'py>,
    threads: usize,
    allowed_special: Option<Any<'py>>,
    disallowed_special: Option<Any<'py>>,
) -> PyResult<(Ids<'py>, Offsets<'py>)> {
    let py = texts.py();
    let held = texts_of(texts)?;
    let (texts, bad) = good_texts(&held)?;
    let policy = model.policy(py, allowed_special, disallowed_special)?;
    let size: usize = texts.iter().map(|text| text.len()).sum();
    let ids: Ids = empty::<u32>(py, &mut [size as isize])?.into_any().cast_into()?;
    // SAFETY: nobody else has the array, and only the written part is read.
    let room = unsafe { std::slice::from_raw_parts_mut(ids.data().cast(), size) };
    let offsets = model.run(py, size, |interrupt| {
        let kernel = &model.kernel;
        let done = kernel.encode_batch_into(&texts, Some(&policy), threads, room, interrupt);
        done.and_then(|offsets| bad.map_or(Ok(offsets), Err))
    })?;
    // SAFETY: nobody else has it yet, and the kernel wrote this number of ids.
    unsafe { shorten(&ids, offsets.last().map_or(0, |&end| end as usize))? };
    Ok((ids, PyArray1::from_vec(py, offsets)))
}
