"""The results and refusals of a page's package, compared with plain Python and zlib."""

import ctypes
import zlib

import numpy as np
import pytest
import smooth

WRONG = (TypeError, ValueError, ctypes.ArgumentError, np.exceptions.ComplexWarning)

rng = np.random.default_rng(0)
for n in (0, 1, 2, 1000):
    x, expected, value = rng.normal(size=n), [], None
    for number in x:
        value = number if value is None else value + 0.25 * (number - value)
        expected.append(value)
    average = smooth.Average(0.25)
    parts = [average.update(part) for part in np.array_split(x, 3)]
    assert all(part.dtype == np.float64 and part.ndim == 1 for part in parts)
    assert np.array_equal(np.concatenate(parts), expected), n
    for data in (x.tobytes(), bytearray(x.tobytes()), memoryview(x.tobytes())):
        assert smooth.crc32(data) == zlib.crc32(data)

for alpha in (0.0, -1.0, 1.5, float("nan")):
    with pytest.raises(ValueError, match=r"^alpha must be above 0 and at most 1$"):
        smooth.Average(alpha)
with pytest.raises(WRONG):
    smooth.Average("0.5")

average = smooth.Average(0.5)
assert average.update(np.array([1.0])) == 1
for bad in (np.nan, np.inf):
    with pytest.raises(ValueError, match=r"^x must be finite$"):
        average.update(np.array([1.0, bad]))
for x in (None, "text", np.zeros((2, 2)), np.array([1j])):
    with pytest.raises(WRONG):
        average.update(x)
for data in (None, 5, "text"):
    with pytest.raises(WRONG):
        smooth.crc32(data)
assert average.update(np.array([3.0])) == 2  # the refused call has changed nothing

for x in (np.arange(6.0)[::2], np.arange(3), np.arange(3, dtype=np.float32)):
    try:
        answer = smooth.Average(0.5).update(x)
    except WRONG:
        continue  # a page may refuse these; if it converts them, the result must be right
    assert np.array_equal(answer, smooth.Average(0.5).update(np.array(x, np.float64)))
for _ in range(2000):  # a handle that is freed twice would end the process
    smooth.Average(0.5).update(np.ones(3))
print("right")
