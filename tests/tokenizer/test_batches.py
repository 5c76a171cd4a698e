"""Batches of a data set equal Hugging Face's fast tokenizers', for every option."""

from __future__ import annotations

import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.bindings.errors import Code, TokenizerError
from ffi_cookbook.tokenizer import BatchEncoder, Model
from support.backends import PARTS, binding
from support.rank_files import Formats
from support.vocabularies import EOT, FILES, Ids, facts, random_texts, vocabulary

pytestmark = pytest.mark.part("Tokenizer")
batches = st.lists(st.text() | st.sampled_from([EOT, "", *random_texts(500)]), max_size=5)


@pytest.fixture(scope="module")
def tokenizer_json(sample: dict[bytes, int], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Formats(sample, tmp_path_factory.mktemp("batches")).tokenizer_json()


@pytest.mark.parametrize("side", ["right", "left"])
@settings(max_examples=200, deadline=None)
@given(
    texts=batches,
    padding=st.sampled_from([False, True, "longest", "max_length", "do_not_pad"]),
    truncation=st.booleans(),
    max_length=st.integers(0, 12),
)
def test_as_hugging_face(
    tokenizer_json: Path,
    side: Any,
    texts: list[str],
    padding: Any,
    truncation: bool,
    max_length: int,
) -> None:
    judge = tokenizers.Tokenizer.from_file(str(tokenizer_json))
    if truncation:
        judge.enable_truncation(max_length)
    if padding not in (False, "do_not_pad"):
        length = max_length if padding == "max_length" else None
        judge.enable_padding(direction=side, pad_id=7, pad_token="(", length=length)
    expected = judge.encode_batch(texts)
    tokenizer = binding("capi").Tokenizer(Model.load(tokenizer_json))
    encode = BatchEncoder(tokenizer, pad_token_id=7, padding_side=side, threads=2)
    options = {"padding": padding, "truncation": truncation, "max_length": max_length}
    found = encode(texts, return_offsets_mapping=True, **options)
    assert found == {
        "input_ids": [row.ids for row in expected],
        "attention_mask": [row.attention_mask for row in expected],
        "offset_mapping": [row.offsets for row in expected],
    }
    if len({len(row) for row in found["input_ids"]}) > 1:
        with pytest.raises(ValueError, match="padding"):
            encode(texts, return_tensors="np", **options)
        return
    arrays = encode(texts, return_tensors="np", return_offsets_mapping=True, **options)
    assert {name: array.tolist() for name, array in arrays.items()} == {
        name: np.array(rows).tolist() if texts else [] for name, rows in found.items()
    }
    assert {array.dtype for array in arrays.values()} == {np.dtype(np.int64)}


def test_one_text(backend: ModuleType) -> None:
    encode = BatchEncoder(vocabulary("gpt2").tokenizer(backend), pad_token_id=-100)
    (ids,), (mask,) = encode(["hello, world"]).values()
    assert encode("hello, world") == {"input_ids": ids, "attention_mask": mask}
    assert list(encode("x", return_attention_mask=False)) == ["input_ids"]
    padded: dict[str, Any] = {"padding": "max_length", "max_length": 2000}
    array = encode("hello", return_tensors="np", **padded)["input_ids"]
    assert array.tolist() == [encode("hello", **padded)["input_ids"]]
    again = pickle.loads(pickle.dumps(encode))
    assert again(["hello, world"], **padded) == encode(["hello, world"], **padded)


@pytest.mark.parametrize(
    ("error", "text", "options"),
    [
        (TypeError, None, {}),
        (TypeError, 5, {}),
        (TypeError, ["a", 5], {}),
        (TypeError, {"text": "a"}, {}),
        (ValueError, ["a"], {"truncation": True}),
        (ValueError, ["a"], {"truncation": True, "max_length": -1}),
        (ValueError, ["a"], {"padding": "max_length"}),
        (ValueError, ["a"], {"padding": "shortest"}),
        (ValueError, ["a"], {"truncation": "only_second", "max_length": 1}),
        (ValueError, ["a"], {"truncation": "longest", "max_length": 1}),
        (ValueError, ["a"], {"truncation": "only_first"}),
        (ValueError, ["a"], {"return_tensors": "tf"}),
        (TypeError, ["a"], {"stride": 1}),
    ],
    ids=repr,
)
def test_refused(error: type[Exception], text: Any, options: dict[str, Any]) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    with pytest.raises(error):
        BatchEncoder(tokenizer, pad_token_id=0)(text, **options)


def test_truncation_by_name_and_padding_without_an_id() -> None:
    tokenizer = vocabulary("gpt2").tokenizer(binding("capi"))
    encode = BatchEncoder(tokenizer)
    for name, length in (("longest_first", 2), ("only_first", 2), ("do_not_truncate", 3)):
        assert len(encode("a b c", truncation=name, max_length=2)["input_ids"]) == length
    whole = encode(["a b", "c"], truncation=True, max_length=10**30)  # for transformers, no limit
    assert list(map(len, whole["input_ids"])) == [2, 1]
    with pytest.raises(ValueError, match="pad_token_id"):
        encode(["a"], padding=True)
    with pytest.raises(ValueError, match="middle"):
        BatchEncoder(tokenizer, padding_side="middle")  # type: ignore[arg-type]


# ---- Text as bytes gives the ids of the str that it encodes, or the place of the error.


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


BAD_UTF8 = [b"ok \xff", b"\x80", b"a\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\x80", b"\xed\xa0\x80"]
BAD_UTF8 += [b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"abc\xe2\x82"]
BAD_UTF8 += [b"\xe2\x28\xa1", "é".encode() * 50 + b"\xf0\x9f\x98"]


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40) | st.sampled_from(BAD_UTF8), st.text(max_size=20))
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
