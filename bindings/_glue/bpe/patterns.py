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
BLOOM_SPLIT = " ?[^(\\s|[.,!?…。，、।۔،])]+"
BLOOM = r" ?[^OUT]+|[OUT]*[OUT&&[^ ]](?![OUT])|[OUT]+(?![^OUT])".replace(
    "OUT", r"\s().,!?…。，、।۔،|"
)

# DeepSeek V2 splits off line breaks, cased letters, signs, white space at the end of what is left,
# a wide range around Chinese, and each digit. Some characters are in two of these sets.
# Where `DEEPSEEK2_MIXED` is found, only the splits are right, and `tokenizer.Normalized` does them.
_LETTERS = (
    "A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-"
    "ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿ"
    "ﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃"
)
_SIGNS = "!-/:-~！-／：-～‘-‟\u3000-。"
_WIDE = "一-龥ࠀ-一가-\ud7ff"
_BLANK = "\u1680\u2000-\u200a\u2028\u2029\u202f\u205f"  # wide white space
_SPACE = rf"[\s&&[^\r\n{_WIDE}]]"
_SIGN = f"[{_SIGNS}&&[^{_LETTERS}{_WIDE}]]"
_NEITHER = rf"\p{{N}}{_LETTERS}{_SIGNS}"
DEEPSEEK2 = "|".join(
    (
        r"[\r\n]",
        f"{_SPACE}?[{_LETTERS}&&[{_SIGNS}]]+",
        f"{_SPACE}?[{_LETTERS}&&[^{_SIGNS}{_WIDE}]]+",
        f"[{_BLANK}]?[{_LETTERS}&&[{_WIDE}]]+",
        f"{_SPACE}?{_SIGN}+",
        f"[{_BLANK}]?[‘-‟\u3000-。]*[‘-‟、。](?:\u3000+(?={_SIGN}))?",
        f"\u3000+(?![{_LETTERS}\u3000])|\u3000+(?=\u3000)",
        rf"[^\r\n{_NEITHER}{_WIDE}]*[^\s{_NEITHER}{_WIDE}]"
        rf"(?:{_SPACE}+(?=[\p{{N}}{_WIDE}&&[^{_LETTERS}{_SIGNS}]]))?",
        rf"[{_WIDE}&&[^{_NEITHER}]]*[{_WIDE}&&[^\s{_NEITHER}]]"
        rf"(?:[{_BLANK}]+(?=[^\r\n{_LETTERS}{_SIGNS}{_WIDE}])|[{_BLANK}]+(?=\p{{N}}))?",
        rf"\p{{N}}|[\s&&[^\r\n]]+(?![{_LETTERS}{_SIGNS}\s&&[^\r\n]])"
        r"|[\s&&[^\r\n]]+(?=\s)|\s",
    )
)
DEEPSEEK2_MIXED = f"[{_BLANK}](?:{_SPACE}|\u3000)|{_SPACE}[{_BLANK}\u3000]"
DEEPSEEK2_SPLITS = (
    "[\r\n]",
    rf"\s?[{_LETTERS}]+",
    rf"\s?[{_SIGNS}]+",
    r"\s+$",
    f"[{_WIDE}]+",
    r"\p{N}",
)

# DeepSeek Coder: white space before letters or punctuation belongs to these, but no pretoken has
# characters both in and out of the wide range.
_LP = r"\p{L}\p{P}"
CODER = (
    rf"[\r\n]|{_SPACE}?[\p{{L}}&&[^{_WIDE}]]+|{_SPACE}?[\p{{P}}&&[^{_WIDE}]]+"
    rf"|[\s&&[{_WIDE}]]?[\p{{L}}&&[{_WIDE}]]+|[\s&&[{_WIDE}]]?[\p{{P}}&&[{_WIDE}]]+"
    rf"|[\s&&[^\r\n]](?=[{_LP}])|\p{{N}}"
    rf"|(?:[{_WIDE}&&[^\s\p{{N}}{_LP}]]|[\s&&[{_WIDE}]](?![{_LP}]))+"
    rf"|(?:[^\s\p{{N}}{_LP}{_WIDE}]|{_SPACE}(?![{_LP}]))+"
)
CODER_SPLITS = ("[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", f"[{_WIDE}]+", r"\p{N}")


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
        known = NAMES | {
            "whole": Pattern(11, 0),
            "words": Pattern(12, 0),
            "metaspace": Pattern(13, 0),
        }
        return next((name for name, it in known.items() if it == self), repr(tuple(self)))


REGEXES = {
    1: GPT2,
    2: CL100K,
    3: O200K,
    4: QWEN35,  # the kernels run it as CL100K, with marks among the letters
    5: DEEPSEEK,  # from here on they run the automaton that the model contains
    6: TEKKEN,
    7: KIMI,
    8: STARCODER,
    9: BLOOM,
    10: DEEPSEEK2,
    11: "[\0-\U0010ffff]+",  # a whole text is one pretoken
    12: " +(?:> *|[^ >])*|(?:> *|[^ >])+",  # a word with the spaces before it, unless they follow >
    13: " [^ ]*|[^ ]+",  # a word with the space before it
    14: CODER,
}
AUTOMATON = 5
WHOLE, WORDS, METASPACE = 11, 12, 13

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
    "bloom": Pattern(9, 0),
    "deepseek2": Pattern(10, 0),
    "deepseek_coder": Pattern(14, 0),
    "r50k": Pattern(1, 0),
    "p50k": Pattern(1, 0),
    "llama3": Pattern(2, 3),
}


def named(name: str) -> Pattern:
    """Return the pattern of this name, or raise ValueError."""
    if name not in NAMES:
        raise ValueError(f"unknown pattern {name!r}; the patterns are {', '.join(NAMES)}")
    return NAMES[name]


_DEEPSEEK_SPLITS = (
    r"\p{N}{1,3}",
    f"[{_KANA}]+".replace("ヿ", "ゟ゠-ヿ"),
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
    "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+"
    r"|\s+(?!\S)|\s+",
)
SPELLINGS: dict[tuple[str | None, ...], Pattern] = {
    (spelling,): pattern
    for pattern in NAMES.values()
    if pattern.number not in (5, 8, 9, 10, 14)
    for spelling in (pattern.regex, pattern.regex.replace("{1,1}", ""))
}
SPELLINGS |= {
    (r"'s|'t|'re|'ve|'m|'ll|'d" + GPT2[GPT2.index("| ?") :],): NAMES["gpt2"],
    (r"\p{N}", GPT2): NAMES["starcoder"],
    _DEEPSEEK_SPLITS: NAMES["deepseek"],
    (BLOOM_SPLIT,): NAMES["bloom"],
    DEEPSEEK2_SPLITS: NAMES["deepseek2"],
    CODER_SPLITS: NAMES["deepseek_coder"],
}


def recognise(*splits: str | None) -> Pattern | None:
    """Return the pattern of the splits that a tokenizer file spells out, if a kernel has it."""
    return SPELLINGS.get(splits)
