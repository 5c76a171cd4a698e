use std::fmt;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

#[derive(Debug)]
struct Fault(String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        PyValueError::new_err(fault.to_string())
    }
}

fn id(value: &Bound<'_, PyAny>, name: &str) -> PyResult<u32> {
    let id: u32 = value.extract()?;
    if id >= 1 << 21 {
        return Err(Fault(format!("{name} is {id}, which is not below 2097152")).into());
    }
    Ok(id)
}

/// Replace each pair of ids by a new one.
#[pyfunction]
#[pyo3(signature = (ids, pair, *, new))]
fn replace_pair<'py>(
    ids: Bound<'py, PyList>,
    pair: (Bound<'py, PyAny>, Bound<'py, PyAny>),
    new: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyList>> {
    let (left, right, new) = (
        id(&pair.0, "pair[0]")?,
        id(&pair.1, "pair[1]")?,
        id(&new, "new")?,
    );
    if [left, right].contains(&new) {
        return Err(Fault(format!("new is {new}, which is a part of the pair")).into());
    }
    let out = PyList::empty(ids.py());
    let mut waiting = None;
    for (place, item) in ids.iter().enumerate() {
        let item = id(&item, &format!("ids[{place}]"))?;
        match waiting.take() {
            Some(before) if before == left && item == right => out.append(new)?,
            Some(before) => {
                out.append(before)?;
                waiting = Some(item);
            }
            None => waiting = Some(item),
        }
    }
    if let Some(last) = waiting {
        out.append(last)?;
    }
    Ok(out)
}

#[pymodule]
fn exercise(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(replace_pair, module)?)
}
