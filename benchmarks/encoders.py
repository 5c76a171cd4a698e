"""Our tokenizer beside gigatoken, tiktoken and HF tokenizers: one thread, warm, ids as an array.

`python benchmarks/encoders.py [--door capi] [--rounds 9] [--without gigatoken ...]`, COOKBOOK_DATA
naming the folder of rank files and texts. Whoever gives other ids than tiktoken is not measured but
named. All take turns in one process, in a new order every round; a ratio is of one round.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tiktoken
from clock import Timed, WarmLoop, interleaved
from huggingface import tokenizer_of

import bindings
from bindings.tokenizer import Model
from bindings.tokenizer.patterns import named

EOT = "<|endoftext|>"
ENCODINGS = {"gpt2": ("gpt2.tiktoken", 50256), "o200k": ("o200k_base.tiktoken", 199999)}
TEXTS = {
    "gsm8k": "gsm8k_train.jsonl",
    "Shakespeare": "tinyshakespeare.txt",
    "18 languages": "wikipedia_mars_18lang.txt",
}
LIBRARIES = ("gigatoken", "tiktoken", "tokenizers")
PYTHON = 10_000_000  # bytes of the standard library's source
SHARE = 500_000  # characters that the slow libraries are timed on
Encode = Callable[[str], Any]


def _texts(data: Path) -> Iterator[tuple[str, str]]:
    for name, file in TEXTS.items():
        yield name, (data / file).read_text(encoding="utf-8")
    source = ""
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*/*.py")):
        source += path.read_text(encoding="utf-8", errors="replace")
        if len(source) > PYTHON:
            break
    yield "Python source", source


def _gigatoken_of(path: Path, name: str, model: Model) -> Encode:
    import gigatoken

    it = gigatoken.Tokenizer.from_tiktoken(path, pretokenizer=name, special_tokens=_special(model))
    encode: Encode = it.encode
    return encode


def _tiktoken_of(path: Path, name: str, model: Model) -> Encode:
    return tiktoken.Encoding(
        name,
        pat_str=named(name).regex,
        mergeable_ranks=model.ranks,
        special_tokens=_special(model),
    ).encode_to_numpy


def _tokenizers_of(path: Path, name: str, model: Model) -> Encode | None:
    if name != "gpt2":
        return None
    encode = tokenizer_of(model.ranks).encode
    return lambda text: np.array(encode(text).ids, np.uint32)


def _special(model: Model) -> dict[str, int]:
    return {EOT: model.n_vocab - 1}


_MAKERS = {"gigatoken": _gigatoken_of, "tiktoken": _tiktoken_of, "tokenizers": _tokenizers_of}


def _measure(encoders: dict[str, Encode], text: str, rounds: int) -> None:
    """One line of the table."""
    head = text[:SHARE]
    expected = encoders["tiktoken"](text)
    sizes, contestants = {}, {}
    for name, encode in encoders.items():
        shown = head if name in ("tiktoken", "tokenizers") else text
        wanted = expected if shown is text else encoders["tiktoken"](head)
        if not np.array_equal(encode(shown), wanted):
            print(f"{name}: not tiktoken's ids")
            continue
        sizes[name] = len(shown.encode())
        contestants[name] = Timed("encode(text)", {"encode": encode, "text": shown})
    times = interleaved(contestants, rounds, 0.02, random.Random(1), WarmLoop)
    speeds = {name: sizes[name] / np.array(taken) / 1e6 for name, taken in times.items()}
    for name, speed in speeds.items():
        low, middle, high = np.quantile(speeds["ours"] / speed, (0.25, 0.5, 0.75))
        ratio = "" if name == "ours" else f"  ours {middle:.2f}× [{low:.2f} {high:.2f}]"
        print(f"    {name:12}{np.median(speed):8.1f} MB/s{ratio}", flush=True)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--door", default="capi")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--without", nargs="*", default=[], choices=LIBRARIES)
    options = parser.parse_args()
    if "tiktoken" in options.without:
        parser.error("tiktoken says which ids are right")
    data = Path(os.environ["COOKBOOK_DATA"])
    present = [it for it in LIBRARIES if it not in options.without and importlib.util.find_spec(it)]
    for name, (file, eot) in ENCODINGS.items():
        model = Model.load(data / file, pattern=name, special_tokens={EOT: eot})
        ours = bindings.load(options.door).Tokenizer(model).encode
        made = {library: _MAKERS[library](data / file, name, model) for library in present}
        for title, text in _texts(data):
            print(f"{name}, {title}, {len(text.encode()) / 1e6:.1f} MB")
            libraries = {library: encode for library, encode in made.items() if encode}
            _measure({"ours": ours, **libraries}, text, options.rounds)


if __name__ == "__main__":
    main()
