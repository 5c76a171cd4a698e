"""The tokenizers: the same ids as tiktoken in every door, and the same refusals."""

from __future__ import annotations

import base64
import hashlib
import itertools
import os
import pickle
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt
import pytest
import tiktoken
from doors import PARTS, door
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import nasty
from tiktoken_ext import openai_public

from bindings.errors import Code, TokenizerError
from bindings.tokenizer import Model, sample_texts, train

pytestmark = pytest.mark.part("Tokenizer")

N_RANDOM = 100_000
EOT = "<|endoftext|>"
FILES = {
    "gpt2": ("gpt2.tiktoken", 50256),
    "p50k": ("p50k_base.tiktoken", 50256),
    "cl100k": ("cl100k_base.tiktoken", 100257),
    "o200k": ("o200k_base.tiktoken", 199999),
}
ENCODINGS = tuple(FILES)
Ids = npt.NDArray[np.uint32]


def pattern(name: str) -> str:
    """The split of an encoding, as the installed tiktoken defines it."""
    with mock.patch.object(openai_public, "load_tiktoken_bpe", return_value={}):
        return getattr(openai_public, {"gpt2": "r50k"}.get(name, name) + "_base")()["pat_str"]


class Vocabulary:
    """Ranks, as a model and as the oracle has them: the real ones with COOKBOOK_DATA, else a few
    trained here for the same pattern."""

    def __init__(self, name: str) -> None:
        folder = os.environ.get("COOKBOOK_DATA")
        file, eot = FILES[name]
        if folder:
            path = Path(folder, file)
            lines = (line.split() for line in path.read_bytes().splitlines())
            ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
            self.specials = {EOT: eot, "<|fim|>": eot + 700, "<|fim|>x": eot + 701}
            self.model = Model.load(path, pattern=name, special_tokens=self.specials)
        else:
            ranks = train(sample_texts(300_000), 2000, name)
            self.specials = {EOT: 2000, "<|fim|>": 2700, "<|fim|>x": 2701}
            self.model = Model.from_ranks(ranks, pattern=name, special_tokens=self.specials)
        self.oracle = tiktoken.Encoding(
            name, pat_str=pattern(name), mergeable_ranks=ranks, special_tokens=self.specials
        )

    @cache  # noqa: B019 - vocabularies live as long as the tests
    def tokenizer(self, backend: ModuleType) -> Any:
        return backend.Tokenizer(self.model)


@cache
def vocabulary(name: str) -> Vocabulary:
    return Vocabulary(name)


@pytest.fixture(params=ENCODINGS)
def words(request: pytest.FixtureRequest) -> Vocabulary:
    """Each encoding, one after the other."""
    return vocabulary(request.param)


def corpus(data: Path | None) -> dict[str, str]:
    """The texts to agree on: the real files whole, or the sample."""
    if data is None:
        return {"sample": "".join(sample_texts(400_000))}
    names = ("tinyshakespeare.txt", "gsm8k_train.jsonl", "wikipedia_mars_18lang.txt")
    return {name: (data / name).read_text(encoding="utf-8") for name in names}


@cache
def expected_of(name: str, key: str, text: str) -> Ids:
    return vocabulary(name).oracle.encode_to_numpy(text, disallowed_special=())


def assert_same(found: Ids, expected: Ids) -> None:
    assert found.dtype == np.uint32
    if not np.array_equal(found, expected):
        n = min(len(found), len(expected))
        at = int(np.argmax(found[:n] != expected[:n])) if (found[:n] != expected[:n]).any() else n
        pytest.fail(f"ids differ from position {at}: {found[at : at + 5]} {expected[at : at + 5]}")


# ---- equal to tiktoken ---------------------------------------------------------------------


@pytest.mark.part("Tokenizer", native=True)
@pytest.mark.parametrize("name", ENCODINGS)
def test_real_texts(backend: ModuleType, name: str, data: Path | None) -> None:
    tokenizer = vocabulary(name).tokenizer(backend)
    for key, text in corpus(data).items():
        expected = expected_of(name, key, text)
        ids = tokenizer.encode(text, disallowed_special=())
        assert_same(ids, expected)
        assert tokenizer.count(text) == len(expected)
        assert tokenizer.decode(ids) == text.encode()


@cache
def random_texts() -> list[str]:
    rng = random.Random(11)
    return [nasty(rng) for _ in range(N_RANDOM)]


