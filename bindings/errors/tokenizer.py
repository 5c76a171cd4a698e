"""The exception for text and ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ffi_cookbook.bindings.errors.code import Code

_TOKENIZER_MESSAGES = {
    Code.CAPACITY: "out has room for {actual} ids, {expected} are needed",
    Code.UTF8: "the text is not UTF-8 at byte {byte_offset}",
    Code.SPECIAL: "the text holds the special token {token!r} at byte {byte_offset}; "
    "put it in allowed_special to encode it as one token, or pass disallowed_special=() "
    "to treat it as plain text",
    Code.UNKNOWN_ID: "the id {actual} at position {index} is not in the vocabulary",
}


class TokenizerError(ValueError):
    """Text or ids that a tokenizer rejects.

    Attributes:
        code: the kind of fault.
        byte_offset: offset of the failing element in the text's UTF-8 bytes.
        index: number of the text in a batch, or position of the id when decoding.
        token: the special token concerned, or None.
        expected, actual: the two values that should have agreed, as `code` defines them.

    The first argument may also be a message alone, as when torch raises a worker's exception again
    from its text. Only the attribute `code` is then parsed from it.
    """

    def __init__(
        self,
        code: int | str,
        byte_offset: int = 0,
        index: int = 0,
        token: str | None = None,
        expected: int = 0,
        actual: int = 0,
    ) -> None:
        given = code if isinstance(code, str) else None
        if isinstance(code, str):
            codes = re.findall(r"\[([A-Z_0-9]+)\]$", code.rstrip())
            code = Code.__members__.get(codes[-1] if codes else "", Code.ARGUMENT)
        self.code = Code(code)
        self.byte_offset = byte_offset
        self.index = index
        self.token = token
        self.expected = expected
        self.actual = actual
        self._made = given is None
        if given is None:
            given = f"{_TOKENIZER_MESSAGES[self.code].format(**vars(self))} [{self.code.name}]"
        super().__init__(given)

    def __reduce__(self) -> tuple[type[TokenizerError], tuple[Any, ...]]:
        if not self._made:
            return type(self), (str(self),)
        fields = (self.byte_offset, self.index, self.token, self.expected, self.actual)
        return type(self), (self.code, *fields)


def tokenizer_error(error: Sequence[int], specials: Sequence[str] = ()) -> Exception:
    """Return the exception for a failed tokenizer kernel.

    Args:
        error: the six integers of a `ck_error`.
        specials: the names of the model's special tokens (`Model.special_names`).
    """
    code, offset, index, special, expected, actual = error
    if code == Code.ARGUMENT:
        return ValueError("not a tokenizer model")
    if code == Code.MEMORY:
        return MemoryError("no memory to open the model")
    if code == Code.DATA_CAPACITY:
        return MemoryError(f"no memory for the work on {expected} bytes")
    token = specials[special] if 0 <= special < len(specials) else None
    return TokenizerError(code, offset, index, token, expected, actual)
