# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from collections.abc import Collection, Sequence
from typing import Any, Literal, Protocol, Self, final

from ffi_cookbook.bindings.protocol import ModelLike, Patterns
from ffi_cookbook.bindings.protocol.arrays import (
    Buffer,
    Int64Array,
    Matrix,
    Text,
    Uint8Array,
    Uint32Array,
)

@final
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
        /,
        texts: Sequence[Text],
        threads: int = 1,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> tuple[Uint32Array, Int64Array]: ...
    def count(self, text: Text, /) -> int: ...
    def split(self, text: Text, /) -> Int64Array: ...
    def decode(self, ids: Uint32Array, /) -> bytes: ...

def about() -> dict[str, str]: ...
def decode_examples(
    buffer: Buffer,
    schema: bytes,
    arena: Uint8Array,
    columns: Int64Array,
    cursor: Int64Array,
    max_records: int,
    verify: bool = True,
    final: bool = True,
) -> int: ...
def decode_fixed(
    buffer: Buffer,
    record_size: int,
    fields: Int64Array,
    arena: Uint8Array,
    cursor: Int64Array,
    max_records: int,
    final: bool = True,
) -> int: ...
def gather_examples(
    buffer: Buffer,
    spans: Int64Array,
    schema: bytes,
    arena: Uint8Array,
    columns: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
) -> int: ...
def index_records(
    buffer: Buffer,
    spans: Int64Array,
    cursor: Int64Array,
    verify: bool = True,
    final: bool = True,
    resync: bool = False,
) -> int: ...
def matmul(a: Matrix, b: Matrix, *, out: Matrix | None = None, threads: int = 1) -> Matrix: ...

class _Patterns(Patterns, Protocol):
    fast: Any
    idiomatic: Any

patterns: _Patterns
