//! Replace a pair of token ids by a new id: one step of training BPE.
//!
//! ```pycon
//! >>> replace_pair([5, 1, 2, 1, 2, 2], (1, 2), new=9)
//! [5, 9, 9, 2]
//! >>> replace_pair([7, 7, 7], (7, 7), new=8)     # from left to right
//! [8, 7]
//! >>> replace_pair([1, 2], (1, 2), new=2)
//! ValueError: new is 2, which is a part of the pair
//! >>> replace_pair([1, 3000000], (1, 2), new=9)
//! ValueError: ids[1] is 3000000, which is not below 2097152
//! ```
//!
//! All ids are integers from 0 to 2²¹ - 1, also `new` and those of the pair ("new is 3000000, which
//! is not below 2097152", "pair[0] is ..."). For a value that is not a u32, PyO3 may raise its own
//! exception. `new` is passed only by keyword, so inspect.signature shows (ids, pair, *, new). The
//! function has a docstring.
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

const LIMIT: u32 = 1 << 21;

/// What can be wrong with the arguments.
enum Fault {
    PartOfPair(u32),
    //: // TODO: an id that is too large, and where it is
    // BEGIN SOLUTION
    TooLarge { name: String, id: u32 },
    // END SOLUTION
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        //: match fault {
        //:     Fault::PartOfPair(id) => {
        //:         PyValueError::new_err(format!("new is {id}, which is a part of the pair"))
        //:     }
        //: }
        // BEGIN SOLUTION
        PyValueError::new_err(match fault {
            Fault::PartOfPair(id) => format!("new is {id}, which is a part of the pair"),
            Fault::TooLarge { name, id } => {
                format!("{name} is {id}, which is not below {LIMIT}")
            }
        })
        // END SOLUTION
    }
}

//: // TODO: fn replace_pair, which returns a Result<Vec<u32>, Fault>
// BEGIN SOLUTION
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
// END SOLUTION

#[pymodule]
mod exercise {
    //: // TODO: #[pymodule_export] use super::replace_pair;
    // BEGIN SOLUTION
    #[pymodule_export]
    use super::replace_pair;
    // END SOLUTION
}
