"""The split patterns that a kernel knows: how text is cut into pretokens before merging."""

from __future__ import annotations

from typing import NamedTuple

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


class Pattern(NamedTuple):
    """The split pattern, as the model's header has it."""

    number: int
    max_digits: int  # the number in place of the 3 in `\p{N}{1,3}`; 0: no limit

    @property
    def regex(self) -> str:
        """The pattern as a regular expression."""
        text = {1: GPT2, 2: CL100K, 3: O200K}[self.number]
        return text.replace("{1,3}", f"{{1,{self.max_digits}}}" if self.max_digits else "+")

    @property
    def name(self) -> str:
        """The first name that stands for this pattern."""
        return next((name for name, it in NAMES.items() if it == self), repr(tuple(self)))


NAMES = {
    "gpt2": Pattern(1, 0),
    "cl100k": Pattern(2, 3),
    "o200k": Pattern(3, 3),
    "qwen2": Pattern(2, 1),
    "r50k": Pattern(1, 0),
    "p50k": Pattern(1, 0),
    "llama3": Pattern(2, 3),
}


def named(name: str) -> Pattern:
    """Return the pattern of this name, or raise ValueError."""
    if name not in NAMES:
        raise ValueError(f"unknown pattern {name!r}; the patterns are {', '.join(NAMES)}")
    return NAMES[name]


_SPELLINGS = {pattern.regex: pattern for pattern in NAMES.values()} | {
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": NAMES["gpt2"],
    CL100K.replace("{1,3}", ""): NAMES["qwen2"],
}


def recognise(regex: str) -> Pattern | None:
    """Return the pattern that a tokenizer file spells out as `regex`, if a kernel has it."""
    return _SPELLINGS.get(regex)
