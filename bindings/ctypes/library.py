"""The C library as ctypes sees it: every kernel with its argument types written down.

Shows:  loading a shared library that lies in the package's folder; argtypes and restype for every
        function.
Bites:  without argtypes ctypes passes each Python int as a C int and cuts pointers in half; without
        restype it takes every result for an int. CDLL releases the GIL around each call, PyDLL
        holds it; `library.name` is one object for all who ask, `library["name"]` a new one each
        time.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import (
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_int,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from operator import index
from pathlib import Path
from typing import Any

from bindings.checks import int64 as int64  # ctypes itself would keep the low 64 bits of any int

_NAME = {"win32": "cookbook.dll", "darwin": "libcookbook.dylib"}.get(sys.platform, "libcookbook.so")
_FOLDERS = [Path(folder) for folder in sys.modules[__package__].__path__]
# An editable installation has two folders: one of the sources, one of what is built.
_PATH = next((path for path in (folder / _NAME for folder in _FOLDERS) if path.exists()), _NAME)

try:
    lib = ctypes.CDLL(str(_PATH))  # releases the GIL
    lib_gil = ctypes.PyDLL(str(_PATH))  # holds it
except OSError as error:
    raise ImportError(f"cannot load the C library: {error}") from error


def declare(library: ctypes.CDLL, name: str, restype: type | None, *argtypes: type) -> Any:
    """Return a function of the library with its own declaration, which others do not share."""
    function = library[name]
    function.restype = restype
    function.argtypes = argtypes
    return function


# The memory of a writable array of any length, for a quarter of the time of `array.ctypes.data`.
memory = (c_char * 0).from_buffer


def int32(value: Any) -> int:
    """Return an int that fits a C int."""
    number = index(value)
    if not -(2**31) <= number < 2**31:
        raise OverflowError(f"{number} does not fit 32 bits")
    return number


class Error(Structure):
    """ck_error."""

    _fields_ = [
        (name, c_int64) for name in ("code", "offset", "record", "field", "expected", "actual")
    ]

    def values(self) -> tuple[int, ...]:
        """Return the six integers that bindings.errors takes."""
        return tuple(getattr(self, name) for name, _ in self._fields_)


class Bytes(Structure):
    """ck_bytes."""

    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class Batch(Structure):
    """ck_batch; the struct keeps the arrays alive that its pointers point to."""

    _fields_ = [
        ("schema", Bytes),
        ("arena", POINTER(c_char)),
        ("arena_size", c_size_t),
        ("columns", POINTER(c_char)),
        ("n_columns", c_size_t),
        ("max_records", c_int64),
    ]


class FixedBatch(Structure):
    """ck_fixed_batch."""

    _fields_ = [
        ("record_size", c_int64),
        ("fields", c_void_p),
        ("n_fields", c_size_t),
        ("arena", POINTER(c_char)),
        ("arena_size", c_size_t),
        ("max_records", c_int64),
    ]


class Interrupt(Structure):
    """ck_interrupt; the kernel uses what comes after `stop` only if it is not zero."""

    _fields_ = [("stop", c_void_p), ("rest", c_uint64 * 5)]


class Bpe(Structure):
    """ck_bpe: the order and the types must be those of cookbook.h, which nothing checks."""

    _fields_ = [
        ("blob", c_void_p),
        ("size", c_size_t),
        ("numbers", c_uint32 * 8),  # pattern ... n_merged
        ("sections", c_void_p * 15),  # unicode_index ... special_prefixes
        ("plain", c_int),
        ("beginnings", c_uint8 * 4),  # n_common ... special_prefix
        ("special_filter", c_uint64 * 64),
        ("interrupt", c_void_p),
    ]


class Pool(Structure):
    """ck_bpe_pool: all zero at first."""

    _fields_ = [("idle", c_void_p * 16)]


# Every pointer to the caller's memory is a plain address (c_void_p): an int costs less to pass than
# a typed pointer object, and the pages check what it points to.
_ERROR = POINTER(Error)
_SIZES = POINTER(c_size_t)
_STRIDED = (c_void_p, c_int64, c_int64, c_int64)
_MATMUL = (*_STRIDED, *_STRIDED, c_void_p, c_int64, c_int64, c_int64, c_int64, c_int)

_ARGUMENTS: dict[str, tuple[type, ...]] = {
    "ck_isa": (),
    "ck_compiler": (),
    "ck_matmul_f32": _MATMUL,
    "ck_matmul_f64": _MATMUL,
    "ck_crc32c": (c_void_p, c_size_t, c_uint32),
    "ck_frame_records": (c_void_p, c_size_t, c_void_p, c_size_t, c_void_p),
    "ck_encode_varints": (c_void_p, c_size_t, c_void_p),
    "ck_index_records": (Bytes, c_void_p, c_size_t, c_uint32, c_void_p, _ERROR),
    "ck_decode_examples": (Bytes, POINTER(Batch), c_uint32, c_void_p, _ERROR),
    "ck_gather_examples": (Bytes, c_void_p, POINTER(Batch), c_uint32, c_void_p, _ERROR),
    "ck_decode_fixed": (Bytes, POINTER(FixedBatch), c_uint32, c_void_p, _ERROR),
    "ck_bpe_open": (c_void_p, c_void_p, c_size_t),
    "ck_bpe_pool_free": (c_void_p,),
    "ck_bpe_encode": (
        *(c_void_p, c_void_p, c_size_t, c_char_p, c_void_p, c_size_t, _SIZES),
        *(c_void_p, _ERROR),
    ),
    "ck_bpe_encode_batch": (
        *(c_void_p, POINTER(c_char_p), c_void_p, c_size_t, c_char_p, c_void_p, c_size_t),
        *(c_void_p, c_void_p, c_int, _ERROR),
    ),
    "ck_bpe_split": (c_void_p, c_char_p, c_size_t, c_void_p, c_size_t, _SIZES, _ERROR),
    "ck_bpe_decode": (c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, _SIZES, _ERROR),
}
_RESULTS: dict[str, type | None] = {  # those that do not return an int
    **{"ck_isa": c_char_p, "ck_compiler": c_char_p},
    **{"ck_crc32c": c_uint32, "ck_encode_varints": c_size_t},
    **{"ck_matmul_f32": None, "ck_matmul_f64": None, "ck_bpe_pool_free": None},
}

for _name, _argtypes in _ARGUMENTS.items():
    _function = getattr(lib, _name)
    _function.restype = _RESULTS.get(_name, c_int)
    _function.argtypes = _argtypes
