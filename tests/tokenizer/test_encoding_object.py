"""tiktoken's API: every method returns and raises the same as tiktoken's own."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tiktoken
import tiktoken.model
from hypothesis import given, settings
from hypothesis import strategies as st

from ffi_cookbook.tokenizer import Encoding, save_tiktoken
from ffi_cookbook.tokenizer import tiktoken as dropin
from support.rank_files import DATA
from support.vocabularies import EOT, FEW_ENCODINGS, pattern, vocabulary

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
    theirs = vocabulary(name).oracle
    return dropin.Encoding(**theirs.__getstate__()), theirs


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
    if isinstance(found, tuple) and isinstance(found[1], list):
        return found[0], sorted(found[1])  # tiktoken's completions are in no order
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
@many
@given(batch=st.lists(texts, max_size=4), policy=policies, threads=st.integers(1, 3))
def test_encode_batch(name: str, batch: list[str], policy: dict[str, Any], threads: int) -> None:
    check(name, "encode_batch", batch, num_threads=threads, **policy)
    check(name, "encode_ordinary_batch", batch * 200, num_threads=threads)
    check(name, "encode_ordinary", "".join(batch) * 200)


@encodings
@settings(max_examples=60, deadline=None)
@given(text=texts, end=st.sampled_from(["", " ", "\n\n", "\n\xa0", "él"]), policy=policies)
def test_encode_with_unstable(name: str, text: str, end: str, policy: dict[str, Any]) -> None:
    check(name, "encode_with_unstable", text + end, **policy)


@encodings
@many
@given(data=st.binary() | st.tuples(texts, st.binary(max_size=3)))
def test_bytes(name: str, data: bytes | tuple[str, bytes]) -> None:
    if isinstance(data, tuple):
        data = data[0].encode("utf-8", "ignore") + data[1]
    check(name, "_encode_bytes", data)
    if data:  # tiktoken panics
        check(name, "_encode_single_piece", data)


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
    ("encode_with_unstable", (EOT,), {}),
    *((method, (5,), {}) for method in ("_encode_bytes", "_encode_single_piece")),
    ("_encode_bytes", ("x",), {}),
    ("_encode_single_piece", ("naïve",), {}),
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


FACTS = ["name", "eot_token", "special_tokens_set", "max_token_value", "n_vocab"]
FACTS += ["_mergeable_ranks", "_special_tokens", "_pat_str"]


@encodings
def test_the_vocabulary(name: str) -> None:
    ours, theirs = both(name)
    for fact in FACTS:
        assert getattr(ours, fact) == getattr(theirs, fact)
    assert ours.token_byte_values() == theirs.token_byte_values()
    assert repr(ours) == repr(theirs)


def test_nothing_public_is_missing() -> None:
    assert public(both("gpt2")[1]) <= public(both("gpt2")[0])
    assert public(tiktoken) - {"core", "load", "model", "registry"} <= public(dropin)


def public(thing: object) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


RANKS = {bytes([byte]): byte for byte in range(256)}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"mergeable_ranks": {}}, None),
        ({"mergeable_ranks": None}, None),
        ({"mergeable_ranks": {"a": 1}}, None),
        ({"explicit_n_vocab": 258}, None),
        ({"special_tokens": {EOT: 300}, "explicit_n_vocab": 257}, None),
        ({"pat_str": "("}, "no kernel has the pattern '\\('"),
        ({"mergeable_ranks": {**RANKS, b"\n ": 256}}, "after a line break"),
    ],
)
def test_the_constructor(changed: dict[str, Any], message: str | None) -> None:
    usual = {"pat_str": pattern("cl100k"), "mergeable_ranks": RANKS, "special_tokens": {EOT: 256}}
    given, made = {**usual, **changed}, dropin.Encoding("x", **usual, explicit_n_vocab=257)
    assert made.encode("a" + EOT, allowed_special={EOT}) == [97, 256]
    again = pickle.loads(pickle.dumps(made))
    assert (again.name, again._pat_str, again.n_vocab) == ("x", made._pat_str, 257)
    kind: type[Exception] = ValueError  # where the kernels have no such model, but tiktoken has
    try:
        tiktoken.Encoding("x", **given)
    except Exception as error:
        kind = type(error)
    with pytest.raises(kind, match=message):
        dropin.Encoding("x", **given)


def test_names() -> None:
    models, prefixes = tiktoken.model.MODEL_TO_ENCODING, tiktoken.model.MODEL_PREFIX_TO_ENCODING
    for name in [*models, *prefixes, *(f"{prefix}x" for prefix in prefixes), "", "gpt"]:
        expected = outcome(lambda name=name: tiktoken.encoding_name_for_model(name))
        assert outcome(lambda name=name: dropin.encoding_name_for_model(name)) == expected
    assert dropin.list_encoding_names() == tiktoken.list_encoding_names()
    assert outcome(lambda: dropin.get_encoding(5)) == outcome(lambda: tiktoken.get_encoding(5))
    with pytest.raises(ValueError, match=r"Unknown encoding nope\."):
        dropin.get_encoding("nope")


def test_files_that_are_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    dropin._opened.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"https://.*/encodings/o200k_base\.tiktoken"):
        dropin.encoding_for_model("gpt-4o")
    save_tiktoken(RANKS, tmp_path / "o200k_base.tiktoken")
    with pytest.raises(ValueError, match="SHA-256"):
        dropin.get_encoding("o200k_harmony")
    if DATA:
        for name in ("vocab.bpe", "encoder.json", "cl100k_base.tiktoken", "p50k_base.tiktoken"):
            (tmp_path / name).symlink_to(Path(DATA, name))
            url = next(url for url in dropin._OPENAI["sha256"] if url.endswith(name))
            key = hashlib.sha1(url.encode()).hexdigest()
            (tmp_path / key).symlink_to(tmp_path / name)  # where tiktoken looks
        for name in ("gpt2", "p50k_base", "p50k_edit", "cl100k_base"):
            ours, theirs = dropin.get_encoding(name), tiktoken.get_encoding(name)
            assert [getattr(ours, it) for it in FACTS] == [getattr(theirs, it) for it in FACTS]
            assert pickle.loads(pickle.dumps(ours)).encode("hello") == theirs.encode("hello")


@pytest.mark.parametrize("first", ["<a>", "\n"])
def test_the_longest_of_special_tokens_is_found(first: str) -> None:
    """In tiktoken it is one or the other, by the hashes of their names."""
    specials = {first: 300, first + "<b>": 301}
    ours = dropin.Encoding(
        "two", pat_str=pattern("gpt2"), mergeable_ranks=RANKS, special_tokens=specials
    )
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
