"""Compare every native binding with tiktoken on random texts: `nox -s fuzz_tokenizer`.

`python -P tests/fuzz/against_tiktoken.py [--texts 10000000] [--seed 1] [--encodings gpt2,o200k]`
with PYTHONPATH=tests; COOKBOOK_DATA must be set.
"""

from __future__ import annotations

import argparse
import base64
import os
import random
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import tiktoken
from tiktoken_ext import openai_public

import ffi_cookbook
from ffi_cookbook.bindings._glue.bpe.patterns import NAMES
from ffi_cookbook.tokenizer import Model
from support.hard_texts import nasty

ROUND = 50_000  # texts
ENCODINGS = {
    "gpt2": ("gpt2.tiktoken", "r50k_base"),
    "p50k": ("p50k_base.tiktoken", "p50k_base"),
    "cl100k": ("cl100k_base.tiktoken", "cl100k_base"),
    "o200k": ("o200k_base.tiktoken", "o200k_base"),
    "qwen2": ("cl100k_base.tiktoken", None),
}


def oracle(name: str, path: Path) -> tiktoken.Encoding:
    """Return tiktoken's encoding, or one with the pattern that tiktoken does not define."""
    lines = (line.split() for line in path.read_bytes().splitlines())
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    definition = ENCODINGS[name][1]
    regex = NAMES[name].regex
    if definition:
        with mock.patch.object(openai_public, "load_tiktoken_bpe", return_value={}):
            regex = getattr(openai_public, definition)()["pat_str"]
    return tiktoken.Encoding(name, pat_str=regex, mergeable_ranks=ranks, special_tokens={})


def differing(tokenizer: object, texts: list[str], expected: list[list[int]]) -> str | None:
    """Return the first text whose ids are not the expected ones."""
    ids, offsets = tokenizer.encode_batch(texts)  # type: ignore[attr-defined]
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
    data = Path(os.environ["COOKBOOK_DATA"])
    backends = {
        name: module
        for name in ffi_cookbook.names()
        if name not in ("python", "numpy")
        and hasattr(module := ffi_cookbook.load(name), "Tokenizer")
    }
    rng = random.Random(options.seed)
    for name in encodings:
        file, _ = ENCODINGS[name]
        reference = oracle(name, data / file)
        model = Model.load(data / file, pattern=name)
        tokenizers = {binding: module.Tokenizer(model) for binding, module in backends.items()}
        for done in range(0, options.texts, ROUND):
            texts = [nasty(rng) for _ in range(min(ROUND, options.texts - done))]
            texts.append("".join(texts))
            expected = [reference.encode_ordinary(text) for text in texts]
            for binding, tokenizer in tokenizers.items():
                if (text := differing(tokenizer, texts, expected)) is not None:
                    sys.exit(f"{binding}, {name}: not tiktoken's ids: {text[:500]!r}")
            print(f"{name}: {done + len(texts) - 1} texts in {', '.join(backends)}", flush=True)


if __name__ == "__main__":
    main()
