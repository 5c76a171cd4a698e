# cython: freethreading_compatible=True
"""The tools that built this binding."""

cimport cython

from ffi_cookbook.bindings.cython.cookbook cimport ck_compiler, ck_isa


def about():
    """Return the tools that built this binding."""
    return {
        "technology": "Cython " + cython.__version__,
        "compiler": ck_compiler().decode(),
        "kernel": "C",
        "isa": ck_isa().decode(),
    }
