"""The first call of a fresh tokenizer, on 1 MB of text that is hard for some tokenizer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from statistics import median
from string import ascii_lowercase, digits
from typing import Any

import ffi_cookbook
from benchmarks.core.figures import digits as short
from benchmarks.core.figures import interval, names, table
from studies.tokenizer.bench import Bench
from studies.tokenizer.cold import first_calls
from studies.tokenizer.contenders import HUGGING_FACE, TIKTOKEN, tiktoken_of
from studies.tokenizer.texts import Vocabulary

SIZE = 1_000_000  # bytes
WORD = 98  # letters
Result = dict[str, Any]


def cases() -> dict[str, str]:
    """Return the texts."""
    letters, words = random.Random(1), random.Random(2)
    return {
        "one letter": "a" * SIZE,
        "random letters": "".join(letters.choices(ascii_lowercase, k=SIZE)),
        "random digits": "".join(letters.choices(digits, k=SIZE)),
        "spaces": " " * SIZE,
        "spaces, then a letter": " " * (SIZE - 1) + "x",
        "newlines": "\n" * SIZE,
        "combining marks": "\N{COMBINING ACUTE ACCENT}" * (SIZE // 2),
        f"words of {WORD} letters": " ".join(_words(words, SIZE // (WORD + 1))),
    }


def _words(source: random.Random, n: int) -> Iterator[str]:
    return ("".join(source.choices(ascii_lowercase, k=WORD)) for _ in range(n))


def measure(bench: Bench) -> Result:
    """Return the seconds by vocabulary and case, and the cases that tiktoken refuses."""
    found: Result = {"times": {}, "refused": {}}
    for vocabulary in bench.vocabularies:
        for title, text in cases().items():
            makers = bench.makers(vocabulary)
            makers.pop(HUGGING_FACE, None)
            wanted = _wanted(vocabulary, text)
            if wanted is None:
                del makers[TIKTOKEN]
                found["refused"].setdefault(vocabulary.pattern, []).append(title)
                wanted = ffi_cookbook.load("python").Tokenizer(vocabulary.load()).encode(text)
            for name in list(makers):
                where = f"{title} under {vocabulary.pattern}"
                if not bench.same(name, makers[name]()(text), wanted, where):
                    del makers[name]
            times = first_calls(bench, makers, text)
            found["times"].setdefault(vocabulary.pattern, {})[title] = times
    return found


def _wanted(vocabulary: Vocabulary, text: str) -> Any:
    try:
        return tiktoken_of(vocabulary).encode_to_numpy(text)
    except ValueError:  # its regular expressions have a limit of steps
        return None


def show(found: Mapping[str, Any], backends: list[str]) -> str:
    """Return a table for each vocabulary, and our slowest case."""
    made = []
    for pattern, by_case in found["times"].items():
        everyone, refused = names(by_case.values()), found["refused"].get(pattern, [])
        rows = [
            [
                title,
                *(
                    "refuses"
                    if name == TIKTOKEN and title in refused
                    else interval(times.get(name), scale=1e3)
                    for name in everyone
                ),
            ]
            for title, times in by_case.items()
        ]
        made.append(table([f"ms, {pattern}", *everyone], rows))
    return "\n\n".join([*made, _worst(found["times"], backends)])


def _worst(times: Mapping[str, Any], backends: list[str]) -> str:
    said = []
    for backend in backends:
        slowest = [
            (median(by_name[backend]), f"{title} under {pattern}")
            for pattern, by_case in times.items()
            for title, by_name in by_case.items()
            if backend in by_name
        ]
        if slowest:
            seconds, where = max(slowest)
            said.append(f"`{backend}` {where}, {short(seconds * 1e3)} ms")
    return f"The worst: {'; '.join(said)}."
