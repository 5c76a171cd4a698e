import numpy as np
import pytest

import smooth


def test_ema():
    assert smooth.ema(np.array([1.0, 2.0, 4.0]), 0.5).tolist() == [1.0, 1.5, 2.75]


def test_an_average_goes_on_from_call_to_call():
    average = smooth.Average(0.5)
    assert average.update(np.array([1.0, 2.0, 4.0])).tolist() == [1.0, 1.5, 2.75]
    assert average.update(np.array([4.0])).tolist() == [3.375]


def test_crc32():
    assert smooth.crc32(b"123456789") == 0xCBF43926


@pytest.mark.parametrize("alpha", [0.0, 2.0, float("nan")])
def test_a_wrong_alpha_is_refused(alpha):
    with pytest.raises(ValueError, match="alpha must be above 0 and at most 1"):
        smooth.ema(np.ones(3), alpha)
    with pytest.raises(ValueError, match="alpha must be above 0 and at most 1"):
        smooth.Average(alpha)


def test_what_is_not_a_number_is_refused():
    with pytest.raises(ValueError, match="x must be finite"):
        smooth.ema(np.array([1.0, np.nan]), 0.5)
    for other in ("0.5", None):
        with pytest.raises(TypeError):
            smooth.ema(np.ones(3), other)
