"""A module that cannot be imported in a subinterpreter.

Before Python 3.12 importing a pybind11 module there, torch's among them, never returns.
"""

from ffi_cookbook.bindings._glue.subinterpreters import SUBINTERPRETER, in_subinterpreter

if in_subinterpreter():
    raise ImportError(SUBINTERPRETER[0])
