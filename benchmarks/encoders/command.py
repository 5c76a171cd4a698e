"""`nox -s encoders`: the tokenizer beside gigatoken, tiktoken and HF tokenizers.

A contender with other ids than tiktoken's is named and not measured; if it is one of ours, nothing
is saved. All of a part take turns in one process, in a new order every round. `--keep` stores the
figures in docs/encoders.json, part by part, and renders them in docs/tokenizer-speed.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import findings
from marked import replace

import bindings
from encoders import cold, lines, memory, pages, stalls, threads, warm, words, worst
from encoders import contenders as who
from encoders import texts as what
from encoders.bench import Bench

ROUNDS = {"warm": 9, "cold": 9, "worst": 5, "words": 15, "lines": 15, "threads": 15, "stalls": 15}
BACKENDS = ("capi", "pyo3", "cython")
"""One for each kernel: C, Rust, Cython."""
MEASURES: dict[str, Callable[[Bench], Any]] = {
    "warm": warm.measure,
    "cold": cold.measure,
    "worst": worst.measure,
    "words": words.measure,
    "lines": lines.measure,
    "threads": threads.measure,
    "memory": memory.measure,
    "stalls": stalls.measure,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="encoders", description="How fast is the tokenizer?")
    parser.add_argument("--only", nargs="+", choices=MEASURES, default=[*MEASURES])
    able = [name for name in bindings.names() if name != "numpy"]
    named: dict[str, Any] = {"choices": able, "default": BACKENDS}
    parser.add_argument(
        "--backends", nargs="+", **named, help="the first is held against libraries"
    )
    parser.add_argument("--without", nargs="+", default=[], choices=who.MODULES)
    parser.add_argument("--rounds", type=int, help="instead of each part's own")
    parser.add_argument("--full", action="store_true", help="1 GB of distinct words, not 200 MB")
    parser.add_argument("--keep", action="store_true", help="take the figures into docs/")
    options = parser.parse_args(arguments)
    without = frozenset(options.without)
    if who.TIKTOKEN in without or not who.installed(who.TIKTOKEN):
        parser.error("tiktoken says which ids are right")
    backends, unavailable = findings.opened(options.backends)
    if not backends:
        parser.error(f"no binding is open: {unavailable}")
    absent = unavailable | what.missing() | who.missing(without)
    with TemporaryDirectory(prefix="encoders-") as folder:
        vocabularies = what.vocabularies(Path(folder))
        bench = Bench(backends, vocabularies, what.texts(), without, options.full)
        found = {}
        for name in options.only:
            bench.rounds = options.rounds or ROUNDS.get(name, 1)
            about = {"backends": [*backends], "versions": who.versions(), "absent": absent}
            found[name] = findings.part(lambda name=name: MEASURES[name](bench), about)
            found[name]["absent"] |= bench.wrong
            print(f"{name}\n{pages.shown(found, name)}\n", flush=True)
    print(*findings.about(found), sep="\n")
    if bench.wrong.keys() & {*bindings.names()}:
        print("What is wrong is not kept.")
        return 2
    if options.keep:
        findings.keep(pages.DATA, found)
        for path, text in pages.written().items():
            replace(path, text)
    return 0
