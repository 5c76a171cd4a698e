from typing import Final

from ffi_cookbook.bindings.protocol.arrays import Matrix

BLOCK: Final[tuple[int, int]]

def multiply(out: Matrix, a: Matrix, b: Matrix, block: Matrix) -> None: ...
