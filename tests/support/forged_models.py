"""Print a binding's results with a small model that has hostile values in every table.

Run as a script with the name of a binding. It prints a line for each value; a crash or a hang ends
the process.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

import ffi_cookbook
from ffi_cookbook.bindings._glue.bpe.layout import HEADER, SECTIONS
from ffi_cookbook.tokenizer import Model

TEXT = "hello wörld's 123 <|a|>b  漢字 x\u0301\n" + "ab" * 40
TOKENS = [b"ab", b"abab", b"he", b"ll", b"hell", b" w", b"abababababababab", b"\n\n"]
RANKS = {bytes([byte]): byte for byte in range(256)} | {
    token: 256 + number for number, token in enumerate(TOKENS)
}
GOOD = Model.from_ranks(RANKS, pattern="cl100k", special_tokens={"<|a|>": 300, "<|a|>b": 301})
FIELDS = [(16 + 4 * i, "<u4") for i in range(8)] + [(48 + 8 * i, "<u8") for i in range(15)]
PLACES = 40  # numbers to change in a larger table


class Forged:
    """A model object with another blob."""

    def __init__(self, blob: Any) -> None:
        self.special_names, self.default_policy = GOOD.special_names, GOOD.default_policy
        self.special_policy, self.blob = GOOD.special_policy, blob


def places() -> Iterator[tuple[str, int, str]]:
    """Yield the table, the index and the dtype of each number to change.

    These are all numbers of the header and some of each table: those in use, and others spread over
    the table.
    """
    for at, dtype in [(8, "<u8"), *FIELDS, (168, "<u4"), (172, "<u4"), (176, "<u8")]:
        yield "header", at, dtype
    numbers = HEADER.unpack_from(GOOD.blob.data)
    offsets = dict(zip(SECTIONS, [*numbers[10:25], numbers[27]], strict=True))
    for name, dtype in SECTIONS.items():
        table = GOOD.sections[name].ravel()
        size = np.dtype(dtype).itemsize
        common = np.bincount(table % 251).argmax() if len(table) else 0
        used = np.flatnonzero(table % 251 != common)
        some = [*used[:: len(used) // PLACES + 1], *range(0, len(table), len(table) // PLACES + 1)]
        for number in {int(number) for number in [*some, len(table) - 1] if number >= 0}:
            yield name, offsets[name] + size * number, dtype


def outcome(backend: ModuleType, blob: Any) -> str:
    """Return a short code for everything that a tokenizer of this blob returns or raises."""
    said: list[object] = []
    try:
        tokenizer = backend.Tokenizer(Forged(blob))
    except ValueError:
        return "refused"
    for call in (
        lambda: tokenizer.encode(TEXT, allowed_special="all").tolist(),
        lambda: tokenizer.encode(TEXT, disallowed_special=()).tolist(),
        lambda: tokenizer.split(TEXT).tolist(),
        lambda: tokenizer.decode(np.arange(302, dtype=np.uint32)),
        lambda: tokenizer.decode(np.arange(255, dtype=np.uint32)),
        lambda: [
            part.tolist() for part in tokenizer.encode_batch([TEXT] * 3, 2, allowed_special="all")
        ],
    ):
        try:
            said.append(call())
        except ValueError as error:
            said.append(type(error).__name__)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:12]


if __name__ == "__main__":
    backend = ffi_cookbook.load(sys.argv[1])
    for name, at, dtype in places():
        item = GOOD.blob[at:][: np.dtype(dtype).itemsize].view(dtype)
        right, most = int(item[0]), int(np.iinfo(np.dtype(dtype)).max)
        end = min(len(GOOD.blob), most)
        outcomes = []
        for value in (0, 1, right - 1, right + 1, most, most - 1, most // 2 + 1, end, end - 64):
            blob = GOOD.blob.copy()
            blob[at:][: item.nbytes].view(dtype)[0] = value & most
            outcomes.append(outcome(backend, blob))
        print(name, at, *outcomes, flush=True)
