"""Pretokens of any length merge as in tiktoken, in less than quadratic time."""

from __future__ import annotations

import itertools
import random
from types import ModuleType

import pytest
import tiktoken

from ffi_cookbook.tokenizer import Model
from support.vocabularies import Vocabulary, assert_same, expected_of, pattern

pytestmark = pytest.mark.part("Tokenizer", kernels=True, native=True)


def test_very_long_pretokens(backend: ModuleType, words: Vocabulary) -> None:
    """The pretokens are longer than what is merged at once, and hold tokens of every size."""
    rng = random.Random(3)
    letters = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=9000))
    texts = [letters, "a" * 7001, "ab" * 3000, " " * 5003 + "x", "\n" * 4001, "=-" * 2500]
    tokenizer = words.tokenizer(backend)
    for text in [*texts, "".join(rng.choices("aab", k=6000)), "\u0301" * 3000, "漢字仮名" * 900]:
        assert_same(tokenizer.encode(text), expected_of(words.oracle.name, "long", text))


@pytest.mark.parametrize("run", ["=", "-", " ", "ab", "漢"])
@pytest.mark.parametrize("length", [40, 129, 500, 1000])
def test_runs_in_a_pretoken(backend: ModuleType, words: Vocabulary, run: str, length: int) -> None:
    """The merging of a run depends on its start, which may lie long before the merged bytes.

    Some of the runs begin a pretoken, others end one.
    """
    end = {" ": "\n", "ab": "c", "漢": "é"}.get(run, "/")
    rng = random.Random(length)
    lengths = [*[length] * 9, *rng.choices(range(1, 2 * length), k=20), length]
    text = end.join(run * (n // len(run)) for n in lengths)
    tokenizer = words.tokenizer(backend)
    for some in (text, text + end, text[1:], end + text):
        assert_same(tokenizer.encode(some), expected_of(words.oracle.name, "long", some))


@pytest.mark.parametrize("letters", ["=-", "=-*", "ab", "aeh", " \n"])
def test_random_runs(backend: ModuleType, words: Vocabulary, letters: str) -> None:
    """The texts exercise most ways to join symbols that were merged separately."""
    rng = random.Random(5)
    tokenizer = words.tokenizer(backend)
    for longest in 20 * [5, 60, 200, 700]:
        text = "".join(rng.choice(letters) * rng.randrange(1, longest) for _ in range(12))
        text *= 4000 // len(text) + 1
        assert_same(tokenizer.encode(text), expected_of(words.oracle.name, "long", text))


def test_long_words(backend: ModuleType, words: Vocabulary) -> None:
    """New words with sizes on both sides of every limit come in a row; then all come again."""
    rng = random.Random(4)
    sizes = [*range(14, 18), *range(30, 35), 64, 65, 99, *range(510, 515), 992, 993, 2048, 2050]
    some = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=k)) for k in 3 * sizes]
    rng.shuffle(some)
    tokenizer = words.tokenizer(backend)
    for text in (" ".join(some), "".join(f" {word} the" for word in some), " ".join(some[::-1])):
        assert_same(tokenizer.encode(text), expected_of(words.oracle.name, "long", text))


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


@pytest.mark.parametrize("text", ["a", " ", "\n", "^", "1", " x", "ab", "é", "\u0301", "漢", "'s"])
def test_long_runs(backend: ModuleType, words: Vocabulary, text: str) -> None:
    """A run of a hundred thousand characters takes no recursion and no quadratic time."""
    text = text * 100_000 + "x"
    ids = words.tokenizer(backend).encode(text, disallowed_special=())
    assert_same(ids, expected_of(words.oracle.name, "run", text))
