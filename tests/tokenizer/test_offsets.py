"""Offsets of ids in their text: in bytes, and in characters as tiktoken and Hugging Face count."""

from __future__ import annotations

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.tokenizer import Model, byte_offsets, character_offsets, replace_surrogates
from support.backends import binding
from support.rank_files import Formats
from support.vocabularies import ENCODINGS, EOT, random_texts, vocabulary

pytestmark = pytest.mark.part("Tokenizer")


@pytest.mark.parametrize("name", ENCODINGS)
@settings(max_examples=200, deadline=None)
@given(text=st.text(st.characters(exclude_categories=[])) | st.sampled_from(random_texts(500)))
def test_what_they_say(name: str, text: str) -> None:
    words = vocabulary(name)
    tokenizer = words.tokenizer(binding("capi"))
    text, plain = replace_surrogates(text), {"disallowed_special": ()}
    ids, data = tokenizer.encode(text, **plain), text.encode()
    places = byte_offsets(tokenizer, ids)
    assert places.dtype == np.int64
    assert (places[0], places[-1], len(places)) == (0, len(data), len(ids) + 1)
    characters = character_offsets(tokenizer, ids)
    assert (characters.dtype, characters.shape) == (np.int64, (len(ids), 2))
    for i, token in enumerate(ids.tolist()):
        spelled = words.model.tokens[token]
        assert data[places[i] : places[i + 1]] == spelled
        start, end = characters[i].tolist()
        whole = text[start:end].encode()
        assert spelled in whole
        inner = text[start + 1 : end - 1].encode()  # no extra character at either end
        assert end - start == 1 or (inner in spelled and len(inner) < len(spelled))
    assert characters[:, 0].tolist() == words.oracle.decode_with_offsets(ids.tolist())[1]


def test_as_hugging_face_counts(every_format: Formats) -> None:
    path = every_format.tokenizer_json()
    judge = tokenizers.Tokenizer.from_file(str(path))
    tokenizer = binding("capi").Tokenizer(Model.load(path))
    for text in ["", "a", f"漢 é{EOT} 😀😀 👍🏽", *random_texts(2000)]:
        expected = judge.encode(text)
        ids = tokenizer.encode(text, allowed_special="all")
        assert ids.tolist() == expected.ids
        found = character_offsets(tokenizer, ids)
        assert [tuple(row) for row in found.tolist()] == expected.offsets


def test_an_empty_token() -> None:
    """Whisper's vocabulary has an empty token, which touches no character."""
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"": 256}
    tokenizer = binding("capi").Tokenizer(Model.from_ranks(ranks, pattern="gpt2"))
    ids = np.array([256, *"é".encode(), 256, ord("x"), 256], np.uint32)
    assert character_offsets(tokenizer, ids).tolist() == [
        [0, 0],
        [0, 1],
        [0, 1],
        [1, 1],
        [1, 2],
        [2, 2],
    ]
