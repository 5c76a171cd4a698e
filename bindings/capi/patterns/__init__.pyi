# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from ffi_cookbook.bindings.capi.patterns import idiomatic as idiomatic
from ffi_cookbook.bindings.protocol.pages.objects import *
from ffi_cookbook.bindings.python.patterns.arrays import *
from ffi_cookbook.bindings.python.patterns.calls import *
from ffi_cookbook.bindings.python.patterns.containers import *
from ffi_cookbook.bindings.python.patterns.scalars import *
from ffi_cookbook.bindings.python.patterns.text import *

def about() -> dict[str, str]: ...
