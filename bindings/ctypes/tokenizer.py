"""The tokenizer through ctypes.

Shows:  a C struct owned by a Python object; text as UTF-8 bytes; results in numpy arrays; what
        the library has allocated given back with the object.
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
from ctypes import byref, c_char_p, c_size_t
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bindings.checks import check_threads
from bindings.ctypes.library import Bpe, Error, Pool, lib
from bindings.errors import tokenizer_error
from bindings.protocol import Buffer, Int64Array, Text, Uint32Array
from bindings.texts import asked, cut_to, plain_ids, policy_bytes, sources_of, text_room, utf8

if TYPE_CHECKING:
    from bindings.tokenizer import Model

Specials = Literal["all"] | Collection[str]


class Tokenizer:
    """See bindings.protocol.Tokenizer."""

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

    def _policy(self, allowed: Specials, disallowed: Specials) -> bytes:
        usual = type(allowed) is tuple and type(disallowed) is str
        if usual and not allowed and disallowed == "all":
            return self._default_policy
        return policy_bytes(self._model.special_policy(allowed, disallowed), self._n_special)

    def _check(self, error: Error) -> None:
        if error.code:
            raise tokenizer_error(error.values(), self._model.special_names)

    # ---- kernels ---------------------------------------------------------------------------

    def _encode(self, text: Any, size: int, policy: bytes | None, ids: Uint32Array | None) -> int:
        count, error = c_size_t(), Error()
        room = (None, 0) if ids is None else (ids.ctypes.data, ids.size)
        lib.ck_bpe_encode(
            *(byref(self._bpe), text, size, policy, *room, byref(count)),
            *(byref(self._pool), byref(error)),
        )
        self._check(error)
        return count.value

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        data = utf8(text)
        policy = self._policy(allowed_special, disallowed_special)
        ids = np.empty(len(data), np.uint32)
        return cut_to(ids, self._encode(data, len(data), policy, ids))

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        data, ids = text_room(buffer, out)
        try:
            return self._encode(data.ctypes.data, data.size, None, ids)
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
        threads = check_threads(threads)
        sources = sources_of(texts)
        n, sizes = len(sources), np.fromiter(map(len, sources), np.uintp)
        policy = self._policy(allowed_special, disallowed_special)
        ids, id_offsets = np.empty(sizes.sum(), np.uint32), np.empty(n + 1, np.int64)
        error = Error()
        lib.ck_bpe_encode_batch(
            *(byref(self._bpe), (c_char_p * n)(*sources), sizes.ctypes.data, n, policy),
            *(ids.ctypes.data, ids.size, id_offsets.ctypes.data),
            *(byref(self._pool), threads, byref(error)),
        )
        self._check(error)
        return cut_to(ids, id_offsets[-1]), id_offsets

    def count(self, text: Text, /) -> int:
        data = utf8(text)
        return self._encode(data, len(data), None, None)

    def split(self, text: Text, /) -> Int64Array:
        data = utf8(text)
        ends, count, error = np.empty(len(data), np.int64), c_size_t(), Error()
        lib.ck_bpe_split(
            *(byref(self._bpe), data, len(data), ends.ctypes.data, ends.size),
            *(byref(count), byref(error)),
        )
        self._check(error)
        return cut_to(ends, count.value)

    def decode(self, ids: Uint32Array, /) -> bytes:
        ids = plain_ids("ids", ids)
        size, error = c_size_t(), Error()
        arguments = (byref(self._bpe), ids.ctypes.data, ids.size)
        lib.ck_bpe_decode(*arguments, None, 0, byref(size), byref(error))
        self._check(error)
        out = np.empty(size.value, np.uint8)
        lib.ck_bpe_decode(*arguments, out.ctypes.data, out.size, byref(size), byref(error))
        self._check(error)
        return out[: size.value].tobytes()
