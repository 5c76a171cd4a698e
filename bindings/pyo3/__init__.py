"""The binding to Rust: PyO3, in a wheel of its own (`pip install ./bindings/pyo3`)."""

from ffi_cookbook_pyo3 import Tokenizer as Tokenizer
from ffi_cookbook_pyo3 import about as about
from ffi_cookbook_pyo3 import decode_examples as decode_examples
from ffi_cookbook_pyo3 import decode_fixed as decode_fixed
from ffi_cookbook_pyo3 import gather_examples as gather_examples
from ffi_cookbook_pyo3 import index_records as index_records
from ffi_cookbook_pyo3 import matmul as matmul
from ffi_cookbook_pyo3 import patterns as patterns
