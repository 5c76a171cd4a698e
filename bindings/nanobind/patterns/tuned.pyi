# Written by `nox -s stubs`: nanobind.stubgen read the signatures of the page.

from typing import Annotated

import numpy
from numpy.typing import NDArray

def array_in(arg: object, /) -> float: ...
def dlpack_in(
    arg: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    /,
) -> float: ...

class Countdown:
    def __iter__(self, /): ...
    def __next__(self, /): ...

def countdown(arg: int, /) -> Countdown: ...
def error(arg: int, /) -> None: ...
