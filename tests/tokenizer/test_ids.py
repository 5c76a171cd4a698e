"""The tokenizers: every binding gives tiktoken's ids, text by text."""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import random
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
import tiktoken

from ffi_cookbook.tokenizer import Model, sample_texts
from support.backends import binding
from support.vocabularies import (
    SPLITS,
    Ids,
    Vocabulary,
    assert_same,
    expected_of,
    one_random_text,
    pattern,
    random_texts,
    small_model,
    vocabulary,
)

pytestmark = pytest.mark.part("Tokenizer")
LIBRARY = ["*.py", pytest.param("*/*.py", marks=pytest.mark.full)]
N_RANDOM = [20_000, pytest.param(100_000, marks=pytest.mark.full)]


def check_text(backend: ModuleType, name: str, key: str, text: str) -> None:
    """Encode, count and decode the text of a key, and compare with tiktoken."""
    tokenizer = vocabulary(name).tokenizer(backend)
    expected = expected_of(name, key, text)
    ids = tokenizer.encode(text, disallowed_special=())
    assert_same(ids, expected)
    assert tokenizer.count(text) == len(expected)
    assert tokenizer.decode(ids) == text.encode()


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.parametrize("modules", LIBRARY)
@pytest.mark.parametrize("name", SPLITS)
def test_the_library(backend: ModuleType, name: str, modules: str) -> None:
    """The texts are the sources of Python's library."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob(modules))
    text = "".join(path.read_bytes().decode("utf-8", "replace") for path in files)
    check_text(backend, name, modules, text)


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.parametrize("name", SPLITS)
def test_real_texts(backend: ModuleType, name: str, data: Path | None) -> None:
    for path in sorted(filter(Path.is_file, data.iterdir())) if data else []:
        check_text(backend, name, path.name, path.read_bytes().decode())
    if data is None:
        check_text(backend, name, "sample", "".join(sample_texts(400_000)))


@cache
def expected_random(name: str, n: int) -> tuple[Ids, npt.NDArray[np.int64]]:
    rows = vocabulary(name).oracle.encode_ordinary_batch(random_texts(n), num_threads=2)
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([token for row in rows for token in row], np.uint32), offsets


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.parametrize("n", N_RANDOM)
@pytest.mark.parametrize("name", SPLITS)
def test_random_texts(backend: ModuleType, name: str, n: int) -> None:
    expected, offsets = expected_random(name, n)
    tokenizer = vocabulary(name).tokenizer(backend)
    found, found_offsets = tokenizer.encode_batch(random_texts(n), 2, disallowed_special=())
    assert found_offsets.dtype == np.int64
    assert np.array_equal(found_offsets, offsets)
    assert_same(found, expected)


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.parametrize("name", SPLITS)
def test_random_texts_in_a_row(backend: ModuleType, name: str) -> None:
    """They form one text, so that pretokens begin and end anywhere in a block of 64 bytes."""
    tokenizer, text = vocabulary(name).tokenizer(backend), one_random_text()
    expected = expected_of(name, "in a row", text)
    assert_same(tokenizer.encode(text, disallowed_special=()), expected)
    assert tokenizer.count(text) == len(expected)


@pytest.mark.parametrize("isa", ["portable", "avx2"])
def test_every_instruction_set(isa: str, tmp_path: Path) -> None:
    """The C kernels, which choose their instructions once a process, find the same pretokens."""
    model = small_model()
    path = tmp_path / "text"
    path.write_text(one_random_text(), encoding="utf-8", newline="")
    program = (
        "import sys, pickle, hashlib, ffi_cookbook\n"
        "text = open(sys.argv[1], encoding='utf-8', newline='').read()\n"
        "tokenizer = ffi_cookbook.load('ctypes').Tokenizer(pickle.load(sys.stdin.buffer))\n"
        "print(hashlib.sha256(tokenizer.split(text).tobytes()).hexdigest())"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", program, str(path)],
        input=pickle.dumps(model),
        capture_output=True,
        check=True,
        env={**os.environ, "COOKBOOK_ISA": isa},
    )
    ends = binding("ctypes").Tokenizer(model).split(one_random_text())
    assert found.stdout.decode().strip() == hashlib.sha256(ends.tobytes()).hexdigest()


def test_some_random_texts(backend: ModuleType, words: Vocabulary) -> None:
    """The texts come one by one, and the reference binding takes part."""
    tokenizer = words.tokenizer(backend)
    for text in random_texts(300):
        expected = words.oracle.encode_ordinary(text)
        assert tokenizer.encode(text, disallowed_special=()).tolist() == expected
        assert tokenizer.count(text) == len(expected)
        out = np.full(len(expected) + 1, 7, np.uint32)
        assert tokenizer.encode_into(text.encode(), out) == len(expected)
        assert out.tolist() == [*expected, 7]


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.full
@pytest.mark.parametrize("name", SPLITS)
def test_every_code_point(backend: ModuleType, name: str) -> None:
    """Each character stands alone and between letters, so that its class decides the split."""
    tokenizer = vocabulary(name).tokenizer(backend)
    points = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    for start in range(0, len(points), 1 << 16):
        some = points[start : start + (1 << 16)]
        for text in ("\n".join(some), "a" + "b c".join(some)):
            ids = tokenizer.encode(text, disallowed_special=())
            assert_same(ids, expected_of_points(name, text))


@cache
def expected_of_points(name: str, text: str) -> Ids:
    return np.array(vocabulary(name).oracle.encode_ordinary(text), np.uint32)


@pytest.mark.part("Tokenizer", kernels=True)
def test_qwen_splits_digits_one_by_one(backend: ModuleType) -> None:
    model = Model.from_ranks({bytes([i]): i for i in range(256)}, pattern="qwen2")
    assert backend.Tokenizer(model).split("a1234 5'Re x").tolist() == [1, 2, 3, 4, 5, 6, 7, 10, 12]


# ---- Pretokens of any length merge as in tiktoken, in less than quadratic time.


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.parametrize("letters", ["=-", "=-*", "ab", "aeh", " \n"])
def test_random_runs(backend: ModuleType, words: Vocabulary, letters: str) -> None:
    """The texts exercise most ways to join symbols that were merged separately."""
    rng = random.Random(5)
    tokenizer = words.tokenizer(backend)
    for longest in 20 * [5, 60, 200, 700]:
        text = "".join(rng.choice(letters) * rng.randrange(1, longest) for _ in range(12))
        text *= 4000 // len(text) + 1
        assert_same(tokenizer.encode(text), expected_of(words.oracle.name, "long", text))


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.parametrize("length", [20, 676])
def test_merges_decided_far_to_the_right(backend: ModuleType, length: int) -> None:
    """Any two neighbouring symbols merge, the rightmost pair first.

    What the first symbol becomes thus depends on the last, up to 1352 bytes away.
    """
    symbols = [bytes([a, b]) for a in range(65, 91) for b in range(97, 123)][:length]
    pairs = [left + right for left, right in itertools.pairwise(symbols)]
    tokens = [*(bytes([i]) for i in range(256)), *symbols, *reversed(pairs)]
    ranks = {token: rank for rank, token in enumerate(tokens)}
    oracle = tiktoken.Encoding(
        "chain", pat_str=pattern("gpt2"), mergeable_ranks=ranks, special_tokens={}
    )
    tokenizer = backend.Tokenizer(Model.from_ranks(ranks, pattern="gpt2"))
    chain = b"".join(symbols).decode()
    for text in (chain * 7, chain[:-2] * 7, "x" + chain[:-4] * 50):
        assert tokenizer.encode(text).tolist() == oracle.encode_ordinary(text)


@pytest.mark.part("Tokenizer", kernels=True, native=True)
@pytest.mark.parametrize("text", ["a", " ", "\n", "^", "1", " x", "ab", "é", "\u0301", "漢", "'s"])
def test_long_runs(backend: ModuleType, words: Vocabulary, text: str) -> None:
    """A run of a hundred thousand characters takes no recursion and no quadratic time."""
    text = text * 100_000 + "x"
    ids = words.tokenizer(backend).encode(text, disallowed_special=())
    assert_same(ids, expected_of(words.oracle.name, "run", text))
