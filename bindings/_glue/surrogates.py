"""Lone surrogates: code points that a `str` can hold and UTF-8 cannot."""

from __future__ import annotations


def replace_surrogates(text: str) -> str:
    """Return the text as tiktoken encodes it.

    Surrogate pairs are joined, and lone surrogates are replaced by U+FFFD.
    """
    return str.encode(text, "utf-16", "surrogatepass").decode("utf-16", "replace")
