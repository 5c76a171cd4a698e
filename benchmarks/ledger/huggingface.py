"""A vocabulary for HF tokenizers, which needs merges in place of tiktoken's ranks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def tokenizer_of(ranks: Mapping[bytes, int]) -> Any:
    """Return a tokenizers.Tokenizer that splits as GPT-2 does."""
    import tokenizers
    from tokenizers import models, pre_tokenizers

    letters = _letters()

    def spelt(token: bytes) -> str:
        return "".join(letters[byte] for byte in token)

    vocabulary = {spelt(token): rank for token, rank in ranks.items()}
    merges = [
        (spelt(left), spelt(right))
        for token, rank in sorted(ranks.items(), key=lambda item: item[1])
        if len(token) > 1
        for left, right in [_halves(token, rank, ranks)]
    ]
    tokenizer = tokenizers.Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def _halves(token: bytes, rank: int, ranks: Mapping[bytes, int]) -> tuple[bytes, bytes]:
    """Return the two parts of a token that remain after all merges of lower ranks."""
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(parts[i] + parts[i + 1], rank) for i in range(len(parts) - 1)]
        i = joined.index(min(joined))
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return parts[0], parts[1]


def _letters() -> dict[int, str]:
    """Return GPT-2's printable letter for each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {
        byte: chr(256 + i) for i, byte in enumerate(others)
    }
