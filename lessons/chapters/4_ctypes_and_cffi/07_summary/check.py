"""Summaries of random values, and buffers that must be refused."""

import math
import statistics

from ffi_cookbook_lessons.cases import Near, Raises, drive


def cases(draw):
    """Yield summaries of several parts, and what must be refused."""
    for kind in ("array", "numpy", "read-only"):
        for n in (1, 4) if kind == "array" else (2,):
            parts = [draw.floats(draw.randint(1, 200)) for _ in range(n)]
            values = [value for part in parts for value in part]
            mean = math.fsum(values) / len(values)
            gives = Near([float(len(values)), mean, statistics.pvariance(values, mean)], 1e-9)
            says = f"the summary of {n} buffers, {kind}"
            yield drive("summed", kind, parts, gives=gives, says=says)
    for typecode in "fq":
        says = f'add(array.array("{typecode}", [1, 2, 3]))'
        refused = Raises(TypeError)
        yield drive("added", typecode, gives=refused, rule="wrong-dtype", says=says)
    written = ([2.0, 3.0, 1.0], "changed-input")
    says = "read of a read-only buffer"
    refused = Raises(Exception)
    yield drive("read", 3, "read-only", gives=refused, mistakes=(written,), says=says)
    yield drive("read", 3, "i8", gives=Raises(Exception), rule="wrong-dtype", says="read of int64")
    for n in (2, 4):
        says = f"read of a buffer of {n} items"
        yield drive("read", n, "f8", gives=Raises(Exception), rule="no-exception", says=says)
    yield drive("empty", gives=Raises(ValueError), says="read where nothing was added")
