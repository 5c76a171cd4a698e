"""The trainer: equal to one that recounts everything, the same every time, and its files load."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from bindings.tokenizer import Model, sample_texts, save_tiktoken, train
from bindings.tokenizer.patterns import named
from bindings.tokenizer.regex import compiled


def naive_train(texts: list[str], vocab_size: int, pattern: str) -> dict[bytes, int]:
    """Pieces as lists of tokens; every pair counted again for every merge."""
    split = compiled(named(pattern))
    pieces = [[bytes([b]) for b in m[0].encode()] for text in texts for m in split.finditer(text)]
    ranks = {bytes([byte]): byte for byte in range(256)}
    while len(ranks) < vocab_size:
        counts = Counter(pair for piece in pieces for pair in pairwise(piece))
        if not counts:
            break
        left, right = min(counts, key=lambda p: (-counts[p], ranks[p[0]], ranks[p[1]]))
        ranks.setdefault(left + right, len(ranks))
        for piece in pieces:
            i = 0
            while i + 1 < len(piece):
                if piece[i] == left and piece[i + 1] == right:
                    piece[i : i + 2] = [left + right]
                i += 1
    return ranks


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k", "qwen2"])
def test_equals_a_trainer_that_recounts_everything(pattern: str) -> None:
    texts = list(sample_texts(6000))
    expected = naive_train(texts, 400, pattern)
    assert len(expected) == 400
    assert list(train(texts, 400, pattern).items()) == list(expected.items())


@pytest.mark.parametrize("seed", range(20))
def test_equals_it_on_few_letters(seed: int) -> None:
    letters = random.Random(seed)
    texts = ["".join(letters.choices("ab é", (5, 3, 1, 1), k=120)) for _ in range(3)]
    assert train(texts, 330, "gpt2") == naive_train(texts, 330, "gpt2")


def test_stops_when_every_piece_is_one_token() -> None:
    assert list(train(["abab abab"], 5000, "gpt2"))[256:] == [b"ab", b"abab", b" abab"]


def test_needs_room_for_the_bytes() -> None:
    with pytest.raises(ValueError, match="255"):
        train([], 255, "gpt2")
    assert len(train([], 256, "gpt2")) == 256
    with pytest.raises(ValueError, match="gpt9"):
        train([], 300, "gpt9")


def test_takes_lone_surrogates() -> None:
    assert "\ufffd\ufffd".encode() in train(["\udc00\udc00"] * 2, 300, "gpt2")


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
