"""Tensors by the C exchange API of their type, or else by __dlpack__: taken, made and refused."""

from __future__ import annotations

import ctypes
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.backends import REFUSALS, needs
from support.dlpack_exporter import Exporter, new_capsule

pytestmark = pytest.mark.part("patterns")
REFUSED = (*REFUSALS, BufferError, RuntimeError)  # the last two come from the library
torch = needs("torch")


def vector(n: int = 6) -> Any:
    return torch.arange(n, dtype=torch.float64)


class Freeing(torch.Tensor):  # type: ignore[misc]
    """A tensor that loses its memory when it is asked what it is."""

    def is_neg(self) -> Any:
        return self.untyped_storage().resize_(0) is None

    requires_grad = property(is_neg)


def test_taken(patterns: Any) -> None:
    x, column = vector(), torch.ones(4, 3).double()[:1, 0]
    tensors = (
        x,
        x[2:],
        x[5:],
        x[:0],
        x[:1].reshape(1),
        column,
        x.as_subclass(type("A", (type(x),), {})),
    )
    held = sys.getrefcount(x)
    for tensor in tensors:
        assert patterns.tensor_in(tensor) == tensor.sum().item()
    assert sys.getrefcount(x) == held


@pytest.mark.parametrize("like", [np.ones(2, "i4"), torch.ones(2, 2), torch.nn.Parameter(vector())])
def test_made(patterns: Any, like: Any) -> None:
    for n in (0, 1, 10_000):
        made = patterns.tensor_out(like, n)
        assert type(made) is (np.ndarray if type(like) is np.ndarray else torch.Tensor)
        assert (np.asarray(made) == np.arange(float(n))).all()
        made += 1.0  # it is writable
    for n in (-1, -(2**63), 2**62, 2**64):
        with pytest.raises((*REFUSED, MemoryError)):
            patterns.tensor_out(like, n)


def test_nothing_is_left(patterns: Any) -> None:
    x, grad = vector(), vector().requires_grad_()
    before = int(Path("/proc/self/statm").read_text().split()[1])
    for _ in range(10_000):
        assert patterns.tensor_in(patterns.tensor_out(x, 1000)) == 499_500
        with suppress(*REFUSED):
            patterns.tensor_in(grad)
    pages = int(Path("/proc/self/statm").read_text().split()[1]) - before
    assert pages < 10_000  # half of what the tensors take


def test_threads_share_a_tensor(patterns: Any) -> None:
    x = vector()

    def work(_: int) -> bool:
        made = (patterns.tensor_out(x, 6) for _ in range(2000))
        return all(patterns.tensor_in(x) == patterns.tensor_in(one) == 15 for one in made)

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(work, range(4)))


WRONG: dict[str, Any] = {
    "float32": lambda: vector().float(),
    "complex128|conjugate": lambda: torch.zeros(3, dtype=torch.complex128).conj(),
    "negates": lambda: torch.ones(1, dtype=torch.complex128).conj().imag,
    "dimension": lambda: vector().reshape(2, 3),
    "contiguous": lambda: vector()[::2],
    "meta": lambda: vector().to("meta"),
    "layout": lambda: vector().to_sparse(),
    "gradient": lambda: torch.nn.Parameter(vector()),
    "memory": lambda: torch._to_functional_tensor(vector()),
    "memory.*": lambda: vector().as_subclass(Freeing),
    "memory|negates": lambda: vector(1).as_subclass(Freeing),
}


@pytest.mark.parametrize("said", WRONG)
def test_refused(patterns: Any, said: str) -> None:
    with pytest.raises(REFUSED, match=said):
        patterns.tensor_in(WRONG[said]())
    with pytest.raises(REFUSED):
        torch.vmap(patterns.tensor_in)(torch.ones(2, 3).double())


# ---- types that lie ------------------------------------------------------------------------


@ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)
def fails(*_: Any) -> int:
    return -1


FAILS: Any = ctypes.cast(fails, ctypes.c_void_p).value
OLDER, NEWER, FAILING = (
    (ctypes.c_uint64 * 7)(v, 0, *[f] * 5) for v, f in ((1, 0), (2, 1), (1, FAILS))
)
LIES: dict[str, Any] = {
    "a number": 5,
    "another capsule": new_capsule(FAILS, b"dltensor", None),
    "another library": torch.Tensor.__dlpack_c_exchange_api__,
    **{
        name: new_capsule(ctypes.addressof(functions), b"dlpack_exchange_api", None)
        for name, functions in (("no functions", OLDER), ("newer", NEWER), ("failing", FAILING))
    },
}


@pytest.mark.parametrize("lie", LIES)
def test_lies(patterns: Any, lie: str) -> None:
    """The object is taken by __dlpack__ if it has that; an attribute of its own does not count."""
    attributes = {"__dlpack_c_exchange_api__": LIES[lie]}
    exported: Any = type("Liar", (Exporter,), attributes)([1.0, 2.0, 3.0])
    exported.__dlpack_c_exchange_api__ = LIES["failing"]
    assert patterns.tensor_in(exported) == 6.0
    exported.capsule = None
    assert exported.freed == 1
    liar = type("Liar", (), attributes)()
    with pytest.raises(REFUSED):
        patterns.tensor_in(liar)
    with suppress(*REFUSED):
        assert type(patterns.tensor_out(liar, 3)) is torch.Tensor
        assert lie == "another library"
