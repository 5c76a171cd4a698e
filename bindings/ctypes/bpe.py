"""The tokenizer of the C library: its structs and functions."""

from __future__ import annotations

from ctypes import (
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_size_t,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)

from bindings.ctypes.error import Error as Error
from bindings.ctypes.library import lib as lib
from bindings.ctypes.library import memory as memory


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


_ERROR = POINTER(Error)
_SIZES = POINTER(c_size_t)
_ARGUMENTS: dict[str, tuple[type, ...]] = {
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

for _name, _argtypes in _ARGUMENTS.items():
    _function = getattr(lib, _name)
    _function.restype = None if _name == "ck_bpe_pool_free" else c_int
    _function.argtypes = _argtypes
