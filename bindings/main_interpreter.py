"""A module that cannot be imported in a subinterpreter, where the bindings do not work.

NumPy supports the main interpreter only. Before Python 3.12 importing a pybind11 module in another
one, torch's among them, never returns.
"""

from bindings import availability

if availability.in_subinterpreter():
    raise ImportError(availability.SUBINTERPRETER[0])
