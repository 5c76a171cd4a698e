"""The kernels alone: called from C, many times in each of our calls, in memory made once."""

from __future__ import annotations

import ctypes
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from benchmarks.core.clock import Timed
from benchmarks.core.native import beside_kernels
from ffi_cookbook.bindings.protocol import Int64Array, Uint8Array
from ffi_cookbook.records import Schema
from ffi_cookbook.tokenizer import Model

SOURCE = Path(__file__).with_name("alone.c")
LONG = 2e-4  # the least duration of one of our calls


class Alone(NamedTuple):
    """A kernel that runs `calls` times, and zero times, which shows the cost of our own call."""

    timed: Timed
    nothing: Timed
    calls: int


def library(folder: Path) -> Any:
    """Return the functions of alone.c; raise ImportError without a compiler or the binding."""
    return beside_kernels(SOURCE, folder)


def matmul(folder: Path, a: Any, b: Any) -> Alone:
    """Return the product of two square matrices of float32."""
    n = len(a)
    return _repeated(library(folder).matmul, a, b, np.empty((n, n), np.float32), n)


def decode(
    folder: Path, buffer: bytes, schema: Schema, arena: Uint8Array, table: Int64Array, n: int
) -> Alone:
    """Decode the first n records of a buffer."""
    names = schema.buffer
    return _repeated(
        library(folder).decode,
        buffer,
        len(buffer),
        names,
        len(names),
        arena,
        arena.size,
        table,
        len(table),
        n,
    )


def encode(folder: Path, model: Model, texts: list[bytes]) -> Alone:
    """Return the ids of some texts."""
    from ffi_cookbook.bindings.ctypes.tokenizer import Error, lib

    blob = bytes(model.blob)
    bpe = lib.ck_bpe_open(blob, len(blob), 0, ctypes.byref(Error()))  # and never closed
    bpe.blob = blob
    ids = np.empty(max(map(len, texts)), np.uint32)
    offsets = np.cumsum([0, *map(len, texts)])
    return _repeated(
        library(folder).encode,
        bpe,
        b"".join(texts),
        offsets,
        len(texts),
        model.default_policy,
        ids,
        ids.size,
    )


def _repeated(function: Any, *arguments: Any) -> Alone:
    """Return the number of calls that last long enough."""
    passed = [_passed(argument) for argument in arguments]
    calls = 1
    while _seconds(function, calls, passed) < LONG:
        calls *= 2
    names = {f"a{i}": argument for i, argument in enumerate(passed)}
    statement = f"f(n, {', '.join(names)})"
    names |= {"f": function, "kept": arguments}
    return Alone(
        Timed(statement, {**names, "n": ctypes.c_size_t(calls)}),
        Timed(statement, {**names, "n": ctypes.c_size_t(0)}),
        calls,
    )


def _seconds(function: Any, calls: int, passed: list[Any]) -> float:
    start = perf_counter()
    function(ctypes.c_size_t(calls), *passed)
    return perf_counter() - start


def _passed(argument: Any) -> Any:
    """Return an argument in the form that C takes: all integers have 64 bits here."""
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    if isinstance(argument, ctypes.Structure):
        return ctypes.byref(argument)
    return ctypes.c_int64(argument) if isinstance(argument, int) else argument
