"""The torch binding, opened for its tests, and the tensors that they pass to it."""

from __future__ import annotations

from functools import cache
from typing import Any

from ffi_cookbook.tokenizer import Model, sample_texts, train
from support.backends import binding, needs

torch = needs("torch")
torch_backend = binding("torch")
ops = torch.ops.ffi_cookbook


@cache
def model() -> Model:
    ranks = train(sample_texts(50_000), 400, "gpt2")
    return Model.from_ranks(ranks, pattern="gpt2", special_tokens={"<|end|>": 1000})


@cache
def blob() -> Any:
    return torch.from_dlpack(model().blob)


def octets(data: bytes) -> Any:
    return torch.tensor(list(data), dtype=torch.uint8)


def zeros(*shape: int) -> Any:
    return torch.zeros(shape, dtype=torch.int64)
