"""The python binding with three kernels in Cython in place of its own, to read and to measure.

The sources of the compiled modules are in cython_src: what a user of Cython writes who has no
library in C. `ffi_cookbook.load` does not know this package; its "cython" calls the C library.
"""

from ffi_cookbook.bindings import cython
from ffi_cookbook.bindings.cython_kernels.matmul import matmul as matmul
from ffi_cookbook.bindings.cython_kernels.records import decode_examples as decode_examples
from ffi_cookbook.bindings.cython_kernels.tokenizer import Tokenizer as Tokenizer
from ffi_cookbook.bindings.python.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.python.records import gather_examples as gather_examples
from ffi_cookbook.bindings.python.records import index_records as index_records


def about() -> dict[str, str]:
    """Return the tools that built these kernels, which are those of the cython binding."""
    return {**cython.about(), "kernel": "Cython", "isa": "portable"}
