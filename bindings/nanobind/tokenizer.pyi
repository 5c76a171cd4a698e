# Written by `nox -s stubs`: nanobind.stubgen read the signatures of the page.

from collections.abc import Collection, Sequence
from typing import Literal

import numpy
import numpy.typing

import ffi_cookbook.bindings.protocol

class Tokenizer:
    def __init__(self, model: ffi_cookbook.bindings.protocol.ModelLike) -> None: ...
    def encode(
        self,
        text: str | bytes,
        /,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> numpy.typing.NDArray[numpy.uint32]: ...
    def encode_into(self, buffer: object, out: numpy.typing.NDArray[numpy.uint32], /) -> int: ...
    def encode_batch(
        self,
        texts: Sequence[str | bytes],
        threads: int = 1,
        *,
        allowed_special: Literal["all"] | Collection[str] = (),
        disallowed_special: Literal["all"] | Collection[str] = "all",
    ) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.int64]]: ...
    def count(self, text: str | bytes, /) -> int: ...
    def split(self, text: str | bytes, /) -> numpy.typing.NDArray[numpy.int64]: ...
    def decode(self, ids: numpy.typing.NDArray[numpy.uint32], /) -> bytes: ...
    @property
    def model(self) -> ffi_cookbook.bindings.protocol.ModelLike: ...
