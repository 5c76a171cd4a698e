"""The tokenizer of the C library: its types and functions."""

from __future__ import annotations

from ctypes import (
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_int,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from ffi_cookbook.bindings.ctypes.error import Error as Error
from ffi_cookbook.bindings.ctypes.library import lib as lib
from ffi_cookbook.bindings.ctypes.library import memory as memory


class Interrupt(Structure):
    """ck_interrupt; the kernel reads the fields after `stop` only if they are not zero."""

    _fields_ = [("stop", c_void_p), ("rest", c_uint64 * 5)]


class Room(Structure):
    """ck_buffer; it keeps alive the array that it points to."""

    _fields_ = [("data", POINTER(c_char)), ("capacity", c_size_t), ("n", c_size_t)]


class Texts(Structure):
    """ck_texts; it keeps alive the arrays that it points to."""

    _fields_ = [("data", POINTER(c_char_p)), ("sizes", POINTER(c_char)), ("n", c_size_t)]


class Bpe(c_void_p):
    """ck_bpe *, an open model, which is closed when nothing refers to it any more."""

    blob: bytes  # the memory that the model points into

    def __del__(self, close: Any = lib.ck_bpe_close) -> None:
        close(self)


_ERROR, _ROOM, _END = POINTER(Error), POINTER(Room), (POINTER(Interrupt), POINTER(Error))
_ARGUMENTS: dict[str, tuple[type, ...]] = {
    "ck_bpe_open": (c_char_p, c_size_t, c_uint32, _ERROR),
    "ck_bpe_close": (c_void_p,),
    "ck_bpe_n_special": (Bpe,),
    "ck_bpe_encode": (Bpe, c_void_p, c_size_t, c_char_p, _ROOM, *_END),
    "ck_bpe_encode_batch": (Bpe, POINTER(Texts), c_char_p, _ROOM, c_void_p, c_int, *_END),
    "ck_bpe_split": (Bpe, c_char_p, c_size_t, _ROOM, *_END),
    "ck_bpe_decode": (Bpe, c_void_p, c_size_t, _ROOM, *_END),
}
_RESULTS = {"ck_bpe_open": Bpe, "ck_bpe_close": None, "ck_bpe_n_special": c_size_t}

for _name, _argtypes in _ARGUMENTS.items():
    _function = getattr(lib, _name)
    _function.restype = _RESULTS.get(_name, c_int)
    _function.argtypes = _argtypes
