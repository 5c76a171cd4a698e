# Written by `nox -s stubs`: nanobind.stubgen read the signatures of the page.

import numpy
import numpy.typing

def index_records(
    buffer: object,
    spans: numpy.typing.NDArray[numpy.int64],
    cursor: numpy.typing.NDArray[numpy.int64],
    verify: bool = True,
    final: bool = True,
    resync: bool = False,
) -> int: ...
def decode_examples(
    buffer: object,
    schema: bytes,
    arena: numpy.typing.NDArray[numpy.uint8],
    columns: numpy.typing.NDArray[numpy.int64],
    cursor: numpy.typing.NDArray[numpy.int64],
    max_records: int,
    verify: bool = True,
    final: bool = True,
) -> int: ...
def gather_examples(
    buffer: object,
    spans: numpy.typing.NDArray[numpy.int64],
    schema: bytes,
    arena: numpy.typing.NDArray[numpy.uint8],
    columns: numpy.typing.NDArray[numpy.int64],
    cursor: numpy.typing.NDArray[numpy.int64],
    verify: bool = True,
) -> int: ...
def decode_fixed(
    buffer: object,
    record_size: int,
    fields: numpy.typing.NDArray[numpy.int64],
    arena: numpy.typing.NDArray[numpy.uint8],
    cursor: numpy.typing.NDArray[numpy.int64],
    max_records: int,
    final: bool = True,
) -> int: ...
