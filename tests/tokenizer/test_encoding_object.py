"""tiktoken's API: every method returns and raises the same as tiktoken's own."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.tokenizer import Encoding, Model
from support.backends import binding
from support.vocabularies import EOT, FEW_ENCODINGS, vocabulary

pytestmark = pytest.mark.part("Tokenizer")
FIM = "<|fim|>"  # no text here holds <|fim|>x: tiktoken may choose either of them

characters = st.characters(exclude_categories=[])  # surrogates too
texts = st.lists(
    st.sampled_from([EOT, FIM, "'s", "  ", "\n", "hello", "漢"]) | st.text(characters, max_size=5)
).map("".join)
texts = texts.filter(lambda text: FIM + "x" not in text)
names = st.sets(st.sampled_from([EOT, FIM, "hello", "nobody", "'s"]), max_size=3)
allowed = st.just("all") | names
refused = st.just("all") | names.map(sorted) | names
tokens = st.lists(
    st.integers(0, 2100) | st.integers(-2, 2**33) | st.sampled_from([50256, 50956, 50300])
)
policies = st.fixed_dictionaries({}, optional={"allowed_special": allowed}) | (
    st.fixed_dictionaries({"allowed_special": allowed, "disallowed_special": refused})
)


class Items:
    """An iterable that is not a sequence."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)


@cache
def both(name: str) -> tuple[Encoding, tiktoken.Encoding]:
    words = vocabulary(name)
    return Encoding(words.tokenizer(binding("capi")), name), words.oracle


def outcome(call: Callable[[], Any]) -> Any:
    """Return the result of a call, or its error, with the message unless Rust wrote it."""
    try:
        found = call()
    except (KeyError, ValueError, AssertionError) as error:
        return type(error), str(error)
    except (TypeError, OverflowError, LookupError) as error:
        return type(error)
    if isinstance(found, np.ndarray):
        return str(found.dtype), found.tolist()
    return found


def check(name: str, method: str, *arguments: Any, **options: Any) -> None:
    ours, theirs = both(name)
    expected = outcome(lambda: getattr(theirs, method)(*arguments, **options))
    assert outcome(lambda: getattr(ours, method)(*arguments, **options)) == expected


encodings = pytest.mark.parametrize("name", FEW_ENCODINGS)
many = settings(max_examples=150, deadline=None)


@encodings
@pytest.mark.parametrize("method", ["encode", "encode_to_numpy"])
@many
@given(text=texts, policy=policies)
def test_encode(name: str, method: str, text: str, policy: dict[str, Any]) -> None:
    check(name, method, text, **policy)


@encodings
def test_ids_of_another_dtype(name: str) -> None:
    ours, _ = both(name)
    ids = ours.encode_to_numpy("hello world", dtype=np.int64)
    assert (ids.dtype, ids.tolist()) == (np.int64, ours.encode("hello world"))
    assert ours.decode(ids) == ours.decode(ids.tolist()) == "hello world"
    for dtype in (np.uint8, np.float64):
        with pytest.raises(ValueError, match="dtype must hold ids up to"):
            ours.encode_to_numpy("", dtype=dtype)


@encodings
@many
@given(batch=st.lists(texts, max_size=4), policy=policies, threads=st.integers(1, 3))
def test_encode_batch(name: str, batch: list[str], policy: dict[str, Any], threads: int) -> None:
    check(name, "encode_batch", batch, num_threads=threads, **policy)
    check(name, "encode_ordinary_batch", batch * 200, num_threads=threads)
    check(name, "encode_ordinary", "".join(batch) * 200)


@encodings
@many
@given(text=texts | st.binary(max_size=4) | st.sampled_from([b"hello", b" a", EOT.encode()]))
def test_encode_single_token(name: str, text: str | bytes) -> None:
    check(name, "encode_single_token", text)


@encodings
@many
@given(ids=tokens, errors=st.sampled_from(["replace", "strict", "ignore", "nonsense"]))
def test_decode(name: str, ids: list[int], errors: str) -> None:
    check(name, "decode", ids, errors)
    check(name, "decode_bytes", ids)
    check(name, "decode_batch", [ids, ids[:2]], errors=errors)
    check(name, "decode_bytes_batch", [ids[:1], ids])
    check(name, "decode_tokens_bytes", ids)
    check(name, "decode_with_offsets", ids)
    for one in ids:
        check(name, "decode_single_token_bytes", one)
        check(name, "is_special_token", one)


WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    *((method, (bad,), {}) for method in ("encode", "encode_ordinary") for bad in (b"x", None, 5)),
    ("encode", ("x",), {"allowed_special": EOT}),
    ("encode", ("x",), {"allowed_special": [EOT]}),
    ("encode", ("x",), {"allowed_special": []}),
    ("encode", ("x",), {"allowed_special": None}),
    ("encode", ("x" + EOT,), {"disallowed_special": None}),
    ("encode", ("a nobody",), {"disallowed_special": "n"}),
    ("encode_batch", (["x", None],), {}),
    ("encode_batch", (["x", b"x"],), {}),
    ("encode_batch", ("abc",), {}),
    ("encode_batch", (Items(["a", "b"]),), {}),
    ("encode_batch", (["x", EOT, FIM],), {}),
    ("encode_batch", (["x"],), {"num_threads": 0}),
    ("encode_ordinary_batch", (["x"],), {"num_threads": -1}),
    ("encode_single_token", (5,), {}),
    ("encode_single_token", (bytearray(b"a"),), {}),
    *(
        ("decode_bytes", (bad,), {})
        for bad in (5, None, "12", "", {1, 2}, Items([1]), [1.0], ["1"], np.array([1.0]))
    ),
    *((method, ("",), {}) for method in ("decode", "decode_with_offsets", "decode_tokens_bytes")),
    *((method, (np.array([]),), {}) for method in ("decode", "decode_bytes")),
    ("decode_batch", ([np.array([]), ""],), {}),
    *(
        ("decode_bytes", (good,), {})
        for good in ((1, 2), b"12", range(5), [True], np.array([1, 2]), np.arange(9)[::2])
    ),
    ("decode_bytes", (np.zeros((2, 2), np.uint32),), {}),
    ("decode_bytes", (np.array([-1, 3]),), {}),
    ("decode", ([1],), {"errors": "nonsense"}),
    ("decode_batch", ([],), {}),
    ("decode_batch", ([[1]],), {"num_threads": 0}),
    ("decode_bytes_batch", ([[1]],), {"num_threads": 0}),
    ("decode_single_token_bytes", (True,), {}),
    ("decode_single_token_bytes", (1.0,), {}),
    ("decode_single_token_bytes", (np.uint32(5),), {}),
    ("decode_single_token_bytes", ("a",), {}),
    ("is_special_token", ("a",), {}),
]


@pytest.mark.parametrize(("method", "arguments", "options"), WRONG, ids=lambda it: repr(it)[:30])
def test_odd_arguments(method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    check("gpt2", method, *arguments, **options)


@encodings
def test_the_vocabulary(name: str) -> None:
    ours, theirs = both(name)
    for fact in ("name", "eot_token", "special_tokens_set", "max_token_value", "n_vocab"):
        assert getattr(ours, fact) == getattr(theirs, fact)
    assert ours.token_byte_values() == theirs.token_byte_values()
    assert repr(ours) == repr(theirs)


def test_nothing_public_is_missing() -> None:
    ours, theirs = both("gpt2")
    public = {name for name in dir(theirs) if not name.startswith("_")}
    assert public <= set(dir(ours))
    with pytest.raises(NotImplementedError, match="encode_with_unstable"):
        ours.encode_with_unstable("x")


@pytest.mark.parametrize("first", ["<a>", "\n"])
def test_the_longest_of_special_tokens_is_found(first: str) -> None:
    """In tiktoken it is one or the other, by the hashes of their names."""
    ranks = {bytes([byte]): byte for byte in range(256)}
    specials = {first: 300, first + "<b>": 301}
    model = Model.from_ranks(ranks, pattern="gpt2", special_tokens=specials)
    ours = Encoding(binding("capi").Tokenizer(model), "two")
    assert ours.encode(f"{first}{first}<b>", allowed_special="all") == [300, 301]


def test_every_backend(backend: ModuleType) -> None:
    ours, theirs = Encoding(vocabulary("o200k").tokenizer(backend), "o200k"), both("o200k")[1]
    text = f"It's 12345 naïve 漢字 \ud800 {EOT}"
    ids = theirs.encode(text, allowed_special="all")
    assert ours.encode(text, allowed_special="all") == ids
    assert ours.encode_batch([text], allowed_special={EOT}) == [ids]
    assert ours.decode_with_offsets(ids) == theirs.decode_with_offsets(ids)
    with pytest.raises(KeyError, match="Invalid token for decoding: 4000000000"):
        ours.decode([5, 4_000_000_000])
    again = pickle.loads(pickle.dumps(ours))
    assert (again.name, again.encode("hello")) == ("o200k", ours.encode("hello"))
