"""The timed calls of each kernel through a binding: expressions, and the objects they name."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from benchmarks.ledger import inputs as made
from benchmarks.ledger.inputs import Inputs
from ffi_cookbook.records import read
from ffi_cookbook.tokenizer import Model

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
SLOW_SIZE = 64  # the largest matmul for a binding that computes in Python


class Contender(NamedTuple):
    """One way to do a job."""

    call: str
    names: Mapping[str, Any]
    units: float  # work of a call, in its unit: matrices, records, bytes, lines
    work: float  # floating-point operations or bytes of a unit

    def result(self) -> Any:
        """Return the result of a call."""
        return eval(self.call, dict(self.names))


Jobs = dict[str, Contender]
"""By group: every contender of a group does the same job."""


def operands(n: int) -> list[Any]:
    """Return two matrices."""
    random = np.random.default_rng(n)
    return [random.standard_normal((n, n), np.float32) for _ in "ab"]


def matmul_jobs(function: Any, largest: int) -> Jobs:
    """Return the jobs of square float32 products that allocate their result, on one thread."""
    jobs = {}
    for n in SIZES:
        if n <= largest:
            a, b = operands(n)
            jobs[f"matmul {n}"] = Contender("f(a, b)", {"f": function, "a": a, "b": b}, 1, 2 * n**3)
    return jobs


def _matmul(binding: ModuleType, _: Inputs, sample: bool) -> Jobs:
    if not hasattr(binding, "matmul"):
        return {}
    return matmul_jobs(binding.matmul, SLOW_SIZE if computes_in_python(binding) else SIZES[-1])


def _records(binding: ModuleType, inputs: Inputs, sample: bool) -> Jobs:
    buffer = records_of(binding, inputs, sample)
    count = count_records(buffer)
    spans, cursor = np.empty((count, 2), np.int64), np.empty(4, np.int64)

    def index() -> Any:
        cursor[:] = 0
        return spans[: binding.index_records(buffer, spans, cursor)]

    def decode() -> Any:
        batches = read(buffer, inputs.schema, backend=binding, reuse=True, compression=None)
        return deque(batches, maxlen=1)[0]

    def calls(function: Callable[[], Any], units: int, size: int) -> Contender:
        return Contender("f()", {"f": function}, units, size / units)

    jobs = {}
    if hasattr(binding, "index_records"):
        jobs["records index"] = calls(index, count, len(buffer))
    if "records index" in jobs and hasattr(binding, "decode_examples"):
        jobs["records decode"] = calls(decode, count, len(buffer))

    layout, width = made.tick_layout(), made.TICK.itemsize
    ticks = inputs.ticks[: made.SAMPLE * width] if sample else inputs.ticks
    rows = len(ticks) // width
    memory, table = layout.arena(rows)

    def fixed() -> Any:
        cursor[:] = 0
        binding.decode_fixed(ticks, width, table, memory, cursor, rows)
        return layout.columns(memory, table, rows)

    if hasattr(binding, "decode_fixed"):
        jobs["records fixed"] = calls(fixed, rows, len(ticks))
    return jobs


def records_of(binding: ModuleType, inputs: Inputs, sample: bool) -> bytes:
    """Return the file that is read: a small one for the numpy binding, which loops over records."""
    return (
        inputs.sample
        if sample or binding.__name__ == "ffi_cookbook.bindings.numpy"
        else inputs.records
    )


def _tokenizer(binding: ModuleType, inputs: Inputs, sample: bool) -> Jobs:
    if not hasattr(binding, "Tokenizer"):
        return {}
    model = Model.load(inputs.ranks, pattern=made.PATTERN)
    return tokenizer_jobs(binding.Tokenizer(model).encode, inputs, sample)


def tokenizer_jobs(encode: Any, inputs: Inputs, small: bool) -> Jobs:
    """Return the jobs of a tokenizer's `encode`: a long text and a short line, repeatedly."""
    text = inputs.text[: made.SAMPLE_CHARS] if small else inputs.text
    return {
        "tokenizer text": Contender("f(t)", {"f": encode, "t": text}, len(text.encode()), 1),
        "tokenizer line": Contender("f(t)", {"f": encode, "t": made.LINE}, 1, len(made.LINE)),
    }


def count_records(buffer: bytes) -> int:
    """Return the number of records of a TFRecord file."""
    count = at = 0
    while at < len(buffer):
        at += 16 + int.from_bytes(buffer[at : at + 8], "little")
        count += 1
    return count


KERNELS: dict[str, Callable[[ModuleType, Inputs, bool], Jobs]] = {
    "matmul": _matmul,
    "records": _records,
    "tokenizer": _tokenizer,
}
"""The jobs of a binding, by kernel; `sample`: with small inputs."""


def computes_in_python(binding: ModuleType) -> bool:
    """Return True for the binding whose kernels are plain Python, for which inputs are small."""
    return binding.__name__ == "ffi_cookbook.bindings.python"
