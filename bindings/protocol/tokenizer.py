"""The tokenizer of a backend."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Literal, Protocol

from ffi_cookbook.bindings.protocol.arrays import Buffer, Int64Array, Text, Uint32Array


class ModelLike(Protocol):
    """What a tokenizer reads of a model; `ffi_cookbook.tokenizer.Model` documents it."""

    special_names: tuple[str, ...]
    default_policy: bytes
    sections: dict[str, Any]

    @property
    def blob(self) -> Any:
        """The binary model."""

    @property
    def tokens(self) -> list[bytes | None]:
        """The bytes of each id, or None for an unused id."""

    @property
    def ranks(self) -> dict[bytes, int]:
        """The id of each token that is not special."""

    @property
    def n_vocab(self) -> int:
        """The number of ids."""

    def special_policy(
        self,
        allowed_special: Literal["all"] | Collection[str],
        disallowed_special: Literal["all"] | Collection[str],
    ) -> bytes:
        """Return a byte for each special token: treat it as text, as its id, or as an error."""


class Tokenizer(Protocol):
    """Byte-level BPE over a `Model`, which it keeps alive.

    It is immutable, so that any number of threads may share one. The model is read once, when the
    tokenizer is made; its `blob` is copied unless it is immutable.

    A text is a str, whose lone surrogates become U+FFFD, or bytes, which must be UTF-8 (else
    TokenizerError); anything else raises TypeError. In the main thread, an exception of a signal
    handler comes out of a long call.

    If two arguments are wrong, the error names the first in the signature, except that `threads`,
    which can run code, comes before the others.
    """

    @property
    def model(self) -> ModelLike:
        """The model that the tokenizer was made from; a pickle of the tokenizer holds only this."""

    def encode(
        self,
        text: Text,
        /,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> Uint32Array:
        """Return the ids of `text` as a new array.

        Special tokens are as in tiktoken: those in `allowed_special` become one id, one in
        `disallowed_special` ("all" means every one not allowed) raises TokenizerError, the others
        are plain text. Either is "all" or a collection of names; None, a number and any other str
        raise TypeError.
        """

    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int:
        """Encode UTF-8 bytes into `out` (C-contiguous, writable) and return the number of ids.

        Special tokens are plain text, as in `count`. It raises ValueError if the memory overlaps,
        and TokenizerError if the bytes are not UTF-8 or `out` is too small.
        """

    def encode_batch(
        self,
        texts: Sequence[Text],
        threads: int = 1,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> tuple[Uint32Array, Int64Array]:
        """Return (ids, offsets), where text i is ids[offsets[i]:offsets[i + 1]].

        `texts` is a list or tuple (else TypeError). `threads` >= 1 (else ValueError), any object
        with __index__ (else TypeError), is an upper bound on the threads used.
        """

    def count(self, text: Text, /) -> int:
        """Return the number of ids of `text`, with special tokens as plain text.

        Added tokens that a file does not call special are found all the same, as in every call.
        """

    def split(self, text: Text, /) -> Int64Array:
        """Return the end of each pretoken, in bytes of UTF-8, before merging."""

    def decode(self, ids: Uint32Array, /) -> bytes:
        """Return the bytes of ids, a C-contiguous uint32 vector (else TypeError or ValueError)."""
