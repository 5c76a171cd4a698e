"""The right one of many special tokens is found, at no more cost than with a few."""

from __future__ import annotations

import random
import time
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from ffi_cookbook.bindings._glue.bpe.specials import LONGEST
from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.tokenizer import Model

pytestmark = pytest.mark.part("Tokenizer", kernels=True)

BYTES = {bytes([byte]): byte for byte in range(256)}
LETTERS = "ab<é"


@cache
def model_of(*names: str) -> Model:
    specials = {name: 300 + number for number, name in enumerate(names)}
    return Model.from_ranks(BYTES, pattern="gpt2", special_tokens=specials)


def expected(names: list[str], text: str, allowed: set[str], refused: set[str]) -> Any:
    """Return the ids, or the refused name and its place, by trying each name at each place."""
    places = [
        (at, name) for at in range(len(text)) for name in refused if text[at:].startswith(name)
    ]
    if places:
        at, name = min(places, key=lambda place: (place[0], -len(place[1])))
        return name, len(text[:at].encode())
    ids: list[int] = []
    while text:
        if fitting := [name for name in allowed if text.startswith(name)]:
            name = max(fitting, key=len)
            ids.append(300 + names.index(name))
            text = text[len(name) :]
        else:
            ids += text[0].encode()
            text = text[1:]
    return ids


def outcome(tokenizer: Any, text: str, allowed: set[str], refused: set[str]) -> Any:
    try:
        return tokenizer.encode(text, allowed_special=allowed, disallowed_special=refused).tolist()
    except TokenizerError as error:
        return error.token, error.byte_offset


def test_the_longest_token_whose_policy_fits(backend: ModuleType) -> None:
    rng = random.Random(2)
    for round_ in range(60):
        draw = ["".join(rng.choices(LETTERS, k=rng.randrange(1, 7))) for _ in range(round_)]
        names = list(dict.fromkeys([*draw, *("a" * i for i in range(1, round_ % 9))]))
        rng.shuffle(names)
        tokenizer = backend.Tokenizer(model_of(*names))
        for _ in range(10):
            text = "".join(rng.choices([*LETTERS, *names], k=rng.randrange(40)))
            allowed = {name for name in names if rng.random() < 0.5}
            refused = {name for name in names if rng.random() < 0.02} - allowed
            found = outcome(tokenizer, text, allowed, refused)
            assert found == expected(names, text, allowed, refused)


def test_special_tokens_that_differ_late(backend: ModuleType) -> None:
    """The names share more bytes than a register holds, up to the longest name allowed."""
    for size in (7, 8, 9, 31, 32, 33, 64, LONGEST - 1):
        names = [("x" * size)[:-1], "x" * size + "a", "x" * size + "c", "x" * (size // 2)]
        tokenizer = backend.Tokenizer(model_of(*names))
        for tail in ("a", "b", "c", "d", ""):
            text = "x" * size + tail
            assert outcome(tokenizer, text, set(names), set()) == expected(
                names, text, set(names), set()
            )


def test_the_longest_special_token() -> None:
    assert model_of("é" * (LONGEST // 2)).special_names == ("é" * (LONGEST // 2),)
    with pytest.raises(ValueError, match="more than 1024 bytes"):
        model_of("é" * (LONGEST // 2) + "x")


@pytest.mark.part("Tokenizer", kernels=True, native=True)
def test_the_number_of_special_tokens_costs_nothing(backend: ModuleType) -> None:
    """A text full of the tokens' first bytes takes three times the steps with 500 times the tokens.

    Trying one after the other would take hundreds of times as long.
    """
    text = "<|reserved_special_token_1" * 2000

    def seconds(n: int) -> float:
        names = (f"<|reserved_special_token_{i:05}|>" for i in range(n))
        tokenizer, taken = backend.Tokenizer(model_of(*names)), []
        for _ in range(5):
            begun = time.thread_time()
            tokenizer.encode(text)
            taken.append(time.thread_time() - begun)
        return min(taken)

    assert seconds(4096) < 10 * seconds(8) + 1e-3
