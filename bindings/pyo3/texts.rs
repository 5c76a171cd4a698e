//! The text that a tokenizer borrows from Python.

use std::borrow::Cow;

use cookbook_kernels::Error;
use cookbook_kernels::tokenizer::utf8;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use crate::allocation::{copied, reserved};
use crate::buffers::{Borrowed, borrow};

/// The UTF-8 of a str, lone surrogates replaced; or bytes, which may not be UTF-8.
pub enum Text<'a> {
    Str(Cow<'a, str>),
    Bytes(&'a [u8]),
}

impl<'a> Text<'a> {
    pub fn len(&self) -> usize {
        match self {
            Text::Str(text) => text.len(),
            Text::Bytes(bytes) => bytes.len(),
        }
    }

    /// Looks at all of the bytes, which needs no GIL.
    pub fn checked(self) -> Result<Cow<'a, str>, Error> {
        match self {
            Text::Str(text) => Ok(text),
            Text::Bytes(bytes) => utf8(bytes).map(Cow::Borrowed),
        }
    }
}

/// Borrows from a str or from bytes.
pub fn text_of<'a>(text: &'a Bound<'_, PyAny>) -> PyResult<Text<'a>> {
    if let Ok(bytes) = text.cast::<PyBytes>() {
        return Ok(Text::Bytes(bytes.as_bytes()));
    }
    let Ok(text) = text.cast::<PyString>() else {
        let message = format!("text must be str or bytes, not {}", text.get_type().name()?);
        return Err(PyTypeError::new_err(message));
    };
    match text.to_str() {
        Ok(borrowed) => Ok(Text::Str(Cow::Borrowed(borrowed))),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => {
            let module = text.py().import("bindings.tokenizer")?;
            let replaced = module.call_method1("replace_surrogates", (text,))?;
            let replaced = replaced.cast::<PyString>()?.to_str()?;
            let mut copy = String::new();
            copy.try_reserve_exact(replaced.len()).map_err(|_| PyMemoryError::new_err(()))?;
            copy.push_str(replaced);
            Ok(Text::Str(Cow::Owned(copy)))
        }
        Err(error) => Err(error),
    }
}

/// The texts before the first that is not UTF-8, whose own errors come first, and that one's error.
pub fn good_texts<'a>(
    held: &'a [Bound<'_, PyAny>],
) -> PyResult<(Vec<Cow<'a, str>>, Option<Error>)> {
    let (mut good, mut bad) = (reserved(held.len())?, None);
    for (number, text) in held.iter().enumerate() {
        match text_of(text)?.checked() {
            Ok(text) if bad.is_none() => good.push(text),
            Err(error) if bad.is_none() => bad = Some(Error { record: number as i64, ..error }),
            _ => {} // of a type that is right
        }
    }
    Ok((good, bad))
}

/// The items of a list or tuple, held so that their text can be borrowed.
pub fn texts_of<'py>(texts: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if !texts.is_instance_of::<PyList>() && !texts.is_instance_of::<PyTuple>() {
        let kind = texts.get_type().name()?;
        let message = format!("texts must be a list or tuple of str or bytes, not {kind}");
        return Err(PyTypeError::new_err(message));
    }
    let mut held = reserved(texts.len()?)?;
    for text in texts.try_iter()? {
        held.try_reserve(1).map_err(|_| PyMemoryError::new_err(()))?; // its own iterator may give more
        held.push(text?);
    }
    Ok(held)
}

/// A buffer that a text is read from: a bytes object, or one that somebody may write to.
pub enum Source<'a> {
    Bytes(&'a [u8]),
    Other(Borrowed),
}

impl<'a> Source<'a> {
    pub fn of(buffer: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        match buffer.cast_exact::<PyBytes>() {
            Ok(bytes) => Ok(Source::Bytes(bytes.as_bytes())),
            Err(_) => borrow(buffer).map(Source::Other),
        }
    }

    /// The bytes of a bytes object as they are, a copy of any other. Refuses an `out` that lies among
    /// them, as every binding does.
    pub fn apart(self, out: &[u32]) -> PyResult<Cow<'a, [u8]>> {
        let source = match self {
            Source::Bytes(bytes) => return Ok(Cow::Borrowed(bytes)),
            Source::Other(source) => source,
        };
        let (start, size) = (source.buf_ptr() as usize, source.len_bytes());
        let room = out.as_ptr_range();
        let meet = start < room.end as usize && (room.start as usize) < start + size;
        match meet && size > 0 && !out.is_empty() {
            true => Err(PyValueError::new_err("out must not overlap buffer")),
            false => Ok(Cow::Owned(copied(&source)?)),
        }
    }
}
