"""The torch binding, opened for its tests, and the tensors that they pass to it."""

from __future__ import annotations

from typing import Any

from support.backends import binding, needs

torch = needs("torch")
torch_backend = binding("torch")
ops = torch.ops.ffi_cookbook


def octets(data: bytes) -> Any:
    return torch.tensor(list(data), dtype=torch.uint8)


def zeros(*shape: int) -> Any:
    return torch.zeros(shape, dtype=torch.int64)
