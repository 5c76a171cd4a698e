//! The patterns through PyO3: one page for each subject, one function for each pattern.
//!
//! `idiomatic` does as PyO3's guide does where a page does otherwise; the page shows both.

use std::collections::HashMap;

use cookbook_kernels::Isa;
use pyo3::prelude::*;
use pyo3::types::PyCFunction;

mod arrays;
mod calls;
mod containers;
mod dlpack;
mod items;
mod kernels;
mod objects;
mod scalars;
mod text;

const FLAGS: &str = if cfg!(debug_assertions) {
    concat!(env!("COOKBOOK_FLAGS"), " debug-assertions")
} else {
    env!("COOKBOOK_FLAGS")
};

/// Return the tools that built this binding.
#[pyfunction]
pub fn about() -> HashMap<&'static str, &'static str> {
    HashMap::from([
        ("technology", "PyO3 0.30"),
        ("compiler", env!("COOKBOOK_RUSTC")),
        ("flags", FLAGS),
        ("kernel", "Rust"),
        ("isa", Isa::current().name()),
    ])
}

/// One tiny function for each pattern; see protocol.Patterns.
#[pymodule(submodule)]
pub mod patterns {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::arrays::{
        array_in, array_in_nogil, array_inplace, array_map, array_out, scaled, strided_in,
    };
    #[pymodule_export]
    use super::calls::{callback, error, error_fields, interruptible};
    #[pymodule_export]
    use super::containers::{dict_in, list_in, list_out, strings_in, tuple_out};
    #[pymodule_export]
    use super::dlpack::{dlpack_in, tensor_in, tensor_out};
    #[pymodule_export]
    use super::idiomatic;
    #[pymodule_export]
    use super::objects::{Counter, Point, countdown, struct_in, struct_out};
    #[pymodule_export]
    use super::scalars::{
        add_float, add_int, int_in, int_out, invert, keywords, noop, noop_nogil, six_scalars,
    };
    #[pymodule_export]
    use super::text::{buffer_in, bytes_in, bytes_map, bytes_out, score, str_in, str_out};

    #[pymodule_init]
    fn name(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::importable(module, "ffi_cookbook_pyo3.patterns")
    }
}

/// The idioms of PyO3's guide.
#[pymodule(submodule)]
pub mod idiomatic {
    #[pymodule_export]
    use super::arrays::{idiomatic_array_in, idiomatic_array_inplace, idiomatic_array_out};
    #[pymodule_export]
    use super::containers::{idiomatic_dict_in, idiomatic_list_in, idiomatic_strings_in};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn name(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::importable(module, "ffi_cookbook_pyo3.patterns.idiomatic")
    }
}

/// Give a submodule its full name, under which pickle looks for its functions. PyO3 names it, and
/// its functions, without the module that it is in, and does not let it be imported.
fn importable(module: &Bound<'_, PyModule>, name: &str) -> PyResult<()> {
    let py = module.py();
    module.setattr("__name__", name)?;
    for function in module.dict().values() {
        if function.is_instance_of::<PyCFunction>() {
            function.setattr("__module__", name)?;
        }
    }
    py.import("sys")?.getattr("modules")?.set_item(name, module)
}
