"""Texts within a budget of ids: counted, cut off or divided, without encoding what lies beyond.

A text is encoded in pieces. They are cut only where the ids on both sides are those of the whole
text: before the space between two words, after a line break before a letter, and before the
punctuation of Chinese and Japanese. Where a model leaves no such place, a piece is the whole text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.bindings._glue.bpe.regex import compiled_regex
from ffi_cookbook.bindings._glue.bpe.specials import LSTRIP, RSTRIP, SINGLE_WORD
from ffi_cookbook.bindings.protocol import Tokenizer, Uint32Array
from ffi_cookbook.tokenizer.model import Model

_SPACE = r"(?<=[\p{L}\p{N}])(?= [\p{L}\p{N}])"
_OTHERS = r"|(?<=\S\n)(?=\p{L})|(?<=[一-鿿ぁ-ゖァ-ヺ])(?=[、。，])"
_INSIDE = (
    r"(?<=[\p{L}\p{N}])(?=[ 、。，])|(?<=\n)(?=\p{L})"  # a place to cut within a special token
)
_EDGE = r"[\p{L}\p{N} \n、。，]"  # a beginning or end that makes a difference to a flag


class Budget:
    """The calls of a tokenizer, of any binding, that stop at a number of ids.

    `special_tokens` are the arguments `allowed_special` and `disallowed_special` of `encode`. Those
    that come after the number of ids are not looked for, and so raise no error.
    """

    def __init__(self, tokenizer: Tokenizer, **special_tokens: Any) -> None:
        self.tokenizer = tokenizer
        self.special_tokens = special_tokens
        self._cut = _cut(tokenizer.model)

    def count(self, text: str, limit: int) -> int | None:
        """Return the number of ids of a text, or None if it is more than `limit`."""
        total = 0
        for ids in self._pieces(text, limit):
            total += len(ids)
            if total > limit:
                return None
        return total

    def encode(self, text: str, max_tokens: int) -> Uint32Array:
        """Return the first ids of a text, at most `max_tokens`."""
        parts, total = [np.empty(0, np.uint32)], 0
        for ids in self._pieces(text, max_tokens):
            parts.append(ids)
            total += len(ids)
            if total >= max_tokens:
                break
        return np.concatenate(parts)[:max_tokens]

    def chunks(self, text: str, tokens: int, overlap: int = 0) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end, number of ids) of parts of a text, with at most `tokens` ids each.

        The ids of text[start:end] are consecutive ids of the whole text. A stretch that has more
        ids but no place to cut is a part of its own. Parts overlap by at most `overlap` ids; if
        that is 0, each id of the text is in one of them.
        """
        if not 0 <= overlap < tokens:
            raise ValueError(f"overlap must be in 0..{tokens - 1}, not {overlap}")
        spans = [found.span() for found in self._cut.finditer(text)] if self._cut else []
        starts, ends = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
        units = [text[start:end] for start, end in zip(starts, ends, strict=True)]
        before = self.tokenizer.encode_batch(units, **self.special_tokens)[1]
        first, last = 0, 0
        while last < len(units) and text:
            last = max(first + 1, int(np.searchsorted(before, before[first] + tokens, "right")) - 1)
            yield starts[first], ends[last - 1], int(before[last] - before[first])
            first = max(first + 1, int(np.searchsorted(before, before[last] - overlap)))

    def _pieces(self, text: str, n_ids: int) -> Iterator[Uint32Array]:
        """Yield the ids of each piece, which are about half of `n_ids`, or a few."""
        start, size = 0, max(64, 2 * n_ids)
        while start < len(text):
            found = self._cut.search(text, start + size) if self._cut else None
            end, following = found.span() if found else (len(text), len(text))
            yield self.tokenizer.encode(text[start:end], **self.special_tokens)
            start = following


def _cut(model: Model) -> re.Pattern[str] | None:
    """Return what is found where a text can be cut: nothing, or a space, which is left out."""
    spaced, inside, edge = Steps.SPACES in model.flags, *map(compiled_regex, (_INSIDE, _EDGE))
    flags = model.special_flags & (LSTRIP | RSTRIP | SINGLE_WORD)
    whole = ""
    for name, flag in zip(model.special_names, flags.tolist(), strict=True):
        shown = name.replace("▁", " ") if spaced else name
        begins, ends = edge.match(shown), edge.match(shown[-1:])
        if (flag and (begins or ends)) or (begins and Steps.PREPEND in model.flags):
            return None
        for place in inside.finditer(shown):
            before, after = shown[: place.start()], shown[place.start() :]
            whole += f"(?!(?<={re.escape(before)}){re.escape(after)})"
    if model.pattern == "whole":
        return None
    regex = compiled_regex(_SPACE if spaced else _SPACE + _OTHERS).pattern
    if Steps.PREPEND in model.flags:
        regex = regex.replace("(?= ", " (?=")
    return re.compile(f"(?={regex}){whole}(?:{regex})")
