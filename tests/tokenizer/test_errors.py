"""Text, ids and arguments that every tokenizer refuses in the same way."""

from __future__ import annotations

from array import array
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.bindings.errors import Code, TokenizerError
from support.labels import label
from support.vocabularies import EOT, Ids, facts, vocabulary

pytestmark = pytest.mark.part("Tokenizer")


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


TEXT = "text must be str or bytes, not "
TEXTS = "texts must be a list or tuple of str or bytes, not "
DTYPE = " must be a numpy array of uint32"
LAYOUT = " must be C-contiguous and aligned"
INDEX = "cannot be interpreted as an integer"
BUFFER = "a bytes-like object is required, not "
MISALIGNED = np.frombuffer(bytearray(33), np.uint8)[1:].view(np.uint32)


@pytest.mark.parametrize(
    ("error", "message", "method", "arguments"),
    [
        (TypeError, TEXT + "bytearray", "encode", (bytearray(b"bytes"),)),
        (TypeError, TEXT + "NoneType", "encode", (None,)),
        (TypeError, TEXT + "ndarray", "encode", (np.zeros(3),)),
        (TypeError, "argument", "encode", ("a", "b")),
        (TypeError, TEXT + "memoryview", "count", (memoryview(b"bytes"),)),
        (TypeError, TEXT + "NoneType", "count", (None,)),
        (TypeError, TEXT + "int", "split", (3,)),
        (TypeError, TEXT + "NoneType", "split", (None,)),
        (TypeError, TEXTS + "str", "encode_batch", ("text",)),
        (TypeError, TEXTS + "ndarray", "encode_batch", (np.array(["text"]),)),
        (TypeError, TEXT + "bytearray", "encode_batch", ([b"bytes", bytearray(b"bytes")],)),
        (TypeError, TEXT + "int", "encode_batch", ([b"\xff", 3],)),
        (TypeError, TEXTS + "bytes", "encode_batch", (b"bytes",)),
        (TypeError, TEXTS + "NoneType", "encode_batch", (None,)),
        (TypeError, TEXT + "NoneType", "encode_batch", (["a", None],)),
        (TypeError, TEXTS + "list_iterator", "encode_batch", (iter(["a"]),)),
        (TypeError, INDEX, "encode_batch", (["a"], "2")),
        (ValueError, "threads must be at least 1, not 0", "encode_batch", (["a"], 0)),
        (ValueError, "threads must be at least 1, not -5", "encode_batch", (["a"], -5)),
        (ValueError, "threads must be at least 1, not -", "encode_batch", (["a"], -(2**63) - 1)),
        (TypeError, INDEX, "encode_batch", (["a"], 2.0)),
        (TypeError, INDEX, "encode_batch", (["a"], None)),
        (TypeError, INDEX, "encode_batch", (["a"], np.True_)),
        (TypeError, BUFFER + "'str'", "encode_into", ("text", np.zeros(4, np.uint32))),
        (TypeError, BUFFER + "'NoneType'", "encode_into", (None, np.zeros(4, np.uint32))),
        (TypeError, "out" + DTYPE, "encode_into", (b"text", np.zeros(4, np.int32))),
        (TypeError, "out" + DTYPE, "encode_into", (b"text", np.zeros(4, np.int64))),
        (TypeError, "out" + DTYPE, "encode_into", (b"text", np.zeros(4, ">u4"))),
        (TypeError, "out" + DTYPE, "encode_into", (b"text", [0, 0])),
        (TypeError, "out" + DTYPE, "encode_into", (b"text", None)),
        (ValueError, "out must be writable", "encode_into", (b"text", frozen(9))),
        (ValueError, "out" + LAYOUT, "encode_into", (b"text", np.zeros(9, np.uint32)[::2])),
        (ValueError, "out" + LAYOUT, "encode_into", (b"text", MISALIGNED)),
        (
            ValueError,
            "out must be one-dimensional",
            "encode_into",
            (b"text", np.zeros((2, 9), "I")),
        ),
        (ValueError, "C-contiguous", "encode_into", (memoryview(b"text")[::2], np.zeros(9, "I"))),
        (TypeError, "out" + DTYPE, "encode_into", (b"text", memoryview(np.zeros(4, np.uint32)))),
        (TypeError, "out" + DTYPE, "encode_into", (b"text", array("I", range(4)))),
        (TypeError, "ids" + DTYPE, "decode", ([1, 2],)),
        (TypeError, "ids" + DTYPE, "decode", (None,)),
        (TypeError, "ids" + DTYPE, "decode", (memoryview(np.zeros(4, np.uint32)),)),
        (TypeError, "ids" + DTYPE, "decode", (array("I", range(4)),)),
        (TypeError, "ids" + DTYPE, "decode", (np.uint32(5),)),
        (TypeError, "ids" + DTYPE, "decode", (np.zeros(4, np.int64),)),
        (TypeError, "ids" + DTYPE, "decode", (np.zeros(4, ">u4"),)),
        (ValueError, "ids must be one-dimensional", "decode", (np.zeros((2, 2), np.uint32),)),
        (ValueError, "ids" + LAYOUT, "decode", (np.zeros(9, np.uint32)[::2],)),
        (ValueError, "ids" + LAYOUT, "decode", (MISALIGNED,)),
    ],
    ids=label,
)
def test_refused_arguments(
    backend: ModuleType,
    error: type[Exception],
    message: str,
    method: str,
    arguments: tuple[Any, ...],
) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(error, match=message) as caught:
        getattr(tokenizer, method)(*arguments)
    assert not isinstance(caught.value, TokenizerError)


def test_no_ids_at_an_odd_address(backend: ModuleType) -> None:
    """NumPy reports an empty array as aligned at any address."""
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    none = MISALIGNED[:0]
    assert tokenizer.decode(none) == b""
    assert tokenizer.encode_into(b"", none) == 0


class Three:
    def __index__(self) -> int:
        return 3


@pytest.mark.parametrize("threads", [True, np.int8(2), np.uint64(2**64 - 1), Three(), 2**63, 2**99])
def test_any_index_is_a_number_of_threads(backend: ModuleType, threads: Any) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    ids, offsets = tokenizer.encode_batch(["one", "two"], threads)
    assert tokenizer.decode(ids) == b"onetwo"
    assert offsets[0] == 0


@pytest.mark.parametrize("name", ["allowed_special", "disallowed_special"])
@pytest.mark.parametrize("value", [None, "", 0, False, 5, "some"])
def test_refused_special_sets(backend: ModuleType, name: str, value: Any) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(TypeError):
        tokenizer.encode("text", **{name: value})
    with pytest.raises(TypeError):
        tokenizer.encode_batch(["text"], **{name: value})


def test_out_over_the_text(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    memory = np.frombuffer(bytearray(b"the words and more" * 8), np.uint8)
    before = memory.copy()
    for text, out in [(0, 0), (0, 16), (15, 16), (40, 16), (79, 16)]:
        with pytest.raises(ValueError, match="out must not overlap buffer"):
            tokenizer.encode_into(memory[text : text + 18], memory[out : out + 64].view(np.uint32))
    assert (memory == before).all()
    for text, out in [(0, 20), (80, 16)]:
        room = memory[out : out + 64].view(np.uint32)
        expected = tokenizer.encode(memory[text : text + 18].tobytes()).tolist()
        n = tokenizer.encode_into(memory[text : text + 18], room)
        assert room[:n].tolist() == expected
    assert tokenizer.encode_into(memory[20:20], memory[:64].view(np.uint32)) == 0
