"""What the tokenizer is meant to reach.

Speeds were set where tiktoken makes 18.8 MB/s of gsm8k under gpt2 on one thread; elsewhere the
bounds are as much higher or lower as tiktoken is faster or slower there, in the same rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

import findings
import spread
from goals import Cases, Goal, table

from encoders.bench import YARDSTICK
from encoders.contenders import GIGATOKEN

WHERE_SET = 18.8  # MB/s of tiktoken
ALIKE = ("one letter", "spaces", "newlines", "combining marks")


def reached(parts: Mapping[str, findings.Part]) -> str:
    """Return the table of the parts measured on the goals' text, each with its yardstick."""
    same = {name: part for name, part in parts.items() if "gsm8k" not in part["absent"]}
    beside = [
        f"{name} {spread.interval(part['found'][YARDSTICK])}"
        for name, part in same.items()
        if YARDSTICK in (part["found"] or {})
    ]
    return (
        f"{table(GOALS, same)}\n\nThe yardstick, tiktoken's MB/s of gsm8k under gpt2: {WHERE_SET} "
        f"where the goals were set; in the rounds of {', '.join(beside) or 'nothing yet'}."
    )


def _faster(found: Any) -> float:
    return median(found[YARDSTICK]) / WHERE_SET


def _shorter(found: Any) -> float:
    return WHERE_SET / median(found[YARDSTICK])


def _warm(title: str) -> Callable[[Any, str], Cases]:
    return lambda found, backend: [found["cells"]["gpt2"][title]["speeds"][backend]]


def _beside(found: Any, backend: str) -> Cases:
    cells = [cell["speeds"] for by_text in found["cells"].values() for cell in by_text.values()]
    ratios = [spread.against(speeds, backend, GIGATOKEN) for speeds in cells]
    return [ratio for ratio in ratios if ratio]


def _cold(pattern: str) -> Callable[[Any, str], Cases]:
    return lambda found, backend: [speeds[backend] for speeds in found["first"][pattern].values()]


def _opened(found: Any, backend: str) -> Cases:
    return [times[backend] for times in found["open"].values()]


def _worst(found: Any, backend: str) -> Cases:
    return [times[backend] for by_case in found["times"].values() for times in by_case.values()]


def _alike(found: Any, backend: str) -> Cases:
    return [by_case[title][backend] for by_case in found["times"].values() for title in ALIKE]


def _two(found: Any, backend: str) -> Cases:
    ratio = spread.against(found["speeds"][backend], "two", "one")
    return [ratio] if ratio else []


def _words(found: Any, backend: str) -> Cases:
    return [found["times"][backend]]


def _lines(found: Any, backend: str) -> Cases:
    return [found["speeds"][backend]]


def _grown(found: Any, backend: str) -> Cases:
    return [[found[backend]["grown"]]]


def _waits(found: Any, backend: str) -> Cases:
    return [[min(gaps)] for gaps in found[backend].values()]


GOALS = (
    Goal("warm, beside gigatoken", "warm", 1, " ×", _beside),
    Goal("warm, gsm8k, gpt2", "warm", 700, " MB/s", _warm("gsm8k"), here=_faster),
    Goal("warm, 18 languages, gpt2", "warm", 350, " MB/s", _warm("18 languages"), here=_faster),
    Goal("warm, Python source, gpt2", "warm", 450, " MB/s", _warm("Python source"), here=_faster),
    Goal("first call, gpt2", "cold", 300, " MB/s", _cold("gpt2"), here=_faster),
    Goal("first call, o200k", "cold", 200, " MB/s", _cold("o200k"), here=_faster),
    Goal("opening a model", "cold", 2, " ms", _opened, False, 1e3, _shorter),
    Goal("1 MB of anything, cold", "worst", 25, " ms", _worst, False, 1e3, _shorter),
    Goal("1 MB of one character, cold", "worst", 2, " ms", _alike, False, 1e3, _shorter),
    Goal("two words", "words", 100, " ns", _words, False, 1e9, _shorter),
    Goal("many lines", "lines", 300, " MB/s", _lines, here=_faster),
    Goal("two threads, of one", "threads", 1.85, " ×", _two),
    Goal("kept of distinct words", "memory", 16, " MB", _grown, False),
    Goal("how long others wait, a new `str` too", "stalls", 1, " ms", _waits, False, 1e3),
)
