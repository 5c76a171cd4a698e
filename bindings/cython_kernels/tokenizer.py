"""The tokenizer with the kernel of cython_src/bpe.pyx.

Python opens the model, checks the text and looks for special tokens, as in the python binding; the
kernel splits the text between them into pretokens, and merges these.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ffi_cookbook.bindings import python
from ffi_cookbook.bindings._glue.bpe.layout import ALIGNMENT, HEADER, MAGIC, Sections, sections_of
from ffi_cookbook.bindings._glue.bpe.patterns import AUTOMATON, REGEXES
from ffi_cookbook.bindings._glue.bpe.specials import LONGEST, prefixes
from ffi_cookbook.bindings._glue.text import asked, utf8
from ffi_cookbook.bindings.cython_kernels import bpe
from ffi_cookbook.bindings.errors import Code, tokenizer_error
from ffi_cookbook.bindings.protocol import Int64Array, ModelLike, Text, Uint32Array
from ffi_cookbook.bindings.python.tokenizer import text_of


class Tokenizer(python.Tokenizer):
    """See `protocol.Tokenizer`."""

    def __new__(cls, model: ModelLike) -> Tokenizer:
        """Read the model first and make the tokenizer last, so that no half-made one is visible."""
        names, _, plain, blob = asked(model)
        pattern, max_digits, sections = _open(blob)
        special_ids = dict(zip(names, sections["special_ids"].tolist(), strict=True))
        self = object.__new__(cls)
        self._model, self._names, self._special_ids = model, tuple(names), special_ids
        self._ordinary = plain
        self._bpe = bpe.Bpe(pattern, max_digits, sections)
        return self

    def split(self, text: Text, /) -> Int64Array:
        """Return where each pretoken ends."""
        return self._bpe.split(text_of(utf8(text)).encode())

    def _encode_plain(self, text: str) -> Uint32Array:
        return self._bpe.encode(text.encode())


def _open(blob: bytes) -> tuple[int, int, Sections]:
    """Return the pattern, `max_digits` and the sections of a model, whose sizes fit each other.

    Raises:
        ValueError: the blob is not a model.
    """
    refusal = tokenizer_error((Code.ARGUMENT, 0, 0, -1, 0, 0))
    if len(blob) < HEADER.size:
        raise refusal
    magic, size, pattern, max_digits, _, _, *bits, n_blocks = HEADER.unpack_from(blob)[:10]
    *offsets, _, n_states, automaton_offset = HEADER.unpack_from(blob)[10:28]
    offsets.append(automaton_offset)
    if (
        (magic, size) != (MAGIC, len(blob))
        or pattern not in REGEXES
        or not all(1 <= one <= 30 for one in bits)
        or not 1 <= n_blocks <= 256
        or not all(HEADER.size <= one <= size and one % ALIGNMENT == 0 for one in offsets)
    ):
        raise refusal
    try:
        sections = sections_of(np.frombuffer(blob, np.uint8))
    except (TypeError, ValueError):  # a section is not within the blob
        raise refusal from None
    blocks, index = sections["unicode_blocks"], sections["unicode_index"]
    automaton = sections["automaton"]
    classes = automaton.shape[1] - 1 if n_states else 7
    if index.max() >= n_blocks or blocks.max() >= classes or not _are_sorted(sections):
        raise refusal
    if (pattern >= AUTOMATON) != (n_states > 0) or (automaton >> 1 >= n_states).any():
        raise refusal
    return pattern, max_digits, sections


def _are_sorted(sections: Sections) -> bool:
    """Return True if the special tokens are sorted, and have the prefixes that follow from it."""
    ids, offsets = sections["special_ids"].tolist(), sections["token_offsets"]
    data, defined = sections["token_bytes"].tobytes(), sections["defined"]
    if not all(number < len(defined) and defined[number] for number in ids):
        return False
    tokens = [data[offsets[number] : offsets[number + 1]] for number in ids]
    return (
        all(0 < len(token) <= LONGEST for token in tokens)
        and all(one < two for one, two in pairwise(tokens))
        and prefixes(tokens) == sections["special_prefixes"].view(np.int32).tolist()
    )
