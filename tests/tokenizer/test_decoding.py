"""Batches of ids, and ids that arrive one by one."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.tokenizer import Decoder, decode_batch
from support.backends import binding
from support.vocabularies import FEW_ENCODINGS, random_texts, vocabulary

pytestmark = pytest.mark.part("Tokenizer", kernels=True)
ids_of_bytes = st.lists(st.integers(0, 400), max_size=30)  # mostly parts of characters


def test_rows_come_back(backend: ModuleType) -> None:
    tokenizer = vocabulary("o200k").tokenizer(backend)
    texts = ["", "a", *random_texts(300), "", "漢" * 50, ""]
    ids, offsets = tokenizer.encode_batch(texts)
    assert decode_batch(tokenizer, ids, offsets) == [text.encode() for text in texts]
    assert decode_batch(tokenizer, ids, offsets[3:9]) == [text.encode() for text in texts[3:8]]
    rows = np.split(ids, offsets[1:-1])
    assert decode_batch(tokenizer, rows) == [text.encode() for text in texts]
    assert decode_batch(tokenizer, [row.tolist() for row in rows[:9]]) == [
        text.encode() for text in texts[:9]
    ]
    assert decode_batch(tokenizer, []) == []
    assert decode_batch(tokenizer, np.empty(0, np.uint32), np.zeros(1, np.int64)) == []
    assert decode_batch(tokenizer, [np.array([])]) == [b""]


@settings(max_examples=200, deadline=None)
@given(rows=st.lists(ids_of_bytes))
def test_rows_that_are_not_text(rows: list[list[int]]) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    expected = [tokenizer.decode(np.array(row, np.uint32)) for row in rows]
    assert decode_batch(tokenizer, rows) == expected


@pytest.mark.parametrize(
    ("error", "ids", "offsets"),
    [
        (ValueError, [1, 2, 3], [0, 4]),
        (ValueError, [1, 2, 3], [-1, 3]),
        (ValueError, [1, 2, 3], [2, 1, 3]),
        (ValueError, [1, 2, 3], np.empty(0, np.int64)),
        (ValueError, [1, 2, 3], []),
        (ValueError, [1, 2, 3], [[0, 3]]),
        (TypeError, [1, 2, 3], [0.0, 3.0]),
        (TypeError, [1.5, 2.0], None),
        (TypeError, [[1.5]], None),
        (TypeError, [""], None),
        (TypeError, [["a"]], None),
        (TypeError, [1, 2], None),
        (OverflowError, [[-1]], None),
        (OverflowError, [np.array([5, -1])], None),
        (OverflowError, [np.array([1 << 32])], None),
        (ValueError, [np.zeros((2, 2), np.int64)], None),
    ],
    ids=repr,
)
def test_refused(error: type[Exception], ids: Any, offsets: Any) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    with pytest.raises(error):
        decode_batch(tokenizer, ids, offsets)


def test_rows_may_begin_anywhere() -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    assert decode_batch(tokenizer, [1, 2, 3], np.array([1, 2])) == [tokenizer.model.tokens[2]]
    with pytest.raises(ValueError, match=r"must not decrease, nor leave 0\.\.3"):
        decode_batch(tokenizer, [1, 2, 3], np.array([2, 1]))


def test_an_unknown_id_is_named() -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    with pytest.raises(TokenizerError) as caught:
        decode_batch(tokenizer, [[1, 2], [3, 2**31]])
    assert (caught.value.index, caught.value.actual) == (3, 2**31)


# ---- one by one ----------------------------------------------------------------------------


def whole(text: str) -> bool:
    """Return True if no character was returned before it was complete."""
    return "\ufffd" not in text


@pytest.mark.parametrize("name", FEW_ENCODINGS)
@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"])), st.lists(st.integers(0, 3)))
def test_a_text_in_parts(name: str, text: str, sizes: list[int]) -> None:
    text = text.replace("\ufffd", "")
    tokenizer = vocabulary(name).tokenizer(binding("capi"))
    ids, decoder, parts = tokenizer.encode(text, disallowed_special=()), Decoder(tokenizer), []
    for n in [*sizes, *[1] * len(ids)]:
        parts.append(decoder.push(ids[:n]))
        ids = ids[n:]
        assert whole(parts[-1])
        assert text.startswith("".join(parts))
    assert "".join(parts) == text  # a whole text is returned without delay
    assert decoder.finish() == ""


@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace"])
@settings(max_examples=200, deadline=None)
@given(ids=ids_of_bytes, later=ids_of_bytes)
def test_anything_in_parts(errors: str, ids: list[int], later: list[int]) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    decoder = Decoder(tokenizer, errors)
    for some in (ids, later):  # a decoder that has finished starts again
        found = "".join(decoder.push(token) for token in some) + decoder.finish()
        assert found == tokenizer.decode(np.array(some, np.uint32)).decode("utf-8", errors)


def test_a_character_waits_for_its_last_byte(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    byte_ids = [int(tokenizer.model.sections["byte_ids"][byte]) for byte in "é😀".encode()]
    decoder = Decoder(tokenizer)
    assert [decoder.push(token) for token in byte_ids] == ["", "é", "", "", "", "😀"]
    assert decoder.push(byte_ids[:4]) == "é"
    assert decoder.finish() == "\ufffd"
    assert decoder.push(byte_ids[-4:]) == "😀"
    assert decoder.push(np.array(byte_ids[:2])) == "é"
    assert [decoder.push(token) for token in np.array(byte_ids[:2], np.uint32)] == ["", "é"]


def test_strict_and_wrong() -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    bad = int(tokenizer.model.sections["byte_ids"][0xFF])
    with pytest.raises(UnicodeDecodeError):
        Decoder(tokenizer, "strict").push(bad)
    strict = Decoder(tokenizer, "strict")
    assert strict.push(int(tokenizer.model.sections["byte_ids"][0xC3])) == ""
    with pytest.raises(UnicodeDecodeError):
        strict.finish()
    assert strict.push(int(tokenizer.model.sections["byte_ids"][ord("x")])) == "x"
    with pytest.raises(LookupError):
        Decoder(tokenizer, "nonsense")
    decoder = Decoder(tokenizer)
    first, second = (int(tokenizer.model.sections["byte_ids"][byte]) for byte in "é".encode())
    assert decoder.push(first) == ""
    with pytest.raises(TokenizerError):
        decoder.push(2**31)
    with pytest.raises(TypeError, match="ids must be integers, not "):
        decoder.push("a")  # type: ignore[arg-type]
    assert decoder.push(second) == "é"
