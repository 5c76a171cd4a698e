"""The binding that most users have already: the part of each kernel that NumPy itself can do.

It has only what is natural in arrays: matmul, TFRecord frames and fixed layouts.
"""

from typing import NoReturn

import numpy as np

from ffi_cookbook.bindings.numpy.matmul import matmul as matmul
from ffi_cookbook.bindings.numpy.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.numpy.records import index_records as index_records

_ABSENT = {
    "decode_examples": "protobuf is a chain of lengths, each known only once the last is read",
    "gather_examples": "protobuf is a chain of lengths, in whatever order the records are read",
    "Tokenizer": "merging is a chain of small decisions, not an operation on arrays",
    "patterns": "NumPy is a library, not a way to bind one: it has no boundary to measure",
}


def about() -> dict[str, str]:
    """Return the tools that built this binding."""
    build = np.show_config(mode="dicts")
    compiler, simd = build["Compilers"]["c"], build["SIMD Extensions"]
    return {
        "technology": f"NumPy {np.__version__}",
        "compiler": f"{compiler['name']} {compiler['version']}",
        "kernel": f"NumPy, {build['Build Dependencies']['blas']['name']}",
        "isa": (simd["baseline"] + simd.get("found", []))[-1],
    }


def __getattr__(name: str) -> NoReturn:
    if name in _ABSENT:
        remedy = 'ffi_cookbook.load("python") has it, the compiled bindings are faster'
        raise AttributeError(f"the numpy binding has no {name}: {_ABSENT[name]}; {remedy}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
