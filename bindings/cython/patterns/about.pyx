# cython: freethreading_compatible=True
"""The tools that built this binding."""

cimport cython

from isa cimport chosen_isa, isa_name

cdef extern from *:
    """
    #if defined(__clang__)
    #define COMPILER "clang " __clang_version__
    #else
    #define COMPILER "gcc " __VERSION__
    #endif
    """
    const char *COMPILER

_isa = isa_name(chosen_isa()).decode()


def about():
    """Return the tools that built this binding."""
    return {
        "technology": "Cython " + cython.__version__,
        "compiler": COMPILER.decode(),
        "kernel": "Cython",
        "isa": _isa,
    }
