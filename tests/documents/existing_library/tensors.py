"""The results and refusals of the package of operators, compared with plain Python and zlib."""

import zlib

import numpy as np
import pytest
import smooth
import torch

rng = np.random.default_rng(0)
for n in (0, 1, 2, 1000):
    x, expected, value = torch.from_numpy(rng.normal(size=n)), [], None
    for number in x.tolist():
        value = number if value is None else value + 0.25 * (number - value)
        expected.append(value)
    assert smooth.ema(x, 0.25).tolist() == expected, n
    torch.library.opcheck(torch.ops.smooth.ema, (x, 0.25))
    data = bytearray(rng.bytes(n))
    tensor = torch.frombuffer(data, dtype=torch.uint8) if n else torch.empty(0, dtype=torch.uint8)
    assert smooth.crc32(tensor) == zlib.crc32(data)
    del tensor

x = torch.ones(4, dtype=torch.float64)
for alpha in (0.0, -1.0, 1.5, float("nan")):
    with pytest.raises(RuntimeError, match=r"^alpha must be above 0 and at most 1$"):
        smooth.ema(x, alpha)
for bad in (float("nan"), float("inf")):
    with pytest.raises(RuntimeError, match=r"^x must be finite$"):
        smooth.ema(torch.tensor([1, bad], dtype=torch.float64), 0.5)
for wrong in (x[::2], x.reshape(2, 2), x.float()):
    with pytest.raises(RuntimeError):
        smooth.ema(wrong, 0.5)
for wrong in (x, torch.zeros(4, dtype=torch.uint8)[::2]):
    with pytest.raises(RuntimeError):
        smooth.crc32(wrong)
print("right")
