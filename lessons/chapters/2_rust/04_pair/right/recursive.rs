use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn merged(ids: &[u32], pair: (u32, u32), new: u32) -> Vec<u32> {
    let mut out = Vec::new();
    let mut rest = ids;
    loop {
        rest = match *rest {
            [a, b, ref more @ ..] if (a, b) == pair => {
                out.push(new);
                more
            }
            [a, ref more @ ..] => {
                out.push(a);
                more
            }
            [] => return out,
        };
    }
}

#[pymodule]
mod exercise {
    use super::*;

    /// Each pair becomes the new id.
    #[pyfunction]
    #[pyo3(signature = (ids, pair, *, new), text_signature = "(ids, pair, *, new)")]
    fn replace_pair(ids: Vec<u32>, pair: (u32, u32), new: u32) -> PyResult<Vec<u32>> {
        let named = [("pair[0]", pair.0), ("pair[1]", pair.1), ("new", new)];
        let named = named.map(|(name, id)| (name.to_string(), id));
        let listed = ids
            .iter()
            .enumerate()
            .map(|(place, id)| (format!("ids[{place}]"), *id));
        if let Some((name, id)) = named
            .into_iter()
            .chain(listed)
            .find(|(_, id)| *id >= 1 << 21)
        {
            let message = format!("{name} is {id}, which is not below 2097152");
            return Err(PyValueError::new_err(message));
        }
        if new == pair.0 || new == pair.1 {
            let message = format!("new is {new}, which is a part of the pair");
            return Err(PyValueError::new_err(message));
        }
        Ok(merged(&ids, pair, new))
    }
}
