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
QWEN35 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEKKEN = O200K.replace(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "")
KIMI = r"[\p{Han}]+|" + O200K.replace(r"\p{M}]", r"\p{M}&&[^\p{Han}]]").replace("/]", "]")

# The rest are several splits one after the other, each of the parts that the last one left. Here
# they are one expression, whose lookaheads are the ends of these parts.
STARCODER = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+"
_KANA = "一-龥\u3040-ヿ"  # the second split of DeepSeek: Han and both kanas
DEEPSEEK = (
    r"[!-/:-@\[-`{-~][A-Za-z]+"
    r"|[^\r\n\p{L}\p{N}\p{P}\p{S}KANA]?[\p{L}\p{M}&&[^KANA]]+"
    r"| ?[\p{P}\p{S}&&[^KANA]]+[\r\n]*|\s*[\r\n]+|\s+(?![^\s\p{N}KANA])|\s+|\p{N}{1,3}"
    r"|[KANA&&[^\p{L}\p{M}\p{P}\p{S}]]?[\p{L}\p{M}&&[KANA]]+|[\p{P}\p{S}&&[KANA]]+"
    r"|[KANA&&[^\p{L}\p{M}\p{P}\p{S}]]+(?![\p{L}\p{M}&&[KANA]])"
    r"|[^\s\p{L}\p{M}\p{N}\p{P}\p{S}KANA]+(?![\p{L}\p{M}&&[^KANA]])"
).replace("KANA", _KANA)


class Pattern(NamedTuple):
    """The split pattern, as the model's header has it."""

    number: int
    max_digits: int  # the number in place of the 3 in `\p{N}{1,3}`; 0: no limit

    @property
    def regex(self) -> str:
        """The pattern as a regular expression."""
        text = REGEXES[self.number]
        return text.replace("{1,3}", f"{{1,{self.max_digits}}}" if self.max_digits else "+")

    @property
    def name(self) -> str:
        """The first name that stands for this pattern."""
        return next((name for name, it in NAMES.items() if it == self), repr(tuple(self)))


REGEXES = {
    1: GPT2,
    2: CL100K,
    3: O200K,
    4: QWEN35,  # the kernels run it as CL100K, with marks among the letters
    5: DEEPSEEK,  # from here on they run the automaton that the model contains
    6: TEKKEN,
    7: KIMI,
    8: STARCODER,
}
AUTOMATON = 5

NAMES = {
    "gpt2": Pattern(1, 0),
    "cl100k": Pattern(2, 3),
    "o200k": Pattern(3, 3),
    "qwen2": Pattern(2, 1),
    "qwen35": Pattern(4, 1),
    "deepseek": Pattern(5, 3),
    "tekken": Pattern(6, 1),
    "kimi": Pattern(7, 3),
    "starcoder": Pattern(8, 1),
    "r50k": Pattern(1, 0),
    "p50k": Pattern(1, 0),
    "llama3": Pattern(2, 3),
}


def named(name: str) -> Pattern:
    """Return the pattern of this name, or raise ValueError."""
    if name not in NAMES:
        raise ValueError(f"unknown pattern {name!r}; the patterns are {', '.join(NAMES)}")
    return NAMES[name]


_SPELLINGS = {
    spelling: pattern
    for pattern in NAMES.values()
    if pattern.number not in (5, 8)
    for spelling in (pattern.regex, pattern.regex.replace("{1,1}", ""))
} | {r"'s|'t|'re|'ve|'m|'ll|'d" + GPT2[GPT2.index("| ?") :]: NAMES["gpt2"]}
_DEEPSEEK_SPLITS = (
    r"\p{N}{1,3}",
    f"[{_KANA}]+".replace("ヿ", "ゟ゠-ヿ"),
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
    "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
)


def recognise(*splits: str) -> Pattern | None:
    """Return the pattern of the splits that a tokenizer file spells out, if a kernel has it."""
    if splits == _DEEPSEEK_SPLITS:
        return NAMES["deepseek"]
    return _SPELLINGS.get(splits[0]) if len(splits) == 1 else None
