"""Encodings as a model and in tiktoken, and random texts with tiktoken's ids."""

from __future__ import annotations

import base64
import os
import random
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest
import tiktoken
from tiktoken_ext import openai_public

from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.tokenizer import Model, sample_texts, train
from support.hard_texts import nasty

EOT = "<|endoftext|>"
FILES = {
    "gpt2": ("gpt2.tiktoken", 50256),
    "p50k": ("p50k_base.tiktoken", 50256),
    "cl100k": ("cl100k_base.tiktoken", 100257),
    "o200k": ("o200k_base.tiktoken", 199999),
    "qwen2": ("cl100k_base.tiktoken", 100257),
}
QWEN2 = (  # as in the tokenizer.json of Qwen 2, 2.5 and 3
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
ENCODINGS = tuple(FILES)
SPLITS = [  # for sweeps over texts: p50k splits as gpt2 does
    pytest.param(name, marks=[pytest.mark.full] if name == "p50k" else []) for name in ENCODINGS
]
FEW_ENCODINGS = [  # for code above the kernels, where an encoding is only another table
    name if name in ("gpt2", "o200k") else pytest.param(name, marks=pytest.mark.full)
    for name in ENCODINGS
]
Ids = npt.NDArray[np.uint32]


def pattern(name: str) -> str:
    """Return the pattern of an encoding, from the installed tiktoken if it has it."""
    if name == "qwen2":
        return QWEN2
    with mock.patch.object(openai_public, "load_tiktoken_bpe", return_value={}):
        return getattr(openai_public, {"gpt2": "r50k"}.get(name, name) + "_base")()["pat_str"]


class Vocabulary:
    """Ranks as a model and in the oracle.

    These are the real ranks with COOKBOOK_DATA, otherwise a few trained here for the same pattern.
    """

    def __init__(self, name: str) -> None:
        folder = os.environ.get("COOKBOOK_DATA")
        file, eot = FILES[name]
        if folder:
            path = Path(folder, file)
            lines = (line.split() for line in path.read_bytes().splitlines())
            ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
            self.specials = {EOT: eot, "<|fim|>": eot + 700, "<|fim|>x": eot + 701}
            self.model = Model.load(path, pattern=name, special_tokens=self.specials)
        else:
            ranks = train(sample_texts(300_000), 2000, name)
            self.specials = {EOT: 2000, "<|fim|>": 2700, "<|fim|>x": 2701}
            self.model = Model.from_ranks(ranks, pattern=name, special_tokens=self.specials)
        self.oracle = tiktoken.Encoding(
            name, pat_str=pattern(name), mergeable_ranks=ranks, special_tokens=self.specials
        )

    @cache  # noqa: B019 - vocabularies live as long as the tests
    def tokenizer(self, backend: ModuleType) -> Any:
        return backend.Tokenizer(self.model)


@cache
def vocabulary(name: str) -> Vocabulary:
    return Vocabulary(name)


@cache
def expected_of(name: str, key: str, text: str) -> Ids:
    return vocabulary(name).oracle.encode_to_numpy(text, disallowed_special=())


def assert_same(found: Ids, expected: Ids) -> None:
    assert found.dtype == np.uint32
    if not np.array_equal(found, expected):
        n = min(len(found), len(expected))
        at = int(np.argmax(found[:n] != expected[:n])) if (found[:n] != expected[:n]).any() else n
        pytest.fail(f"ids differ from position {at}: {found[at : at + 5]} {expected[at : at + 5]}")


@cache
def random_texts(n: int) -> list[str]:
    rng = random.Random(11)
    return [nasty(rng) for _ in range(n)]


@cache
def one_random_text() -> str:
    return "".join(random_texts(20_000))


def facts(error: TokenizerError) -> tuple[Any, ...]:
    return (
        error.code,
        error.byte_offset,
        error.index,
        error.token,
        error.expected,
        error.actual,
        str(error),
    )


@cache
def small_model() -> Model:
    ranks = train(sample_texts(50_000), 600, "cl100k")
    return Model.from_ranks(ranks, pattern="cl100k", special_tokens={EOT: 700, "<|fim|>x": 701})
