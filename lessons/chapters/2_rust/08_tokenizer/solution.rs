//! Write a byte-level BPE tokenizer, with the names and the results of ffi_cookbook.bindings.protocol.Tokenizer.
//!
//! ```pycon
//! >>> tokenizer = Tokenizer(model)         # a ffi_cookbook.tokenizer.Model
//! >>> tokenizer.encode("hello world")      # str, or bytes of UTF-8
//! array([259, 271, 330], dtype=uint32)
//! >>> tokenizer.count("hello world")
//! 3
//! >>> tokenizer.decode(tokenizer.encode("hello world"))
//! b'hello world'
//! ```
//!
//! The model has the attributes `ranks`, a dict from the bytes of each token to its id, and `tokens`,
//! a list with the bytes of each id, or None where an id stands for nothing. Each byte is a token.
//!
//! A pretoken that is a token becomes its id. Any other one is split into its bytes. Then the two
//! neighbours whose bytes together are the token of the lowest id are merged, the leftmost of
//! several, again and again, until no two neighbours make a token. A pretoken may be very long: the
//! work must not grow with the square of its length.
//!
//! Where text.rs, which is given, raises an exception, so does the method. decode takes a uint32
//! array in one dimension: others raise TypeError, and one with gaps raises any exception. An id
//! that stands for nothing raises ValueError with its position: "the id 7000 at position 3 is not
//! in the vocabulary". `text` and `ids` cannot be passed by keyword. Other threads can run
//! while encode, count and decode work. Special tokens are left out here.
//: use std::collections::HashMap;
// BEGIN SOLUTION
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
// END SOLUTION

//: use pyo3::prelude::*;
//:
//: mod text;
// BEGIN SOLUTION
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

mod text;
use text::{Classes, pretokens, utf8};
// END SOLUTION

/// A byte-level BPE tokenizer.
#[pyclass(frozen)]
struct Tokenizer {
    ranks: HashMap<Vec<u8>, u32>,
    //: // TODO: what else?
// BEGIN SOLUTION
    tokens: Vec<Option<Vec<u8>>>,
    classes: Classes,
}

impl Tokenizer {
    fn ids(&self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        for pretoken in pretokens(text, &self.classes) {
            match self.ranks.get(pretoken.as_bytes()) {
                Some(&id) => ids.push(id),
                None => self.merge(pretoken.as_bytes(), &mut ids),
            }
        }
        ids
    }

    fn merge(&self, bytes: &[u8], ids: &mut Vec<u32>) {
        let n = bytes.len();
        let mut ends: Vec<usize> = (1..=n).collect(); // where the symbol starting here ends, or 0
        let mut before: Vec<usize> = (0..n).map(|i| i.saturating_sub(1)).collect();
        let mut heap = BinaryHeap::new();
        let candidate = |start: usize, end: usize| {
            let rank = self.ranks.get(&bytes[start..end])?;
            Some(Reverse((*rank, start, end)))
        };
        heap.extend((1..n).filter_map(|i| candidate(i - 1, i + 1)));
        while let Some(Reverse((_, start, end))) = heap.pop() {
            let middle = ends[start];
            if middle == 0 || middle >= end || ends[middle] != end {
                continue; // one of the two has been merged with another symbol
            }
            ends[start] = end;
            ends[middle] = 0;
            if start > 0 {
                heap.extend(candidate(before[start], end));
            }
            if end < n {
                before[end] = start;
                heap.extend(candidate(start, ends[end]));
            }
        }
        let mut start = 0;
        while start < n {
            ids.push(self.ranks[&bytes[start..ends[start]]]);
            start = ends[start];
        }
    }

    fn bytes(&self, ids: &[u32]) -> Result<Vec<u8>, (usize, u32)> {
        let mut bytes = Vec::new();
        for (position, &id) in ids.iter().enumerate() {
            let token = self.tokens.get(id as usize).and_then(Option::as_ref);
            bytes.extend_from_slice(token.ok_or((position, id))?);
        }
        Ok(bytes)
    }
// END SOLUTION
}

#[pymethods]
impl Tokenizer {
    #[new]
    fn new(model: &Bound<'_, PyAny>) -> PyResult<Tokenizer> {
        Ok(Tokenizer {
            ranks: model.getattr("ranks")?.extract()?,
            // BEGIN SOLUTION
            tokens: model.getattr("tokens")?.extract()?,
            classes: Classes::of(model)?,
            // END SOLUTION
        })
    }

    //: // TODO: encode, count, decode
    // BEGIN SOLUTION
    /// Return the ids of a text.
    #[pyo3(signature = (text, /))]
    fn encode<'py>(&self, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let source = utf8(text)?;
        let ids = text.py().detach(|| self.ids(&source));
        Ok(PyArray1::from_vec(text.py(), ids))
    }

    /// Return the number of ids of a text.
    #[pyo3(signature = (text, /))]
    fn count(&self, text: &Bound<'_, PyAny>) -> PyResult<usize> {
        let source = utf8(text)?;
        Ok(text.py().detach(|| self.ids(&source).len()))
    }

    /// Return the bytes of ids.
    #[pyo3(signature = (ids, /))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let ids = ids.as_slice()?;
        match py.detach(|| self.bytes(ids)) {
            Ok(bytes) => Ok(PyBytes::new(py, &bytes)),
            Err((position, id)) => Err(PyValueError::new_err(format!(
                "the id {id} at position {position} is not in the vocabulary"
            ))),
        }
    }
    // END SOLUTION
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Tokenizer;
}
