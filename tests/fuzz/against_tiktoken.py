"""Compare every native binding with tiktoken on random texts: `nox -s fuzz_tokenizer`.

`python -P tests/fuzz/against_tiktoken.py [--texts 10000000] [--seed 1] [--encodings gpt2,o200k]`
with PYTHONPATH=tests; COOKBOOK_DATA must be set.
"""

from __future__ import annotations

import argparse
import os
import random
import sys

import numpy as np

from support.backends import open_backends
from support.hard_texts import nasty
from support.vocabularies import ENCODINGS, vocabulary

ROUND = 50_000  # texts


def differing(tokenizer: object, texts: list[str], expected: list[list[int]]) -> str | None:
    """Return the first text whose ids are not the expected ones."""
    ids, offsets = tokenizer.encode_batch(texts, disallowed_special=())
    ends = np.cumsum([0, *map(len, expected)])
    if np.array_equal(offsets, ends) and np.array_equal(ids, np.concatenate(expected)):
        return None
    rows = zip(texts, expected, offsets[:-1], offsets[1:], strict=True)
    return next(text for text, row, a, b in rows if ids[a:b].tolist() != row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=10_000_000, help="for each encoding")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--encodings", default=",".join(ENCODINGS), help="some of the default")
    options = parser.parse_args()
    encodings = options.encodings.split(",")
    if unknown := set(encodings).difference(ENCODINGS):
        parser.error(f"unknown encodings: {', '.join(sorted(unknown))}")
    if "COOKBOOK_DATA" not in os.environ:
        parser.error("COOKBOOK_DATA must name the folder with the rank files")
    backends = dict(open_backends("Tokenizer"))
    del backends["python"]
    rng = random.Random(options.seed)
    for name in encodings:
        words = vocabulary(name)
        tokenizers = {binding: words.tokenizer(module) for binding, module in backends.items()}
        for done in range(0, options.texts, ROUND):
            texts = [nasty(rng) for _ in range(min(ROUND, options.texts - done))]
            texts.append("".join(texts))
            expected = [words.oracle.encode_ordinary(text) for text in texts]
            for binding, tokenizer in tokenizers.items():
                if (text := differing(tokenizer, texts, expected)) is not None:
                    sys.exit(f"{binding}, {name}: not tiktoken's ids: {text[:500]!r}")
            print(f"{name}: {done + len(texts) - 1} texts in {', '.join(backends)}", flush=True)


if __name__ == "__main__":
    main()
