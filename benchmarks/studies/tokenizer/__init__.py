"""The speed of the tokenizer, beside gigatoken, tiktoken and HF tokenizers.

A contender whose ids differ from tiktoken's is named and not measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from types import ModuleType

from benchmarks.core.figures import against, interval
from benchmarks.studies.tokenizer import cold, lines, memory, stalls, threads, warm, words, worst
from benchmarks.studies.tokenizer.bench import YARDSTICK, opened
from benchmarks.studies.tokenizer.contenders import GIGATOKEN, MODULES, versions
from benchmarks.study import Goal, Part, Result, Stored, Study, reached

Samples = list[list[float]]
Cases = Callable[[Result, str], Samples]
WHERE_SET = 18.8  # MB/s of tiktoken
"""Speeds were set where tiktoken makes that of gsm8k under gpt2 on one thread; elsewhere the bounds
are as much higher or lower as tiktoken is faster or slower there, in the same rounds."""
ALIKE = ("one letter", "spaces", "newlines", "combining marks")


def _part(module: ModuleType, rounds: int) -> Part:
    return Part((module.__doc__ or "").partition("\n")[0], module.measure, module.show, rounds)


def _faster(found: Result) -> float:
    return median(found[YARDSTICK]) / WHERE_SET


def _shorter(found: Result) -> float:
    return WHERE_SET / median(found[YARDSTICK])


def _warm(title: str) -> Cases:
    return lambda found, backend: [found["cells"]["gpt2"][title]["speeds"][backend]]


def _beside(found: Result, backend: str) -> Samples:
    cells = [cell["speeds"] for by_text in found["cells"].values() for cell in by_text.values()]
    return [against(speeds, backend, GIGATOKEN) or [] for speeds in cells]


def _cold(pattern: str) -> Cases:
    return lambda found, backend: [speeds[backend] for speeds in found["first"][pattern].values()]


def _opened(found: Result, backend: str) -> Samples:
    return [times[backend] for times in found["open"].values()]


def _worst(found: Result, backend: str) -> Samples:
    return [times[backend] for by_case in found["times"].values() for times in by_case.values()]


def _alike(found: Result, backend: str) -> Samples:
    return [by_case[title][backend] for by_case in found["times"].values() for title in ALIKE]


def _two(found: Result, backend: str) -> Samples:
    return [against(found["speeds"][backend], threads.TWO, threads.ONE) or []]


def _waits(found: Result, backend: str) -> Samples:
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
    Goal(
        "two words",
        "words",
        100,
        " ns",
        lambda found, name: [found["times"][name]],
        False,
        1e9,
        _shorter,
    ),
    Goal(
        "many lines",
        "lines",
        300,
        " MB/s",
        lambda found, name: [found["speeds"][name]],
        here=_faster,
    ),
    Goal("two threads, of one", "threads", 1.85, " ×", _two),
    Goal(
        "memory after distinct words",
        "memory",
        16,
        " MB",
        lambda found, name: [[found[name]["grown"]]],
        False,
    ),
    Goal("longest wait of others, with a new `str`", "stalls", 1, " ms", _waits, False, 1e3),
)


def _goals(stored: Mapping[str, Stored]) -> dict[str, str]:
    """Return the table of the goals whose parts were measured on their text."""
    same = {name: part for name, part in stored.items() if "gsm8k" not in part["absent"]}
    beside = [
        f"{name} {interval(part['found'][YARDSTICK])}"
        for name, part in same.items()
        if YARDSTICK in (part["found"] or {})
    ]
    text = (
        f"{reached(GOALS, same)}\n\nThe yardstick, tiktoken's MB/s of gsm8k under gpt2: "
        f"{WHERE_SET} where the goals were set; in the rounds of the parts: "
        f"{', '.join(beside) or 'nothing yet'}."
    )
    return {"goals": text}


STUDY = Study(
    name="tokenizer",
    question="How fast is the tokenizer?",
    page="tokenizer-speed",
    parts={
        "warm": _part(warm, 9),
        "cold": _part(cold, 9),
        "worst": _part(worst, 5),
        "words": _part(words, 15),
        "lines": _part(lines, 15),
        "threads": _part(threads, 15),
        "memory": _part(memory, 1),
        "stalls": _part(stalls, 15),
    },
    backends=("capi", "pyo3", "cython"),  # one for each kernel: C, Rust, Cython
    libraries=tuple(MODULES),
    versions=versions,
    open=opened,
    marks=_goals,
)
main = STUDY.main
