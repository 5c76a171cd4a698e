"""The torch binding and memory: tensors and arrays in and out, models, and the library."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

from support.backends import missing
from support.torch_backend import torch, torch_backend

# ---- tensors and arrays ---------------------------------------------------------------------


def test_matmul_of_tensors() -> None:
    a, b = torch.randn(6, 5), torch.randn(5, 4)
    product = torch_backend.matmul(a, b)
    torch.testing.assert_close(product, a @ b)
    out = torch.empty(6, 4)
    assert torch_backend.matmul(a, b, out=out) is out
    assert torch.equal(out, product)
    assert np.array_equal(torch_backend.matmul(a.numpy(), b.numpy()), product.numpy())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.int64, torch.complex64])
def test_refused_tensors(dtype: Any) -> None:
    a = torch.ones(3, 3)
    for arguments in ((a.to(dtype), a.to(dtype)), (a, a.to(dtype)), (a.double(), a)):
        with pytest.raises(TypeError, match="float32 or all float64"):
            torch_backend.matmul(*arguments)
    with pytest.raises(TypeError, match="float32 or all float64"):
        torch_backend.matmul(a, a, out=torch.ones(3, 3, dtype=dtype))
    for other in (a.numpy(), None):
        with pytest.raises(TypeError, match="must b and out be"):
            torch_backend.matmul(a, other)


def test_arrays_are_borrowed() -> None:
    from ffi_cookbook.bindings.torch.library import borrowed

    array = np.arange(12.0).reshape(3, 4)
    frozen = array[:, ::2]
    frozen.flags.writeable = False
    assert borrowed(array).data_ptr() == array.ctypes.data
    assert borrowed(frozen).data_ptr() == frozen.ctypes.data
    assert borrowed(frozen).stride() == (4, 2)
    assert borrowed(array[::-1]).tolist() == array[::-1].tolist()
    tensor = borrowed(np.full(5, 7.0))  # nothing else refers to this array
    assert tensor.tolist() == [7.0] * 5


# ---- the library ----------------------------------------------------------------------------


def test_only_the_stable_abi() -> None:
    if not shutil.which("nm"):
        missing("nm, which lists a library's symbols")
    from ffi_cookbook_torch import LIBRARY

    listing = subprocess.run(
        ["nm", "-D", "-C", "--undefined-only", LIBRARY], capture_output=True, text=True, check=True
    ).stdout
    symbols = [line.split("U ", 1)[-1].strip() for line in listing.splitlines()]
    assert any(symbol.startswith("aoti_torch_") for symbol in symbols)
    assert not [symbol for symbol in symbols if re.match(r"_?Py|.*\b(at|c10|torch)::", symbol)]
