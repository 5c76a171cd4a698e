"""The layout of a model: the header and the sections of docs/tokenizer.md, read from a buffer."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntFlag
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe import unicode16
from ffi_cookbook.bindings._glue.bpe.patterns import REGEXES, Pattern

MAGIC = b"ckbpe\0\0\x03"
HEADER = struct.Struct("<8sQ 8I 15Q 2I Q 2I")
ALIGNMENT = 64
SECTIONS = {
    "unicode_index": "<u2",
    "unicode_blocks": "u1",
    "byte_ids": "<u4",
    "short_keys": "u1",
    "short_ids": "<u4",
    "long_ids": "<u4",
    "pairs": "<u8",
    "defined": "u1",
    "token_offsets": "<u4",
    "token_bytes": "u1",
    "special_ids": "<u4",
    "byte_pairs": "<u4",
    "pair_filter": "u1",
    "merged": "<u4",
    "special_prefixes": "<u4",
    "automaton": "<u2",
}


class Steps(IntFlag):
    """What is done before a kernel gets a text, and after it; numbers in the header are of these.

    A file with SPACES writes "▁" for a space. Here it is a space in all tokens and texts.
    """

    NFC = 1
    NFKC = 2
    SPACES = 4
    REPLACE = 8  # the normalizer makes spaces "▁", so the names of normalized tokens have it too
    PREPEND = 16  # a space comes before each stretch between special tokens,
    ALWAYS = 32  # or before each that does not begin with one,
    FIRST = 64  # or only before the first of these
    FUSE = 128  # unknown characters in a row have one id
    STRIP = 256  # `decode` leaves out a space at the beginning
    DROP = 512  # `decode` leaves out all spaces of the first id


Form = Literal["NFC", "NFKC"]
Blob = npt.NDArray[np.uint8]
Sections = dict[str, npt.NDArray[Any]]


def _header(blob: Blob) -> tuple[Any, ...]:
    """Return the numbers of the header, or raise TypeError if the blob is not a buffer."""
    return HEADER.unpack_from(cast("memoryview", blob))  # an array is one, unknown to its types


def pattern_of(blob: Blob) -> Pattern:
    """Return the pattern that the header names."""
    number, max_digits = _header(blob)[2:4]
    if number not in REGEXES:
        raise ValueError("not a tokenizer model")
    return Pattern(number, max_digits)


def steps_of(blob: Blob) -> tuple[Steps, int | None]:
    """Return the steps, and the id of unknown characters if they have one."""
    steps, unknown = _header(blob)[28:]
    return Steps(steps), unknown - 1 if unknown else None


def around_of(blob: Blob) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids that the file puts before a text, and after it; they follow the sections."""
    n_states, at = _header(blob)[26:28]
    end = -(-(at + n_states * 64) // ALIGNMENT) * ALIGNMENT
    numbers = np.frombuffer(blob, "<u4", -1, end).tolist() if end < len(blob) else [0]
    return tuple(numbers[1 : numbers[0] + 1]), tuple(numbers[numbers[0] + 1 :])


def sections_of(blob: Blob) -> Sections:
    """Return every section as an array that borrows the blob."""
    numbers = _header(blob)
    n_ids, n_special, short, long, pair, n_blocks = numbers[4:10]
    shapes: dict[str, tuple[int, ...]] = {
        "unicode_index": (unicode16.CODE_POINTS // unicode16.BLOCK,),
        "unicode_blocks": (n_blocks, unicode16.BLOCK),
        "byte_ids": (256,),
        "short_keys": (1 << short, 16),
        "short_ids": (1 << short,),
        "long_ids": (1 << long,),
        "pairs": (1 << pair,),
        "defined": (n_ids,),
        "token_offsets": (n_ids + 1,),
        "special_ids": (n_special,),
        "byte_pairs": (256, 256),
        "pair_filter": ((1 << pair) // 2,),
        "merged": (numbers[25],),
        "special_prefixes": (n_special,),
        "automaton": (numbers[26], 32),
    }
    sections: Sections = {}
    offsets = (*numbers[10:25], numbers[27])
    for (name, dtype), offset in zip(SECTIONS.items(), offsets, strict=True):
        shape = shapes.get(name) or (int(sections["token_offsets"][-1]),)
        sections[name] = np.ndarray(shape, dtype, blob, offset)
    return sections


def special_names_of(sections: Sections) -> Iterator[str]:
    """Yield the special tokens, in the order in which kernels number them."""
    offsets, data = sections["token_offsets"], sections["token_bytes"]
    for token_id in sections["special_ids"].tolist():
        yield data[offsets[token_id] : offsets[token_id + 1]].tobytes().decode()
