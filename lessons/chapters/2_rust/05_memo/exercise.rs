//! Write a class that remembers what a Python function returned for each text.
//!
//! ```pycon
//! >>> lengths = Memo(len)
//! >>> lengths("token")     # calls len
//! 5
//! >>> lengths("token")     # returns the same object without a call
//! 5
//! >>> len(lengths)         # the number of texts it has seen
//! 1
//! >>> lengths["token"]     # never calls; KeyError if the text was not seen
//! 5
//! ```
//!
//! What the function raises reaches the caller and is not remembered. The function may call the
//! Memo again, even with the same text. A Memo owns Python objects, so cycles through it must be
//! collected: through the function, and through the results alone. The key is a str, and the
//! argument cannot be passed by keyword.
use pyo3::prelude::*;

#[pyclass(frozen)]
struct Memo {
    // TODO
}

#[pymethods]
impl Memo {
    #[new]
    fn new(function: Py<PyAny>) -> Memo {
        todo!()
    }

    // TODO: __call__, __len__, __getitem__, __traverse__, __clear__
}

#[pymodule]
mod exercise {
    #[pymodule_export]
    use super::Memo;
}
