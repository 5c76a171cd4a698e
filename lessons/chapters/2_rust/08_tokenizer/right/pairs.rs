use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

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
    pairs: HashMap<(u32, u32), u32>,
    bytes_ids: Vec<u32>,
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

    /// Merge by a table of pairs of ids, made from the ranks: a pair's rank is the id it becomes.
    fn merge(&self, bytes: &[u8], ids: &mut Vec<u32>) {
        const GONE: u32 = u32::MAX;
        let n = bytes.len();
        let mut symbols: Vec<u32> = bytes
            .iter()
            .map(|byte| self.bytes_ids[*byte as usize])
            .collect();
        let mut left: Vec<usize> = (0..n).map(|i| i.wrapping_sub(1)).collect();
        let mut right: Vec<usize> = (1..=n).collect();
        let mut heap = BinaryHeap::new();
        let offer = |heap: &mut BinaryHeap<_>, symbols: &[u32], right: &[usize], at: usize| {
            if at < n && right[at] < n {
                let pair = (symbols[at], symbols[right[at]]);
                if let Some(&id) = self.pairs.get(&pair) {
                    heap.push(Reverse((id, at, pair)));
                }
            }
        };
        for at in 0..n {
            offer(&mut heap, &symbols, &right, at);
        }
        while let Some(Reverse((id, at, pair))) = heap.pop() {
            let second = right[at];
            if symbols[at] != pair.0 || second == n || symbols[second] != pair.1 {
                continue;
            }
            symbols[at] = id;
            symbols[second] = GONE;
            right[at] = right[second];
            if right[at] < n {
                left[right[at]] = at;
            }
            offer(&mut heap, &symbols, &right, left[at]);
            offer(&mut heap, &symbols, &right, at);
        }
        ids.extend(symbols.into_iter().filter(|id| *id != GONE));
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
        let ranks: HashMap<Vec<u8>, u32> = model.getattr("ranks")?.extract()?;
        let mut pairs = HashMap::new();
        for (token, id) in &ranks {
            for cut in 1..token.len() {
                if let (Some(a), Some(b)) = (ranks.get(&token[..cut]), ranks.get(&token[cut..])) {
                    pairs.insert((*a, *b), *id);
                }
            }
        }
        Ok(Tokenizer {
            pairs,
            bytes_ids: (0..=255u8).map(|byte| ranks[&[byte][..]]).collect(),
            ranks,
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
