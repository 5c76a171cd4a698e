"""Texts that are encoded, split and decoded, and invalid texts and models."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np

from support.shared_work import TEXT, small_model

from .call import Call, call, failing


class NoModel:
    """An object that looks like a model but is not one."""

    special_names = ()
    default_policy = b""

    def __init__(self) -> None:
        self.blob = np.zeros(4096, np.uint8)


def tokenizer(backend: ModuleType) -> Iterator[Call]:
    model = small_model()
    one = backend.Tokenizer(model)
    yield call(backend.Tokenizer, model)
    yield failing(backend.Tokenizer, NoModel())
    yield failing(backend.Tokenizer)
    yield call(one.__reduce__)
    yield from encoding(one)
    yield from batches(one)
    ids = one.encode(TEXT, allowed_special="all")
    yield call(one.decode, ids)
    yield call(one.decode, np.full(4096, 97, np.uint32))
    yield failing(one.decode, ids.astype(np.int64))
    yield failing(one.decode, np.append(ids, np.uint32(2**31)))


def encoding(one: Any) -> Iterator[Call]:
    plain, special, data = "plain " + TEXT[:20], "x" + TEXT, TEXT.encode()
    wrong = data + b"\xff"
    yield call(one.encode, plain)
    yield call(one.encode, special, allowed_special={"<|end|>"}, disallowed_special=())
    yield call(one.encode, plain + "\ud800")
    yield call(one.encode, "a\n" * 1024)
    yield failing(one.encode, special)
    yield call(one.encode, bytes(bytearray(plain, "utf-8")))
    yield failing(one.encode, wrong)
    yield failing(one.encode, bytearray(data))
    yield failing(one.encode, special, allowed_special={"nobody"})
    yield call(one.count, special)
    yield call(one.count, data + b"y")
    yield failing(one.count, wrong)
    yield call(one.split, special)
    yield call(one.split, data + b"y")
    yield failing(one.split, wrong)
    out = np.zeros(99, np.uint32)
    yield call(one.encode_into, bytearray(data), out)
    yield failing(one.encode_into, bytearray(wrong), out)
    yield failing(one.encode_into, bytearray(data), out[:3])
    yield failing(one.encode_into, bytearray(data), out[::2])
    yield failing(one.encode_into, special, out)


def batches(one: Any) -> Iterator[Call]:
    texts = [f"{i}: plain" for i in range(9)]
    yield call(one.encode_batch, texts)
    yield call(one.encode_batch, tuple(texts), allowed_special="all")
    yield call(one.encode_batch, [*texts, "\ud800"])
    yield call(one.encode_batch, [*texts, texts[0].encode()])
    yield failing(one.encode_batch, [*texts, b"\xff"])
    yield failing(one.encode_batch, [*texts, TEXT])
    yield failing(one.encode_batch, [*texts, TEXT.encode()])
    yield failing(one.encode_batch, "".join(texts))
    yield failing(one.encode_batch, texts, 0)
