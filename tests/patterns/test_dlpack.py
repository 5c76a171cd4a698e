"""DLPack: tensors of any library, valid or not, are freed exactly once."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.backends import REFUSALS, needs
from support.dlpack_exporter import CUDA, Exporter
from support.processes import run_in_child

pytestmark = pytest.mark.part("patterns")

REFUSED = (*REFUSALS, BufferError, RuntimeError)  # the last two come from the exporter


@pytest.fixture(params=["dlpack_in", "tensor_in"])
def take(request: Any, patterns: Any) -> Any:
    return getattr(patterns, request.param)


def test_numpy(take: Any) -> None:
    values = np.arange(6.0)
    held = sys.getrefcount(values)
    for _ in range(100):
        assert take(values) == 15.0
        assert take(values[2:]) == 14.0
    assert sys.getrefcount(values) == held
    assert type(take(values)) is float
    assert str(take(np.empty(0))) == "0.0"


def test_numpy_read_only(take: Any) -> None:
    values = np.arange(6.0)
    values.flags.writeable = False
    assert take(values) == 15.0  # NumPy exports it only to consumers of DLPack 1.0


@pytest.mark.parametrize(
    "values",
    [
        np.ones(3, np.float32),
        np.ones(3, np.int64),
        np.ones(3, np.complex128),
        np.ones((2, 2)),
        np.array(1.0),
        np.ones(6)[::2],
        np.ones(6)[::-1],
        np.ones(3).astype(">f8"),
        np.broadcast_to(1.0, 3),
    ],
    ids=lambda values: f"{values.dtype.str}{values.shape}{values.strides}",
)
def test_numpy_refused(take: Any, values: Any) -> None:
    held = sys.getrefcount(values)
    for _ in range(20):
        with pytest.raises(REFUSED):
            take(values)
    assert sys.getrefcount(values) == held


def test_torch(take: Any) -> None:
    torch = needs("torch")
    assert take(torch.arange(6.0, dtype=torch.float64)) == 15.0
    assert take(torch.arange(6.0, dtype=torch.float64)[2:]) == 14.0
    for tensor in (
        torch.ones(3),
        torch.ones(2, 2).double(),
        torch.ones(6).double()[::2],
        torch.ones(3, device="meta").double(),
    ):
        with pytest.raises(REFUSED):
            take(tensor)


def test_torch_does_not_export_what_requires_grad(take: Any) -> None:
    """A tensor like this is not exported, since no gradient would see changes to its memory."""
    torch = needs("torch")
    leaf = torch.ones(3, dtype=torch.float64, requires_grad=True)
    for tensor in (leaf, leaf * 2, torch.nn.Parameter(torch.ones(3).double())):
        with pytest.raises(REFUSED):
            take(tensor)
        assert take(tensor.detach()) == tensor.sum().item()


# ---- tensors made by hand ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exporter", "total"),
    [
        (lambda: Exporter([1.0, 2.0, 3.0]), 6.0),
        (lambda: Exporter([1.0, 2.0, 3.0], strides=(1,)), 6.0),
        (lambda: Exporter([1.0, 2.0, 3.0], shape=(2,), byte_offset=8), 5.0),
        (lambda: Exporter([], shape=(0,), data=0), 0.0),
    ],
    ids=["no strides", "strides", "offset", "empty"],
)
def test_exported_tensors(take: Any, exporter: Any, total: float) -> None:
    exported = exporter()
    assert take(exported) == total
    exported.capsule = None  # the consumer leaves the deletion to the capsule
    assert exported.freed == 1


def test_a_consumed_capsule(take: Any) -> None:
    exported = Exporter([1.0, 2.0, 3.0])
    taken = np.from_dlpack(exported)
    with pytest.raises(REFUSED):
        take(exported)
    assert exported.freed == 0
    assert taken.tolist() == [1.0, 2.0, 3.0]
    del taken
    exported.capsule = None
    assert exported.freed == 1


@pytest.mark.parametrize(
    "odd",
    [
        {"device": CUDA},
        {"bits": 32},
        {"code": 0},
        {"lanes": 2},
        {"shape": (1, 3)},
        {"shape": ()},
        {"shape": (2,), "strides": (2,)},
        {"shape": (2,), "strides": (-1,), "byte_offset": 8},
    ],
    ids=str,
)
def test_refused_tensors(take: Any, odd: dict[str, Any]) -> None:
    exported = Exporter([1.0, 2.0, 3.0], **odd)
    with pytest.raises(REFUSED):
        take(exported)
    exported.capsule = None
    assert exported.freed == 1


IMPOSSIBLE = """
from support.dlpack_exporter import Exporter
exported = Exporter([1.0, 2.0, 3.0], **{fields})
for function in (p.dlpack_in, p.tensor_in, p.array_in, p.strided_in):
    try:
        function(exported)
    except (TypeError, ValueError, RuntimeError, BufferError):
        continue
    assert not {refused}, function
"""


def test_tensors_that_cannot_be_in_memory(backend: ModuleType) -> None:
    """NumPy takes a tensor without memory for one whose memory it is to make."""
    fields = ["dict(shape=(-1,))", "dict(shape=(-(2**63),))", "dict(shape=(2**60,))"]
    programs = [(these, True) for these in [*fields, "dict(ndim=-1)"]] + [("dict(data=0)", False)]
    run_in_child(
        backend, [IMPOSSIBLE.format(fields=these, refused=refused) for these, refused in programs]
    )
