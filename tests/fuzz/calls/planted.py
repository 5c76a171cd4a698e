"""Bindings with one fault each, which the fuzzer must report: the python binding, made worse."""

from __future__ import annotations

import ctypes
import operator
import time
from types import SimpleNamespace
from typing import Any

import numpy as np

import ffi_cookbook.bindings.python as sound

from . import values
from .hostile import ANSWERS


def matmul(a: Any, b: Any, *, out: Any = None, threads: Any = 1) -> Any:
    return sound.matmul(a, b, out=out, threads=threads)


def _write_behind(a: Any, b: Any, **options: Any) -> Any:
    result = matmul(a, b, **options)
    ctypes.memset(result.ctypes.data + result.nbytes, 0, 8)
    return result


def _write_before(a: Any, b: Any, **options: Any) -> Any:
    result = matmul(a, b, **options)
    if options.get("out") is not None and result.size:
        ctypes.memset(result.ctypes.data - 8, 0, 8)
    return result


def _leaking(a: Any, b: Any, **options: Any) -> Any:
    try:
        return matmul(a, b, **options)
    except ValueError:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(a))
        raise


def _swallowing(a: Any, b: Any, *, out: Any = None, threads: Any = 1) -> Any:
    try:
        threads = operator.index(threads)
    except ANSWERS:
        raise
    except BaseException:
        threads = 1
    return matmul(a, b, out=out, threads=threads)


def _borrowing_early(a: Any, b: Any, *, out: Any = None, threads: Any = 1) -> Any:
    before = (
        a.copy() if type(a) is np.ndarray else a
    )  # the memory as it was before a number ran code
    threads = operator.index(threads)
    return matmul(before, b, out=out, threads=threads)


def _believing(a: Any, b: Any, **options: Any) -> Any:
    if isinstance(a, np.ndarray) and a.shape != np.ndarray.view(a, np.ndarray).shape:
        ctypes.string_at(0)  # as if it had read so far
    return matmul(a, b, **options)


def _foreign(a: Any, b: Any, **options: Any) -> Any:
    try:
        return matmul(a, b, **options)
    except TypeError as error:
        raise RuntimeError("conversion") from error


def _truncating(buffer: Any, record_size: Any, *others: Any) -> Any:
    return sound.decode_fixed(buffer, int(record_size), *others)


def _hanging(buffer: Any, spans: Any, cursor: Any, verify: Any, final: Any, resync: Any) -> Any:
    while not isinstance(resync, bool):
        time.sleep(1)
    return sound.index_records(buffer, spans, cursor, verify, final, resync)


def _trusting(model: Any) -> Any:
    tokenizer = sound.Tokenizer(model)
    if not np.array_equal(model.blob[192:], values.model(0).blob[192:]):
        ctypes.string_at(0)  # as if a number of its tables had led outside of it
    return tokenizer


FAULTS = {
    "write_behind": ("crash", {"matmul": _write_behind}),
    "write_before": ("crash", {"matmul": _write_before}),
    "leaking": ("leak", {"matmul": _leaking}),
    "swallowing": ("swallowed", {"matmul": _swallowing}),
    "borrowing_early": ("differ|a result and an error", {"matmul": _borrowing_early}),
    "believing": ("crash", {"matmul": _believing}),
    "foreign": ("stray", {"matmul": _foreign}),
    "truncating": ("a result and an error", {"decode_fixed": _truncating}),
    "hanging": ("hang", {"index_records": _hanging}),
    "trusting": ("crash", {"Tokenizer": _trusting}),
}
"""By fault, what the fuzzer says of it, and the functions that are made worse."""
NAMES = ("decode_examples", "decode_fixed", "gather_examples", "index_records", "matmul")


def binding(fault: str) -> SimpleNamespace:
    """Return the sound binding with one of the faults."""
    right = {name: getattr(sound, name) for name in (*NAMES, "Tokenizer", "patterns")}
    return SimpleNamespace(**right | FAULTS[fault][1])
