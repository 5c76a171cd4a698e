"""The tokenizer through cffi, API mode.

Shows:  an opaque C struct, freed by ffi.gc; text as UTF-8 bytes; results in numpy arrays,
        borrowed by ffi.from_buffer.
Build:  bindings/cffi/build_library.py, through `python -m cffi.gen_src` and a C compiler.
Bites:  an open model points into its blob, which the object must therefore keep.
        __init__ can be called again, even while it runs: native code relies on what __new__ made.

Memory: calls share nothing but caches, which no two calls use at once, so any number of threads may
call a tokenizer, and each call runs without the GIL.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
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
from ffi_cookbook.bindings.cffi.library import ffi, lib
from ffi_cookbook.bindings.errors import tokenizer_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Text, Uint8Array, Uint32Array

if TYPE_CHECKING:
    from ffi_cookbook.bindings.protocol import ModelLike

Specials = Literal["all"] | Collection[str]

_bytes = partial(ffi.from_buffer, "uint8_t[]")
_int64 = partial(ffi.from_buffer, "int64_t[]")
_NULL = ffi.NULL


def _room(array: Any) -> tuple[Any, Any]:
    """Return a ck_buffer for the array, or for counting only, and the memory it points to."""
    if array is None:
        return ffi.new("ck_buffer *"), None
    memory = _bytes(array)
    return ffi.new("ck_buffer *", (memory, array.size)), memory


def _integers(error: Any) -> list[int]:
    """Return the six integers of a ck_error."""
    return list(ffi.unpack(ffi.cast("int64_t *", error), 6))


class Tokenizer:
    """A byte-level BPE tokenizer; see protocol.Tokenizer."""

    def __new__(cls, model: ModelLike) -> Tokenizer:
        """Query the model first and make the tokenizer last, so that no half-made one is seen."""
        names, policy, plain, data = asked(model)
        blob, error = _bytes(data), ffi.new("ck_error *")
        bpe = lib.ck_bpe_open(blob, len(blob), 0, error)
        if not bpe:
            raise tokenizer_error(_integers(error), names)
        self = super().__new__(cls)
        self._model, self._blob, self._bpe = model, blob, ffi.gc(bpe, lib.ck_bpe_close)
        self._n_special = lib.ck_bpe_n_special(bpe)
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

    def _check(self, error: Any) -> None:
        if error.code:
            raise tokenizer_error(_integers(error), self._model.special_names)

    def _long(self, kernel: Any, held: Any = None) -> Any:
        """Return a form of the kernel that can end early; its thread keeps `held` alive."""

        def long_kernel(*arguments: Any) -> None:
            *given, _, error = arguments

            def call(stop: Flag, _: Any = held) -> None:
                interrupt = ffi.new("ck_interrupt *", {"stop": ffi.from_buffer("int32_t[]", stop)})
                kernel(*given, interrupt, error)

            interruptible(call)

        return long_kernel

    def _encode(self, text: Any, policy: bytes | None, ids: Uint32Array | None) -> int:
        (room, memory), error = _room(ids), ffi.new("ck_error *")
        encode = lib.ck_bpe_encode if len(text) < LONG else self._long(lib.ck_bpe_encode, memory)
        encode(self._bpe, text, len(text), policy or _NULL, room, _NULL, error)
        self._check(error)
        return int(room.n)

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        data = utf8(text)
        policy = special_policy(self, allowed_special, disallowed_special)
        ids = np.empty(len(data), np.uint32)
        return cut_to(ids, self._encode(data, policy, ids))

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Write ids into an array."""
        data, ids = text_room(buffer, out)
        try:
            with _bytes(data) as text:
                return self._encode(text, self._ordinary, ids)
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
        addresses = ffi.new("uint8_t *[]", [_bytes(source) for source in sources])
        sizes = ffi.new("size_t[]", [len(source) for source in sources])
        policy = special_policy(self, allowed_special, disallowed_special)
        ids = np.empty(sum(sizes), np.uint32)
        id_offsets = np.empty(len(sources) + 1, np.int64)
        room, memory = _room(ids)
        ends, error = _int64(id_offsets), ffi.new("ck_error *")
        given = ffi.new("ck_texts *", (addresses, sizes, len(sources)))
        kernel = lib.ck_bpe_encode_batch
        if ids.size >= LONG:
            kernel = self._long(kernel, (sources, addresses, sizes, memory))
        kernel(self._bpe, given, policy or _NULL, room, ends, threads, _NULL, error)
        self._check(error)
        return cut_to(ids, id_offsets[-1]), id_offsets

    def count(self, text: Text, /) -> int:
        """Return the number of ids of a text."""
        return self._encode(utf8(text), self._ordinary, None)

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends."""
        data = utf8(text)
        ends = np.empty(len(data), np.int64)
        (room, memory), error = _room(ends), ffi.new("ck_error *")
        split = lib.ck_bpe_split if len(data) < LONG else self._long(lib.ck_bpe_split, memory)
        split(self._bpe, data, len(data), room, _NULL, error)
        self._check(error)
        return cut_to(ends, room.n)

    def _decode(self, ids: Uint32Array, out: Uint8Array | None) -> int:
        (room, memory), error = _room(out), ffi.new("ck_error *")
        decode = lib.ck_bpe_decode if ids.size < LONG else self._long(lib.ck_bpe_decode, memory)
        decode(self._bpe, ffi.from_buffer("uint32_t[]", ids), ids.size, room, _NULL, error)
        self._check(error)
        return int(room.n)

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids."""
        ids = plain_ids("ids", ids)
        out = np.empty(self._decode(ids, None), np.uint8)
        return out[: self._decode(ids, out)].tobytes()
