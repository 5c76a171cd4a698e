"""The tokenizer through ctypes.

Shows:  an opaque C struct, freed with the Python object that stands for it; text as UTF-8 bytes;
        results in numpy arrays.
Build:  nothing but the shared library.
Bites:  an open model points into its blob, which the object must therefore keep; a bytes object
        passed as c_char_p is borrowed, and must be referenced until the call returns.
        __init__ can be called again, even while it runs: native code relies on what __new__ made.

Memory: calls share nothing but caches, no two of which use the same one, so any number of threads
may call a tokenizer at once, and each call runs without the GIL.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from ctypes import (
    POINTER,
    Structure,
    byref,
    c_char,
    c_char_p,
    c_int,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ffi_cookbook.bindings._glue.arrays import check_threads
from ffi_cookbook.bindings._glue.signals import LONG, Flag, interruptible
from ffi_cookbook.bindings._glue.text import (
    asked,
    cut_to,
    plain_ids,
    policy_bytes,
    sources_of,
    special_policy,
    text_room,
    utf8,
)
from ffi_cookbook.bindings.ctypes.library import Error, declare, lib, memory
from ffi_cookbook.bindings.errors import tokenizer_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Text, Uint32Array

if TYPE_CHECKING:
    from ffi_cookbook.bindings.protocol import ModelLike

# ---- the C library -------------------------------------------------------------------------


class Interrupt(Structure):
    """ck_interrupt; the kernel reads the fields after `stop` only if they are not zero."""

    _fields_ = [("stop", c_void_p), ("rest", c_uint64 * 5)]


class Room(Structure):
    """ck_buffer; it keeps alive the array that it points to."""

    _fields_ = [("data", POINTER(c_char)), ("capacity", c_size_t), ("n", c_size_t)]


class Texts(Structure):
    """ck_texts; it keeps alive the arrays that it points to."""

    _fields_ = [("data", POINTER(c_char_p)), ("sizes", POINTER(c_char)), ("n", c_size_t)]


_close = declare(lib, "ck_bpe_close", None, c_void_p)


class Bpe(c_void_p):
    """ck_bpe *, an open model, which is closed when nothing refers to it any more."""

    blob: bytes  # the memory that the model points into

    def __del__(self, close: Any = _close) -> None:
        close(self)


_TEXT, _ROOM, _END = (c_void_p, c_size_t), POINTER(Room), (POINTER(Interrupt), POINTER(Error))
_BATCH = POINTER(Texts), c_char_p, _ROOM, c_void_p, c_int
_open = declare(lib, "ck_bpe_open", Bpe, c_char_p, c_size_t, c_uint32, POINTER(Error))
_n_special = declare(lib, "ck_bpe_n_special", c_size_t, Bpe)
_encode = declare(lib, "ck_bpe_encode", c_int, Bpe, *_TEXT, c_char_p, _ROOM, *_END)
_encode_batch = declare(lib, "ck_bpe_encode_batch", c_int, Bpe, *_BATCH, *_END)
_split = declare(lib, "ck_bpe_split", c_int, Bpe, c_char_p, c_size_t, _ROOM, *_END)
_decode = declare(lib, "ck_bpe_decode", c_int, Bpe, *_TEXT, _ROOM, *_END)

Specials = Literal["all"] | Collection[str]


class Tokenizer:
    """A byte-level BPE tokenizer; see protocol.Tokenizer."""

    def __new__(cls, model: ModelLike) -> Tokenizer:
        """Query the model first and make the tokenizer last, so that no half-made one is seen."""
        names, policy, plain, blob = asked(model)
        error = Error()
        bpe = _open(blob, len(blob), 0, byref(error))
        if not bpe:
            raise tokenizer_error(error.values(), names)
        bpe.blob = blob
        self = super().__new__(cls)
        self._model, self._bpe, self._n_special = model, bpe, _n_special(bpe)
        self._default_policy = policy_bytes(policy, self._n_special)
        self._ordinary = plain or None
        return self

    @property
    def model(self) -> ModelLike:
        """The model."""
        return self._model

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[ModelLike]]:
        return type(self), (self._model,)

    # ---- kernels ---------------------------------------------------------------------------

    def _run(self, kernel: Any, size: int, *arguments: Any) -> None:
        error = Error()
        if size < LONG:
            kernel(self._bpe, *arguments, None, byref(error))
        else:
            self._run_long(kernel, arguments, error)
        if error.code:
            raise tokenizer_error(error.values(), self._model.special_names)

    def _run_long(self, kernel: Any, arguments: tuple[Any, ...], error: Error) -> None:
        """Let another thread call the kernel and hold its arguments, so that it can end early."""

        def call(stop: Flag) -> None:
            interrupt = Interrupt(stop.ctypes.data)
            kernel(self._bpe, *arguments, byref(interrupt), byref(error))

        interruptible(call)

    def _encode(self, text: Any, size: int, policy: Any, ids: Any) -> int:
        room = Room() if ids is None else Room(memory(ids), ids.size)
        self._run(_encode, size, text, size, policy, byref(room))
        return int(room.n)

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        data = utf8(text)
        policy = special_policy(self, allowed_special, disallowed_special)
        ids = np.empty(len(data), np.uint32)
        return cut_to(ids, self._encode(data, len(data), policy, ids))

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Write ids into an array."""
        data, ids = text_room(buffer, out)
        try:
            text = data.ctypes.data if data.size < LONG else data.ctypes  # which keeps data alive
            return self._encode(text, data.size, self._ordinary, ids)
        finally:
            del data  # a traceback would keep it alive, and so the caller's buffer

    def encode_batch(
        self,
        texts: Sequence[Text],
        threads: int = 1,
        *,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> tuple[Uint32Array, Int64Array]:
        """Return the ids of many texts."""
        threads = check_threads(threads)
        sources = sources_of(texts)
        n, sizes = len(sources), np.fromiter(map(len, sources), np.uintp)
        policy = special_policy(self, allowed_special, disallowed_special)
        ids, id_offsets = np.empty(sizes.sum(), np.uint32), np.empty(n + 1, np.int64)
        given, room = Texts((c_char_p * n)(*sources), memory(sizes), n), Room(memory(ids), ids.size)
        arguments = (byref(given), policy, byref(room), memory(id_offsets), threads)
        self._run(_encode_batch, ids.size, *arguments)
        return cut_to(ids, id_offsets[-1]), id_offsets

    def count(self, text: Text, /) -> int:
        """Return the number of ids of a text."""
        data = utf8(text)
        return self._encode(data, len(data), self._ordinary, None)

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends."""
        data = utf8(text)
        ends = np.empty(len(data), np.int64)
        room = Room(memory(ends), ends.size)
        self._run(_split, ends.size, data, ends.size, byref(room))
        return cut_to(ends, room.n)

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids."""
        ids = plain_ids("ids", ids)
        n, room = ids.size, Room()
        data = memory(ids) if ids.flags.writeable else ids.ctypes
        self._run(_decode, n, data, n, byref(room))
        out = np.empty(room.n, np.uint8)
        room = Room(memory(out), out.size)
        self._run(_decode, out.size, data, n, byref(room))
        return out[: room.n].tobytes()
