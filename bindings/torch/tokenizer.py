"""The tokenizer through torch.

Shows:  the model as a tensor, borrowed once and passed to every call; operators with several
        results; a result's memory as a numpy array, which keeps it alive.
Build:  bindings/torch/tokenizer.cpp.
Bites:  an op has no state between calls; bpe_open keeps a model open with its caches. Each bpe_open
        needs a bpe_close, in a finalizer, since __del__ may run when half of the interpreter is
        gone. A call runs to its end, and only then is Ctrl-C handled. An op ends early if another
        thread writes 1 to the tensor `stop`, but if a thread finds no memory for its first
        exception, glibc ends the process.

Memory: nothing in a tokenizer changes after __init__, so any number of threads may call it at once,
        and each call runs without the GIL.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal

import torch

from ffi_cookbook.bindings._glue.arrays import check_threads
from ffi_cookbook.bindings._glue.text import asked, join, plain_ids, policy_bytes, text_room, utf8
from ffi_cookbook.bindings.errors import tokenizer_error
from ffi_cookbook.bindings.protocol import Buffer, Int64Array, Text, Uint32Array
from ffi_cookbook.bindings.torch.library import borrowed, borrowed_bytes, on_arrays, ops

if TYPE_CHECKING:
    from ffi_cookbook.bindings.protocol import ModelLike

Specials = Literal["all"] | Collection[str]


def _copied(data: bytes) -> torch.Tensor:
    """Return bytes as a tensor: a copy of short ones, which costs less than borrowing them."""
    return torch.frombuffer(bytearray(data), dtype=torch.uint8) if data else _NO_BYTES


_NO_BYTES = torch.empty(0, dtype=torch.uint8)  # torch.frombuffer refuses an empty buffer


_encode = ops.bpe_encode.default
_encode_into = on_arrays(ops.bpe_encode_into.default)
_encode_batch = ops.bpe_encode_batch.default
_count = ops.bpe_count.default
_split = ops.bpe_split.default
_decode = ops.bpe_decode.default
_open = ops.bpe_open.default
_close = ops.bpe_close.default


class Tokenizer:
    """A byte-level BPE tokenizer; see protocol.Tokenizer."""

    def __new__(cls, model: ModelLike) -> Tokenizer:
        """Query the model first and make the tokenizer last, so that no half-made one is seen."""
        names, policy, data = asked(model)
        blob = borrowed_bytes("blob", data)
        n_special, error = _open(blob)
        if error[0]:
            raise tokenizer_error(error.tolist(), names)
        self = super().__new__(cls)
        weakref.finalize(self, _close, blob)
        self._default_policy = _copied(policy_bytes(policy, n_special))
        self._model, self._blob, self._n_special = model, blob, n_special
        return self

    @property
    def model(self) -> ModelLike:
        """The model."""
        return self._model

    def __reduce__(self) -> tuple[type[Tokenizer], tuple[ModelLike]]:
        return type(self), (self._model,)

    # ---- arguments -------------------------------------------------------------------------

    def _policy(self, allowed: Specials, disallowed: Specials) -> torch.Tensor:
        usual = type(allowed) is tuple and type(disallowed) is str
        if usual and not allowed and disallowed == "all":
            return self._default_policy
        policy = self._model.special_policy(allowed, disallowed)
        return _copied(policy_bytes(policy, self._n_special))

    def _check(self, error: torch.Tensor) -> None:
        values = error.tolist()
        if values[0]:
            raise tokenizer_error(values, self._model.special_names)

    # ---- kernels ---------------------------------------------------------------------------

    def encode(
        self, text: Text, /, *, allowed_special: Specials = (), disallowed_special: Specials = "all"
    ) -> Uint32Array:
        """Return the ids of a text."""
        data = utf8(text)
        policy = self._policy(allowed_special, disallowed_special)
        ids, error = _encode(self._blob, _copied(data), policy)
        self._check(error)
        return ids.numpy()

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Write ids into an array."""
        data, ids = text_room(buffer, out)
        try:
            n, error = _encode_into(self._blob, borrowed(data), borrowed(ids))
        finally:
            del data  # a traceback would keep it alive, and so the caller's buffer
        self._check(error)
        return int(n)

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
        data, offsets = join(texts)
        policy = self._policy(allowed_special, disallowed_special)
        text = borrowed_bytes("texts", data)
        arguments = (self._blob, text, borrowed(offsets), policy)
        ids, ends, error = _encode_batch(*arguments, threads=threads)
        self._check(error)
        return ids.numpy(), ends.numpy()

    def count(self, text: Text, /) -> int:
        """Return the number of ids of a text."""
        n, error = _count(self._blob, _copied(utf8(text)))
        self._check(error)
        return int(n)

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends."""
        ends, error = _split(self._blob, _copied(utf8(text)))
        self._check(error)
        return ends.numpy()

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids."""
        data, error = _decode(self._blob, borrowed(plain_ids("ids", ids)))
        self._check(error)
        return data.numpy().tobytes()
