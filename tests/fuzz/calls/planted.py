"""Bindings with one fault each, which the fuzzer must report: the python binding, made worse."""

from __future__ import annotations

import ctypes
import operator
import time
from types import SimpleNamespace
from typing import Any

import ffi_cookbook.bindings.python as sound


def with_fault(**functions: Any) -> SimpleNamespace:
    """Return the sound binding with some of its functions replaced."""
    names = ("decode_examples", "decode_fixed", "gather_examples", "index_records", "matmul")
    return SimpleNamespace(
        **{name: getattr(sound, name) for name in (*names, "Tokenizer", "patterns")} | functions
    )


def _write_behind(a: Any, b: Any, *, out: Any = None, threads: Any = 1) -> Any:
    result = sound.matmul(a, b, out=out, threads=threads)
    ctypes.memset(result.ctypes.data + result.nbytes, 0, 8)
    return result


def _write_before(a: Any, b: Any, *, out: Any = None, threads: Any = 1) -> Any:
    result = sound.matmul(a, b, out=out, threads=threads)
    if out is not None:
        ctypes.memset(result.ctypes.data - 8, 0, 8)
    return result


def _truncating(buffer: Any, record_size: Any, *others: Any) -> Any:
    return sound.decode_fixed(buffer, int(record_size), *others)


def _hanging(buffer: Any, spans: Any, cursor: Any, verify: Any, final: Any, resync: Any) -> Any:
    while not isinstance(resync, bool):
        time.sleep(1)
    return sound.index_records(buffer, spans, cursor, verify, final, resync)


def _swallowing(a: Any, b: Any, *, out: Any = None, threads: Any = 1) -> Any:
    try:
        threads = operator.index(threads)
    except BaseException:
        threads = 1
    return sound.matmul(a, b, out=out, threads=threads)


write_behind = with_fault(matmul=_write_behind)
write_before = with_fault(matmul=_write_before)
truncating = with_fault(decode_fixed=_truncating)
hanging = with_fault(index_records=_hanging)
swallowing = with_fault(matmul=_swallowing)