@cache
def expected_random(name: str) -> tuple[Ids, npt.NDArray[np.int64]]:
    rows = vocabulary(name).oracle.encode_ordinary_batch(random_texts(), num_threads=2)
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return np.array([token for row in rows for token in row], np.uint32), offsets


@pytest.mark.part("Tokenizer", native=True)
@pytest.mark.parametrize("name", ENCODINGS)
def test_random_texts(backend: ModuleType, name: str) -> None:
    expected, offsets = expected_random(name)
    tokenizer = vocabulary(name).tokenizer(backend)
    found, found_offsets = tokenizer.encode_batch(random_texts(), 2, disallowed_special=())
    assert found_offsets.dtype == np.int64
    assert np.array_equal(found_offsets, offsets)
    assert_same(found, expected)


@cache
def one_random_text() -> str:
    return "".join(random_texts()[:20_000])


@pytest.mark.part("Tokenizer", native=True)
@pytest.mark.parametrize("name", ENCODINGS)
def test_random_texts_in_a_row(backend: ModuleType, name: str) -> None:
    """As one text, in which pieces begin and end anywhere in a block of 64 bytes."""
    tokenizer, text = vocabulary(name).tokenizer(backend), one_random_text()
    expected = expected_of(name, "in a row", text)
    assert_same(tokenizer.encode(text, disallowed_special=()), expected)
    assert tokenizer.count(text) == len(expected)


@pytest.mark.parametrize("isa", ["portable", "avx2"])
def test_every_instruction_set(isa: str, tmp_path: Path) -> None:
    """The pieces of the C kernels, which choose their instructions once in a process."""
    model = small_model()
    path = tmp_path / "text"
    path.write_text(one_random_text(), encoding="utf-8", newline="")
    program = (
        "import sys, pickle, hashlib, bindings\n"
        "text = open(sys.argv[1], encoding='utf-8', newline='').read()\n"
        "tokenizer = bindings.load('ctypes').Tokenizer(pickle.load(sys.stdin.buffer))\n"
        "print(hashlib.sha256(tokenizer.split(text).tobytes()).hexdigest())"
    )
    found = subprocess.run(
        [sys.executable, "-P", "-c", program, str(path)],
        input=pickle.dumps(model),
        capture_output=True,
        check=True,
        env={**os.environ, "COOKBOOK_ISA": isa},
    )
    ends = door("ctypes").Tokenizer(model).split(one_random_text())
    assert found.stdout.decode().strip() == hashlib.sha256(ends.tobytes()).hexdigest()


@pytest.mark.part("Tokenizer", native=True)
def test_very_long_pieces(backend: ModuleType, words: Vocabulary) -> None:
    """Longer than what is merged at once, with tokens of every size."""
    rng = random.Random(3)
    letters = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=9000))
    texts = [letters, "a" * 7001, "ab" * 3000, " " * 5003 + "x", "\n" * 4001, "=-" * 2500]
    tokenizer = words.tokenizer(backend)
    for text in [*texts, "".join(rng.choices("aab", k=6000)), "\u0301" * 3000, "漢字仮名" * 900]:
        assert tokenizer.encode(text).tolist() == words.oracle.encode_ordinary(text)


@pytest.mark.part("Tokenizer", native=True)
@pytest.mark.parametrize("length", [20, 676])
def test_merges_decided_far_to_the_right(backend: ModuleType, length: int) -> None:
    """Symbols of two letters, any two neighbours of which merge, the rightmost first: so what the
    first one becomes depends on where the last one is, up to 1352 bytes away."""
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


def test_some_random_texts(backend: ModuleType, words: Vocabulary) -> None:
    """One by one, and in the reference too."""
    tokenizer = words.tokenizer(backend)
    for text in random_texts()[:300]:
        expected = words.oracle.encode_ordinary(text)
        assert tokenizer.encode(text, disallowed_special=()).tolist() == expected
        assert tokenizer.count(text) == len(expected)
        out = np.full(len(expected) + 1, 7, np.uint32)
        assert tokenizer.encode_into(text.encode(), out) == len(expected)
        assert out.tolist() == [*expected, 7]


@pytest.mark.part("Tokenizer", native=True)
def test_every_code_point(backend: ModuleType, words: Vocabulary) -> None:
    """Each alone, and each between letters, so that its class decides the split."""
    tokenizer = words.tokenizer(backend)
    points = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    for start in range(0, len(points), 1 << 16):
        some = points[start : start + (1 << 16)]
        for text in ("\n".join(some), "a" + "b c".join(some)):
            ids = tokenizer.encode(text, disallowed_special=())
            assert_same(ids, expected_of_points(words.oracle.name, text))


