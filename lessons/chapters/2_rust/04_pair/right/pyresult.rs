use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn checked(name: &str, id: u32) -> PyResult<u32> {
    match id {
        0..2_097_152 => Ok(id),
        _ => Err(PyValueError::new_err(format!(
            "{name} is {id}, which is not below 2097152"
        ))),
    }
}

#[pymodule]
mod exercise {
    use super::*;

    /// Replaces each pair of ids.
    #[pyfunction(signature = (ids, pair, *, new))]
    fn replace_pair(mut ids: Vec<u32>, pair: [u32; 2], new: u32) -> PyResult<Vec<u32>> {
        for (place, &id) in ids.iter().enumerate() {
            checked(&format!("ids[{place}]"), id)?;
        }
        for (place, &id) in pair.iter().enumerate() {
            checked(&format!("pair[{place}]"), id)?;
        }
        if pair.contains(&checked("new", new)?) {
            return Err(PyValueError::new_err(format!(
                "new is {new}, which is a part of the pair"
            )));
        }
        let mut kept = 0;
        let mut place = 0;
        while place < ids.len() {
            let found = ids[place..].starts_with(&pair);
            ids[kept] = if found { new } else { ids[place] };
            place += if found { 2 } else { 1 };
            kept += 1;
        }
        ids.truncate(kept);
        Ok(ids)
    }
}
