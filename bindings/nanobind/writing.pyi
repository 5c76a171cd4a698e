# Written by `nox -s stubs`: nanobind.stubgen read the signatures of the page.

from collections.abc import Sequence

import numpy
import numpy.typing

def crc32c(buffer: object, before: int = 0, /) -> int: ...
def frame_records(records: Sequence[bytes], /) -> bytes: ...
def encode_varints(values: numpy.typing.NDArray[numpy.int64], /) -> bytes: ...
