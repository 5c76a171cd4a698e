"""Tensors by the C exchange API of their type, or else by __dlpack__: taken, made and refused."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from support.backends import REFUSALS, needs
from support.dlpack_exporter import Exporter, new_capsule

pytestmark = pytest.mark.part("patterns")
REFUSED = (*REFUSALS, BufferError, RuntimeError)  # the last two come from the library
torch = needs("torch")
VECTOR = torch.arange(6, dtype=torch.float64)


STATM, NAME = Path("/proc/self/statm"), b"dlpack_exchange_api"  # a capsule keeps no copy of it


def variant(tensor: Any, **attributes: Any) -> Any:
    return tensor.clone().as_subclass(type("Variant", (torch.Tensor,), attributes))


def freed(self: Any) -> None:
    self.untyped_storage().resize_(0)


def test_taken(patterns: Any) -> None:
    for tensor in (VECTOR, VECTOR[2:], VECTOR[5:], VECTOR[:0], VECTOR[::6], variant(VECTOR)):
        assert patterns.tensor_in(tensor) == tensor.sum().item()


@pytest.mark.parametrize("like", [torch.ones(2, 2), torch.nn.Parameter(VECTOR)])
def test_made(patterns: Any, like: Any) -> None:
    for n in (0, 1, 10_000):
        made = patterns.tensor_out(like, n)
        assert type(made) is torch.Tensor
        assert made.add_(1.0).tolist() == [*range(1, n + 1)]
    for n in (-1, -(2**63), 2**62, 2**64):
        with pytest.raises((*REFUSED, MemoryError)):
            patterns.tensor_out(like, n)


def test_threads_share_a_tensor_and_nothing_is_left(patterns: Any) -> None:
    before = int(STATM.read_text().split()[1])

    def work(_: int) -> None:
        for _ in range(2500):
            assert patterns.tensor_in(VECTOR) == 15.0
            assert patterns.tensor_in(patterns.tensor_out(VECTOR, 1000)) == 499_500.0

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    pages = int(STATM.read_text().split()[1]) - before
    assert pages < 10_000  # half of what the tensors took


WRONG: dict[str, Any] = {
    "float32": lambda: VECTOR.float(),
    "negates": lambda: torch.ones(1, dtype=torch.complex128).conj().imag,
    "memory": lambda: torch._to_functional_tensor(VECTOR),
    "in memory": lambda: variant(VECTOR, requires_grad=property(freed)),
    "memory|negates": lambda: variant(VECTOR[:1], is_neg=freed),
}


@pytest.mark.parametrize("said", WRONG)
def test_refused(patterns: Any, said: str) -> None:
    with pytest.raises(REFUSED, match=said):
        patterns.tensor_in(WRONG[said]())
    with pytest.raises(REFUSED):
        torch.vmap(patterns.tensor_in)(torch.ones(2, 3).double())


FAILS = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(lambda *_: -1)
ADDRESS: Any = ctypes.cast(FAILS, ctypes.c_void_p).value
APIS = [(ctypes.c_uint64 * 7)(v, 0, *[f] * 5) for v, f in ((1, 0), (2, 1), (1, ADDRESS))]
LIES: list[Any] = [torch.Tensor.__dlpack_c_exchange_api__, 5, new_capsule(ADDRESS, None, None)]
LIES += [new_capsule(ctypes.addressof(api), NAME, None) for api in APIS]


@pytest.mark.parametrize("lie", LIES, ids=range(6))
def test_a_type_that_lies(patterns: Any, lie: Any) -> None:
    attributes = {"__dlpack_c_exchange_api__": lie}
    exported: Any = type("Liar", (Exporter,), attributes)([1.0, 2.0, 3.0])
    exported.__dlpack_c_exchange_api__ = LIES[-1]
    assert patterns.tensor_in(exported) == 6.0
    exported.capsule = None
    assert exported.freed == 1
    liar = type("Liar", (), attributes)()
    with pytest.raises(REFUSED):
        patterns.tensor_in(liar)
    with suppress(*REFUSED, SystemError):
        assert (type(patterns.tensor_out(liar, 3)), lie) == (torch.Tensor, LIES[0])
