# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from ffi_cookbook.bindings.capi.patterns import idiomatic as idiomatic
from ffi_cookbook.bindings.protocol.pages.arrays import *
from ffi_cookbook.bindings.protocol.pages.calls import *
from ffi_cookbook.bindings.protocol.pages.containers import *
from ffi_cookbook.bindings.protocol.pages.objects import *
from ffi_cookbook.bindings.protocol.pages.scalars import *
from ffi_cookbook.bindings.protocol.pages.text import *

def about() -> dict[str, str]: ...
