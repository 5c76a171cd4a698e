# Written by hand: the page has an overload for each dtype, and the last is for an unknown one.

from typing import TypeAlias, overload

from numpy import float32, float64
from numpy.typing import NDArray

from ffi_cookbook.bindings.protocol import Matrix

_F4: TypeAlias = NDArray[float32]
_F8: TypeAlias = NDArray[float64]

@overload
def matmul(a: _F4, b: _F4, *, out: _F4 | None = None, threads: int = 1) -> _F4: ...  # type: ignore[overload-overlap]
@overload
def matmul(a: _F8, b: _F8, *, out: _F8 | None = None, threads: int = 1) -> _F8: ...
@overload
def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix: ...
