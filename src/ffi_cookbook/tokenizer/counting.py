"""The counts of pretokens: the first half of training."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from ffi_cookbook.bindings._glue.text import utf8
from ffi_cookbook.bindings.errors import Code, TokenizerError
from ffi_cookbook.bindings.protocol import Text, Tokenizer
from ffi_cookbook.tokenizer.model import Model
from ffi_cookbook.tokenizer.spaced import tokenizer_of

PART = 1 << 20  # bytes of text that are split at once
BLOCK = 1 << 16  # pretokens that are Python objects at once

# A place where a pretoken ends in every pattern, for any text before and after it.
_CUT = re.compile(rb"[a-z](?= [a-z])")


def count_pieces(
    texts: Iterable[Text], pattern: str, backend: str | None, counts: Counter[bytes]
) -> Iterator[int]:
    """Add the pretokens of the texts to the counts, and yield the bytes of each part counted."""
    tokenizer = _splitter(pattern, backend)
    for part in _parts(texts):
        ends = tokenizer.split(part)
        for first in range(0, len(ends), BLOCK):
            start = ends[first - 1] if first else 0
            places = pairwise([int(start), *ends[first : first + BLOCK].tolist()])
            counts.update([part[a:b] for a, b in places])
        yield len(part)


@cache
def _splitter(pattern: str, backend: str | None) -> Tokenizer:
    """Return a tokenizer that is used only to split text into pretokens."""
    from ffi_cookbook.backends import open_backend  # not needed to load a model

    model = Model.from_ranks({bytes([byte]): byte for byte in range(256)}, pattern=pattern)
    binding = open_backend(backend)
    if not hasattr(binding, "Tokenizer"):
        raise ValueError(f"the backend {backend!r} has no tokenizer")
    return tokenizer_of(binding, model)


def _parts(texts: Iterable[Text]) -> Iterator[bytes]:
    """Yield the texts in parts, which are cut only where pretokens end."""
    for number, text in enumerate(texts):
        data, start = _checked(text, number), 0
        while cut := _CUT.search(data, start + PART):
            yield data[start : cut.end()]
            start = cut.end()
        yield data[start:]


def _checked(text: Text, number: int) -> bytes:
    if isinstance(text, bytes):
        try:
            text.decode()
        except UnicodeDecodeError as error:
            raise TokenizerError(Code.UTF8, error.start, number) from None
    return utf8(text)
