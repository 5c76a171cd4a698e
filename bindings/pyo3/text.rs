//! The text of a str or of bytes.

use std::borrow::Cow;

use cookbook_kernels::Error;
use cookbook_kernels::tokenizer::utf8;
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

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

    /// Check all of the bytes, which needs no GIL.
    pub fn checked(self) -> Result<Cow<'a, str>, Error> {
        match self {
            Text::Str(text) => Ok(text),
            Text::Bytes(bytes) => utf8(bytes).map(Cow::Borrowed),
        }
    }
}

/// Borrow from a str or from bytes.
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
            let module = text.py().import("ffi_cookbook.bindings._glue.surrogates")?;
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
