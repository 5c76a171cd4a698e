"""Both trainers agree with one that recounts everything, and their files load."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ffi_cookbook.bindings._glue.bpe.patterns import named
from ffi_cookbook.bindings._glue.bpe.regex import compiled
from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.tokenizer import Model, sample_texts, save_tiktoken, train
from ffi_cookbook.tokenizer.pairs import count_pretokens
from ffi_cookbook.tokenizer.train import _parts, _pretokens, _splitter
from support.hard_texts import WORDS

LIBRARY = "ffi_cookbook.bindings.cython.training"


def naive_train(texts: list[str], vocab_size: int, pattern: str) -> dict[bytes, int]:
    """Train on pretokens as lists of tokens, and count every pair again for every merge."""
    find = compiled(named(pattern)).finditer
    pretokens = [[bytes([b]) for b in m[0].encode()] for text in texts for m in find(text)]
    ranks = {bytes([byte]): byte for byte in range(256)}
    while len(ranks) < vocab_size:
        counts = Counter(pair for pretoken in pretokens for pair in pairwise(pretoken))
        if not counts:
            break
        left, right = min(counts, key=lambda p: (-counts[p], ranks[p[0]], ranks[p[1]]))
        assert left + right not in ranks
        ranks[left + right] = len(ranks)
        for pretoken in pretokens:
            i = 0
            while i + 1 < len(pretoken):
                if pretoken[i] == left and pretoken[i + 1] == right:
                    pretoken[i : i + 2] = [left + right]
                i += 1
    return ranks


def trained(texts: list[str], vocab_size: int, pattern: str) -> list[tuple[bytes, int]]:
    """Train with the C library and without it."""
    ranks = list(train(texts, vocab_size, pattern).items())
    with mock.patch.dict(sys.modules, {LIBRARY: None}):
        assert list(train(texts, vocab_size, pattern).items()) == ranks
    return ranks


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k", "qwen2"])
def test_equals_a_trainer_that_recounts_everything(pattern: str) -> None:
    texts = list(sample_texts(6000))
    expected = naive_train(texts, 400, pattern)
    assert len(expected) == 400
    assert trained(texts, 400, pattern) == list(expected.items())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text("aab \n", max_size=30) | st.text(max_size=8), max_size=6))
def test_equals_the_naive_trainer_on_anything(texts: list[str]) -> None:
    """Texts have runs of one letter, where pairs overlap, and tokens that several pairs spell."""
    assert trained(texts, 300, "cl100k") == list(naive_train(texts, 300, "cl100k").items())


def test_stops_when_every_pretoken_is_one_token() -> None:
    new = [token for token, _ in trained(["abab abab", "", "a"], 10**20, "gpt2")[256:]]
    assert new == [b"ab", b"abab", b" abab"]
    assert len(trained([], 300, "gpt2")) == 256


def test_long_pretokens() -> None:
    """They have more pairs than the tables of the C library have room for at first."""
    letters = np.random.default_rng(0).integers(ord("a"), ord("z") + 1, 60_000, np.uint8)
    texts = [letters.tobytes().decode(), "a" * 100_001]
    assert len(trained(texts, 5000, "cl100k")) == 5000
    runs = [token for token, _ in trained(texts[1:], 300, "cl100k")[256:]]
    assert runs[:16] == [b"a" * (2 << i) for i in range(16)]


@pytest.mark.parametrize("ends", [[2, 2, 3], [0, 3], [2, 1], [4], [-1], [1 << 40]])
def test_the_library_refuses_ends_outside_the_text(ends: list[int]) -> None:
    with pytest.raises(ValueError, match="pretokens must end one after the other"):
        pytest.importorskip(LIBRARY).merges([(b"aab", np.array(ends))], 9, print)


def test_an_exception_ends_the_training() -> None:
    with pytest.raises(ZeroDivisionError):
        train(["some text"], 300, "gpt2", progress=lambda what, done: 1 // (what == "counting"))


def test_needs_room_for_the_bytes() -> None:
    with pytest.raises(ValueError, match="255"):
        train([], 255, "gpt2")
    assert len(train([], 256, "gpt2")) == 256
    with pytest.raises(ValueError, match="gpt9"):
        train([], 300, "gpt9")


@pytest.mark.parametrize("size", [300.5, np.array(300.5), 1e3, float("inf"), "300", None])
def test_numbers_are_integers(size: Any) -> None:
    with pytest.raises(TypeError, match="vocab_size must be an integer"):
        train([], size, "gpt2")
    assert len(train(["abab"], np.int64(257), "gpt2")) == 257  # type: ignore[arg-type]


def test_one_text_is_not_a_list_of_texts() -> None:
    for text in ("some text", b"some text"):
        with pytest.raises(TypeError, match="iterable of texts, not one"):
            train(text, 300, "gpt2")  # type: ignore[arg-type]


def test_a_backend_without_a_tokenizer() -> None:
    with pytest.raises(ValueError, match="'numpy' has no tokenizer"):
        train(["text"], 300, "gpt2", backend="numpy")


def test_takes_bytes_and_lone_surrogates() -> None:
    texts = list(sample_texts(20_000))
    assert train([text.encode() for text in texts], 400, "gpt2") == train(texts, 400, "gpt2")
    with pytest.raises(TokenizerError) as caught:
        train(["fine", b"x\xff"], 300, "gpt2")
    assert (caught.value.index, caught.value.byte_offset) == (1, 1)
    with pytest.raises(TypeError, match="int"):
        train([5], 300, "gpt2")  # type: ignore[list-item]
    assert "\ufffd\ufffd".encode() in train(["\udc00\udc00"] * 2, 300, "gpt2")


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k", "qwen2"])
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(words=st.lists(st.sampled_from([*WORDS, "x y", "x", " y", "'s", "é ", "x  y", "x\u2028 y"])))
def test_a_text_is_cut_where_a_pretoken_ends(pattern: str, words: list[str]) -> None:
    text = "".join(words).encode()
    read: list[int] = []
    split = _pretokens([text], _splitter(pattern, "capi"), lambda what, done: read.append(done))
    with (
        mock.patch("ffi_cookbook.tokenizer.train.PART", 1),
        mock.patch("ffi_cookbook.tokenizer.pairs.BLOCK", 2),
    ):
        parts = list(_parts([text]))
        found = count_pretokens(split)
    assert read[-1] == len(text)
    assert b"".join(parts) == text
    pretokens = compiled(named(pattern)).finditer(text.decode())
    assert found == Counter(pretoken[0].encode() for pretoken in pretokens)
    assert len(parts) > 1 or b"x y" not in text[1:]


@pytest.mark.part("Tokenizer", kernels=True, native=True)
def test_every_backend_splits(backend: ModuleType) -> None:
    texts, name = list(sample_texts(20_000)), backend.__name__.split(".")[-1]
    assert train(texts, 350, "o200k", backend=name) == train(texts, 350, "o200k", backend="python")


def test_progress() -> None:
    texts, calls = list(sample_texts(200_000)), []
    with mock.patch("ffi_cookbook.tokenizer.train.PART", 20_000):
        train(texts, 300, "gpt2", progress=lambda *it: calls.append(it))
    read = [done for what, done in calls if what == "counting"]
    assert len(read) > 2
    assert read == sorted(read)
    assert read[-1] == sum(len(text.encode()) for text in texts)
    assert [it for it in calls if it[0] == "merging"] == [("merging", n) for n in range(257, 301)]


def test_a_saved_file_loads_as_the_same_model(tmp_path: Path) -> None:
    ranks = train(sample_texts(50_000), 600, "o200k")
    save_tiktoken(ranks, tmp_path / "sample.tiktoken")
    loaded = Model.load(tmp_path / "sample.tiktoken", pattern="o200k")
    made = Model.from_ranks(ranks, pattern="o200k")
    assert loaded.ranks == ranks
    assert loaded.blob.tobytes() == made.blob.tobytes()
    assert loaded.sha256 == made.sha256


def test_the_sample_is_there_and_keeps_its_limit() -> None:
    texts = list(sample_texts(1_000_000))
    assert texts == list(sample_texts(1_000_000))
    assert 900_000 < sum(len(text.encode()) for text in texts) <= 1_000_000
