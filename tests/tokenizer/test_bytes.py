"""Text as bytes gives the ids of the str that it encodes, or the place of the error."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.bindings.errors import Code, TokenizerError
from support.backends import PARTS, binding
from support.vocabularies import EOT, FILES, Ids, facts, random_texts, vocabulary

pytestmark = pytest.mark.part("Tokenizer")
TOKENIZERS = PARTS["Tokenizer"]


class Derived(bytes):
    """A subclass of bytes."""


@pytest.mark.parametrize("name", FILES)
def test_the_ids_of_the_str(backend: ModuleType, name: str) -> None:
    tokenizer = vocabulary(name).tokenizer(backend)
    texts = ["", "a", EOT, *random_texts(200)]
    as_bytes: list[Any] = [text.encode() for text in texts]
    for text, data in zip(texts, as_bytes, strict=True):
        options = {"allowed_special": "all"}
        assert tokenizer.encode(data, **options).tolist() == (
            tokenizer.encode(text, **options).tolist()
        )
        assert tokenizer.encode(Derived(data), **options).tolist() == (
            tokenizer.encode(text, **options).tolist()
        )
        assert tokenizer.count(data) == tokenizer.count(text)
        assert tokenizer.split(data).tolist() == tokenizer.split(text).tolist()
    mixed = [one[i % 2] for i, one in enumerate(zip(texts, as_bytes, strict=True))]
    expected = tokenizer.encode_batch(texts, 2, disallowed_special=())
    for given_texts in (as_bytes, tuple(mixed)):
        found = tokenizer.encode_batch(given_texts, 2, disallowed_special=())
        assert [one.tolist() for one in found] == [one.tolist() for one in expected]


def test_special_tokens_are_refused_in_bytes_too(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(TokenizerError) as caught:
        tokenizer.encode(f"é {EOT}".encode())
    assert facts(caught.value)[:4] == (Code.SPECIAL, 3, 0, EOT)


def outcomes(backend: ModuleType, data: bytes) -> list[Any]:
    """Return each call's result for bytes: ids, or the fields of the error."""
    tokenizer = vocabulary("cl100k").tokenizer(backend)
    out: Ids = np.zeros(len(data), np.uint32)
    calls = [
        lambda: tokenizer.encode(data).tolist(),
        lambda: out[: tokenizer.encode_into(data, out)].tolist(),
        lambda: tokenizer.count(data),
        lambda: tokenizer.split(data).tolist(),
        lambda: tokenizer.encode_batch(["x", data, data])[0].tolist(),
    ]
    found: list[Any] = []
    for call in calls:
        try:
            found.append(call())
        except TokenizerError as error:
            found.append(facts(error))
    return found


def first_bad(data: bytes) -> list[int]:
    """Return the offset where bytes stop being UTF-8 according to Python, or None."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return [error.start]
    return []


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40), st.text(max_size=20))
def test_any_bytes(noise: bytes, text: str) -> None:
    """Every binding gives the same result, and names the byte that Python names."""
    data = text.encode("utf-8", "surrogatepass") + noise
    found = [outcomes(binding(name), data) for name in TOKENIZERS]
    assert all(one == found[0] for one in found)
    for bad in first_bad(data):
        assert [fact[:3] for fact in found[0]] == [*[(Code.UTF8, bad, 0)] * 4, (Code.UTF8, bad, 1)]


@pytest.mark.parametrize(
    ("texts", "code", "index", "offset"),
    [
        (["fine", b"x\xff"], Code.UTF8, 1, 1),
        ([b"\xe6\xbc", b"\xa2"], Code.UTF8, 0, 0),
        ([b"ok", b"\xff", EOT], Code.UTF8, 1, 0),
        ([EOT, b"\xff"], Code.SPECIAL, 0, 0),
        (["a" + EOT + "b", b"\xff", b"\xff"], Code.SPECIAL, 0, 1),
        ([b"\xff" + EOT.encode()], Code.UTF8, 0, 0),
    ],
    ids=repr,
)
@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_bad_text_is_named(
    backend: ModuleType, texts: list[Any], code: Code, index: int, offset: int, threads: int
) -> None:
    """A text is not continued by the next one, even if that would complete its last character."""
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(TokenizerError) as caught:
        tokenizer.encode_batch(texts, threads)
    assert facts(caught.value)[:3] == (code, offset, index)
