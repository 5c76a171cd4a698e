# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from bindings.protocol.arrays import Matrix

def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix: ...
