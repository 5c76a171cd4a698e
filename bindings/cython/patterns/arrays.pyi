# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from ffi_cookbook.bindings.python.patterns.arrays import *
