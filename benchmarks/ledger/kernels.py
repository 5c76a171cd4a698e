"""The timed calls of each kernel through a binding: expressions, and the objects they name."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from benchmarks import ROOT
from benchmarks.ledger import inputs as made
from benchmarks.ledger.inputs import Inputs, frames
from ffi_cookbook.records import read
from ffi_cookbook.tokenizer import Model

SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
BRIEF = {"matmul": f"matmul {SIZES[-1]}", "decode": "records decode", "encode": "tokenizer text"}
BRIEF["attention"] = "attention capped forward"
"""The jobs of the first screen, by name."""
SLOW_SIZE = 64  # the largest matmul for a binding that computes in Python


class Contender(NamedTuple):
    """One way to do a job."""

    call: str
    names: Mapping[str, Any]
    units: float  # work of a call, in its unit: matrices, records, bytes
    work: float  # floating-point operations or bytes of a unit

    def result(self) -> Any:
        """Return the result of a call."""
        return eval(self.call, dict(self.names))


Jobs = dict[str, Contender]
"""By group: every contender of a group does the same job."""


@cache
def operands(n: int) -> list[Any]:
    """Return two matrices, the same for all contenders of this process."""
    random = np.random.default_rng()
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
    if not hasattr(binding, "decode_examples"):
        return {}
    buffer = inputs.sample if sample else inputs.records

    def decode(data: bytes) -> Any:
        batches = read(data, inputs.schema, backend=binding, reuse=True, compression=None)
        return deque(batches, maxlen=1)[0]

    return {"records decode": calls(decode, buffer)}


def calls(function: Callable[[bytes], Any], data: bytes) -> Contender:
    """Return the call of a function that reads the records of a file."""
    units = sum(1 for _ in frames(data))
    return Contender("f(t)", {"f": function, "t": data}, units, len(data) / units)


def _tokenizer(binding: ModuleType, inputs: Inputs, sample: bool) -> Jobs:
    if not hasattr(binding, "Tokenizer"):
        return {}
    model = Model.load(inputs.ranks, pattern=made.PATTERN)
    return tokenizer_jobs(binding.Tokenizer(model).encode, inputs, sample)


def tokenizer_jobs(encode: Any, inputs: Inputs, small: bool) -> Jobs:
    """Return the job of a tokenizer's `encode`: a text, repeatedly."""
    text = inputs.text[: made.SAMPLE_CHARS] if small else inputs.text
    names = {"f": encode, "t": text}
    return {"tokenizer text": Contender("f(t)", names, len(text.encode()), 1)}


def _attention(binding: ModuleType, _: Inputs, sample: bool) -> Jobs:
    return attention_jobs("ours") if hasattr(binding, "attention") else {}


def attention_jobs(form: str) -> Jobs:
    """Return the passes of a form of attention; raise AssertionError if a result is wrong."""
    sys.path.append(str(ROOT / "examples"))
    example = import_module("attention_forms")
    jobs = {}
    for name, forms in example.calls(compiled=False).items():
        if form in forms:
            work = example.OPERATIONS * (1.0 if "forward" in name else 2.5)
            jobs[f"attention {name}"] = Contender("f()", {"f": forms[form]}, 1, work)
    return jobs


def brief(jobs: Jobs) -> Jobs:
    """Return the jobs of the first screen."""
    return {group: jobs[group] for group in BRIEF.values() if group in jobs}


KERNELS: dict[str, Callable[[ModuleType, Inputs, bool], Jobs]] = {
    "matmul": _matmul,
    "records": _records,
    "tokenizer": _tokenizer,
    "attention": _attention,
}
"""The jobs of a binding, by kernel; `sample`: with small inputs."""


def computes_in_python(binding: ModuleType) -> bool:
    """Return True for the binding whose kernels are plain Python, for which inputs are small."""
    return binding.__name__ == "ffi_cookbook.bindings.python"
