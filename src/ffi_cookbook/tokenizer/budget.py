"""Texts within a budget of ids: counted, cut off or divided, without encoding what lies beyond.

A text is encoded in pieces. They are cut only where the ids on both sides are those of the whole
text: before the space between two words, after a line break before a letter, and before the
punctuation of Chinese and Japanese. Where a model leaves no such place, a piece is the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.bindings._glue.bpe.regex import compiled_regex
from ffi_cookbook.bindings._glue.bpe.specials import Flag
from ffi_cookbook.bindings.protocol import Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.model import Model

_SPACE = r"(?<=[\p{L}\p{N}])(?= [\p{L}\p{N}])"
_OTHERS = r"|(?<=\S\n)(?=\p{L})|(?<=[一-鿿ぁ-ゖァ-ヺ])(?=[、。，])"
# What may be such a place within a special token, and at its edge, where its flags may see it.
_INSIDE = r"(?<=[\p{L}\p{N}])(?=[ 、。，])|(?<=\n)(?=\p{L})"
_EDGE = r"\A[\p{L}\p{N} \n、。，]|[\p{L}\p{N} \n、。，]\Z"


class Budget:
    """The calls of a tokenizer, of any binding, that stop at a number of ids.

    `special_tokens` are the arguments `allowed_special` and `disallowed_special` of `encode`. In
    the text that comes after the number of ids, no token is looked for, so none is refused.
    """

    def __init__(self, tokenizer: Tokenizer, **special_tokens: Any) -> None:
        self.tokenizer = tokenizer
        self.special_tokens = special_tokens
        self._cut = _cut(cast("Model", tokenizer.model))

    def count(self, text: str, limit: int) -> int | None:
        """Return the number of ids of a text, or None if it is more than `limit`."""
        n_ids = len(self.encode(text, limit + 1))
        return n_ids if n_ids <= limit else None

    def encode(self, text: str, max_tokens: int) -> Uint32Array:
        """Return the first ids of a text, at most `max_tokens`."""
        parts, total, start = [np.empty(0, np.uint32)], 0, 0
        while start < len(text) and total < max_tokens:
            found = self._cut.search(text, start + max(64, 2 * max_tokens))
            end, following = found.span() if found else (len(text), len(text))
            parts.append(self.tokenizer.encode(text[start:end], **self.special_tokens))
            total += len(parts[-1])
            start = following
        return np.concatenate(parts)[:max_tokens]

    def chunks(self, text: str, tokens: int, overlap: int = 0) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end, number of ids) of parts of a text, with at most `tokens` ids each.

        The ids of text[start:end] are consecutive ids of the whole text. A stretch that has more
        ids but no place to cut is a part of its own. Parts overlap by at most `overlap` ids; if
        that is 0, each id of the text is in one of them.
        """
        if not 0 <= overlap < tokens:
            raise ValueError(f"overlap must be in 0..{tokens - 1}, not {overlap}")
        edges = [0, *(at for found in self._cut.finditer(text) for at in found.span()), len(text)]
        starts, ends = edges[::2], edges[1::2]
        units = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        before = self.tokenizer.encode_batch(units, **self.special_tokens)[1]
        first, last = 0, 0
        while last < len(units) and text:
            last = max(first + 1, int(np.searchsorted(before, before[first] + tokens, "right")) - 1)
            yield starts[first], ends[last - 1], int(before[last] - before[first])
            first = max(first + 1, int(np.searchsorted(before, before[last] - overlap)))


def _cut(model: Model) -> re.Pattern[str]:
    """Return what is found where a text can be cut: nothing, or a space, which is left out."""
    spaced, prepend = Steps.SPACES in model.flags, Steps.PREPEND in model.flags
    inside, edge = compiled_regex(_INSIDE), compiled_regex(_EDGE)
    nowhere, whole = model.pattern == "whole", ""
    for name, flags in zip(model.special_names, model.special_flags.tolist(), strict=True):
        shown = name.replace("▁", " ") if spaced else name
        nowhere |= bool((prepend or flags & Flag.INEXACT) and edge.search(shown))
        for place in inside.finditer(shown):
            before, after = shown[: place.start()], shown[place.start() :]
            whole += f"(?!(?<={re.escape(before)}){re.escape(after)})"
    regex = compiled_regex(_SPACE if spaced else _SPACE + _OTHERS).pattern
    if prepend:
        regex = regex.replace("(?= ", " (?=")
    return re.compile("(?!)" if nowhere else f"(?={regex}){whole}(?:{regex})")
