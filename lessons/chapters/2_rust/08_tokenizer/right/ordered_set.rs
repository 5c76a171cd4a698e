use std::collections::{BTreeSet, HashMap};

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

mod text;
use text::{Classes, pretokens, utf8};

/// A byte-level BPE tokenizer.
#[pyclass(frozen)]
struct Tokenizer {
    ranks: HashMap<Vec<u8>, u32>,
    tokens: Vec<Option<Vec<u8>>>,
    classes: Classes,
}

/// A part of a pretoken, with its neighbours.
struct Symbol {
    start: usize,
    end: usize,
    before: Option<usize>,
    after: Option<usize>,
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
        let mut symbols: Vec<Symbol> = (0..bytes.len())
            .map(|at| Symbol {
                start: at,
                end: at + 1,
                before: at.checked_sub(1),
                after: Some(at + 1),
            })
            .collect();
        symbols.last_mut().unwrap().after = None;
        let mut candidates = BTreeSet::new();
        for at in 0..bytes.len() {
            candidates.extend(self.candidate(bytes, &symbols, at));
        }
        while let Some((_, at)) = candidates.pop_first() {
            let gone = symbols[at].after.unwrap();
            if let Some(before) = symbols[at].before {
                if let Some(old) = self.candidate(bytes, &symbols, before) {
                    candidates.remove(&old);
                }
            }
            if let Some(old) = self.candidate(bytes, &symbols, gone) {
                candidates.remove(&old);
            }
            symbols[at].end = symbols[gone].end;
            symbols[at].after = symbols[gone].after;
            if let Some(after) = symbols[at].after {
                symbols[after].before = Some(at);
            }
            candidates.extend(self.candidate(bytes, &symbols, at));
            if let Some(before) = symbols[at].before {
                candidates.extend(self.candidate(bytes, &symbols, before));
            }
        }
        let mut next = Some(0);
        while let Some(at) = next {
            let symbol = &symbols[at];
            ids.push(self.ranks[&bytes[symbol.start..symbol.end]]);
            next = symbol.after;
        }
    }

    fn candidate(&self, bytes: &[u8], symbols: &[Symbol], at: usize) -> Option<(u32, usize)> {
        let after = symbols[at].after?;
        let rank = self
            .ranks
            .get(&bytes[symbols[at].start..symbols[after].end])?;
        Some((*rank, at))
    }

    fn bytes(&self, ids: &[u32]) -> Result<Vec<u8>, (usize, u32)> {
        let mut bytes = Vec::new();
        for (position, &id) in ids.iter().enumerate() {
            let token = self.tokens.get(id as usize).and_then(Option::as_ref);
            bytes.extend_from_slice(token.ok_or((position, id))?);
        }
        Ok(bytes)
    }
}

#[pymethods]
impl Tokenizer {
    #[new]
    fn new(model: &Bound<'_, PyAny>) -> PyResult<Tokenizer> {
        Ok(Tokenizer {
            ranks: model.getattr("ranks")?.extract()?,
            tokens: model.getattr("tokens")?.extract()?,
            classes: Classes::of(model)?,
        })
    }

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
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Tokenizer;
}