@cache
def expected_of_points(name: str, text: str) -> Ids:
    return np.array(vocabulary(name).oracle.encode_ordinary(text), np.uint32)


def test_split(backend: ModuleType, words: Vocabulary) -> None:
    tokenizer, reference = words.tokenizer(backend), words.tokenizer(door("python"))
    for text in random_texts()[:300]:
        ends = tokenizer.split(text)
        assert ends.dtype == np.int64
        assert ends.tolist() == reference.split(text).tolist()


def test_qwen_splits_digits_one_by_one(backend: ModuleType) -> None:
    model = Model.from_ranks({bytes([i]): i for i in range(256)}, pattern="qwen2")
    assert backend.Tokenizer(model).split("a1234 5'Re x").tolist() == [1, 2, 3, 4, 5, 6, 7, 10, 12]


def test_surrogates(backend: ModuleType) -> None:
    words = vocabulary("gpt2")
    tokenizer = words.tokenizer(backend)
    for text in ("\ud800", "a\udfffb", "\ud83d\ude00", "\ude00\ud83d x", "ok"):
        expected = words.oracle.encode_ordinary(text)
        assert tokenizer.encode(text, disallowed_special=()).tolist() == expected
        assert (
            tokenizer.encode_batch([text, text], disallowed_special=())[0].tolist() == expected * 2
        )


@pytest.mark.part("Tokenizer", native=True)
@pytest.mark.parametrize("text", ["a", " ", "\n", "^", "1", " x", "ab", "é", "\u0301", "漢", "'s"])
def test_long_runs(backend: ModuleType, words: Vocabulary, text: str) -> None:
    """A hundred thousand of anything: no recursion, no square of the length."""
    text = text * 100_000 + "x"
    ids = words.tokenizer(backend).encode(text, disallowed_special=())
    assert_same(ids, expected_of(words.oracle.name, "run", text))


# ---- special tokens ------------------------------------------------------------------------

SPECIAL_TEXTS = [
    EOT,
    f"a {EOT} b",
    f"{EOT}{EOT}",
    f" {EOT}x<|fim|>x<|fim|><|fim|>xx  ",
    "<|endoftext",
    "plain",
    "",
    f"<|fim|<|fim|>{EOT[:-1]}{EOT}  ",
]
POLICIES: list[tuple[Any, Any]] = [
    ((), ()),
    ("all", ()),
    ("all", "all"),
    ({EOT}, ()),
    ({EOT}, "all"),
    ({"<|fim|>"}, ()),
    ((), {"<|fim|>x"}),
    ((), "all"),
]


@pytest.mark.parametrize("text", SPECIAL_TEXTS)
def test_special_tokens(backend: ModuleType, text: str) -> None:
    words = vocabulary("gpt2")
    tokenizer = words.tokenizer(backend)
    # tiktoken looks for special tokens in no certain order: only where one is not another's start
    clear = "<|fim|>x" not in text
    for allowed, disallowed in POLICIES:
        options = {"allowed_special": allowed, "disallowed_special": disallowed}
        expected = outcome(words.tokenizer(door("python")), text, options)
        if isinstance(expected, tuple):
            assert outcome(tokenizer, text, options) == expected
            continue
        if clear:
            assert expected == words.oracle.encode(text, **as_tiktoken(options))
        assert tokenizer.encode(text, **options).tolist() == expected
        ids, offsets = tokenizer.encode_batch([text, "", text], **options)
        assert ids.tolist() == expected * 2
        assert offsets.tolist() == [0, len(expected), len(expected), 2 * len(expected)]


def as_tiktoken(options: dict[str, Any]) -> dict[str, Any]:
    """tiktoken takes sets where we take any collection."""
    return {name: value if value == "all" else set(value) for name, value in options.items()}


def outcome(tokenizer: Any, text: str, options: dict[str, Any]) -> Any:
    """The ids, or the facts of the error."""
    try:
        return tokenizer.encode(text, **options).tolist()
    except TokenizerError as error:
        return facts(error)


def facts(error: TokenizerError) -> tuple[Any, ...]:
    return (
        *(error.code, error.byte_offset, error.index, error.token),
        *(error.expected, error.actual, str(error)),
    )


