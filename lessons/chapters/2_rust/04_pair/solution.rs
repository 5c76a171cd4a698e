use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

const LIMIT: u32 = 1 << 21;

/// What can be wrong with the arguments.
enum Fault {
    PartOfPair(u32),
    TooLarge { name: String, id: u32 },
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        PyValueError::new_err(match fault {
            Fault::PartOfPair(id) => format!("new is {id}, which is a part of the pair"),
            Fault::TooLarge { name, id } => {
                format!("{name} is {id}, which is not below {LIMIT}")
            }
        })
    }
}

fn check(id: u32, name: impl FnOnce() -> String) -> Result<(), Fault> {
    if id < LIMIT {
        return Ok(());
    }
    Err(Fault::TooLarge { name: name(), id })
}

/// Return the ids with each pair replaced by a new id.
#[pyfunction]
#[pyo3(signature = (ids, pair, *, new))]
fn replace_pair(ids: Vec<u32>, pair: (u32, u32), new: u32) -> Result<Vec<u32>, Fault> {
    check(pair.0, || "pair[0]".into())?;
    check(pair.1, || "pair[1]".into())?;
    check(new, || "new".into())?;
    if new == pair.0 || new == pair.1 {
        return Err(Fault::PartOfPair(new));
    }
    let mut out = Vec::with_capacity(ids.len());
    let mut place = 0;
    while place < ids.len() {
        check(ids[place], || format!("ids[{place}]"))?;
        if ids[place] == pair.0 && ids.get(place + 1) == Some(&pair.1) {
            out.push(new);
            place += 2;
        } else {
            out.push(ids[place]);
            place += 1;
        }
    }
    Ok(out)
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::replace_pair;
}
