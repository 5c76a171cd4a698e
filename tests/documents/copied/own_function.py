"""The results and refusals of docs/own-function.md's package, against plain Python and zlib."""

import zlib

import numpy as np
import pytest
import smoothing

WRONG = (TypeError, ValueError, BufferError)

rng = np.random.default_rng(0)
for n in (0, 1, 2, 1000):
    x, expected = rng.normal(size=n), []
    x.flags.writeable = n % 2 == 0
    for number in x:
        average = expected[-1] if expected else number
        expected.append(average + 0.25 * (number - average))
    result = smoothing.ema(x, 0.25)
    assert type(result) is np.ndarray
    assert np.allclose(result, expected, rtol=1e-14, atol=0), n
    for data in (x.tobytes(), bytearray(x.tobytes()), memoryview(x.tobytes())):
        assert smoothing.crc32(data) == zlib.crc32(data)

for alpha in (0, -1.0, 1.5, float("nan")):
    with pytest.raises(ValueError, match=r"^alpha must be above 0 and at most 1$"):
        smoothing.ema(np.ones(3), alpha)
for bad in (np.nan, np.inf):
    with pytest.raises(ValueError, match=r"^x must be finite$"):
        smoothing.ema(np.array([1.0, bad]), 0.5)
for alpha in (None, "0.5", 1j):
    with pytest.raises(WRONG):
        smoothing.ema(np.ones(3), alpha)
wrong = np.frombuffer(bytes(17), np.uint8)[1:].view(np.float64)  # misaligned
for x in (None, "text", [1.0], np.ones((2, 2)), np.ones(3, np.float32), np.ones(4)[::2], wrong):
    with pytest.raises(WRONG):
        smoothing.ema(x, 0.5)
for data in (None, 5, "text", memoryview(b"abcd")[::2]):
    with pytest.raises(WRONG):
        smoothing.crc32(data)
print("right")
