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
    // TODO: an id that is too large, and where it is
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        match fault {
            Fault::PartOfPair(id) => {
                PyValueError::new_err(format!("new is {id}, which is a part of the pair"))
            }
        }
    }
}

// TODO: fn replace_pair, which returns a Result<Vec<u32>, Fault>

#[pymodule]
mod exercise {
    // TODO: #[pymodule_export] use super::replace_pair;
}
