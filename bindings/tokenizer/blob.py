"""The binary model of docs/tokenizer.md: an array over immutable bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bindings.tokenizer import unicode16
from bindings.tokenizer.patterns import Pattern
from bindings.tokenizer.specials import prefixes
from bindings.tokenizer.tables import SHORT, long_table, pair_tables, short_table
from bindings.tokenizer.vocabulary import Vocabulary, check_specials

MAGIC = b"ckbpe\0\0\x03"
HEADER = struct.Struct("<8sQ 8I 15Q I 20x")
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
}

Blob = npt.NDArray[np.uint8]
Sections = dict[str, npt.NDArray[Any]]


def build(vocabulary: Vocabulary, pattern: Pattern, special_tokens: Mapping[str, int]) -> Blob:
    """Return the binary model of a vocabulary."""
    tokens = {token_id: token for token, token_id in vocabulary.tokens.items()}
    check_specials(special_tokens, tokens)
    specials = {token_id: name.encode() for name, token_id in special_tokens.items()}
    spelled = tokens | specials
    n_ids = max(spelled) + 1
    defined = np.zeros(n_ids, np.uint8)
    defined[list(tokens)] = 1
    defined[list(specials)] = 2
    sizes = [len(spelled.get(token_id, b"")) for token_id in range(n_ids)]
    by_bytes = sorted(specials, key=specials.__getitem__)
    any_byte = vocabulary.tokens[b"\0"]  # for the bytes that UTF-8 never has
    byte_ids = np.array([vocabulary.tokens.get(bytes([b]), any_byte) for b in range(256)])
    sections: Sections = {
        **unicode16.two_stage(),
        "byte_ids": byte_ids,
        **short_table([it for it in vocabulary.whole if 1 <= len(it[0]) <= SHORT]),
        **long_table([it for it in vocabulary.whole if len(it[0]) > SHORT]),
        **pair_tables(vocabulary.merges, byte_ids),
        "defined": defined,
        "token_offsets": np.cumsum([0, *sizes]),
        "token_bytes": np.frombuffer(b"".join(spelled[i] for i in sorted(spelled)), np.uint8),
        "special_ids": np.array(by_bytes, np.uint32),
        "special_prefixes": np.array(prefixes([specials[i] for i in by_bytes]), np.int32).view(
            "u4"
        ),
    }
    return _write((*pattern, n_ids, len(specials)), sections)


def _write(numbers: tuple[int, ...], sections: Sections) -> Blob:
    raw = [sections[name].astype(dtype, copy=False).tobytes() for name, dtype in SECTIONS.items()]
    padded = [data.ljust(-(-len(data) // ALIGNMENT) * ALIGNMENT, b"\0") for data in raw]
    *offsets, size = accumulate(map(len, padded), initial=HEADER.size)
    tables = (sections[name] for name in ("short_ids", "long_ids", "pairs"))
    bits = [len(table).bit_length() - 1 for table in tables]
    counts = (*numbers, *bits, len(sections["unicode_blocks"]))
    header = HEADER.pack(MAGIC, size, *counts, *offsets, len(sections["merged"]))
    return np.frombuffer(b"".join([header, *padded]), np.uint8)


def _header(blob: Blob) -> tuple[Any, ...]:
    """Return the numbers of the header, or raise TypeError if the blob is not a buffer."""
    return HEADER.unpack_from(cast("memoryview", blob))  # an array is one, unknown to its types


def pattern_of(blob: Blob) -> Pattern:
    """Return the pattern that the header names."""
    number, max_digits = _header(blob)[2:4]
    if number not in (1, 2, 3):
        raise ValueError("not a tokenizer model")
    return Pattern(number, max_digits)


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
    }
    sections: Sections = {}
    for (name, dtype), offset in zip(SECTIONS.items(), numbers[10:25], strict=True):
        shape = shapes.get(name) or (int(sections["token_offsets"][-1]),)
        sections[name] = np.ndarray(shape, dtype, blob, offset)
    return sections


def special_names_of(sections: Sections) -> Iterator[str]:
    """Yield the special tokens, in the order in which kernels number them."""
    offsets, data = sections["token_offsets"], sections["token_bytes"]
    for token_id in sections["special_ids"].tolist():
        yield data[offsets[token_id] : offsets[token_id + 1]].tobytes().decode()
