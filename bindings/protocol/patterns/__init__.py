"""The patterns of a backend: one tiny function for each way of crossing the boundary.

When a value does not convert (wrong type, an int beyond 64 bits, a lone surrogate) each technology
raises its own choice of TypeError, OverflowError or ValueError, but none returns a wrong number. An
exception that an argument's own __float__, __index__ or __dlpack__ raises is passed on unchanged,
and the BufferError of memory that its owner does not export may be too. Each of these methods is
called once. The GIL is held during a call unless the function's name says otherwise; bindings that
cannot hold it (cffi, torch) always release it.

If the idiom of a technology's documentation lets more pass, or copies more, than a page does,
`patterns.idiomatic.name` is that idiom, and its docstring says what it lets pass. Otherwise the
page has the idiom itself. `patterns.fast.name` takes the same arguments and is quicker at a price,
which its docstring names.
"""

from typing import Protocol

from ffi_cookbook.bindings.protocol.patterns.arrays import Arrays
from ffi_cookbook.bindings.protocol.patterns.calls import Calls
from ffi_cookbook.bindings.protocol.patterns.containers import Containers
from ffi_cookbook.bindings.protocol.patterns.mixed import Mixed
from ffi_cookbook.bindings.protocol.patterns.objects import Objects
from ffi_cookbook.bindings.protocol.patterns.scalars import Scalars
from ffi_cookbook.bindings.protocol.patterns.text import Text


class Patterns(Scalars, Text, Arrays, Containers, Objects, Calls, Mixed, Protocol):
    """All patterns of a binding."""
