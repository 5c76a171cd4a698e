"""The patterns of a backend: the cost ledger, one tiny function per pattern of crossing the border.

When a value does not convert (wrong type, an int beyond 64 bits, a lone surrogate) each technology
raises its own choice of TypeError, OverflowError or ValueError, but none returns a wrong number.
What an argument's own __float__, __index__ or __dlpack__ raises comes out unchanged, and so may the
BufferError of memory that its owner does not export. Each is asked once.
The GIL is held during a call unless its name says otherwise; bindings that cannot hold it (cffi,
torch) release it always.

A binding may have a function twice more: `patterns.tuned.name`, faster still at the price of
something, and `patterns.naive.name`, as it is commonly written, with what that costs in its
docstring.
"""

from typing import Protocol

from bindings.protocol.patterns.arrays import Arrays
from bindings.protocol.patterns.calls import Calls
from bindings.protocol.patterns.containers import Containers
from bindings.protocol.patterns.mixed import Mixed
from bindings.protocol.patterns.objects import Objects
from bindings.protocol.patterns.scalars import Scalars
from bindings.protocol.patterns.text import Text


class Patterns(Scalars, Text, Arrays, Containers, Objects, Calls, Mixed, Protocol):
    """All of them."""