def test_a_special_token_is_refused(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(TokenizerError, match="allowed_special") as caught:
        tokenizer.encode("é <|fim|> " + EOT)
    assert facts(caught.value)[:4] == (Code.SPECIAL, 3, 0, "<|fim|>")
    with pytest.raises(TokenizerError) as caught:
        tokenizer.encode_batch(["fine", "x" + EOT])
    assert facts(caught.value)[:4] == (Code.SPECIAL, 1, 1, EOT)
    assert tokenizer.count(EOT) > 1
    with pytest.raises(ValueError, match="nobody"):
        tokenizer.encode("x", allowed_special={"nobody"})


# ---- errors --------------------------------------------------------------------------------

BAD_UTF8 = [
    b"ok \xff",
    b"\x80",
    b"a\xc0\xaf",
    b"\xc1\xbf",
    b"\xe0\x80\x80",
    b"\xed\xa0\x80",
    b"\xf0\x80\x80\x80",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80",
    b"abc\xe2\x82",
    b"\xe2\x28\xa1",
    "é".encode() * 50 + b"\xf0\x9f\x98",
]


@pytest.mark.parametrize("text", BAD_UTF8)
def test_bad_utf8(backend: ModuleType, text: bytes) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(UnicodeDecodeError) as expected:
        text.decode()
    with pytest.raises(TokenizerError) as caught:
        tokenizer.encode_into(text, np.empty(0, np.uint32))
    assert facts(caught.value)[:3] == (Code.UTF8, expected.value.start, 0)
    assert pickle.loads(pickle.dumps(caught.value)).byte_offset == caught.value.byte_offset


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=40), st.text(max_size=20))
def test_any_bytes(noise: bytes, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass") + noise
    outcomes = set()
    for name in PARTS["Tokenizer"]:
        out = np.zeros(100, np.uint32)
        try:
            n = vocabulary("cl100k").tokenizer(door(name)).encode_into(data, out)
            outcomes.add((n, out.tobytes()))
        except TokenizerError as error:
            outcomes.add(facts(error))
    assert len(outcomes) == 1


def test_no_room(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    text = b"one two three four five"
    n = tokenizer.count(text.decode())
    for room in range(n):
        guarded = np.full(n + 8, 99, np.uint32)
        with pytest.raises(TokenizerError) as caught:
            tokenizer.encode_into(text, guarded[:room])
        assert (caught.value.code, caught.value.expected, caught.value.actual) == (14, n, room)
        assert (guarded[room:] == 99).all()


def test_unknown_ids(backend: ModuleType) -> None:
    words = vocabulary("gpt2")
    tokenizer = words.tokenizer(backend)
    gap = words.specials[EOT] + 1
    for bad in (gap, words.model.n_vocab, 2**32 - 1):
        with pytest.raises(TokenizerError) as caught:
            tokenizer.decode(np.array([5, 6, bad], np.uint32))
        assert facts(caught.value)[:3] == (Code.UNKNOWN_ID, 0, 2)
        assert caught.value.actual == bad
    assert tokenizer.decode(np.array([words.specials[EOT]], np.uint32)) == EOT.encode()
    assert tokenizer.decode(np.empty(0, np.uint32)) == b""


def frozen(n: int) -> Ids:
    array = np.zeros(n, np.uint32)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("error", "method", "arguments"),
    [
        (TypeError, "encode", (b"bytes",)),
        (TypeError, "encode", (None,)),
        (TypeError, "encode", ("a", "b")),
        (TypeError, "count", (b"bytes",)),
        (TypeError, "split", (3,)),
        (TypeError, "encode_batch", ("text",)),
        (TypeError, "encode_batch", ([b"bytes"],)),
        (TypeError, "encode_batch", (["a", None],)),
        (TypeError, "encode_batch", (iter(["a"]),)),
        (TypeError, "encode_batch", (["a"], "2")),
        (ValueError, "encode_batch", (["a"], 0)),
        (ValueError, "encode_batch", (["a"], -5)),
        (TypeError, "encode_into", ("text", np.zeros(4, np.uint32))),
        (TypeError, "encode_into", (b"text", np.zeros(4, np.int32))),
        (TypeError, "encode_into", (b"text", np.zeros(4, np.int64))),
        (TypeError, "encode_into", (b"text", np.zeros(4, ">u4"))),
        (TypeError, "encode_into", (b"text", [0, 0])),
        (ValueError, "encode_into", (b"text", frozen(9))),
        (ValueError, "encode_into", (b"text", np.zeros(9, np.uint32)[::2])),
        (ValueError, "encode_into", (b"text", np.zeros((2, 9), np.uint32))),
        (ValueError, "encode_into", (memoryview(b"text")[::2], np.zeros(9, np.uint32))),
        (TypeError, "decode", ([1, 2],)),
        (TypeError, "decode", (np.zeros(4, np.int64),)),
        (TypeError, "decode", (np.zeros(4, ">u4"),)),
        (ValueError, "decode", (np.zeros((2, 2), np.uint32),)),
        (ValueError, "decode", (np.zeros(9, np.uint32)[::2],)),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_refused_arguments(
    backend: ModuleType, error: type[Exception], method: str, arguments: tuple[Any, ...]
) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(error) as caught:
        getattr(tokenizer, method)(*arguments)
    assert not isinstance(caught.value, TokenizerError)


def test_only_a_model_makes_a_tokenizer(backend: ModuleType) -> None:
    class NoModel:
        special_names = ()
        default_policy = b""
        blob = np.zeros(4096, np.uint8)

    with pytest.raises((TypeError, ValueError)):
        backend.Tokenizer(NoModel())
    with pytest.raises((TypeError, AttributeError)):
        backend.Tokenizer(None)
    with pytest.raises(TypeError):
        backend.Tokenizer()


@pytest.mark.filterwarnings("ignore:nanobind.*uninitialized:RuntimeWarning")
def test_a_tokenizer_made_by_new_alone(backend: ModuleType) -> None:
    """It is of no use, and does no harm."""
    for use in (
        lambda made: made.count("a"),
        lambda made: made.model,
        lambda made: made.encode(""),
    ):
        with pytest.raises((TypeError, AttributeError)):
            use(backend.Tokenizer.__new__(backend.Tokenizer))


@pytest.mark.part("Tokenizer", native=True)
def test_damaged_models(backend: ModuleType) -> None:
    """No blob leads a kernel astray: any answer or error will do, a crash or a hang will not."""
    good = vocabulary("cl100k").model if not os.environ.get("COOKBOOK_DATA") else small_model()
    rng = random.Random(5)

    class Damaged:
        special_names = good.special_names
        default_policy = good.default_policy
        special_policy = good.special_policy

    for _ in range(400):
        blob = good.blob.copy()
        for _ in range(rng.choice([1, 1, 5, 50])):
            at = rng.randrange(192) if rng.random() < 0.5 else rng.randrange(len(blob))
            blob[at] = rng.choice([0, 0xFF, rng.randrange(256)])
        model = Damaged()
        model.blob = blob if rng.random() < 0.9 else blob[: 8 * rng.randrange(len(blob) // 8)]
        try:
            tokenizer = backend.Tokenizer(model)
            ids = tokenizer.encode("Hello wörld 123 '<|fim|>x\n  漢字 " * 3, allowed_special="all")
            tokenizer.decode(ids)
        except (ValueError, IndexError):
            continue


@cache
def small_model() -> Model:
    ranks = train(sample_texts(50_000), 600, "cl100k")
    return Model.from_ranks(ranks, pattern="cl100k", special_tokens={EOT: 700, "<|fim|>x": 701})


# ---- the object ----------------------------------------------------------------------------


def test_pickle_and_model(backend: ModuleType) -> None:
    words = vocabulary("gpt2")
    tokenizer = words.tokenizer(backend)
    assert tokenizer.model is words.model
    with pytest.raises(AttributeError):
        tokenizer.model = None
    again = pickle.loads(pickle.dumps(tokenizer))
    assert type(again) is type(tokenizer)
    assert again.encode("hello world").tolist() == tokenizer.encode("hello world").tolist()


def test_the_model_outlives_its_name(backend: ModuleType) -> None:
    tokenizer = backend.Tokenizer(
        Model.from_ranks({bytes([i]): i for i in range(256)}, pattern="gpt2")
    )
    assert tokenizer.encode("abc").tolist() == [97, 98, 99]


def test_empty(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    assert tokenizer.encode("").shape == (0,)
    assert tokenizer.count("") == 0
    assert tokenizer.split("").shape == (0,)
    assert tokenizer.encode_into(b"", np.empty(0, np.uint32)) == 0
    ids, offsets = tokenizer.encode_batch([])
    assert ids.shape == (0,)
    assert offsets.tolist() == [0]


def test_nothing_is_shared_between_results(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    first, second = tokenizer.encode("hello world"), tokenizer.encode("hello world")
    first[:] = 0
    assert second.tolist() == tokenizer.encode("hello world").tolist()
