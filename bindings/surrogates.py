"""Lone surrogates: code points that a `str` can hold and UTF-8 cannot."""

from __future__ import annotations


def replace_surrogates(text: str) -> str:
    """The text as tiktoken takes it: pairs of surrogates joined, lone ones replaced by U+FFFD."""
    return str.encode(text, "utf-16", "surrogatepass").decode("utf-16", "replace")
