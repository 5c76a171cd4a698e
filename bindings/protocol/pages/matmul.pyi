# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from ffi_cookbook.bindings.protocol.arrays import Matrix

def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix: ...
