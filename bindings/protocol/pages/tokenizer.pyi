# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from collections.abc import Collection, Sequence
from typing import Literal, Self

from ffi_cookbook.bindings.protocol import ModelLike
from ffi_cookbook.bindings.protocol.arrays import Buffer, Int64Array, Text, Uint32Array

class Tokenizer:
    def __new__(cls, model: ModelLike) -> Self: ...
    @property
    def model(self) -> ModelLike: ...
    def encode(
        self,
        text: Text,
        /,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> Uint32Array: ...
    def encode_into(self, buffer: Buffer, out: Uint32Array, /) -> int: ...
    def encode_batch(
        self,
        texts: Sequence[Text],
        threads: int = 1,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> tuple[Uint32Array, Int64Array]: ...
    def count(self, text: Text, /) -> int: ...
    def split(self, text: Text, /) -> Int64Array: ...
    def decode(self, ids: Uint32Array, /) -> bytes: ...
