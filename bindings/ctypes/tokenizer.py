"""The tokenizer through ctypes.

Shows:  a C struct owned by a Python object; text as UTF-8 bytes; results in numpy arrays; what
        the library has allocated freed with the object.
Build:  nothing but the shared library.
Bites:  the struct holds addresses into the model's blob, which the object must therefore keep; a
        bytes object passed as c_char_p is borrowed, and must be referenced until the call returns.
        __init__ can be called again, even while it runs: native code relies on what __new__ made.

Memory: calls share nothing but a pool, so any number of threads may call a tokenizer at once, and
each call runs without the GIL.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Sequence
from ctypes import addressof, byref, c_char_p, c_size_t
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bindings.checks import check_threads
from bindings.ctypes.bpe import Bpe, Error, Interrupt, Pool, lib, memory
from bindings.errors import tokenizer_error
from bindings.policies import policy_bytes, special_policy
from bindings.protocol import Buffer, Int64Array, Text, Uint32Array
from bindings.signals import LONG, Flag, interruptible
from bindings.texts import asked, cut_to, plain_ids, sources_of, text_room, utf8

if TYPE_CHECKING:
    from bindings.tokenizer import Model

Specials = Literal["all"] | Collection[str]


class Tokenizer:
    """A byte-level BPE tokenizer; see bindings.protocol.Tokenizer."""

    def __new__(cls, model: Model) -> Tokenizer:
        """Ask the model first and make the tokenizer last, so that nobody sees a half-made one."""
        bpe, (_, policy, blob) = Bpe(), asked(model)
        if lib.ck_bpe_open(byref(bpe), blob, len(blob)) != 0:
            raise ValueError("not a tokenizer model")
        self = super().__new__(cls)
        self._n_special = bpe.numbers[3]
        self._default_policy = policy_bytes(policy, self._n_special)
        self._model, self._blob, self._bpe, self._pool = model, blob, bpe, Pool()
        weakref.finalize(self, lib.ck_bpe_pool_free, byref(self._pool))
        return self

    @property
    def model(self) -> Model:
        return self._model

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[Model]]:
        return type(self), (self._model,)

    # ---- arguments -------------------------------------------------------------------------

    def _check(self, error: Error) -> None:
        if error.code:
            raise tokenizer_error(error.values(), self._model.special_names)

    # ---- kernels ---------------------------------------------------------------------------

    def _long(self, kernel: Any, *held: Any) -> Any:
        """Return a form of the kernel that another thread runs, which keeps `held`, and can end."""

        def kernel_of_its_own(_: Any, *arguments: Any) -> None:
            def call(stop: Flag, _: Any = held) -> None:
                bpe, interrupt = Bpe.from_buffer_copy(self._bpe), Interrupt(stop.ctypes.data)
                bpe.interrupt = addressof(interrupt)
                kernel(byref(bpe), *arguments)

            interruptible(call)

        return kernel_of_its_own

    def _encode(self, kernel: Any, text: Any, size: int, policy: Any, ids: Any) -> int:
        count, error = c_size_t(), Error()
        room = (None, 0) if ids is None else (memory(ids), ids.size)
        kernel(
            *(byref(self._bpe), text, size, policy, *room, byref(count)),
            *(byref(self._pool), byref(error)),
        )
        self._check(error)
        return count.value

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        data = utf8(text)
        policy = special_policy(self, allowed_special, disallowed_special)
        ids = np.empty(len(data), np.uint32)
        kernel = lib.ck_bpe_encode if len(data) < LONG else self._long(lib.ck_bpe_encode, ids)
        return cut_to(ids, self._encode(kernel, data, len(data), policy, ids))

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Write ids into an array."""
        data, ids = text_room(buffer, out)
        try:
            size, kernel = data.size, lib.ck_bpe_encode
            if size >= LONG:
                kernel = self._long(kernel, data, ids)
            return self._encode(kernel, data.ctypes.data, size, None, ids)
        finally:
            del data  # an exception's traceback would keep it, and so the caller's buffer

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
        n, sizes, error = len(sources), np.fromiter(map(len, sources), np.uintp), Error()
        policy = special_policy(self, allowed_special, disallowed_special)
        ids, id_offsets = np.empty(sizes.sum(), np.uint32), np.empty(n + 1, np.int64)
        kernel = lib.ck_bpe_encode_batch
        if ids.size >= LONG:
            kernel = self._long(kernel, sources, sizes, ids, id_offsets)
        kernel(
            *(byref(self._bpe), (c_char_p * n)(*sources), memory(sizes), n, policy),
            *(memory(ids), ids.size, memory(id_offsets)),
            *(byref(self._pool), threads, byref(error)),
        )
        self._check(error)
        return cut_to(ids, id_offsets[-1]), id_offsets

    def count(self, text: Text, /) -> int:
        """Return the number of ids of a text."""
        data = utf8(text)
        kernel = lib.ck_bpe_encode if len(data) < LONG else self._long(lib.ck_bpe_encode)
        return self._encode(kernel, data, len(data), None, None)

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends."""
        data = utf8(text)
        ends, count, error = np.empty(len(data), np.int64), c_size_t(), Error()
        kernel, room = lib.ck_bpe_split, memory(ends)
        if len(data) >= LONG:
            kernel = self._long(kernel)
        kernel(byref(self._bpe), data, len(data), room, len(data), byref(count), byref(error))
        self._check(error)
        return cut_to(ends, count.value)

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids."""
        ids = plain_ids("ids", ids)
        size, error = c_size_t(), Error()
        data = memory(ids) if ids.flags.writeable else ids.ctypes.data
        arguments = (byref(self._bpe), data, ids.size)
        kernel = lib.ck_bpe_decode if ids.size < LONG else self._long(lib.ck_bpe_decode, ids)
        kernel(*arguments, None, 0, byref(size), byref(error))
        self._check(error)
        out = np.empty(size.value, np.uint8)
        if out.size >= LONG:
            kernel = self._long(lib.ck_bpe_decode, ids)
        kernel(*arguments, memory(out), out.size, byref(size), byref(error))
        self._check(error)
        return out[: size.value].tobytes()
