"""The probes of a backend: the cost ledger, one tiny function per pattern of crossing the border.

When a value does not convert (wrong type, an int beyond 64 bits, a lone surrogate) each technology
raises its own choice of TypeError, OverflowError or ValueError, but none returns a wrong number.
What an argument's own __float__, __index__ or __dlpack__ raises comes out unchanged, and so may the
BufferError of memory that its owner does not export. Each is asked once.
The GIL is held during a call unless its name says otherwise; doors that cannot hold it (cffi,
torch) release it always.

A door may have a function twice more: `probes.tuned.name`, faster still at the price of something,
and `probes.naive.name`, as it is commonly written, with what that costs in its docstring.
"""

from typing import Protocol

from bindings.protocol.probes.arrays import Arrays
from bindings.protocol.probes.calls import Calls
from bindings.protocol.probes.containers import Containers
from bindings.protocol.probes.mixed import Mixed
from bindings.protocol.probes.objects import Objects
from bindings.protocol.probes.scalars import Scalars
from bindings.protocol.probes.text import Text


class Probes(Scalars, Text, Arrays, Containers, Objects, Calls, Mixed, Protocol):
    """All of them."""
