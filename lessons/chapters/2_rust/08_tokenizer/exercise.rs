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
use std::collections::HashMap;

use pyo3::prelude::*;

mod text;

/// A byte-level BPE tokenizer.
#[pyclass(frozen)]
struct Tokenizer {
    ranks: HashMap<Vec<u8>, u32>,
    // TODO: what else?
}

#[pymethods]
impl Tokenizer {
    #[new]
    fn new(model: &Bound<'_, PyAny>) -> PyResult<Tokenizer> {
        Ok(Tokenizer {
            ranks: model.getattr("ranks")?.extract()?,
        })
    }

    // TODO: encode, count, decode
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Tokenizer;
}
