//! Given: the UTF-8 of a text, and the pretokens of GPT-2.
#![allow(dead_code)]

use std::borrow::Cow;

use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Return the text of a str, in which U+FFFD replaces lone surrogates, or of UTF-8 bytes.
pub fn utf8<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    if let Ok(text) = object.cast::<PyString>() {
        if let Ok(text) = text.to_str() {
            return Ok(Cow::Borrowed(text));
        }
        let utf16: Vec<u8> = text
            .call_method1("encode", ("utf-16-le", "surrogatepass"))?
            .extract()?;
        let units = utf16
            .as_chunks()
            .0
            .iter()
            .map(|two| u16::from_le_bytes(*two));
        let decoded = char::decode_utf16(units);
        return Ok(decoded
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect());
    }
    let Ok(bytes) = object.cast::<PyBytes>() else {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "text must be str or bytes, not {kind}"
        )));
    };
    let text = std::str::from_utf8(bytes.as_bytes());
    text.map(Cow::Borrowed).map_err(|error| {
        let place = error.valid_up_to();
        PyValueError::new_err(format!("the text is not UTF-8 at byte {place}"))
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Letter,
    Number,
    Space,
    Other,
}

/// The kinds of all characters, as the model has them.
pub struct Classes {
    index: Vec<u16>,
    blocks: Vec<u8>,
}

impl Classes {
    /// Return the classes of a ffi_cookbook.tokenizer.Model.
    pub fn of(model: &Bound<'_, PyAny>) -> PyResult<Classes> {
        if model.getattr("pattern")?.extract::<String>()? != "gpt2" {
            return Err(PyValueError::new_err("the model's pattern must be gpt2"));
        }
        let sections = model.getattr("sections")?;
        let index: PyReadonlyArray1<u16> = sections.get_item("unicode_index")?.extract()?;
        let blocks: PyReadonlyArray2<u8> = sections.get_item("unicode_blocks")?.extract()?;
        let (index, blocks) = (index.as_slice()?.to_vec(), blocks.as_slice()?.to_vec());
        Ok(Classes { index, blocks })
    }

    fn kind(&self, c: char) -> Kind {
        let block = usize::from(self.index[c as usize >> 7]);
        match self.blocks[block << 7 | c as usize & 127] {
            1..=3 => Kind::Letter,
            5 => Kind::Number,
            6 => Kind::Space,
            _ => Kind::Other,
        }
    }
}

/// Return the pretokens of a text, in their order; together they are the text.
pub fn pretokens<'a>(text: &'a str, classes: &'a Classes) -> impl Iterator<Item = &'a str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (pretoken, after) = rest.split_at(first_end(rest, classes)?);
        rest = after;
        Some(pretoken)
    })
}

/// Where the first pretoken of a text ends:
/// `'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
fn first_end(text: &str, classes: &Classes) -> Option<usize> {
    let first = text.chars().next()?;
    for ending in ["'s", "'d", "'m", "'t", "'ll", "'ve", "'re"] {
        if text.starts_with(ending) {
            return Some(ending.len());
        }
    }
    let end_of = |from: usize, kind: Kind| {
        let other = text[from..].find(|c| classes.kind(c) != kind);
        other.map_or(text.len(), |n| from + n)
    };
    let start = usize::from(first == ' ');
    if let Some(c) = text[start..].chars().next()
        && classes.kind(c) != Kind::Space
    {
        return Some(end_of(start, classes.kind(c)));
    }
    let end = end_of(0, Kind::Space);
    let last = text[..end].chars().next_back()?.len_utf8();
    Some(if end == text.len() || end == last {
        end
    } else {
        end - last
    })
}
